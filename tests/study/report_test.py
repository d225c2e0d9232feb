"""The numbers of a report, computed again from the raw lines."""

import base64
import csv
import html
import io
import json
import math
import re
import statistics

from study_case import HOSTILE, RECIPE, SOURCE, StudyTest, problems

BENCH = {
    "schema": "bloomery/bench/1",
    "sets": [{"keys": 1000, "structure": "blocked", "bits_per_key": 10.1, "insert_ns": 5.0, "absent_ns": 9.0,
              "present_ns": 9.5, "mixed_ns": 9.7, "mixed_batched_ns": 4.0, "rate": 0.0099, "predicted": 0.0101},
             {"keys": 1000, "structure": "std::unordered_set", "bits_per_key": 500.0, "insert_ns": 50.0,
              "absent_ns": 20.0, "present_ns": 25.0, "mixed_ns": 24.0}],
    "errors": [{"keys": 329, "bits": bits, "hashes": 8, "rate": rate, "predicted": predicted, "asked": 100000}
               for bits, rate, predicted in ((500, 0.9600, 0.9593), (1000, 0.5510, 0.5503), (2500, 0.0321, 0.0323))],
    "threads": [{"keys": 1000000, "kind": "blocked", "threads": threads, "insert_ms": 40 / threads,
                 "insert_speed_up": threads * 0.9 if threads > 1 else 1.0, "query_ms": 50 / threads,
                 "query_speed_up": threads * 0.95 if threads > 1 else 1.0} for threads in (1, 2, 4)],
}


def tables_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)[1])


class Reports(StudyTest):
    def page(self, *runs, **keywords):
        self.ok("report", *runs, "-f", "-o", "report.html", **keywords)
        return (self.folder / "report.html").read_text()

    def test_points_are_those_of_the_raw_runs(self):
        lines = self.study()
        points = self.ok("report", "runs.jsonl", "--json").json["points"]
        groups = {}
        for line in lines:
            groups.setdefault(json.dumps(line["settings"], sort_keys=True), []).append(line)
        self.assertEqual(len(groups), len(points))
        for point in points:
            key = {name: point[name] for name in ("fpr", "hashes", "kind", "engine", "strategy", "tasks", "threads")}
            runs = groups[json.dumps(key, sort_keys=True)]
            wall = [run["wall_seconds"] for run in runs]
            self.assertEqual(len(runs), point["runs"])
            self.assertEqual((min(wall), max(wall)), (point["wall_min"], point["wall_max"]))
            self.assertAlmostEqual(statistics.median(wall), point["wall_median"], 12)
            self.assertAlmostEqual(statistics.median(run["cpu_seconds"] for run in runs), point["cpu_median"], 12)
            self.assertEqual(max(run["peak_memory"] for run in runs), point["peak_memory"])
            self.assertEqual((None, None), (point["cluster_cpu_median"], point["cluster_memory"]))
            self.assertEqual({run["map_output_bytes"] for run in runs}, {point["map_output_bytes"]})

    def test_what_the_tasks_of_a_cluster_took_is_the_clusters_count(self):
        """As Hadoop and Spark leave it: the one knows the memory of a task, the other does not."""
        lines = self.study()
        jobs = {"hadoop": [{"what": "plan", "cpu_seconds": 8.5, "peak_memory": 300}, {"what": "build", "cpu_seconds": 7.0,
                                                                                     "peak_memory": 200}],
                "spark": [{"what": "build", "cpu_seconds": 1.25, "peak_memory": 0}]}
        for i, line in enumerate(lines):
            line["settings"]["engine"] = "hadoop" if i % 2 else "spark"
            line["jobs"] = jobs[line["settings"]["engine"]]
            line["peak_memory"] = 0
        self.write("runs.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        report = self.ok("report", "runs.jsonl", "--json").json
        self.assertEqual({("hadoop", 15.5, 300, None), ("spark", 1.25, None, None)},
                         {(point["engine"], point["cluster_cpu_median"], point["cluster_memory"], point["peak_memory"])
                          for point in report["points"]})
        self.assertIn("tasks: cpu s", self.ok("report", "runs.jsonl").text)

    def test_runs_of_different_origins_are_never_one_number(self):
        """Machines, versions and flags of engines: each alone, and the numbers of each are its own."""
        lines = self.study()
        others = {"machine": lambda line: line["machine"].update(processor="Another"),
                  "versions": lambda line: line["versions"].update(commit="0123456789"),
                  "flags": lambda line: line.update(engine_flags=["--x", "2"]),
                  "plan": lambda line: line.update(plan="f" * 64, title="Other data")}
        labels = {"machine": "Another", "versions": "0123456789", "flags": "--x 2", "plan": "Other data"}
        for name, change in others.items():
            with self.subTest(name):
                strange = json.loads(json.dumps(lines))
                for line in strange:
                    line["wall_seconds"] += 1000
                    change(line)
                self.write("two.jsonl", "".join(json.dumps(line) + "\n" for line in lines + strange))
                report = self.ok("report", "two.jsonl", "--json").json
                alone = self.ok("report", "runs.jsonl", "--json").json
                self.assertEqual(2 * len(alone["points"]), len(report["points"]))
                here, there = ([point for point in report["points"] if (labels[name] in point["origin"]) == is_strange]
                               for is_strange in (False, True))
                self.assertEqual([{**point, "origin": ""} for point in here], alone["points"])
                for mine, other in zip(here, there):
                    self.assertAlmostEqual(mine["wall_median"] + 1000, other["wall_median"], 6)
                self.assertIn("are shown apart, never as one number: ", " ".join(report["findings"]))
                self.assertIn(labels[name], " ".join(report["findings"]))
                # Banks are the same bytes everywhere, so filters are listed once for each set of data.
                self.assertEqual(len(alone["rates"]) * (2 if name == "plan" else 1), len(report["rates"]))
                self.assertEqual(2 * len(alone["speed_up"]), len(report["speed_up"]))
                facets = {row["facet"] for chart in self.charts("two.jsonl").values() for row in
                          chart["data"]["values"] if "is_entropy" in row}
                self.assertTrue(any(labels[name] in facet for facet in facets), facets)

    def test_different_banks_of_one_spec_are_listed_each(self):
        lines = self.study()
        strange = json.loads(json.dumps(lines))
        for line in strange:
            line["bank_sha256"] = "0" * 64
        self.write("two.jsonl", "".join(json.dumps(line) + "\n" for line in lines + strange))
        report = self.ok("report", "two.jsonl", "--json").json
        self.assertEqual(60, len(report["rates"]))
        self.assertEqual(6, len({row["bank"] for row in report["rates"]}))

    def test_benches_of_two_machines_are_told_apart(self):
        other = json.loads(json.dumps(BENCH))
        other["machine"] = {"processor": "Another"}
        self.write("bench.json", json.dumps(BENCH) + "\n" + json.dumps(other) + "\n")
        report = self.ok("report", "bench.json", "--json").json
        self.assertEqual({"bench", "Another"}, {row["origin"] for row in report["sets"]})
        self.assertEqual({2: 6}, {2: sum("Another" in row["what"] for row in report["speed_up"])})
        values = self.charts("bench.json")["chart-set-time"]["data"]["values"]
        self.assertEqual(4, len({value["structure"] for value in values}))

    def test_thousands_of_runs_make_a_page_that_can_be_opened(self):
        line = self.study(RECIPE + '[[sweep]]\n[sweep.base]\nkind = "classic"\nstrategy = "auto"\ntasks = 2\n')[0]
        line["groups"] = None
        lines = []
        for tasks in range(1, 26):
            for hashes in range(1, 21):
                for fpr in (0.1, 0.01, 0.001):
                    for strategy in ("auto", "filters"):
                        lines.append(json.dumps({**line, "settings": {**line["settings"], "tasks": tasks, "hashes": hashes,
                                                                      "fpr": fpr, "strategy": strategy}}))
        self.assertEqual(3000, len(lines))
        self.write("many.jsonl", "\n".join(lines))
        page = self.page("many.jsonl")
        self.assertLess(len(page), 12e6)
        tables = tables_of(page)
        self.assertEqual(3000, len(tables["points"]))
        # Twelve pictures of two strategies are drawn and listed.
        self.assertEqual(12 * 2 * 25, len(tables["bytes-tasks"]))
        self.assertIn("Of 60 pictures the first 12 are drawn and listed; the table of every setting has all.", page)

    def test_zero_has_no_place_on_a_log_axis(self):
        lines = self.study()
        for i, line in enumerate(lines):
            line["entropy_bytes"] = 0
            if i % 2:
                line["map_output_bytes"] = 0
        self.write("runs.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        bench = json.loads(json.dumps(BENCH))
        bench["sets"][0]["mixed_ns"] = bench["sets"][0]["mixed_batched_ns"] = 0
        bench["errors"][2]["rate"] = 0
        self.write("bench.json", json.dumps(bench) + "\n")
        for name, chart in self.charts("runs.jsonl", "bench.json").items():
            for row in chart["data"]["values"]:
                for field in ("y", "rate", "mixed"):
                    if name.startswith(("chart-bytes", "chart-errors", "chart-set")) and field in row:
                        self.assertGreater(row[field], 0, name)

    def test_what_was_not_measured_is_not_compared(self):
        def findings(change):
            bench = json.loads(json.dumps(BENCH))
            change(bench)
            self.write("bench.json", json.dumps(bench) + "\n")
            return " ".join(self.ok("report", "bench.json", "--json").json["findings"])

        def no_rates(bench, rows):
            for row in bench["errors"][:rows]:
                row["rate"] = 0
        self.assertIn("Over 3 sizes the measured rate is at most 0.62 % from the predicted one.", findings(lambda bench: None))
        self.assertIn("Over 1 size the measured rate is at most 0.62 % from the predicted one; without a measured rate to "
                      "compare: 2.", findings(lambda bench: no_rates(bench, 2)))
        self.assertIn("Of 3 sizes none has a measured rate to compare with the predicted one.",
                      findings(lambda bench: no_rates(bench, 3)))
        self.assertNotIn("chart-errors", self.charts("bench.json"))
        mixed = {"mixed_ns": 24.0, "mixed_batched_ns": 24.0}
        self.assertIn("sooner than the hash set in 0 of 1 comparisons", findings(lambda bench: bench["sets"][0].update(mixed)))
        # Batches alone, no time at all, no memory.
        self.assertIn("in 0 of 1 comparisons", findings(lambda bench: bench["sets"][0].update(mixed_ns=0, mixed_batched_ns=30.0)))
        self.assertIn("No time of a filter was measured beside that of a hash set.",
                      findings(lambda bench: bench["sets"][0].update(mixed_ns=0, mixed_batched_ns=0)))
        self.assertIn("in 1 of 1 comparisons.", findings(lambda bench: bench["sets"][0].pop("bits_per_key")))
        self.assertIn("No hash set was measured", findings(lambda bench: bench["sets"].pop()))

    def many_banks(self, banks, groups):
        """Runs of as many specs, with as many copies of one group each."""
        line = self.study(RECIPE + "[[sweep]]\n")[0]
        lines = []
        for hashes in range(1, banks + 1):
            rows = [{**line["groups"][-1], "group": str(i)} for i in range(groups)]
            lines.append({**line, "settings": {**line["settings"], "hashes": hashes}, "groups": rows})
        return lines

    def write_lines(self, name, lines):
        self.write(name, "".join(json.dumps(line) + "\n" for line in lines))

    def test_of_banks_that_are_all_as_good_no_more_are_drawn_than_is_said(self):
        self.write_lines("runs.jsonl", self.many_banks(40, 2))
        charts = self.charts("runs.jsonl")
        for name in ("chart-rates", "chart-fill"):
            self.assertEqual(12, len({row["bank"] for row in charts[name]["data"]["values"]}), name)
            self.assertEqual(24, len(charts[name]["data"]["values"]), name)
        self.assertEqual(2, (self.folder / "report.html").read_text().count(
            "Of 40 banks those 12 are drawn that are furthest off; the table has all."))

    def test_of_many_fills_those_are_listed_that_are_furthest_from_what_is_expected(self):
        lines = self.many_banks(2, 300)
        for i, row in enumerate(lines[1]["groups"]):
            row["fill"] = 0.0001 * i
        self.write_lines("runs.jsonl", lines)
        rows = tables_of(self.page("runs.jsonl"))["fill"]
        off = [abs(row["fill"] - row["expected_fill"]) for row in rows]
        self.assertEqual(500, len(rows))
        self.assertEqual(sorted(off, reverse=True), off)
        self.assertEqual(0, rows[0]["fill"])
        page = (self.folder / "report.html").read_text()
        self.assertIn("Of 600 rows these are the 500 furthest from what is expected; the files of runs have all.", page)
        self.assertIn("Of 600 rows these are the 500 highest, failed ones first; the files of runs have all.", page)

    def test_settings_that_ran_once_are_drawn_or_said_to_be_left_out(self):
        lines = self.study()
        words = "Left out, since one run says nothing of time where others were repeated: {}. The table of every setting has all."
        self.assertIn(words.format("4 settings"), self.page("runs.jsonl"))
        # A study without repetitions has its times, beside one that has them.
        once = [{**line, "plan": "f" * 64, "title": "Other data"} for line in lines if line["repetition"] == 1]
        self.write_lines("two.jsonl", lines + once)
        times = self.ok("report", "two.jsonl", "--json").json["time_fpr"]
        self.assertEqual({"A small study": 2, "Other data": 1}, {row["origin"]: row["runs"] for row in times})
        self.assertIn(words.format("4 settings"), self.page("two.jsonl"))
        self.write_lines("once.jsonl", once)
        self.assertNotIn("Left out", self.page("once.jsonl"))

    def test_a_run_that_is_given_twice_counts_once(self):
        lines = self.study()
        alone = self.ok("report", "runs.jsonl", "--json")
        self.write("copy.jsonl", "".join(json.dumps(line, sort_keys=True) + "\n" for line in lines[:5]))
        both = self.ok("report", "runs.jsonl", "copy.jsonl", "--json")
        self.assertEqual(alone.json, both.json)
        self.assertEqual("bloomery report: warning: copy.jsonl: 5 runs given twice, counted once\n", both.message)

    def charts(self, *runs):
        page = self.page(*runs)
        return {chart["id"]: chart["spec"] for chart in
                json.loads(re.search(r'id="charts">(.*?)</script>', page, re.S)[1])}

    def test_the_line_of_a_run_that_was_being_written_is_left_out(self):
        lines = self.study()
        path = self.folder / "runs.jsonl"
        path.write_bytes(path.read_bytes()[:-20])
        outcome = self.ok("report", "runs.jsonl", "--json")
        self.assertEqual("bloomery report: warning: runs.jsonl: its last line is cut off, as when a study is stopped; left out\n",
                         outcome.message)
        self.assertEqual(len(lines) - 1, sum(point["runs"] for point in outcome.json["points"]))

    def test_nothing_in_a_file_of_runs_is_obeyed_by_a_terminal_or_a_spreadsheet(self):
        lines = self.study()
        evil = "\x1b]0;owned\x07\u009b2J"
        for line in lines:
            line["title"] = evil
            line["machine"]["processor"] = evil
            line["rejected"] = [{"category": evil, "records": 1}]
            line["settings"]["engine"] = "=HYPERLINK(1)"
        self.write("runs.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        bench = json.loads(json.dumps(BENCH))
        bench["sets"][0]["structure"] = evil + " set"
        self.write("bench.json", json.dumps(bench) + "\n")
        text = self.ok("report", "runs.jsonl", "bench.json").text
        self.assertIn("owned", text)
        self.assertNotRegex(text, "[\x00-\x09\x0b-\x1f\x7f-\x9f]")
        page = self.page("runs.jsonl", "bench.json")
        self.assertNotRegex(page, "[\x00-\x09\x0b-\x1f\x7f]".replace("\x09", "\x08"))
        self.assertIn(r"\x1b]0;owned\x07", re.search("<title>(.*?)</title>", page)[1])
        _, flags = self.write_hostile_bank()
        self.write("names.tsv", "".join(f"key{i}\t{name}\n" for i, name in enumerate(
            ("=1+1", "+1", "-1", "@SUM(1)", "'=1", "fine"))))
        self.write("b.json", self.ok("build", "names.tsv", *flags, "-o", "n.bank", "--json").out)
        rows = self.csv_of(self.page("b.json"), "fill")
        self.assertEqual({"'=1+1", "'+1", "'-1", "'@SUM(1)", "'=1", "fine"}, {row["group"] for row in rows})
        self.assertTrue(all(float(row["keys"]) == 1 for row in rows))

    def csv_of(self, page, name):
        data = re.search(rf'download="{name}\.csv" href="data:text/csv;charset=utf-8;base64,([^"]*)"', page)[1]
        return list(csv.DictReader(io.StringIO(base64.b64decode(data).decode())))

    def test_the_licence_of_everything_that_draws_is_in_the_page(self):
        self.write("bench.json", json.dumps(BENCH) + "\n")
        licences = html.unescape(re.search(r"<footer>.*?<pre>(.*?)</pre>", self.page("bench.json"), re.S)[1])
        named = set(licences.split())
        lock = json.loads((SOURCE / "cli/report/package-lock.json").read_text())
        packages = {path.rsplit("node_modules/", 1)[1] for path, entry in lock["packages"].items()
                    if path and not entry.get("optional")}
        self.assertGreater(len(packages), 50)
        self.assertEqual(set(), packages - named)

    def test_rates_fill_and_bits_are_those_of_the_raw_groups(self):
        lines = self.study()
        report = self.ok("report", "runs.jsonl", "--json").json
        self.assertEqual([], problems(report, json.loads((SOURCE / "docs/schema/report.json").read_text())))
        raw = {}
        for line in lines:
            settings = line["settings"]
            bank = f"{settings['kind']}, p {settings['fpr']}, k {settings['hashes'] or 'optimal'}"
            for group in line["groups"] or []:
                raw[bank, group["group"]] = group
        self.assertEqual(30, len(raw))
        self.assertEqual(set(raw), {(row["bank"], row["group"]) for row in report["rates"]})
        for row in report["rates"]:
            group = raw[row["bank"], row["group"]]
            self.assertEqual({name: group[name] for name in row if name not in ("bank", "group")},
                             {name: row[name] for name in row if name not in ("bank", "group")})
            if row["negatives"]:
                self.assertAlmostEqual(row["false_positives"] / row["negatives"], row["rate"], 12)
                self.assertTrue(row["low"] <= row["rate"] <= row["high"])
        for row in report["fill"]:
            group = raw[row["bank"], row["group"]]
            self.assertEqual((group["fill"], group["bits"]), (row["fill"], row["bits"]))
            self.assertAlmostEqual(1 - math.exp(-group["keys"] * group["hashes"] / group["bits"]),
                                   row["expected_fill"], 12)
        for row in report["bits"]:
            of_bank = [group for (bank, _), group in raw.items() if bank == row["bank"]]
            keys, bits = sum(g["keys"] for g in of_bank), sum(g["bits"] for g in of_bank)
            self.assertAlmostEqual(bits / keys, row["bits_per_key"], 12)
            self.assertAlmostEqual(math.log2(1 / row["fpr"]) / math.log(2), row["theory"], 12)

    def test_bytes_and_speed_up_are_drawn_from_the_same_numbers(self):
        lines = self.study()
        page = self.page("runs.jsonl")
        charts = {chart["id"]: chart["spec"] for chart in
                  json.loads(re.search(r'id="charts">(.*?)</script>', page, re.S)[1])}
        self.assertLessEqual({"chart-rates", "chart-fill", "chart-bits", "chart-bytes-fpr", "chart-time-fpr",
                              "chart-speed-up"}, set(charts))
        drawn = {(value["x"], value["series"]): value["y"] for value in charts["chart-bytes-fpr"]["data"]["values"]}
        self.assertEqual(8, len(drawn))  # three strategies and the entropy at two rates
        for line in lines:
            if line["map_output_bytes"] is None:
                continue
            at, strategy = line["settings"]["fpr"], line["settings"]["strategy"]
            self.assertEqual(line["map_output_bytes"], drawn[at, f"threads, {strategy}"])
            self.assertEqual(line["entropy_bytes"], drawn[at, "entropy of the bits"])
        walls = {line["settings"]["threads"]: line["wall_seconds"] for line in lines if line["settings"]["threads"]}
        rows = {row["threads"]: row["speed_up"] for row in tables_of(page)["speed-up"]}
        self.assertEqual({1, 2}, set(rows))
        self.assertAlmostEqual(walls[1] / walls[2], rows[2], 12)

    def test_the_page_the_terminal_and_json_have_one_set_of_tables(self):
        self.study()
        page = self.page("runs.jsonl")
        report = self.ok("report", "runs.jsonl", "--json").json
        for identity, rows in tables_of(page).items():
            self.assertEqual(report[identity.replace("-", "_")], rows, identity)
        text = self.ok("report", "runs.jsonl").text
        for finding in report["findings"]:
            self.assertIn(finding, text)
            self.assertIn(html.escape(finding).replace("&#x27;", "&#39;"), page)
        # Every CSV holds its table.
        found = re.findall(r'download="([a-z-]+)\.csv" href="data:text/csv;charset=utf-8;base64,([^"]*)"', page)
        self.assertEqual(set(tables_of(page)), {name for name, _ in found} | {
            name for name, rows in tables_of(page).items() if not rows})
        for name, data in found:
            rows = list(csv.DictReader(io.StringIO(base64.b64decode(data).decode())))
            self.assertEqual(len(tables_of(page)[name]), len(rows), name)

    def test_bench_lines_are_drawn_and_listed(self):
        self.write("bench.json", json.dumps(BENCH) + "\n")
        report = self.ok("report", "bench.json", "--json").json
        self.assertEqual(2, len(report["sets"]))
        self.assertEqual(3, len(report["errors"]))
        self.assertEqual(6, len(report["speed_up"]))
        self.assertIn("sooner than the hash set in 1 of 1 comparisons, in as little as 1/49.5 of its memory",
                      " ".join(report["findings"]))
        page = self.page("bench.json")
        for chart in ("chart-set-memory", "chart-set-time", "chart-errors", "chart-speed-up"):
            self.assertIn(f'id="{chart}"', page)

    def test_a_line_that_claims_a_world_of_threads_is_drawn_at_once(self):
        bench = json.loads(json.dumps(BENCH))
        bench["threads"][2]["threads"] = 10**15
        self.write("bench.json", json.dumps(bench) + "\n")
        values = self.charts("bench.json")["chart-speed-up"]["data"]["values"]
        self.assertEqual([1, 10**15], [value["y"] for value in values if value["is_ideal"]])

    def test_bad_records_are_counted_by_kind(self):
        records = b"".join(b"k%d\t%d\n" % (i, i % 10 + 1) for i in range(500)) + b"x\ty\nz\n"
        built = self.ok("build", "-o", "x.bank", "--key", "1", "--group", "round(2)", "--lenient", "--json",
                        stdin=records)
        self.write("build.json", built.out)
        report = self.ok("report", "build.json", "--json").json
        self.assertEqual({entry["category"]: entry["records"] for entry in built.json["rejected"]},
                         {row["category"]: row["records"] for row in report["bad_records"]})
        self.assertIn("2 of 502 records were rejected, of 2 kinds.", report["findings"])

    def test_records_that_several_commands_read_are_counted_once(self):
        self.write("records", b"".join(b"k%d\t%d\n" % (i, i % 10 + 1) for i in range(500)) + b"x\ty\nz\n")
        flags = ("--key", "1", "--group", "round(2)", "--lenient", "--json")
        built = self.ok("build", "records", "-o", "x.bank", *flags).out
        verified = self.ok("verify", "x.bank", "records", "--lenient", "--json").out
        self.write("both.json", built + verified)
        report = self.ok("report", "both.json", "--json").json
        self.assertIn("2 of 502 records were rejected, of 2 kinds.", report["findings"])
        self.assertEqual([1, 1], [row["records"] for row in report["bad_records"]])
        self.assertIn("Files that several commands read with the same counts are counted once: 1 command left out.",
                      self.page("both.json"))
        self.write("more", b"a\t1\n")
        self.write("other.json", self.ok("build", "more", "-o", "y.bank", *flags).out)
        report = self.ok("report", "both.json", "other.json", "--json").json
        self.assertIn("2 of 503 records were rejected, of 2 kinds.", report["findings"])

    def test_hostile_names_are_text(self):
        _, flags = self.write_hostile_bank()
        built = self.ok("build", HOSTILE[0], *flags, "-o", "h.bank", "--json")
        verified = self.bloomery("verify", "h.bank", HOSTILE[0], "--delimiter", "\\t", "--no-quotes", "--json")
        self.write("a.json", built.out + verified.out)
        page = self.page("a.json", "--title", "</title><script>window.hacked=1</script>")
        markup = re.sub(r"<script>.*?</script>|<pre>.*?</pre>", "", page, flags=re.S)
        self.assertEqual([], re.findall(r"<img|<b>|onerror=window|\son\w+=", re.sub(r">[^<]*<", "><", markup)))
        self.assertEqual(6, len(re.findall(r"<script", page)), "two of data and four of code")
        self.assertEqual({bytes(name).decode(errors="replace") for name in map(str.encode, HOSTILE)},
                         {row["group"] for row in tables_of(page)["rates"] if "group" in row} - {"tab\x07bell"})
        self.assertNotIn("\x07", page)

    def test_what_is_not_a_run_is_refused(self):
        self.write("a.json", '{"schema":"bloomery/plan/1"}\n')
        self.fails("bloomery report: a.json: line 1: is not of study, bench, build --json or verify --json", "report",
                   "a.json")
        self.write("b.json", "nothing\n")
        self.fails("bloomery report: b.json: line 1: not an object of JSON", "report", "b.json")
        self.write("c.json", '{"schema":"bloomery/study/1"}\n')
        self.fails('bloomery report: c.json: line 1: has no "plan", which every bloomery/study/1 has', "report",
                   "c.json")
        self.write("d.json", '{"schema":"bloomery/build/1","groups":[{}]}\n')
        outcome = self.bloomery("report", "d.json")
        self.assertEqual(2, outcome.status)
        self.assertIn("bloomery report: d.json: line 1: is not as docs/schema has it", outcome.message)
        self.assertIn("; was it changed by hand?\n", outcome.message)
        self.write("two.json", json.dumps(BENCH) + '\n\n{"schema":"bloomery/build/1","groups":[{}]}\n')
        self.assertIn("bloomery report: two.json: line 3: is not", self.bloomery("report", "two.json").message)
        self.fails("bloomery report: standard input: line 1: not an object of JSON", "report", "-", stdin=b"x")
        deep = b"[" * 1_000_000
        self.fails("bloomery report: standard input: line 1: not an object of JSON", "report", "-", stdin=deep)
        self.fails("bloomery report: standard input: line 1: is not of study, bench, build --json or verify --json", "report",
                   "-", stdin=b'{"schema":["a"]}')
        self.write("e.json", "\n")
        self.fails("bloomery report: e.json: there is no run in it", "report", "e.json")

    def test_one_table_can_be_asked_for(self):
        self.study()
        every = self.ok("report", "runs.jsonl", "--json").json
        few = self.ok("report", "runs.jsonl", "--json", "--table", "time_fpr", "--table", "points").json
        self.assertEqual({"schema", "title", "findings", "time_fpr", "points"}, set(few))
        self.assertEqual(every["points"], few["points"])
        rows = list(csv.DictReader(io.StringIO(self.ok("report", "runs.jsonl", "--table", "points", "--format", "csv").text)))
        self.assertEqual([point["wall_median"] for point in every["points"]], [float(row["wall_median"]) for row in rows])
        self.fails("bloomery report: --table time_fp: these runs have rates, fill, bits, bytes_fpr, time_fpr, speed_up, "
                   "bad_records, banks or points; did you mean time_fpr?", "report", "runs.jsonl", "--table", "time_fp")

    def test_numbers_of_csv_have_the_fewest_digits(self):
        self.study()
        self.write("runs.jsonl", re.sub(r'"wall_seconds":[^,]*', '"wall_seconds":0.003761887', (self.folder / "runs.jsonl").read_text()))
        rows = csv.DictReader(io.StringIO(self.ok("report", "runs.jsonl", "--table", "points", "--format", "csv").text))
        self.assertEqual({"0.003761887"}, {row["wall_median"] for row in rows})

    def test_tasks_may_be_left_to_the_program_in_one_run_and_said_in_another(self):
        self.study('input = "ratings.tsv"\nkey = "tconst"\n[[sweep]]\n[sweep.vary]\nfpr = [0.1, 0.01]\ntasks = [2, 4]\n')
        self.assertTrue("chart-" in self.page("runs.jsonl"))

    def test_runs_are_never_replaced_by_their_page(self):
        self.write("bench.json", json.dumps(BENCH) + "\n")
        self.fails("bloomery report: --output ./bench.json: is an input, too; name another file",
                   "report", "bench.json", "-f", "-o", "./bench.json")

    def test_a_page_is_not_replaced_unasked(self):
        self.write("bench.json", json.dumps(BENCH) + "\n")
        self.write("report.html", "mine")
        self.fails("bloomery report: report.html: exists; -f replaces it, or name another file", "report", "bench.json", "-o", "report.html")
