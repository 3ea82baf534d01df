"""Start-up: the shortest job of all, and the imports in it that take longest."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.benchmarks.job import score
from tests.benchmarks.logs import write_logs
from tests.benchmarks.sizes import Size
from tests.benchmarks.tables import Row

TITLE: Final = "Start-up, caches warm (imports: by package, what each takes itself)"
_SUPERVISOR: Final = "tonelog.jobs.cli"
_WORKER: Final = "tonelog.jobs.prepare, tonelog.jobs.part, tonelog.jobs.output.summary"
_NAMED: Final = 8
_LINE: Final = re.compile(r"import time:\s+(\d+) \|\s+\d+ \|\s+([\w.]+)")


def measured(size: Size) -> list[Row]:
    """Time ``tonelog score`` on 10 rows, then name the imports of supervisor and worker."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        write_logs(log, rows=10, shards=1)
        score(log)  # compiles what is not in the cache
        took = score(log, repeats=size.repeats)
    rows: list[Row] = [_row("tonelog score, 10 rows", took.seconds * 1e6)]
    for process, modules in (("supervisor", _SUPERVISOR), ("worker", _WORKER)):
        packages = _imports(modules)
        rows.append(_row(f"{process}: all imports", sum(packages.values())))
        rows += [_row(f"{process}: {name}", n) for name, n in packages.most_common(_NAMED)]
    return rows


def _imports(modules: str) -> Counter[str]:
    """Give the microseconds that each package takes, without those that it imports."""
    command = [sys.executable, "-X", "importtime", "-c", f"import {modules}"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    packages = Counter[str]()
    for microseconds, module in _LINE.findall(lines):
        top = module.partition(".")[0]
        is_own = top in sys.stdlib_module_names
        packages["Python's own" if is_own else top] += int(microseconds)
    return packages


def _row(name: str, microseconds: float) -> Row:
    return {"what": name, "milliseconds": round(microseconds / 1000)}
