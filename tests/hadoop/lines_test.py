"""Whatever bytes a file holds: the same keys, counts, samples and offsets as on threads."""

import gzip
import pathlib
import subprocess

from cluster_case import ClusterCase

# Ends in a record without a line end and with a field too few.
STRANGE = (b"\xef\xbb\xbfkey\tgroup\nplain\t1\ncr\rinside\t2\nends in cr\r\t1\r\n\n"
           b"nul\0byte\t1\nnot utf-8 \xff\xfe\t2\n\r\n\\N\t1\nmissing\t\n\xef\xbb\xbfmark\t1\n"
           b"too\tmany\tfields\nkey\tgroup\nlone")


class Lines(ClusterCase):
    def write(self, name, content):
        (self.folder / name).write_bytes(content)
        return name

    def test_strange_bytes_in_plain_and_compressed_files(self):
        rows = b"".join(b"row %d\t%d\n" % (i, i % 3) for i in range(200))
        files = [self.write("strange.txt", STRANGE),
                 self.write("packed.gz", gzip.compress(STRANGE[3:].replace(b"lone", b"last\t1"))
                            + gzip.compress(rows)),
                 self.write("no end.txt", b"key\tgroup\n" + rows + b"last\t1"),
                 self.write("crlf.txt", STRANGE[3:20].replace(b"\n", b"\r\n") + rows.replace(b"\n", b"\r\n")),
                 self.write("empty lines.txt", b"\n\n\nkey\tgroup\n" + rows)]
        recipe = ("--key", "key", "--group", "group", "--lenient")
        expected = self.threads("build", *files, *recipe, "-o", "t.bank", "--rejects", "t.jsonl")
        self.bloomery("plan", *files, *recipe, "-o", "files.plan")
        found = self.hadoop("build", *files, "--lenient", "--plan-from", "files.plan", "--tasks", "9",
                            "--reducers", "2", "-o", "h.bank", "--rejects", "h.jsonl")
        self.assert_same_file("t.bank", "h.bank")
        self.assert_same_records(expected, found)
        self.assertIn("truncated_last", str(found["rejected"]))
        self.assertEqual(sorted((self.folder / "t.jsonl").read_text().splitlines()),
                         sorted((self.folder / "h.jsonl").read_text().splitlines()))

    def test_so_many_lines_a_task(self):
        rows = b"".join(b"row %d\t%d\r\n" % (i, i % 3) for i in range(1000)) + b"bad\n" * 3 + b"x"
        name = self.write("crlf.txt", b"\xef\xbb\xbfkey\tgroup\r\n" + rows)
        recipe = ("--key", "key", "--group", "group", "--lenient", "--lines-per-task", "300")
        expected = self.threads("plan", name, *recipe, "-o", "t.plan")
        found = self.hadoop("plan", name, *recipe, "-o", "h.plan")
        self.assert_same_file("t.plan", "h.plan")
        self.assert_same_records(expected, found)
        self.assertEqual(expected["tasks"], found["jobs"][0]["maps"])

    def test_a_lone_cr_and_lines_per_task(self):
        name = self.write("cr.txt", b"a\rb\t1\n")
        message = self.fails("build", name, "--key", "1", "--lines-per-task", "1", "-o", "x.bank",
                             "--engine", "hadoop")
        self.assertIn("has a CR without an LF", message)
        self.assertIn("use --tasks N", message)

    def test_what_hadoop_cannot_read(self):
        self.write("a.txt", b"a\nb\n")
        subprocess.run(["zstd", "-q", "a.txt"], cwd=self.folder, check=True)
        for name, words in (("a.txt.zst", "zstd"), ("-", "save it as one first"),
                            ("missing.txt", "No such file")):
            message = self.fails("build", name, "-o", "x.bank", "--engine", "hadoop")
            self.assertIn(words, message)
        self.assertIn("--multiline", self.fails("build", "a.txt", "--multiline", "-o", "x.bank",
                                                "--engine", "hadoop"))
        self.assertFalse(pathlib.Path(self.folder / "x.bank").exists())
