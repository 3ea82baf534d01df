"""How much is measured: all of it, or as little as still says something."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Size:
    """How much work the benchmarks make of it.

    Attributes:
        megabytes: text that a kernel is given.
        repeats: turns, of which the best counts.
        rows: of the log that the whole job scores.
        loop_rows: of these, how many a Python loop scores.
        memory_rows: of the smallest of the logs by which memory is measured.
        files: how many tiny files.
        groups: how many tiny row groups.
    """

    megabytes: float
    repeats: int
    rows: int
    loop_rows: int
    memory_rows: int
    files: int
    groups: int


FULL: Final = Size(4, 5, 200_000, 1_000, 250_000, 10_000, 100_000)
SMALL: Final = Size(1, 3, 20_000, 200, 10_000, 100, 1_000)
