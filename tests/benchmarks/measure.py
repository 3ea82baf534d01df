"""Time and memory of a whole command: all of its processes, seen from outside."""

from __future__ import annotations

import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass

import psutil

_SAMPLE_SECONDS = 0.05


@dataclass(frozen=True)
class Measured:
    """What a command took.

    Attributes:
        seconds: wall time.
        peak_bytes: the largest sum of the proportional set sizes (PSS) of all its processes.
    """

    seconds: float
    peak_bytes: int


def measure(command: list[str]) -> Measured:
    """Run a command to its end, and measure it.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    began = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as process:
        root = psutil.Process(process.pid)
        peak = 0
        while process.poll() is None:
            peak = max(peak, sum(map(_pss, [root, *_children(root)])))
            time.sleep(_SAMPLE_SECONDS)
        seconds = time.perf_counter() - began
        errors = process.stderr.read() if process.stderr else ""
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=errors)
    return Measured(seconds, peak)


def _children(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return list(process.children(recursive=True))
    return []


def _pss(process: psutil.Process) -> int:
    # A process may end between being listed and being asked.
    with suppress(psutil.Error):
        return int(process.memory_full_info().pss)
    return 0
