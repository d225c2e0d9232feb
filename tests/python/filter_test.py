"""Filters as sets: against Python's own, from every source of keys, from many threads."""

import array
import copy
import pickle
import threading
import unittest

import bloomery
import duckdb
import numpy
import pandas
import polars
import pyarrow
from bloomery import errors
from hypothesis import given, settings
from hypothesis import strategies as some
from support import FolderTest

KINDS = ("blocked", "classic", "counting")
HASHES = ("xxh3", "murmur3")
SECRET = b"sixteen bytes..."

keys = some.one_of(some.text(some.characters(codec="utf-8")), some.binary(), some.integers())
key_sets = some.sets(keys, max_size=60)
filters = some.builds(
    dict, keys=some.integers(1, 200), fpr=some.sampled_from([0.1, 0.01, 0.001]),
    kind=some.sampled_from(KINDS), hash=some.sampled_from(HASHES), seed=some.integers(0, 2**32 - 1))


def as_bytes(key):
    return key if isinstance(key, bytes) else str(key).encode()


class LikeASet(unittest.TestCase):
    @settings(max_examples=200, deadline=None)
    @given(filters, key_sets, key_sets)
    def test_no_member_is_denied_and_unions_hold_both(self, spec, first, second):
        a, b = bloomery.Filter(**spec), bloomery.Filter(**spec)
        self.assertEqual((len(first), 0), tuple(a.update(first)))
        for key in second:
            b.insert(key)
        both = a | b
        for key in first | second:
            self.assertIn(key, both)
        self.assertTrue(all(key in a for key in first))
        self.assertEqual(both, b | a)
        a |= b
        self.assertEqual(both, a)
        self.assertEqual(len(first) + len(second), a.count)

    @settings(max_examples=100, deadline=None)
    @given(filters, key_sets)
    def test_one_by_one_in_bulk_pickled_and_copied_are_equal(self, spec, members):
        one, bulk = bloomery.Filter(**spec), bloomery.Filter(**spec)
        for key in members:
            one.insert(key)
        bulk.update(members)
        for other in (bulk, pickle.loads(pickle.dumps(one)), copy.copy(one), one.copy(),
                      bloomery.Filter.from_bytes(one.to_bytes())):
            self.assertEqual(one, other)
            self.assertEqual(one.to_bytes(), other.to_bytes())

    @settings(max_examples=100, deadline=None)
    @given(some.sets(some.binary(), max_size=80), some.sets(some.binary(), max_size=80))
    def test_absent_keys_are_wrong_as_rarely_as_promised(self, members, others):
        absent = [key for key in others if key not in members]
        filter = bloomery.Filter(200, fpr=1e-6)
        filter.update(members)
        self.assertEqual([], [key for key in absent if key in filter])

    @settings(max_examples=50, deadline=None)
    @given(some.lists(some.binary(), unique=True, max_size=50))
    def test_what_is_removed_is_gone(self, members):
        filter = bloomery.Filter(1000, fpr=1e-6, kind="counting")
        empty = filter.copy()
        filter.update(members)
        self.assertTrue(all(filter.remove(key) for key in members))
        self.assertEqual(empty, filter)

    def test_len_is_an_estimate_of_distinct_keys(self):
        for kind in KINDS:
            filter = bloomery.Filter(10_000, kind=kind)
            self.assertEqual(0, len(filter))
            filter.update(range(10_000))
            filter.update(range(10_000))
            self.assertAlmostEqual(10_000, len(filter), delta=300)
            self.assertEqual(20_000, filter.count)
            filter.clear()
            self.assertEqual((0, 0, False), (len(filter), filter.count, bool(filter)))

    def test_every_kind_and_hash_keeps_its_rate(self):
        for kind in KINDS:
            for spec in ({"hash": "xxh3", "seed": 7}, {"hash": "murmur3", "seed": 1},
                         {"hash": "sip", "secret": SECRET}):
                filter = bloomery.Filter(20_000, fpr=0.01, kind=kind, **spec)
                filter.update(numpy.arange(20_000))
                wrong = filter.may_contain(numpy.arange(20_000, 120_000)).sum()
                self.assertLess(wrong, 1300, (kind, spec))
                self.assertGreater(wrong, 700, (kind, spec))
                self.assertTrue(filter.may_contain(numpy.arange(20_000)).all())

    def test_seeds_one_a_position(self):
        filter = bloomery.Filter(1000, kind="classic", seeds=[1, 2, 3, 4])
        filter.update(map(str, range(1000)))
        self.assertTrue(filter.may_contain([str(i) for i in range(1000)]).all())
        self.assertEqual([1, 2, 3, 4], filter.spec["seeds"])


class SourcesOfKeys(FolderTest):
    words = [f"word {i}" for i in range(10_000)] + ["", "\0", "Ünïcödé", "x" * 5000]

    def check_same(self, sources, words, **spec):
        expected = bloomery.Filter(len(words), **spec)
        for word in words:
            if word is not None:
                expected.insert(word)
        for name, source in sources.items():
            with self.subTest(name):
                filter = bloomery.Filter(len(words), **spec)
                inserted = filter.update(source)
                self.assertEqual(expected, filter)
                nulls = sum(word is None for word in words)
                self.assertEqual((len(words) - nulls, nulls), tuple(inserted))
                answers = filter.may_contain(source)
                self.assertEqual([word is not None for word in words], answers.tolist())

    def test_strings_and_binaries_of_arrow_in_every_layout(self):
        words = self.words + [None, "after a null"]
        plain = pyarrow.array(words)
        longer = pyarrow.array(["cut off", *words, "cut off"])
        self.check_same({
            "string": plain,
            "large_string": plain.cast(pyarrow.large_string()),
            "binary": plain.cast(pyarrow.binary()),
            "large_binary": plain.cast(pyarrow.large_binary()),
            "string_view": plain.cast(pyarrow.string_view()),
            "dictionary": plain.dictionary_encode(),
            "slice": longer[1:-1],
            "chunks": pyarrow.chunked_array([plain[:7], plain[7:7], plain[7:]]),
            "table": pyarrow.table({"only": plain}),
            "record batch": pyarrow.record_batch({"only": plain}),
        }, words)

    def test_columns_of_other_libraries(self):
        words = self.words
        frame = pandas.DataFrame({"word": words})
        duckdb.sql("create table words as select word from frame")
        self.addCleanup(duckdb.sql, "drop table words")
        self.check_same({
            "pandas object": frame["word"],
            "pandas string": frame["word"].astype("string"),
            "pandas pyarrow": frame["word"].astype("string[pyarrow]"),
            "polars": polars.Series(words),
            "polars frame": polars.DataFrame({"word": words}),
            "duckdb": duckdb.table("words"),
            "list": words, "tuple": tuple(words),
            "numpy object": numpy.array(words, dtype=object),
        }, words)

    def test_missing_values_of_pandas(self):
        words = ["a", None, "b"]
        self.check_same({
            "object": pandas.Series(words), "string": pandas.Series(words, dtype="string"),
            "nan": pandas.Series(["a", float("nan"), "b"]), "list": words,
            "polars": polars.Series(words)}, words)

    def test_columns_of_numbers_with_gaps(self):
        for column in (pandas.Series([1, None, 3], dtype="Int64"), numpy.ma.masked_array([1, 2, 3], [False, True, False])):
            made = bloomery.Filter(1000, 1e-6)
            self.assertEqual((2, 1), tuple(made.update(column)))
            self.assertEqual([True, False, True], made.may_contain(["1", "2", "3"]).tolist())

    def test_a_null_is_in_no_filter(self):
        made = bloomery.Filter(1)
        made.update(["a", "b", "c"] * 100)
        for null in (None, float("nan"), pandas.NA):
            self.assertFalse(null in made)
            self.assertIs(False, made.may_contain(null))
            with self.assertRaisesRegex(TypeError, "^a null is no key; update"):
                made.insert(null)

    def test_keys_in_two_dimensions_are_refused(self):
        with self.assertRaisesRegex(TypeError, "^keys in 2 dimensions; give one, such as a.ravel"):
            bloomery.Filter(10).update(numpy.zeros((2, 2), dtype=int))

    def test_whole_numbers_are_their_decimal_text(self):
        numbers = [0, 1, 100, 127]
        texts = bloomery.Filter(10)
        texts.update([str(number) for number in numbers])
        for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
            for source in (numpy.array(numbers, name), pyarrow.array(numbers, getattr(pyarrow, name)()),
                           numpy.array([*numbers, 5] * 2, name)[:4]):
                filter = bloomery.Filter(10)
                filter.update(source)
                self.assertEqual(texts, filter, name)
        below = bloomery.Filter(10)
        below.update(numpy.array([-128, -1], "int8"))
        self.assertTrue("-128" in below and -1 in below)
        large = bloomery.Filter(10)
        large.update(numpy.array([2**64 - 1], "uint64"))
        self.assertIn(str(2**64 - 1), large)
        self.assertIn(2**64 - 1, large)

    def test_numbers_of_eight_bytes(self):
        made = bloomery.Filter(100, key_type="u64")
        made.update(numpy.arange(50, dtype="uint64"))
        bytes_of = bloomery.Filter(100)
        bytes_of.update([i.to_bytes(8, "little") for i in range(50)])
        self.assertEqual(bytes_of.fill, made.fill)
        self.assertTrue(7 in made and "7" in made and 99 not in made)
        with self.assertRaises(ValueError):
            made.insert("seven")

    def test_numpy_texts_strides_and_buffers(self):
        words = ["a", "béta", "", "日本"]
        self.check_same({"U": numpy.array(words)}, words)
        plain = ["a", "bb", "ccc"]
        self.check_same({"S": numpy.array(plain, "S")}, plain)
        self.check_same({"strided": numpy.array(["a", "-", "bb", "-", "ccc", "-"])[::2]}, plain)
        numbers = list(range(0, 20, 3))
        self.check_same({"strided": numpy.arange(20)[::3], "array": array.array("q", numbers),
                         "backwards": numpy.array(numbers[::-1])[::-1]}, numbers)

    def test_what_is_no_key_says_what_is(self):
        filter = bloomery.Filter(10)
        for wrong in (1.5, True, object(), ("a",)):
            with self.assertRaisesRegex(TypeError, "a key is str, bytes or int"):
                filter.insert(wrong)
        with self.assertRaisesRegex(TypeError, "many keys are needed"):
            filter.update("word")
        with self.assertRaisesRegex(errors.UnsupportedError, 'column "keys": a double makes no key'):
            filter.update(pyarrow.array([1.5]))
        with self.assertRaisesRegex(errors.InvalidError, "table of 2 columns"):
            filter.update(pyarrow.table({"a": ["x"], "b": ["y"]}))
        self.assertEqual(0, filter.count)

    def test_same_bytes_as_the_command_line(self):
        words = [f"word {i}" for i in range(3000)]
        (self.folder / "words.txt").write_text("\n".join(words) + "\n")
        for kind in KINDS:
            for hash in HASHES:
                self.cli("build", "words.txt", "--kind", kind, "--hash", hash, "--seed", "5", "-p",
                         "0.2%", "-q", "-f", "-o", "words.bank")
                filter = bloomery.Filter(3000, fpr=0.002, kind=kind, hash=hash, seed=5)
                filter.update(numpy.array(words))
                self.assertEqual((self.folder / "words.bank").read_bytes(), filter.to_bytes())


class Errors(FolderTest):
    def test_wrong_specs_are_exceptions_with_the_message_of_the_core(self):
        for spec, message in (({"fpr": 2}, "fpr"), ({"kind": "cuckoo"}, "blocked, classic or counting"),
                              ({"hash": "md5"}, "xxh3, murmur3 or sip"),
                              ({"hash": "sip"}, "go together"),
                              ({"hash": "murmur3", "seed": 2**40}, "seed"),
                              ({"secret": b"short", "hash": "sip"}, "must have 16"),
                              ({"key_type": "float"}, "text, u64 or i64")):
            with self.assertRaisesRegex(errors.InvalidError, message):
                bloomery.Filter(10, **spec)
            self.assertTrue(issubclass(errors.InvalidError, ValueError))

    def test_arguments_of_the_wrong_type_are_named_with_what_they_must_be(self):
        number = "must be a whole number, not negative and not too large"
        for arguments, message in (
                ({"keys": -1}, f"keys=-1: {number}"), ({"keys": 1e6}, f"keys=1000000.0: {number}"),
                ({"keys": 10, "seed": -1}, f"seed=-1: {number}"), ({"keys": 10, "fpr": "1%"}, "fpr='1%': must be a number"),
                ({"keys": 10, "kind": 3}, "kind=3: must be a str"), ({"keys": 10, "secret": "x" * 16}, "secret=: must be bytes"),
                ({"keys": 10, "size": 3}, "Filter() has no argument size; it takes keys, fpr, kind, hash, seed, hashes, "
                                          "seeds, bytes, secret, key_type")):
            with self.assertRaises(TypeError) as raised:
                bloomery.Filter(**arguments)
            self.assertEqual(message, str(raised.exception))

    def test_messages_name_arguments_and_not_flags(self):
        with self.assertRaises(errors.InvalidError) as raised:
            bloomery.Filter(10, hashes=5)
        self.assertEqual("hashes 5: a blocked filter has 8 or 16; use the classic kind for any number from 1 to 64",
                         str(raised.exception))

    def test_a_filter_changes_so_it_has_no_hash(self):
        with self.assertRaises(TypeError):
            hash(bloomery.Filter(10))

    def test_filters_that_do_not_fit_do_not_merge(self):
        with self.assertRaisesRegex(errors.MismatchError, "bits differ"):
            bloomery.Filter(100) | bloomery.Filter(1_000_000)
        with self.assertRaisesRegex(errors.UnsupportedError, "only the counting kind"):
            bloomery.Filter(100).remove("a")

    def test_a_buffer_that_is_used_again_is_taken_as_it_was(self):
        def same_buffer():
            buffer = bytearray(8)
            for number in range(10_000):
                buffer[:] = number.to_bytes(8, "little")
                yield buffer

        filter = bloomery.Filter(keys=10_000, fpr=1e-6)
        filter.update(same_buffer())
        self.assertTrue(all(number.to_bytes(8, "little") in filter for number in range(10_000)))

    def test_numbers_of_any_length_are_keys_or_errors(self):
        filter = bloomery.Filter(keys=10)
        filter.insert(10**100)
        self.assertIn(str(10**100), filter)
        with self.assertRaises(ValueError):
            filter.insert(10**5000)  # beyond what Python turns into text

    def test_nulls_in_the_values_of_a_dictionary_are_nulls(self):
        column = pyarrow.array(["a", None, "b"]).dictionary_encode(null_encoding="encode")
        filter = bloomery.Filter(keys=10, fpr=1e-6)
        self.assertEqual((2, 1), tuple(filter.update(column)))
        self.assertNotIn("", filter)

    def test_a_capsule_that_was_taken_is_refused(self):
        class Once:
            """Gives the same capsules at every call, against the rules of the interface."""

            def __init__(self, column):
                self.array = column.__arrow_c_array__()

            def __arrow_c_array__(self, requested_schema=None):
                return self.array

        class OnceStream:
            def __init__(self, column):
                self.stream = pyarrow.chunked_array([column]).__arrow_c_stream__()

            def __arrow_c_stream__(self, requested_schema=None):
                return self.stream

        for name, once in (("arrow_schema", Once), ("arrow_array_stream", OnceStream)):
            keys = once(pyarrow.array(["a", "b"]))
            filter = bloomery.Filter(10)
            self.assertEqual((2, 0), filter.update(keys))
            with self.assertRaisesRegex(errors.InvalidError, f"the capsule {name} is empty"):
                filter.update(keys)
            with self.assertRaisesRegex(errors.InvalidError, f"the capsule {name} is empty"):
                filter.may_contain(keys)
            self.assertEqual(2, filter.count)

    def test_strings_in_the_other_byte_order(self):
        filter = bloomery.Filter(keys=10, fpr=1e-6)
        filter.update(numpy.array(["tt01", "z\u00fcri"]).astype(">U4"))
        self.assertIn("tt01", filter)
        self.assertIn("z\u00fcri", filter)

    def test_filters_of_two_key_types_make_no_bank(self):
        numbers, texts = bloomery.Filter(keys=10, key_type="u64"), bloomery.Filter(keys=10)
        with self.assertRaisesRegex(errors.MismatchError, "key types u64 and text"):
            bloomery.save({"a": numbers, "b": texts}, self.folder / "x.bank")
        self.assertFalse((self.folder / "x.bank").exists())

    def test_damaged_bytes_are_refused(self):
        filter = bloomery.Filter(1000)
        filter.update(range(1000))
        whole = bytearray(filter.to_bytes())
        whole[len(whole) // 2] ^= 1
        with self.assertRaises(errors.DamagedError):
            bloomery.Filter.from_bytes(bytes(whole))

    def test_a_secret_filter_needs_its_secret(self):
        filter = bloomery.Filter(10, hash="sip", secret=SECRET)
        filter.insert("a")
        self.assertIn("a", pickle.loads(pickle.dumps(filter)))
        with self.assertRaises(errors.Error):
            bloomery.Filter.from_bytes(filter.to_bytes())


class Threads(unittest.TestCase):
    def test_threads_hammering_one_filter_lose_no_key(self):
        for kind in KINDS:
            filter = bloomery.Filter(80_000, kind=kind)
            failures = []

            def work(number, filter=filter, failures=failures):
                mine = numpy.arange(number * 10_000, (number + 1) * 10_000)
                for part in numpy.split(mine, 10):
                    filter.update(part)
                    if not filter.may_contain(part).all():
                        failures.append(number)
                for key in range(number * 10_000, number * 10_000 + 500):
                    filter.insert(key)
                    if key not in filter:
                        failures.append(key)
                len(filter), filter.to_bytes(), filter.copy(), filter.fill

            threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual([], failures)
            self.assertTrue(filter.may_contain(numpy.arange(80_000)).all())
            self.assertEqual(8 * 10_500, filter.count)

    def test_two_filters_merged_crosswise_do_not_wait_for_each_other(self):
        a, b = bloomery.Filter(1000), bloomery.Filter(1000)

        def work(to, other):
            for _ in range(200):
                to |= other

        threads = [threading.Thread(target=work, args=pair) for pair in ((a, b), (b, a)) * 2]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    unittest.main()
