"""The package as a guest: quiet under -X dev, without leaks, typed, and without NumPy where it can."""

import importlib.util
import pathlib
import subprocess
import sys
import unittest

EXERCISE = """
import gc, pickle, resource
import bloomery, numpy, pyarrow

def work():
    filter = bloomery.Filter(20_000)
    filter.update(numpy.arange(5000)); filter.update(pyarrow.array([str(i) for i in range(5000)]))
    filter.update(str(i) for i in range(5000)); filter.may_contain(numpy.arange(5000))
    pickle.loads(pickle.dumps(filter | filter.copy()))
    for wrong in (1.5, "one"):
        try: filter.update(wrong)
        except TypeError: pass
    table = pyarrow.table({"key": [str(i) for i in range(5000)], "group": [i % 5 for i in range(5000)]})
    bank = bloomery.build(table, key="key", group="group", threads=2)
    bank.query(["1", "2"]); bank["3"].filter(); bloomery.verify(bank, table)
    try: bloomery.build(table, key="none")
    except bloomery.Error: pass

def peak():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
"""


def run(code, *flags):
    return subprocess.run([sys.executable, *flags, "-c", EXERCISE + code], capture_output=True,
                          text=True, check=False)


class Health(unittest.TestCase):
    def test_quiet_in_development_mode_with_warnings_as_errors(self):
        done = run("work()", "-X", "dev", "-W", "error")
        self.assertEqual((0, "", ""), (done.returncode, done.stdout, done.stderr))

    def test_memory_stays_where_it_is(self):
        # Each round would leak 100 KB and more if one table, batch or key list stayed behind.
        done = run("for _ in range(15): work()\n"
                   "before = peak()\n"
                   "for _ in range(100): work()\n"
                   "gc.collect(); print(peak() - before)")
        self.assertEqual((0, ""), (done.returncode, done.stderr))
        self.assertLess(int(done.stdout), 6 << 20)

    def test_type_stubs_are_installed(self):
        folder = pathlib.Path(importlib.util.find_spec("bloomery").origin).parent
        self.assertTrue((folder / "py.typed").exists())
        stubs = (folder / "_core.pyi").read_text()
        self.assertIn("class Filter", stubs)
        self.assertIn("def may_contain", stubs)

    def test_numpy_and_pyarrow_are_not_needed_for_sets(self):
        code = ("import sys; sys.modules['numpy'] = sys.modules['pyarrow'] = None\n"
                "import bloomery\n"
                "f = bloomery.Filter(10); f.update(['a']); assert 'a' in f\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                              check=False)
        self.assertEqual((0, ""), (done.returncode, done.stderr))


if __name__ == "__main__":
    unittest.main()
