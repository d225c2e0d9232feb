"""Files that the driver writes besides the bank: whole or not at all, and nobody's is replaced."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import tempfile
from typing import Any

from .. import errors
from ..jobs import Path


def check_free(path: Path | None, overwrite: bool) -> None:
    """That a result can be written there, before there is one."""
    if path is None:
        return
    name = os.fsencode(path).decode(errors="backslashreplace")
    if not overwrite and os.path.lexists(path):
        raise errors.ExistsError(f"{name}: exists; ask to overwrite it, or name another file")
    folder = os.path.dirname(os.path.abspath(os.fsdecode(path)))
    if not os.path.isdir(folder):
        raise errors.NotFoundError(f"{name}: there is no folder {folder}; make it first")
    if not os.access(folder, os.W_OK):
        raise errors.IoError(f"{name}: {folder} is not writable; name another file")


def write_rejects(rows: Any, path: Path, overwrite: bool, inputs: list) -> None:
    """Rows of rejected records, in the order of the tasks, as the lines of the file."""
    path = os.fsdecode(path)
    descriptor, part = tempfile.mkstemp(prefix=os.path.basename(path) + ".part",
                                        dir=os.path.dirname(os.path.abspath(path)))
    try:
        with open(descriptor, "w", encoding="utf-8") as file:
            for row in rows.select("payload").toLocalIterator():
                line = json.loads(bytes(row[0]))
                line |= _named(inputs[int(line.pop("file"))][0])
                file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":"),
                                      sort_keys=True) + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, 0o666 & ~_umask())
        _put_in_place(part, path, overwrite)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise


def _put_in_place(part: str, path: str, overwrite: bool) -> None:
    if overwrite:
        os.replace(part, path)
    else:
        try:
            os.link(part, path)  # fails where somebody was faster
        except FileExistsError:
            raise errors.ExistsError(f"{path}: exists; ask to overwrite it, or name another file") from None
        os.unlink(part)
    folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _named(path: str) -> dict[str, str]:
    """A path as every JSON of bloomery has it."""
    name = os.fsencode(path)
    try:
        return {"file": name.decode()}
    except UnicodeDecodeError:
        return {"file_b64": base64.b64encode(name).decode()}
