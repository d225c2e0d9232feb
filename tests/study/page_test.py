"""The page in a headless Chromium: every chart drawn, nothing asked of a network, nothing injected."""

import json
import os
import pathlib
import subprocess

from browser import Browser
from report_test import tables_of
from study_case import HOSTILE, StudyTest

PICTURES = pathlib.Path(os.environ.get("BLOOMERY_PICTURES", "pictures")).resolve()

VALUES = """Object.fromEntries([...document.querySelectorAll('main section')].filter(s => s.querySelector('table'))
  .map(s => [s.id, [...s.querySelectorAll('tbody tr')].map(row => [...row.cells].map(cell => cell.dataset.value ?? null))]))"""
CHARTS = """[...document.querySelectorAll('.chart')].map(at => ({id: at.id, drawn: at.dataset.drawn,
  marks: at.querySelectorAll('svg .role-mark path, svg .role-mark line, svg .role-mark rect').length,
  wide: at.querySelector('svg')?.getBoundingClientRect().width > 200}))"""
# Contrast of two colours, as WCAG has it.
CONTRAST = """(() => {
  const light = (color) => { const [r, g, b] = color.match(/\\w\\w/g).map(h => parseInt(h, 16) / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const style = getComputedStyle(document.documentElement), of = name => light(style.getPropertyValue(name).trim().slice(1));
  const ground = of('--ground'), ratio = name => { const x = of(name); return (Math.max(x, ground) + 0.05) / (Math.min(x, ground) + 0.05); };
  return Object.fromEntries(['--ink', '--muted', '--link', '--alarm', '--target', ...[0,1,2,3,4,5,6,7].map(i => `--series${i}`)].map(n => [n, ratio(n)]));
})()"""


class Pages(StudyTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def make_page(self, *runs, title="A study"):
        self.ok("report", *runs, "--title", title, "-f", "-o", "report.html")
        return self.folder / "report.html"

    def open(self, path, **options):
        page = self.browser.page(**options)
        page.open(path)
        page.wait("document.body.dataset.drawn === 'yes'")
        return page

    def check_drawn(self, page):
        charts = page.run(CHARTS)
        self.assertTrue(charts)
        for chart in charts:
            self.assertEqual("yes", chart["drawn"], chart)
            self.assertGreater(chart["marks"], 0, chart)
            self.assertTrue(chart["wide"], chart)
        self.assertEqual([], page.complaints())
        self.assertEqual(1, len(page.requests()), page.requests())
        return {chart["id"] for chart in charts}

    def check_values(self, page, path):
        """The cells that have values have those of the page's JSON, in order."""
        shown = page.run(VALUES)
        for name, rows in tables_of(path.read_text()).items():
            self.assertEqual(len(rows), len(shown.get(name, [])), name)
            numbers = [[value for value in row.values() if isinstance(value, (bool, int, float))] for row in rows]
            self.assertEqual(sorted(map(str, numbers)),
                             sorted(str([json.loads(cell) for cell in row if cell is not None]) for row in shown.get(name, [])))

    def test_every_chart_is_drawn_from_the_numbers_in_light_dark_and_on_paper(self):
        self.study()
        self.write("bench.json", self.ok("bench", "--keys", "1K,10K", "--rounds", "1", "--json").out)
        bad = self.bloomery("build", "-o", "x.bank", "--key", "1", "--group", "round(2)", "--lenient", "--json",
                            stdin=b"a\t1\nb\t2\nx\ty\nz\n")
        self.write("bad.json", bad.out)
        # The same runs once more, as of a machine with a hostile name.
        lines = self.lines("runs.jsonl")
        for line in lines:
            line["machine"]["processor"] = HOSTILE[2]
            line["entropy_bytes"] = 0
        self.write("other.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        path = self.make_page("runs.jsonl", "other.jsonl", "bench.json", "bad.json")
        grounds = []
        for dark in (False, True):
            page = self.open(path, dark=dark)
            ids = self.check_drawn(page)
            self.assertLessEqual({"chart-rates", "chart-fill", "chart-bits", "chart-bytes-fpr", "chart-time-fpr",
                                  "chart-speed-up", "chart-set-memory", "chart-set-time", "chart-errors",
                                  "chart-bad-records"}, ids)
            self.check_values(page, path)
            for name, ratio in page.run(CONTRAST).items():
                self.assertGreaterEqual(ratio, {"--ink": 7, "--muted": 4.5, "--link": 4.5, "--alarm": 4.5}.get(
                    name, 2.2), name)
            grounds.append(page.run("getComputedStyle(document.body).backgroundColor"))
            page.screenshot(PICTURES / f"report-{'dark' if dark else 'light'}.png")
        self.assertEqual(2, len(set(grounds)))
        self.assertIsNone(page.run("window.hacked"))
        page.pdf(PICTURES / "report.pdf")
        narrow = self.open(path, width=420)
        self.check_drawn(narrow)
        self.assertLessEqual(narrow.run("document.documentElement.scrollWidth"), 420)
        narrow.screenshot(PICTURES / "report-narrow.png")

    def test_hostile_names_do_nothing(self):
        _, flags = self.write_hostile_bank()
        built = self.ok("build", HOSTILE[0], *flags, "-o", HOSTILE[4], "--json")
        verified = self.bloomery("verify", HOSTILE[4], HOSTILE[0], "--delimiter", "\\t", "--no-quotes", "--json")
        self.write(HOSTILE[3], built.out + verified.out)
        path = self.make_page(HOSTILE[3], title="</title><script>window.hacked=1</script>")
        page = self.open(path)
        self.check_drawn(page)
        self.check_values(page, path)
        page.run("document.querySelectorAll('main *').forEach(e => e.dispatchEvent(new MouseEvent('mouseover', {bubbles: true})))")
        self.assertIsNone(page.run("window.hacked"))
        self.assertEqual([0, 6], page.run("[document.images.length, document.scripts.length]"))
        self.assertEqual("</title><script>window.hacked=1</script>", page.run("document.title"))
        shown = page.run("[...document.querySelectorAll('#rates tbody tr')].map(row => row.cells[1].textContent)")
        for name in ("<img src=x onerror=window.hacked=1>", "__proto__", "${window.hacked=1}", "<!--<script>"):
            self.assertIn(name, shown)
        page.screenshot(PICTURES / "report-hostile.png")

    def test_without_scripts_words_and_tables_remain(self):
        self.study()
        path = self.make_page("runs.jsonl")
        findings = self.ok("report", "runs.jsonl", "--json").json["findings"]
        page = self.browser.page(scripts=False)
        page.call("Page.navigate", url=path.as_uri())
        # Only the page's own scripts are off: what the tests ask still runs.
        page.wait("document.readyState === 'complete' && location.protocol === 'file:'")
        self.assertIsNone(page.run("document.body.dataset.drawn"))
        self.assertEqual(findings, page.run("[...document.querySelectorAll('.found li')].map(item => item.textContent)"))
        self.check_values(page, path)
        self.assertIn("Scripts are off", page.run("document.querySelector('noscript').textContent"))
        self.assertEqual(1, len(page.requests()))
        page.screenshot(PICTURES / "report-no-scripts.png")
        # Paper has no fold, and needs no script to be without it.
        folded = "[...document.querySelectorAll('main table')].filter(t => !t.checkVisibility({contentVisibilityAuto: true})).length"
        self.assertGreater(page.run(folded), 0)
        page.call("Emulation.setEmulatedMedia", media="print")
        page.wait(f"{folded} === 0")

    def test_a_program_without_charts_says_why_and_has_the_tables(self):
        self.study()
        run = subprocess.run([os.environ["BLOOMERY_WITHOUT_CHARTS"], "report", "runs.jsonl", "-o", "plain.html"],
                             cwd=self.folder, capture_output=True, text=True, check=True)
        self.assertIn("warning: no charts: this bloomery was built without Vega-Lite", run.stderr)
        path = self.folder / "plain.html"
        page = self.browser.page()
        page.open(path)
        self.assertEqual([], page.complaints())
        self.assertIn("built without Vega-Lite", page.run("document.querySelector('#no-charts').textContent"))
        self.assertEqual([0, 1], page.run("[document.querySelectorAll('.chart').length, document.scripts.length]"))
        self.check_values(page, path)
        self.make_page("runs.jsonl")
        self.assertEqual(tables_of((self.folder / "report.html").read_text()), tables_of(path.read_text()))

    def test_everything_is_reached_by_keyboard(self):
        self.study()
        page = self.open(self.make_page("runs.jsonl"))
        wanted = page.run("document.querySelectorAll('a[href], summary, [tabindex=\"0\"]').length")
        page.run("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
        reached = set()
        for _ in range(wanted + 5):
            page.press("Tab")
            at = page.run("[document.activeElement.tagName, document.activeElement.textContent.slice(0, 40), "
                          "[...document.querySelectorAll('*')].indexOf(document.activeElement)]")
            reached.add(tuple(at))
        self.assertGreaterEqual(len(reached), wanted)
        self.assertLessEqual({"A", "SUMMARY", "DIV"}, {tag for tag, *_ in reached})
        # A fold opens and closes by Enter.
        page.run("document.querySelector('main summary').focus()")
        before = page.run("document.querySelector('main details').open")
        page.press("Enter", text="\r")
        self.assertNotEqual(before, page.run("document.querySelector('main details').open"))
