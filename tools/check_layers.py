#!/usr/bin/env python3
"""Fails when a folder includes something that comes later on the way of the data.

Usage: check_layers.py [ROOT]

The folders of src/ stand in the order the data travels (src/README.md); each may include itself and
earlier ones. A public header counts as the folder that implements it. engines/ may include all of
src/, cli/ may include engines/ too. The order is written here once; a folder or public header that
is not in it is an error, so that it cannot fall behind.
"""

import pathlib
import re
import sys

ORDER = [
    "base", "input", "split", "parse", "group", "dialect", "hash", "filter", "plan",
    "partial", "merge", "bank", "query", "verify", "report", "engines", "cli",
]

# Public headers, by the folder that implements them.
PUBLIC = {
    "result": "base", "version": "base", "kernel": "base",
    "dialect": "dialect",
    "hash": "hash", "number_hash": "hash",
    "spec": "filter", "sizing": "filter", "filter": "filter", "probe": "filter",
    "bank": "bank",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
UNNAMED = "not named in tools/check_layers.py"
SOURCES = {".h", ".cpp", ".inc"}


def folder_of(path, root):
    """The layer a source file belongs to, or None for one outside the layers."""
    parts = path.relative_to(root).parts
    if parts[0] == "include":
        return PUBLIC.get(path.name.removesuffix(".in").removesuffix(".h"))
    if parts[0] == "src":
        return parts[1] if len(parts) > 2 and parts[1] in ORDER else None
    return parts[0]


def target_of(include, path, root):
    """The layer an include line reaches, or None for one that is not ours."""
    parts = pathlib.PurePosixPath(include).parts
    if parts[0] in (".", ".."):
        return f"path {include} does not start at src/ or include/"
    if parts[0] == "bloomery":
        return PUBLIC.get(parts[-1].removesuffix(".h"), f"public header {include} is {UNNAMED}")
    if len(parts) == 1 and (path.parent / include).exists():
        return folder_of(path.parent / include, root)
    if parts[0] in ORDER:
        return parts[0]
    is_ours = (root / "src" / parts[0]).exists()
    return f"folder {parts[0]} is {UNNAMED}" if is_ours else None


def sources(root):
    for top in ("include", "src", "engines", "cli"):
        for path in sorted((root / top).rglob("*")):
            if path.is_file() and (path.suffix in SOURCES or path.name.endswith(".h.in")):
                yield path


def problems(root):
    for path in sources(root):
        name = path.relative_to(root)
        own = folder_of(path, root)
        if own is None:
            yield f"{name}: belongs to no folder; name it in tools/check_layers.py"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            target = target_of(match[1], path, root) if match else None
            if target is None:
                continue
            if target not in ORDER:
                yield f"{name}:{number}: {target}"
            elif ORDER.index(target) > ORDER.index(own):
                yield f'{name}:{number}: {own} includes "{match[1]}" of {target}, which comes later'


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    if root.is_file():
        root = root.parent.parent
    files = list(sources(root))
    if not files:
        sys.exit(f"check_layers: {root}: no sources found")
    found = list(problems(root))
    for problem in found:
        print(problem)
    print(f"{len(files)} files, {len(found)} wrong includes")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
