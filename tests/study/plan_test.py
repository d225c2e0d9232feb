"""A plan that cannot run is refused before anything runs, by line and key."""

import json

from study_case import PLAN, RECIPE, RUNS_OF_PLAN, StudyTest

SWEEP = "[[sweep]]\n"


class Plans(StudyTest):
    def refuse(self, plan, message, **keywords):
        self.write("plan.toml", plan)
        self.fails("bloomery study: plan.toml: line " + message, "study", "plan.toml", **keywords)

    def test_unknown_keys_are_named_with_their_line(self):
        self.refuse(RECIPE + "repetitons = 3\n", "4: repetitons: no such key here; there are title, input, key, "
                    "group, flags, engine_flags, seed, warmup, verify, base or sweep")
        self.refuse(RECIPE + "[[sweep]]\nrepetitons = 3\n",
                    "5: repetitons: no such key here; did you mean repetitions?")
        self.refuse(RECIPE + "[base]\nhashs = 3\n[[sweep]]\n", "5: hashs: no such key here; did you mean hashes?")
        for plan, line in ((RECIPE + "fpr = 0.1\n", 4), (RECIPE + "[[sweep]]\nfpr = [0.1]\n", 5)):
            self.refuse(plan, f"{line}: fpr: no such key here; an axis goes under [base] with one value, or under "
                        "[sweep.vary] or [sweep.cross] with a list of them")
        self.refuse(RECIPE + "[[sweep]]\n[sweep.cross]\nfrp = [0.1]\n",
                    "6: frp: no such key here; did you mean fpr?")

    def test_impossible_values_are_named_with_line_and_key(self):
        for value in ("0", "1", "1.5", "-0.1", "nan", "inf"):
            self.write("plan.toml", RECIPE + f"[base]\nfpr = {value}\n[[sweep]]\n")
            outcome = self.bloomery("study", "plan.toml")
            self.assertEqual(2, outcome.status, value)
            self.assertIn("plan.toml: line 5: fpr = " + value, outcome.message)
        self.refuse(RECIPE + "[[sweep]]\n[sweep.vary]\nfpr = [0.1, 2.0]\n",
                    "6: fpr: 2: must be above 0 and below 1")
        self.refuse(RECIPE + "[[sweep]]\nrepetitions = 1000000000000\n",
                    "5: repetitions = 1000000000000: must be a whole number up to 100000")
        many = ", ".join(map(str, range(1, 101)))
        self.refuse(RECIPE + f"[[sweep]]\nrepetitions = 100\n[sweep.cross]\ntasks = [{many}]\nthreads = [{many}]\n"
                    "hashes = [1, 2]\n", "4: sweep: 2e+06 runs are more than 1000000; try fewer values")
        self.refuse(RECIPE + "[base]\ntasks = 0\n[[sweep]]\n",
                    '5: tasks = 0: must be a whole number from 1, or "any"')
        self.refuse(RECIPE + '[base]\nkind = "clasic"\n[[sweep]]\n',
                    '5: kind = "clasic": must be blocked, classic or counting; did you mean classic?')
        self.refuse(RECIPE + '[base]\nengine = "flink"\n[[sweep]]\n', self.engine_message('5: engine = "flink"'))
        self.refuse(RECIPE + '[base]\nhashes = 3\n[[sweep]]\n', '6: threads, blocked, p 0.01, k 3: group "all": hashes 3: a blocked '
                    "filter has 8 or 16; use the classic kind for any number from 1 to 64")

    def engine_message(self, where):
        """The engines that build knows are those that a plan knows."""
        built = self.bloomery("build", "ratings.tsv", "--engine", "flink", "-o", "x.bank").message
        return where + ": must be " + built.split("must be ")[1].rstrip("\n")

    def test_an_engine_that_is_not_here_is_refused(self):
        self.write("plan.toml", RECIPE + '[base]\nengine = "hadoop"\n[[sweep]]\n')
        outcome = self.bloomery("study", "plan.toml", environment={"PATH": "/usr/bin"})
        self.assertEqual(2, outcome.status)
        self.assertIn('plan.toml: line 5: engine = "hadoop": no Hadoop: ', outcome.message)
        self.write("plan.toml", RECIPE + 'engine_flags.spark = ["--master", "local[2]", "--python", "/usr/bin/python3"]\n'
                   '[[sweep]]\n[sweep.cross]\nengine = ["threads",\n"spark"]\n')
        outcome = self.bloomery("study", "plan.toml")
        self.assertEqual(2, outcome.status)
        self.assertIn('plan.toml: line 8: engine = "spark": /usr/bin/python3: has no ', outcome.message)
        self.assertFalse((self.folder / "plan.jsonl").exists())
        self.refuse(RECIPE + '[base]\nengine = "spark"\n[[sweep]]\n', '5: engine = "spark": --engine spark: needs --master '
                    'URL: local[2], spark://HOST:7077, yarn or sc://HOST; flags for it are written engine_flags.spark = '
                    '["--flag", "value"]')

    def test_flags_of_one_engine_are_for_its_runs_alone(self):
        self.write("plan.toml", RECIPE + 'engine_flags.hadoop = ["--reducers", "2"]\n[[sweep]]\n')
        self.ok("study", "plan.toml", "--dry-run")
        self.refuse(RECIPE + 'engine_flags.flink = ["--x"]\n[[sweep]]\n', "4: flink: no such key here; there are " + (
            self.engine_message("").removeprefix(": must be ")))
        self.refuse(RECIPE + 'engine_flags.threads = ["--reducers", "2"]\n[[sweep]]\n',
                    '5: engine = "threads": --reducers: is for --engine hadoop; add it or leave this out')

    def test_what_is_not_toml_is_named_with_its_line(self):
        self.write("plan.toml", RECIPE + "[base\n")
        outcome = self.bloomery("study", "plan.toml")
        self.assertEqual(2, outcome.status)
        self.assertIn("bloomery study: plan.toml: line 4: ", outcome.message)

    def test_what_is_missing_is_named(self):
        self.refuse("key = \"a\"\n[[sweep]]\n", '1: input: missing; write input = "FILE"')
        self.refuse(RECIPE, "1: sweep: missing; write [[sweep]] and what to try in it")
        self.refuse('input = "nothing.tsv"\n[[sweep]]\n', '1: input = "nothing.tsv": no such file here')
        self.fails("bloomery study: PLAN: missing; bloomery study --ready pisa prints one to start from", "study")

    def test_what_a_setting_says_is_no_flag(self):
        for flags, message in (('"--threads", "2"', "--threads: is a setting; write it under [base] or in a sweep"),
                               ('"-p0.5"', "-p0.5: is a setting; write it under [base] or in a sweep"),
                               ('"--strategy=auto"', "--strategy=auto: is a setting; write it under [base] or in a sweep"),
                               ('"--dry-run"', "--dry-run: is not for a plan to say; leave it out"),
                               ('"-o", "x"', "-o: is not for a plan to say; leave it out"),
                               ('"--hash", "xxh3", "more.tsv"', "more.tsv: is no flag; files go under input")):
            self.refuse(RECIPE + f"flags = [{flags}]\n[[sweep]]\n", "4: flags: " + message)

    def test_where_runs_go_must_be_a_file_of_their_own(self):
        self.write("plan.toml", PLAN)
        self.fails("bloomery study: --output -: runs are read again from where they are recorded; name a file, and --json "
                   "prints them, too", "study", "plan.toml", "-o", "-")
        self.fails("bloomery study: --output: missing; a plan from standard input has no name to take it from", "study", "-",
                   stdin=PLAN.encode())
        self.fails("bloomery study: --output plan.toml: is the plan", "study", "plan.toml", "-o", "plan.toml")
        self.fails("bloomery study: /dev/null: is not a file; runs are read again from where they are recorded", "study",
                   "plan.toml", "-o", "/dev/null")
        self.assertIn("16 runs", self.ok("study", "-", "-o", "x.jsonl", "--dry-run", stdin=PLAN.encode()).message)

    def test_flags_that_build_does_not_have_are_refused(self):
        self.refuse(RECIPE + 'flags = ["--colour"]\n[[sweep]]\n', "5: --colour: no such flag; did you mean --color?")

    def test_a_dry_run_says_how_many_and_how_long_and_makes_nothing(self):
        self.write("plan.toml", PLAN)
        before = sorted(self.folder.iterdir())
        outcome = self.ok("study", "plan.toml", "--dry-run")
        self.assertRegex(outcome.message, rf"^bloomery study: {RUNS_OF_PLAN} runs of \d+ settings and 3 specs; about ")
        self.assertEqual(before, sorted(self.folder.iterdir()))

    def test_a_dry_run_leaves_the_runs_as_they_are(self):
        self.study()
        text = (self.folder / "runs.jsonl").read_bytes()
        torn = text[:-10]
        path = self.write("runs.jsonl", torn)
        path.chmod(0o444)
        self.assertIn("of which 15 are recorded", self.ok("study", "plan.toml", "-o", "runs.jsonl", "--dry-run").message)
        self.assertEqual(torn, path.read_bytes())

    def test_a_line_that_was_changed_by_hand_is_named(self):
        line = self.study(RECIPE + "[[sweep]]\n")[0]
        for change, message in (({"plan": None}, '"plan" is not as docs/schema/study.json has it'),
                                ({"wall_seconds": -1}, '"wall_seconds" is not as docs/schema/study.json has it'),
                                ({"settings": {}}, 'has no "fpr", which every bloomery/study/1 has')):
            self.write("runs.jsonl", json.dumps({**line}) + "\n\n" + json.dumps({**line, **change}) + "\n")
            self.fails(f"bloomery study: runs.jsonl: line 3: {message}; mend it, or name another file",
                       "study", "plan.toml", "-o", "runs.jsonl")
            self.fails(f"bloomery report: runs.jsonl: line 3: {message}", "report", "runs.jsonl")

    def test_a_file_that_is_no_studys_is_left_alone(self):
        self.write("plan.toml", PLAN)
        for text in ("my notes", '{"a": 1}\n', '{"a": 1}\n{"b"'):
            self.write("notes.txt", text)
            for flags in ((), ("--dry-run",)):
                self.fails("bloomery study: notes.txt: holds other things than runs of a study; name another file",
                           "study", "plan.toml", "-o", "notes.txt", *flags)
            self.assertEqual(text, (self.folder / "notes.txt").read_text())

    def test_the_ready_plan_is_the_published_study(self):
        self.write("pisa.toml", self.ok("study", "--ready", "pisa").text)
        message = self.ok("study", "pisa.toml", "--dry-run").message
        # 25 specs by 3 strategies once, of which those with the best k and those over tasks thrice
        self.assertIn("bloomery study: 141 runs of 87 settings and 25 specs; about ", message)

    def test_the_ready_plan_for_clusters_is_that_studys_times(self):
        """Read as it is, but for engines that are not here."""
        plan = self.ok("study", "--ready", "pisa-cluster").text
        self.assertEqual(2, plan.count('engine = ["hadoop", "spark"]'))
        plan = plan.replace('engine = ["hadoop", "spark"]', 'engine = ["threads"]')
        self.write("plan.toml", plan)
        self.assertIn("bloomery study: 54 runs of 18 settings and 5 specs; about ",
                      self.ok("study", "plan.toml", "--dry-run").message)
