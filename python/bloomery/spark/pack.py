"""python -m bloomery.spark.pack FILE.tar.gz: an environment for executors that have none.

It holds pyarrow and this bloomery, and is sent along with every job:

    spark.archives = FILE.tar.gz#environment        PYSPARK_PYTHON = ./environment/bin/python

The interpreter itself is not in it: every node needs the Python that made it, at the same path.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import sys
import tempfile
import venv

import bloomery


def pack(output: pathlib.Path) -> None:
    import pyarrow

    with tempfile.TemporaryDirectory(prefix="bloomery-pack-") as folder:
        environment = pathlib.Path(folder) / "environment"
        venv.EnvBuilder(with_pip=False, symlinks=True).create(environment)
        packages = next(environment.glob("lib/python*/site-packages"))
        for module in (pyarrow, bloomery):
            copy_package(pathlib.Path(module.__file__).parent, packages)
        from venv_pack import pack as pack_environment

        part = output.with_name(f".{output.name}.part.tar.gz")
        pack_environment(prefix=str(environment), output=str(part), force=True)
        os.replace(part, output)


def copy_package(source: pathlib.Path, to: pathlib.Path) -> None:
    """A package with the libraries beside it, as wheels lay them."""
    skip = shutil.ignore_patterns("__pycache__", "tests", "include", "*.pyx", "*.pxd")
    shutil.copytree(source, to / source.name, ignore=skip)
    libraries = source.with_name(source.name + ".libs")
    if libraries.is_dir():
        shutil.copytree(libraries, to / libraries.name)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bloomery.spark.pack", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path, metavar="FILE.tar.gz")
    arguments = parser.parse_args()
    if not arguments.output.name.endswith(".tar.gz"):
        parser.error(f"{arguments.output}: must end in .tar.gz")
    try:
        pack(arguments.output)
    except ModuleNotFoundError as error:
        print(f"bloomery.spark.pack: {error}; pip install venv-pack pyarrow", file=sys.stderr)
        return 2
    size = arguments.output.stat().st_size
    print(f"{arguments.output}: {size / 1e6:.0f} MB; spark.archives={arguments.output}#environment, "
          "PYSPARK_PYTHON=./environment/bin/python")
    return 0


if __name__ == "__main__":
    sys.exit(main())
