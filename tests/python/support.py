"""What the tests of the package share: an empty folder each, the command line, some records."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("BLOOMERY", "bloomery")


class FolderTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bloomery-python-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def cli(self, *arguments, stdin=b""):
        run = subprocess.run([PROGRAM, *map(str, arguments)], cwd=self.folder, input=stdin,
                             capture_output=True, check=False)
        self.assertEqual(0, run.returncode, run.stderr.decode())
        return run.stdout

    def ratings(self, factor="0.016"):
        """A table of films as TSV: its path; self.records is how many there are."""
        path = self.folder / "ratings.tsv"
        self.cli("generate", "ratings", "--factor", factor, "-q", "-o", path)
        self.records = path.read_bytes().count(b"\n") - 1
        return path
