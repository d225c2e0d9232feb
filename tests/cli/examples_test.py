"""The experiments under examples/ run, and come out as theory and the published tables say."""

import re
import subprocess

from cli import PROGRAM, SOURCE, TIMEOUT_S, CliTest


class Examples(CliTest):
    def rows(self, name):
        """The numbers of every line of the table that the example prints."""
        run = subprocess.run([SOURCE / "examples" / name, PROGRAM, self.folder], capture_output=True, text=True,
                             timeout=5 * TIMEOUT_S, check=False)
        self.assertEqual((0, ""), (run.returncode, run.stderr))
        return [[float(number) for number in re.findall(r"[0-9.]+", line)]
                for line in run.stdout.splitlines() if line[0].isdigit()]

    def test_expected_and_effective_rates(self):
        rows = self.rows("expected_effective.sh")
        self.assertEqual([555888, 362329, 278494], [row[0] for row in rows])
        for _, _, expected, noted, effective in rows:
            self.assertAlmostEqual(expected, effective, delta=0.05 * expected)
            self.assertAlmostEqual(expected, noted, delta=0.05 * expected)

    def test_admitted_and_rejected_words(self):
        rows = self.rows("admitted_rejected.sh")
        self.assertEqual([10_000, 100_000, 1_000_000, 2_000_000], [row[0] for row in rows])
        for words, sample, _, _, admitted, rejected, of_others, predicted, *_ in rows:
            self.assertEqual(words, admitted + rejected)
            self.assertGreaterEqual(admitted, sample)
            self.assertAlmostEqual(predicted, of_others, delta=0.25 * predicted)
