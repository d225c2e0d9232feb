"""Runs are recorded whole, in a shuffled order, once each; a study that was killed goes on."""

import fcntl
import hashlib
import json
import os
import pty
import resource
import signal
import struct
import subprocess
import termios
import time

from study_case import PLAN, PROGRAM, RECIPE, RUNS_OF_PLAN, SOURCE, StudyTest, problems


def identity(line):
    return json.dumps(line["settings"], sort_keys=True), line["repetition"]


class Runs(StudyTest):
    def rewrite(self, lines):
        self.write("runs.jsonl", "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))

    def test_every_line_keeps_its_schema_and_its_sums(self):
        lines = self.study()
        self.assertEqual(RUNS_OF_PLAN, len(lines))
        schema = json.loads((SOURCE / "docs/schema/study.json").read_text())
        for line in lines:
            self.assertEqual([], problems(line, schema))
            self.assertEqual(line["records"]["read"], sum(v for k, v in line["records"].items() if k != "read"))
            self.assertEqual(line["records"]["used"], line["keys"])
            self.assertEqual(line["settings"]["strategy"] == "none", line["map_output_bytes"] is None)
            self.assertGreater(line["wall_seconds"], 0)
            self.assertGreater(line["cpu_seconds"], 0)
            self.assertGreater(line["peak_resident"], line["peak_memory"] // 4)
        self.assertEqual(len(lines), len(set(map(identity, lines))))
        # The first of each spec was verified, no other.
        verified = [line for line in lines if line["groups"]]
        self.assertEqual(3, len(verified))
        for line in verified:
            self.assertEqual(10, len(line["groups"]))
            self.assertTrue(all(group["false_negatives"] == 0 for group in line["groups"]))
            self.assertEqual(line["bits"], sum(group["bits"] for group in line["groups"]))

    def test_lines_say_what_the_commands_say(self):
        line = next(line for line in self.study() if line["groups"] and line["settings"]["strategy"] != "none")
        settings = line["settings"]
        flags = ["--key", "tconst", "--group", "round(averageRating)", "--kind", "classic", "--tasks", "3",
                 "-p", str(settings["fpr"]), "--strategy", settings["strategy"]]
        if settings["hashes"]:
            flags += ["--hashes", str(settings["hashes"])]
        built = self.ok("build", "ratings.tsv", *flags, "-o", "again.bank", "--json").json
        self.assertEqual(hashlib.sha256((self.folder / "again.bank").read_bytes()).hexdigest(), line["bank_sha256"])
        self.assertEqual(built["shipped_bytes"], line["map_output_bytes"])
        verified = self.ok("verify", "again.bank", "ratings.tsv", "--json").json
        for mine, theirs, built_group in zip(line["groups"], verified["groups"], built["groups"]):
            self.assertEqual(mine, {**built_group, **theirs})

    def test_the_order_is_the_seeds(self):
        lines = self.study()
        first = [identity(line) for line in lines]
        # The same on every machine and with every standard library.
        self.assertEqual([("indexes", 0.01, 1), ("filters", 0.1, 1), ("auto", 0.1, 2), ("filters", 0.1, 2), ("none", 0.01, 1)],
                         [(line["settings"]["strategy"], line["settings"]["fpr"], line["repetition"]) for line in lines[:5]])
        again = [identity(line) for line in self.study(output="again.jsonl")]
        other = [identity(line) for line in self.study(PLAN.replace("seed = 7", "seed = 8"), "other.jsonl")]
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)
        self.assertEqual(sorted(first), sorted(other))
        self.assertNotEqual(first, sorted(first))

    def test_a_killed_study_goes_on_to_the_same_set_of_runs(self):
        whole = sorted(identity(line) for line in self.study(output="whole.jsonl"))
        path = self.folder / "runs.jsonl"
        for number, stop_after in ((signal.SIGKILL, 2), (signal.SIGTERM, 5), (signal.SIGINT, 7)):
            process = subprocess.Popen([PROGRAM, "study", "plan.toml", "-o", "runs.jsonl"], cwd=self.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while process.poll() is None:
                if path.exists() and path.read_bytes().count(b"\n") >= stop_after:
                    os.kill(process.pid, number)
                    break
                time.sleep(0.001)
            self.assertEqual(-number, process.wait(60))
            self.assertLess(path.read_bytes().count(b"\n"), len(whole))
        # What is left of a line that was being written is no run.
        with path.open("ab") as file:
            file.write(b'{"schema":"bloomery/study/1","plan":"')
        recorded = path.read_bytes().count(b"\n")
        outcome = self.ok("study", "plan.toml", "-o", "runs.jsonl")
        self.assertIn(f"of which {recorded} are recorded; about ", outcome.message)
        lines = self.lines("runs.jsonl")
        self.assertEqual(whole, sorted(map(identity, lines)))
        self.assertEqual(3, sum(line["groups"] is not None for line in lines))
        self.assertFalse((self.folder / "runs.jsonl.scratch").exists())
        self.assertIn("nothing is left to do", self.ok("study", "plan.toml", "-o", "runs.jsonl").message)
        self.assertEqual(lines, self.lines("runs.jsonl"))

    def test_a_plan_that_grew_keeps_what_was_measured(self):
        few = self.study(RECIPE + "[[sweep]]\nvary.fpr = [0.1]\n")
        more = self.study(RECIPE + "[[sweep]]\nvary.fpr = [0.1, 0.02]\n")
        self.assertEqual(few, more[:1])
        self.assertEqual(2, len(more))
        # Other data are another study, though they may be as long; the same data made again are not.
        table = (self.folder / "ratings.tsv").read_bytes()
        self.write("ratings.tsv", table.replace(b"tt0", b"tt1", 1))
        self.assertEqual(4, len(self.study(RECIPE + "[[sweep]]\nvary.fpr = [0.1, 0.02]\n")))
        self.write("ratings.tsv", table)
        self.assertEqual(4, len(self.study(RECIPE + "[[sweep]]\nvary.fpr = [0.1, 0.02]\n")))

    def test_runs_of_other_engine_flags_are_other_runs(self):
        lines = self.study()
        for line in lines[:5]:
            line["engine_flags"] = ["--reducers", "2"]
        self.rewrite(lines)
        again = self.study()
        self.assertEqual(RUNS_OF_PLAN + 5, len(again))
        self.assertEqual(sorted(map(identity, lines[:5])), sorted(map(identity, again[RUNS_OF_PLAN:])))

    def test_runs_whose_members_were_sorted_are_the_same_runs(self):
        lines = self.study()
        points = self.ok("report", "runs.jsonl", "--json").json["points"]
        by_name = [json.dumps(line, sort_keys=True) for line in lines[::2]]
        self.write("runs.jsonl", "\n".join(by_name + [json.dumps(line) for line in lines[1::2]]) + "\n")
        outcome = self.ok("study", "plan.toml", "-o", "runs.jsonl")
        self.assertIn("nothing is left to do", outcome.message)
        self.assertNotIn("another machine", outcome.message)
        self.assertEqual(points, self.ok("report", "runs.jsonl", "--json").json["points"])
        self.assertEqual(6, len(self.ok("report", "runs.jsonl", "--json").json["time_fpr"]))

    def test_another_secret_makes_other_runs(self):
        self.ok("generate", "key", "-o", "secret.key")
        for flags in ('"--key-file", "secret.key"', '"--key-file=secret.key"'):
            with self.subTest(flags):
                plan = RECIPE + f'flags = ["--hash", "sip", {flags}]\n[[sweep]]\n'
                name = f"{len(flags)}.jsonl"
                self.assertEqual(1, len(self.study(plan, name)))
                self.assertEqual(1, len(self.study(plan, name)))
                (self.folder / "secret.key").unlink()
                self.ok("generate", "key", "-o", "secret.key")
                self.assertEqual(2, len({line["plan"] for line in self.study(plan, name)}))

    def test_runs_of_another_machine_are_kept_and_said(self):
        lines = self.study()
        for line in lines[:5]:
            line["machine"]["processor"] = "Another"
        self.rewrite(lines)
        outcome = self.ok("study", "plan.toml", "-o", "runs.jsonl")
        self.assertIn("warning: 5 runs in the file are of another machine or version; they are not repeated, and reports show "
                      "them apart. To measure all here, name another --output\n", outcome.message)
        self.assertEqual(lines, self.lines("runs.jsonl"))

    def test_a_study_may_begin_without_verifying(self):
        few = self.study(RECIPE + "verify = false\n[[sweep]]\n")
        self.assertNotIn("false_positives", few[0]["groups"][0])
        more = self.study(RECIPE + "[[sweep]]\nrepetitions = 3\n")
        self.assertEqual([None, False, True], [line["groups"] and line["verify_seconds"] is None for line in (
            more[2], more[1], more[0])])
        self.assertIn("false_positives", more[1]["groups"][0])

    def test_a_full_disk_ends_a_study_with_whole_lines_and_what_they_say_is_checked(self):
        """A limit on the size of files does what a full disk does, and needs no disk."""
        whole = self.study(output="whole.jsonl")
        whole[1]["bank_sha256"] = "0" * 64
        self.rewrite(whole[:9])
        size = (self.folder / "runs.jsonl").stat().st_size
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size + 2500, size + 2500))
        run = subprocess.run([PROGRAM, "study", "plan.toml", "-o", "runs.jsonl"], cwd=self.folder, preexec_fn=limit,
                             capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(2, run.returncode, run.stderr)
        self.assertIn("2 different banks", run.stderr)
        self.assertIn(f" of {RUNS_OF_PLAN} runs recorded in runs.jsonl; the same command goes on from there\n", run.stderr)
        self.assertIn("bloomery study: runs.jsonl: File too large\n", run.stderr)
        self.assertGreaterEqual(len(self.lines("runs.jsonl")), 9)
        self.assertTrue((self.folder / "runs.jsonl").read_bytes().endswith(b"}\n"))
        self.assertFalse((self.folder / "runs.jsonl.scratch").exists())
        self.bloomery("study", "plan.toml", "-o", "runs.jsonl")
        self.assertEqual(sorted(map(identity, whole)), sorted(map(identity, self.lines("runs.jsonl"))))

    def test_a_last_line_without_its_end_is_a_run(self):
        lines = self.study()
        path = self.folder / "runs.jsonl"
        path.write_bytes(path.read_bytes().rstrip(b"\n"))
        self.assertIn("nothing is left to do", self.ok("study", "plan.toml", "-o", "runs.jsonl").message)
        self.assertEqual(lines, self.lines("runs.jsonl"))
        self.assertTrue(path.read_bytes().endswith(b"\n"))

    def test_only_banks_of_studies_are_removed_from_the_folder_for_them(self):
        folder = self.folder / "runs.jsonl.scratch"
        folder.mkdir()
        for name in ("123.bank", ".123.bank.tmp.124.x", "mine.bank", "notes.txt"):
            (folder / name).write_text("x")
        self.study(RECIPE + "[[sweep]]\n")
        self.assertEqual({"mine.bank", "notes.txt"}, {path.name for path in folder.iterdir()})

    def test_progress_and_what_is_left_fit_a_line_of_the_terminal(self):
        self.write("plan.toml", PLAN)
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
        process = subprocess.Popen([PROGRAM, "study", "plan.toml", "-o", "runs.jsonl"], cwd=self.folder, stderr=theirs,
                                   stdout=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm"})
        os.close(theirs)
        text = b""
        try:
            while piece := os.read(ours, 65536):
                text += piece
        except OSError:  # the other end is closed
            pass
        os.close(ours)
        self.assertEqual(0, process.wait(60))
        shown = text.decode().split("\r\x1b[K")[1:]
        self.assertEqual("warming up", shown[0])
        self.assertEqual("", shown[-1])
        for i, line in enumerate(shown[1:-1]):
            self.assertRegex(line, rf"^run {i + 1} of {RUNS_OF_PLAN}  {100 * i / RUNS_OF_PLAN:.0f} %  ETA [\d.]+ m?s  threads, ")
            self.assertLess(len(line), 60)
        self.assertEqual(RUNS_OF_PLAN, len(shown) - 2)

    def test_a_closed_pipe_does_not_end_a_study(self):
        self.write("plan.toml", PLAN)
        run = subprocess.run(["bash", "-c", '"$0" study plan.toml -o runs.jsonl --json | head -n 1', PROGRAM], cwd=self.folder,
                             capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(1, run.stdout.count("\n"))
        self.assertEqual(RUNS_OF_PLAN, len(self.lines("runs.jsonl")))

    def test_one_study_at_a_time_writes_a_file(self):
        self.write("plan.toml", PLAN)
        process = subprocess.Popen([PROGRAM, "study", "plan.toml", "-o", "runs.jsonl"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not (self.folder / "runs.jsonl").exists() or not (self.folder / "runs.jsonl").stat().st_size:
            time.sleep(0.001)
        outcome = self.bloomery("study", "plan.toml", "-o", "runs.jsonl")
        self.assertEqual((2, "bloomery study: runs.jsonl: another study is writing it\n"),
                         (outcome.status, outcome.message))
        self.assertEqual(0, process.wait(60))

    def test_different_banks_of_one_spec_are_shouted_out(self):
        lines = self.study()
        lines[3]["bank_sha256"] = "0" * 64
        self.write("runs.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        outcome = self.bloomery("study", "plan.toml", "-o", "runs.jsonl")
        self.assertEqual(1, outcome.status)
        self.assertIn("2 different banks", outcome.message)
        self.assertIn("FAILED", outcome.text)
        self.assertIn("DIFFERENT BANKS", self.ok("report", "runs.jsonl").text)

    def test_json_prints_the_lines_as_they_are_recorded(self):
        self.write("plan.toml", PLAN)
        outcome = self.ok("study", "plan.toml", "-o", "runs.jsonl", "--json")
        self.assertEqual(self.lines("runs.jsonl"), [json.loads(line) for line in outcome.out.splitlines()])

    def test_a_run_that_fails_ends_the_study_with_its_message(self):
        self.write("plan.toml", RECIPE.replace("tconst", "nothing") + "[[sweep]]\n")
        outcome = self.bloomery("study", "plan.toml")
        self.assertEqual(2, outcome.status)
        self.assertIn("plan.toml: line 4: the first run failed: threads, blocked, p 0.01, k optimal\n", outcome.message)
        self.assertNotIn("\n\n", outcome.message)
        self.assertNotIn("goes on from there", outcome.message)
        self.assertIn('no column "nothing"', outcome.message)
        self.assertEqual(b"", (self.folder / "plan.jsonl").read_bytes())
