"""Filters of other systems against the originals: the same bytes, members and answers.

Usage: interop_test.py BLOOMERY WORK_FOLDER JARS_FOLDER CLASSES_FOLDER

For every case: a bank of 20 groups of different sizes is built with --dialect and exported; the
original (tests/interop/jvm, or mmh3 and bitarray for the Python program) loads each filter, finds
every member, writes it again, answers 100,000 other keys, and builds the same filters by itself. All
bytes must be equal, and all answers: ours from the bank, theirs, and ours from their files.
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys
import unittest

PROGRAM = WORK = JARS = CLASSES = None
SIZES = [1, 2, 3, 5, 8, 13, 21, 50, 100, 200, 333, 500, 777, 1000, 1500, 2222, 3000, 5000, 8000, 13000]
OTHERS = 100_000

# name: flags of build, fpr, seed
CASES = {
    "hadoop": (["--dialect", "hadoop"], "0.01", 0),
    "hadoop-jenkins": (["--dialect", "hadoop", "--hash", "hadoop-jenkins", "-k", "5"], "0.005", 0),
    "pisa-java": (["--dialect", "pisa-java"], "0.01", 0),
    "pisa-java-low": (["--dialect", "pisa-java"], "0.00001", 0),
    "spark": (["--dialect", "spark"], "0.03", 0),
    "spark-seed": (["--dialect", "spark", "--seed", "7"], "0.001", 7),
    "spark-long": (["--dialect", "spark", "--key-type", "i64"], "0.01", 0),
    "spark-v1": (["--dialect", "spark-v1"], "0.03", 0),
    "spark-v1-long": (["--dialect", "spark-v1", "--key-type", "i64"], "0.01", 0),
    "pisa-python": (["--dialect", "pisa-python"], "0.01", 0),
}
# Two-byte, three-byte and four-byte characters: the hashes treat bytes from 0x80 on in their own ways.
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789\u00e9\u00df\u20ac\U0001f600"


def text_key(rng):
    return "".join(rng.choices(LETTERS, k=rng.randint(1, 24)))


def long_key(rng):
    return str(rng.choice((rng.randint(-2**63, 2**63 - 1), rng.randint(-1000, 1000))))


def bloomery(*arguments, status=(0,)):
    run = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False)
    if run.returncode not in status:
        raise AssertionError(f"bloomery {' '.join(map(str, arguments))}: {run.stderr.decode()}")
    return run.stdout


def make_case(name):
    """Keys, others, our bank and our filters of one case."""
    folder = WORK / name
    folder.mkdir(parents=True)
    rng = random.Random(name)
    key = long_key if name.endswith("-long") else text_key
    with open(folder / "keys.tsv", "w", encoding="utf-8", newline="") as out:
        for number, size in enumerate(SIZES, 1):
            for _ in range(size):
                out.write(f"{key(rng)}\t{number}\n")
    with open(folder / "others.txt", "w", encoding="utf-8", newline="") as out:
        out.writelines(key(rng) + "\n" for _ in range(OTHERS))
    flags, fpr, _ = CASES[name]
    bloomery("build", folder / "keys.tsv", "--key", "1", "--group", "2", "--no-quotes", "-p", fpr,
             "-o", folder / "ours.bank", "-q", *flags)
    is_text = name.startswith("pisa")
    bloomery("export", folder / "ours.bank", "-o", folder / ("ours.json" if is_text else "ours"), "-q")


def group_names():
    return sorted(str(number) for number in range(1, len(SIZES) + 1))


def answers(folder, bank):
    """KEY<TAB>GROUPS of the others that a bank or container admits."""
    flags = ["--key-type", "i64"] if folder.name.endswith("-long") else []
    return bloomery("query", bank, "-i", folder / "others.txt", *flags, status=(0, 1))


class Originals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(WORK, ignore_errors=True)
        for name in CASES:
            make_case(name)
        lines = [f"{name} {CASES[name][1]} {CASES[name][2]}\n" for name in CASES if name != "pisa-python"]
        (WORK / "cases.txt").write_text("".join(lines))
        subprocess.run(["java", "-cp", f"{JARS}/*:{CLASSES}", "Interop", WORK], check=True)
        subprocess.run([sys.executable, pathlib.Path(__file__).parent / "pisa_program.py",
                        WORK / "pisa-python", CASES["pisa-python"][1]], check=True)

    def each_case(self):
        return [(name, WORK / name) for name in CASES]

    def ours(self, folder):
        if (folder / "ours.json").exists():
            return (folder / "ours.json").read_bytes().splitlines(True)
        listed = json.loads((folder / "ours" / "groups.json").read_text())["groups"]
        self.assertEqual(group_names(), [item["group"] for item in listed])
        return [(folder / "ours" / item["file"]).read_bytes() for item in listed]

    def test_the_original_writes_our_filters_again_to_the_byte(self):
        for name, folder in self.each_case():
            ours = self.ours(folder)
            self.assertEqual(len(SIZES), len(ours))
            again = [(folder / "again" / f"{i:06}.bloom").read_bytes() for i in range(1, len(ours) + 1)]
            self.assertEqual(ours, again, name)

    def test_the_original_builds_the_same_filters_by_itself(self):
        for name, folder in self.each_case():
            ours = self.ours(folder)
            theirs = [(folder / "theirs" / f"{i:06}.bloom").read_bytes() for i in range(1, len(ours) + 1)]
            self.assertEqual(ours, theirs, name)

    def test_both_answer_all_others_alike(self):
        for name, folder in self.each_case():
            ours = answers(folder, folder / "ours.bank")
            self.assertGreater(ours.count(b"\n"), 0)
            self.assertEqual((folder / "answers.txt").read_bytes(), ours, name)

    def test_filters_of_the_original_are_asked_and_imported(self):
        for name, folder in self.each_case():
            theirs = sorted((folder / "theirs").iterdir())
            if name.startswith("pisa"):
                (folder / "theirs.json").write_bytes(b"".join(file.read_bytes() for file in theirs))
                self.assertEqual((folder / "answers.txt").read_bytes(), answers(folder, folder / "theirs.json"))
                bloomery("import", folder / "theirs.json", "-o", folder / "theirs.bank", "-q")
            else:
                shutil.copy(folder / "ours" / "groups.json", folder / "theirs" / "groups.json")
                bloomery("import", folder / "theirs", "-o", folder / "theirs.bank", "-q")
                # The largest as it is, without a bank.
                place = group_names().index(str(len(SIZES)))
                expected = [line.split(b"\t")[0] for line in (folder / "answers.txt").read_bytes().splitlines()
                            if str(len(SIZES)).encode() in line.split(b"\t")[1].split(b",")]
                found = answers(folder, theirs[place]).splitlines()
                self.assertEqual([key + b"\tall" for key in expected], found, name)
            self.assertEqual((folder / "answers.txt").read_bytes(), answers(folder, folder / "theirs.bank"), name)

    def test_merged_containers_are_what_the_original_would_build_of_all_keys(self):
        """A filter merged with an empty one of its size stays what it is; so does one with itself."""
        for name, folder in self.each_case():
            files = [folder / "ours.json"] if name.startswith("pisa") else sorted((folder / "theirs").glob("*.bloom"))
            merged = folder / "merged"
            copied = folder / "copied"  # a file named twice is refused
            copied.write_bytes(files[0].read_bytes())
            bloomery("merge", files[0], copied, "-o", merged, "-f", "-q")
            self.assertEqual(files[0].read_bytes(), merged.read_bytes(), name)


if __name__ == "__main__":
    PROGRAM, WORK, JARS, CLASSES = [pathlib.Path(each).resolve() for each in sys.argv[1:5]]
    unittest.main(argv=sys.argv[:1] + sys.argv[5:])
