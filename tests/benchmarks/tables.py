"""How figures are shown: rows of named values, one way for all benchmarks."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final

from tonelog.jobs.workers import cores

Row = dict[str, str | int | float | None]
"""A row of a table: values by the names of their columns, units included; None is left blank."""

_PACKAGES: Final = ("polars", "pyarrow", "numba", "numpy", "rapidfuzz", "vaderSentiment")
_WHOLE: Final = 100


def print_table(title: str, rows: Sequence[Row]) -> None:
    """Print rows of the same columns below a title: text to the left, numbers to the right."""
    columns = list(rows[0])
    cells = [columns, *([_cell(row[name]) for name in columns] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    is_text = [all(isinstance(row[name], str | None) for row in rows) for name in columns]
    print(f"\n{title}")
    for line in cells:
        places = zip(line, widths, is_text, strict=True)
        shown = (cell.ljust(w) if left else cell.rjust(w) for cell, w, left in places)
        print("  ".join(shown).rstrip())


def machine() -> str:
    """Name what the figures were measured on: processor, cores, Python, packages."""
    names = (f"{name} {version(name)}" for name in _PACKAGES)
    free = f"{cores()} cores, load {os.getloadavg()[0]:.1f}"
    return f"{_processor()}, {free}, Python {platform.python_version()}; {', '.join(names)}"


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    lines = described.read_text().splitlines() if described.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _cell(value: str | float | None) -> str:
    """Show a number in three significant places or more, never with an exponent."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, int) or abs(value) >= _WHOLE:
        return f"{value:,.0f}"
    return f"{value:.3g}" if abs(value) < 1 else f"{value:.1f}"
