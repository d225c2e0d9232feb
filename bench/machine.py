"""What a run of the benchmarks in Python must say of itself, as bloomery_bench does."""

import os
import pathlib
import platform
import subprocess


def machine():
    with open("/proc/cpuinfo", encoding="ascii", errors="replace") as lines:
        models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} processors"


def commit():
    """That of the checkout, for programs that do not carry one."""
    here = pathlib.Path(__file__).resolve().parent
    done = subprocess.run(["git", "-C", here, "describe", "--always", "--dirty"], capture_output=True, text=True,
                          check=False)
    return done.stdout.strip() or "unknown"
