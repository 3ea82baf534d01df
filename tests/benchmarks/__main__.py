"""Print what the whole job costs: ``python -m tests.benchmarks``."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.memory import peaks
from tonelog.jobs.workers import cores


def main() -> None:
    """Measure and print."""
    machine = f"{cores()} cores, {platform.machine()}, Python {platform.python_version()}"
    print(f"whole job, both scorers, everything kept, 2 workers ({machine})")
    print(f"{'rows':>10} {'seconds':>9} {'rows/s':>9} {'peak MiB':>9}")
    with tempfile.TemporaryDirectory() as folder:
        for rows, took in peaks(Path(folder)).items():
            speed = rows / took.seconds
            print(
                f"{rows:>10,} {took.seconds:>9.1f} {speed:>9,.0f} {took.peak_bytes / 2**20:>9.0f}"
            )
    one_core = os.environ | {"POLARS_MAX_THREADS": "1"}
    for name in ("originals", "sentences"):
        subprocess.run([sys.executable, "-m", f"tests.benchmarks.{name}"], env=one_core, check=True)


if __name__ == "__main__":
    main()
