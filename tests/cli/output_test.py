"""Colours, pipes, terminals, full disks, locales and signals."""

import os
import pty
import select
import signal
import subprocess
import threading
import time

from cli import PROGRAM, CliTest

ESCAPE = b"\x1b"


class Streams(CliTest):
    def on_terminal(self, *arguments, environment=None, seconds=20):
        """What a terminal gets from both streams of a command, and its status."""
        master, slave = pty.openpty()
        env = {"PATH": os.environ["PATH"], "TERM": "xterm", **(environment or {})}
        run = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, env=env, stdin=slave,
                               stdout=slave, stderr=slave)
        os.close(slave)
        shown, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            ready, _, _ = select.select([master], [], [], 0.1)
            if not ready and run.poll() is not None:
                break
            if ready:
                try:
                    data = os.read(master, 65536)
                except OSError:  # the other end is closed
                    break
                if not data:
                    break
                shown += data
        os.close(master)
        return shown, run.wait()

    def test_colours_only_on_a_terminal_that_wants_them(self):
        command = ("plan", "--keys", "100")
        self.assertIn(ESCAPE, self.on_terminal(*command)[0])
        for variable in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn(ESCAPE, self.on_terminal(*command, environment=variable)[0])
        self.assertNotIn(ESCAPE, self.on_terminal(*command, "--color", "never")[0])
        self.assertNotIn(ESCAPE, self.ok(*command).out)
        self.assertIn(ESCAPE, self.ok(*command, "--color", "always").out)
        self.assertIn(ESCAPE, self.ok(*command, "--color", "always",
                                      environment={"NO_COLOR": "1"}).out)

    def test_no_escapes_in_a_pipe_from_any_command(self):
        bank = self.make_bank()
        for command in (["inspect", bank], ["query", bank, "a"], ["formats"], ["doctor"], ["--version"],
                        ["help"], ["merge", bank, "-o", "m.bank"]):
            outcome = self.ok(*command)
            self.assertNotIn(ESCAPE, outcome.out + outcome.err, command)

    def test_hostile_names_are_harmless_on_a_terminal(self):
        self.make_bank(records=b"k\x1b[2Jey\tg\x1b[31mroup\n")
        for command in (["inspect", "small.bank"], ["query", "small.bank", "k\x1b[2Jey"],
                        ["query", "small.bank", "k\x1b[2Jey", "--json"],
                        ["inspect", "small.bank", "--json"], ["inspect", "--groups", "small.bank"]):
            shown, _ = self.on_terminal(*command, "--color", "never", "--no-progress")
            self.assertIn(b"roup", shown)
            self.assertNotIn(ESCAPE, shown, command)

    def feed_slowly(self, fifo):
        """Records through a pipe, for long enough that the bar has a reason to show."""
        records = b"".join(b"key%d\n" % i for i in range(100_000))
        with open(fifo, "wb") as pipe:
            pipe.write(records)
            pipe.flush()
            time.sleep(1.5)
            pipe.write(records)

    def build_from_pipe(self, *flags):
        fifo = os.path.join(self.folder, "slow.fifo")
        os.mkfifo(fifo)
        feeder = threading.Thread(target=self.feed_slowly, args=(fifo,))
        feeder.start()
        shown, status = self.on_terminal("build", fifo, "-f", "-o", "big.bank", *flags)
        feeder.join()
        os.remove(fifo)
        self.assertEqual(0, status, shown)
        return shown

    def test_progress_is_for_terminals(self):
        self.assertIn(b" records  ", self.build_from_pipe())
        self.assertNotIn(b"\r\x1b[K", self.build_from_pipe("--no-progress"))
        self.assertNotIn(b"\r", self.ok("build", "-f", "-o", "big.bank", stdin=b"a\n").err)

    def test_quiet_commands_say_nothing(self):
        bank = self.make_bank()
        for command in (["build", "-o", "q.bank"], ["merge", bank, "-o", "m.bank"],
                        ["query", bank, "a"], ["generate", "ratings", "-o", "r.tsv", "--factor", "0.001"]):
            outcome = self.ok(*command, "-q", stdin=b"a\n")
            self.assertEqual((b"", b""), (outcome.out, outcome.err), command)

    def test_numbers_do_not_depend_on_the_locale(self):
        for command in (["plan", "--keys", "1234567", "-p", "0.1%"],
                        ["plan", "--keys", "1234567", "-p", "0.1%", "--json"]):
            plain = self.ok(*command).out
            for name in ("de_DE.UTF-8", "fr_FR.UTF-8", "tr_TR.UTF-8"):
                self.assertEqual(plain, self.ok(*command, environment={"LC_ALL": name}).out)


class Pipes(CliTest):
    def shell(self, script):
        """Status of each part of a pipe, and what came on standard error."""
        run = subprocess.run(["bash", "-c", f'{script}; echo "${{PIPESTATUS[@]}}" >&2'],
                             cwd=self.folder, capture_output=True, text=True, check=False,
                             env={"PATH": os.path.dirname(PROGRAM) + ":" + os.environ["PATH"]})
        *talk, status = run.stderr.splitlines()
        return [int(part) for part in status.split()], talk

    def test_a_closed_pipe_is_quiet(self):
        bank = self.make_bank()
        self.ok("generate", "words", "-n", "200K", "-o", "words.txt")
        commands = ["generate ratings", "generate words -n 1M", "help build", "man build", "formats",
                    "completions bash", "doctor", "plan -n 5", f"inspect {bank}", f"merge {bank} -o m.bank -f",
                    f"query {bank} --invert -i words.txt", f"query {bank} --json -i words.txt",
                    "build words.txt -o w.bank -f", "--version", "help --format md"]
        for command in commands:
            for reader in ("head -n 1", "true"):
                statuses, talk = self.shell(f"bloomery {command} | {reader} > /dev/null")
                self.assertNotIn(statuses[0], (1, 2), command)
                self.assertEqual([], [line for line in talk if "wrote" not in line], command)
        self.assertTrue((self.folder / "w.bank").exists())

    def test_a_full_disk_is_an_error(self):
        bank = self.make_bank()
        for command in ("generate ratings", "help build", "formats", f"inspect {bank}", "plan -n 5",
                        f"query {bank} a b c", "--version"):
            statuses, talk = self.shell(f"bloomery {command} > /dev/full")
            self.assertEqual([2], statuses, command)
            self.assertEqual(1, len(talk), talk)
            self.assertIn("standard output: No space left on device", talk[0])


    def test_a_limit_on_file_sizes_is_an_error_that_leaves_nothing(self):
        self.ok("generate", "words", "-n", "20K", "-o", "words.txt")
        for command in ("build words.txt -o w.bank", "generate words -o more.txt"):
            statuses, talk = self.shell(f"ulimit -f 8; bloomery {command}")
            self.assertEqual([2], statuses, talk)
            self.assertIn("File too large", talk[0])
            self.assertEqual(["words.txt"], os.listdir(self.folder))


class Signals(CliTest):
    def interrupt(self, arguments, number, after):
        """Sends a signal after some seconds; gives status and how long the answer took."""
        run = subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        time.sleep(after)
        self.assertIsNone(run.poll(), "it was too quick to be interrupted")
        start = time.monotonic()
        run.send_signal(number)
        status = run.wait(timeout=20)
        took = time.monotonic() - start
        run.stdin.close()
        self.assertTrue(run.stderr.read().endswith(b"bloomery: interrupted; no half-written file is left\n"))
        run.stderr.close()
        return status, took

    def say_if_slow(self, took, command):
        if took > 0.5:
            print(f"{command}: took {took:.2f} s to stop, load {os.getloadavg()[0]:.1f}")

    def test_an_interrupted_reader_leaves_no_rejects(self):
        bank = self.make_bank()
        (self.folder / "sub").mkdir()
        for command in (["build", "-o", "x.bank"], ["plan"], ["verify", bank],
                        ["build", "-o", "x.bank", "--dry-run"]):
            status, took = self.interrupt([*command, "--rejects", "sub/bad.jsonl"], signal.SIGINT, 0.4)
            self.assertEqual(-signal.SIGINT, status)
            self.say_if_slow(took, command)
            self.assertEqual([], os.listdir(self.folder / "sub"), command)

    def test_an_interrupted_writer_leaves_nothing(self):
        self.make_bank("old.bank")
        old = (self.folder / "old.bank").read_bytes()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            for command in (["generate", "ratings", "--factor", "1000", "-o", "x.tsv"],
                            ["build", "-o", "old.bank", "-f"]):
                status, took = self.interrupt(command, number, 0.4)
                self.assertEqual(-number, status)
                self.say_if_slow(took, command)
                self.assertEqual(["old.bank"], sorted(os.listdir(self.folder)))
        self.assertEqual(old, (self.folder / "old.bank").read_bytes())

    def test_a_build_of_a_large_file_is_interrupted(self):
        self.ok("generate", "ratings", "--factor", "20", "-o", "big.tsv")
        before = sorted(os.listdir(self.folder))
        status, took = self.interrupt(["build", "big.tsv", "--key", "tconst", "-o", "x.bank", "-T", "1"],
                                      signal.SIGINT, 0.15)
        self.assertEqual(-signal.SIGINT, status)
        self.say_if_slow(took, "build")
        self.assertEqual(before, sorted(os.listdir(self.folder)))
