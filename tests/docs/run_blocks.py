#!/usr/bin/env python3
"""Runs the shell and C++ blocks of one Markdown file, as a reader would.

Usage: run_blocks.py FILE [--path FOLDER]... [--compile COMMAND]

  sh, bash   run with bash, stopping at the first failure
  console    lines that start with "$ " are commands; the lines below each must be what it prints
  cpp        compiled and run; without a main, the lines become the body of one
  text       when "<!-- prints -->" stands above it: what the block before it must have printed

The blocks of a file run in order, in one folder that is empty at the start, with the --path folders
first on PATH. COMMAND compiles, with "SOURCE -o PROGRAM" in place of {}. A block that cannot run
has "<!-- not run: REASON -->" above it and is printed as skipped. Links to files of the project must
lead somewhere. Exit status: 0 when all is well, 1 when not.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

SHELL = {"sh", "bash"}
RUNNABLE = SHELL | {"console", "cpp"}
SILENT = {"", "text", "cmake", "json", "yaml", "ini"}  # shown, not run
ELSEWHERE = {"python"}  # run by tests/python, where the package is
FENCE = re.compile(r"^(\s*)```+\s*(\w*)")
NOTE = re.compile(r"^\s*<!--\s*(not run: (?P<reason>.+?)|(?P<prints>prints))\s*-->\s*$")
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
TIMEOUT_S = 300


@dataclass
class Block:
    language: str
    line: int
    text: str
    reason: str = ""     # why it is not run
    prints: bool = False  # it is what the block before it prints


def blocks(markdown):
    """The fenced blocks of a Markdown text, in order."""
    found, note, inside = [], None, None
    for number, line in enumerate(markdown.splitlines(), 1):
        fence = FENCE.match(line)
        if inside is not None:
            if fence:
                inside = None
            else:
                inside.text += line.removeprefix(indent) + "\n"
        elif fence:
            indent = fence[1]
            inside = Block(fence[2], number, "")
            if note:
                inside.reason, inside.prints = note["reason"] or "", bool(note["prints"])
            found.append(inside)
            note = None
        else:
            note = NOTE.match(line) or (note if not line.strip() else None)
    return found


def broken_links(markdown, folder):
    prose = re.sub(r"^\s*```.*?^\s*```", "", markdown, flags=re.M | re.S)
    targets = (match[1] for match in LINK.finditer(prose))
    return [t for t in targets if "://" not in t and not (folder / t).exists()]


class Failure(Exception):
    """A block did not do what its document says."""


class Runner:
    def __init__(self, folder, path, compiler):
        self.folder, self.compiler = folder, compiler
        self.environment = dict(os.environ, PATH=os.pathsep.join([*path, os.environ["PATH"]]))

    def run(self, block):
        """Runs one block and gives what it printed."""
        if block.language in SHELL:
            return self.shell("set -euo pipefail\n" + block.text)
        if block.language == "console":
            return self.console(block.text)
        return self.cpp(block)

    def shell(self, script, may_fail=False):
        run = subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.environment,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT_S)
        if run.returncode != 0 and not may_fail:
            raise Failure(f"exit status {run.returncode}\n{run.stdout}")
        return run.stdout

    def console(self, text):
        """A session: an exit status other than 0 is part of it, what is printed must be equal."""
        if not text.startswith("$ "):
            raise Failure('a console block starts with "$ "')
        for session in re.split(r"^\$ ", text, flags=re.M)[1:]:
            command = re.match(r"(.*\\\n)*.*", session)[0]  # with lines continued by a backslash
            expected = session.removeprefix(command + "\n")
            require_equal(expected, self.shell(command, may_fail=True), f"$ {command}")
        return text

    def cpp(self, block):
        if not self.compiler:
            raise Failure("a cpp block needs --compile")
        source = self.folder / f"block_{block.line}.cpp"
        source.write_text(whole_program(block.text), encoding="utf-8")
        self.shell(self.compiler.replace("{}", f"{source.name} -o block_{block.line}"))
        return self.shell(f"./block_{block.line}")


def whole_program(text):
    if re.search(r"^int main\(", text, flags=re.M):
        return text
    lines = text.splitlines()
    is_include = [line.startswith("#include") for line in lines]
    head = [line for line, include in zip(lines, is_include) if include]
    body = [line for line, include in zip(lines, is_include) if not include]
    return "\n".join([*head, "int main() {", *body, "}", ""])


def require_equal(expected, printed, what):
    if expected.rstrip() != printed.rstrip():
        raise Failure(f"{what}\n--- the document says\n{expected}--- it prints\n{printed}")


def check_block(block, printed, runner):
    """Runs or compares one block. Gives what it printed and a word for the report."""
    if block.reason:
        return None, f"skipped: {block.reason}"
    if block.prints and printed is ELSEWHERE:
        return None, "compared by tests/python"
    if block.prints:
        if printed is None:
            raise Failure("no block that ran stands before it")
        require_equal(block.text, printed, "output differs")
        return None, "output as printed"
    if block.language in ELSEWHERE:
        return ELSEWHERE, "run by tests/python"
    if block.language in SILENT:
        return printed, ""
    if block.language not in RUNNABLE:
        raise Failure(f"language {block.language!r} is not known to tests/docs/run_blocks.py")
    return runner.run(block), "ran"


def check_file(file, path, compiler):
    """Checks one document; prints a line a block; gives the number of failures."""
    markdown = file.read_text(encoding="utf-8")
    failures = 0
    for target in broken_links(markdown, file.parent):
        print(f"{file.name}: link to {target}: no such file")
        failures += 1
    with tempfile.TemporaryDirectory() as folder:
        runner, printed = Runner(pathlib.Path(folder), path, compiler), None
        for block in blocks(markdown):
            try:
                printed, word = check_block(block, printed, runner)
            except (Failure, subprocess.TimeoutExpired) as failure:
                printed, word = None, f"FAILED: {failure}"
                failures += 1
            if word:
                print(f"{file.name}:{block.line}: {block.language or 'text'}: {word}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=pathlib.Path)
    parser.add_argument("--path", action="append", default=[])
    parser.add_argument("--compile", default="")
    arguments = parser.parse_args()
    return 1 if check_file(arguments.file, arguments.path, arguments.compile) else 0


if __name__ == "__main__":
    sys.exit(main())
