"""Runs bloomery in an empty folder a test, and looks at output, status and message."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ.get("BLOOMERY", "bloomery")
SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
TIMEOUT_S = 60


class Outcome:
    def __init__(self, run):
        self.status, self.out, self.err = run.returncode, run.stdout, run.stderr

    @property
    def text(self):
        return self.out.decode()

    @property
    def message(self):
        return self.err.decode()

    @property
    def json(self):
        return json.loads(self.out)


class CliTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bloomery-cli-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def bloomery(self, *arguments, stdin=b"", environment=None):
        """Runs bloomery and gives its outcome. Standard input is a pipe, never the terminal."""
        env = {"PATH": os.environ["PATH"], **(environment or {})}
        run = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env=env, input=stdin,
                             capture_output=True, timeout=TIMEOUT_S, check=False)
        return Outcome(run)

    def ok(self, *arguments, **keywords):
        outcome = self.bloomery(*arguments, **keywords)
        self.assertEqual(0, outcome.status, outcome.message)
        return outcome

    def fails(self, message, *arguments, status=2, **keywords):
        """It fails with exactly this message, prints nothing else, and leaves no file behind."""
        before = sorted(self.folder.iterdir())
        outcome = self.bloomery(*arguments, **keywords)
        self.assertEqual((message + "\n", status), (outcome.message, outcome.status))
        self.assertEqual(b"", outcome.out)
        self.assertEqual(before, sorted(self.folder.iterdir()))
        return outcome

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def make_bank(self, name="small.bank", records=b"a\t1\nb\t2\nc\t2\n", flags=()):
        """Three keys in two groups, unless told otherwise."""
        self.ok("build", "--key", "1", "--group", "2", "-o", name, *flags, stdin=records)
        return name
