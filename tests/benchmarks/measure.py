"""What something takes: calls side by side in one process, and whole commands from outside."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import psutil

_SAMPLE_SECONDS = 0.05


@dataclass(frozen=True)
class Measured:
    """What a command took.

    Attributes:
        seconds: wall time.
        cpu_seconds: processor time of all its processes; 0 if nobody looked.
        peak_bytes: the largest sum of the proportional set sizes (PSS) of all its processes; 0 if
            nobody looked.
    """

    seconds: float
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


def side_by_side(calls: Mapping[str, Callable[[], object]], *, repeats: int) -> dict[str, float]:
    """Give each call's seconds of processor time, the least of some turns, after a warm-up.

    Turn by turn all calls run, so what the machine does meanwhile meets them alike. Time is that of
    the process, all of its threads together: what one core would take.
    """
    seconds = dict.fromkeys(calls, float("inf"))
    for turn in range(repeats + 1):
        for name, call in calls.items():
            began = time.process_time()
            call()
            took = time.process_time() - began
            if turn:
                seconds[name] = min(seconds[name], took)
    return seconds


def measure(command: list[str], *, memory: bool = True) -> Measured:
    """Run a command to its end, and measure it; looking at its memory costs it a little time.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    began, began_cpu = time.perf_counter(), _cpu_of_children()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=_environment()
    ) as process:
        peak = _watch(psutil.Process(process.pid), process) if memory else 0
        _, errors = process.communicate()
        seconds = time.perf_counter() - began
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, stderr=errors)
    return Measured(seconds, _cpu_of_children() - began_cpu, peak)


def _cpu_of_children() -> float:
    """Sum up the processor time of all processes that have ended below this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _environment() -> dict[str, str]:
    """Let a command choose its own number of threads, whatever this process was told."""
    return {name: value for name, value in os.environ.items() if name != "POLARS_MAX_THREADS"}


def _watch(root: psutil.Process, process: subprocess.Popen[str]) -> int:
    peak = 0
    while process.poll() is None:
        peak = max(peak, sum(map(_pss, [root, *_children(root)])))
        time.sleep(_SAMPLE_SECONDS)
    return peak


def _children(process: psutil.Process) -> list[psutil.Process]:
    with suppress(psutil.Error):
        return list(process.children(recursive=True))
    return []


def _pss(process: psutil.Process) -> int:
    # A process may end between being listed and being asked.
    with suppress(psutil.Error):
        return int(process.memory_full_info().pss)
    return 0
