"""Tasks for workers, by name: a worker imports this module, and then dies, fails or obeys."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from tonelog.jobs.log.shards import Shard
from tonelog.jobs.output.manifest import OutputTree
from tonelog.jobs.part import run_part
from tonelog.jobs.plan import Part, Plan
from tonelog.jobs.workers import report_rows


class PanicError(BaseException):
    """What polars raises on some broken input: no ``Exception``."""


def settings() -> tuple[int, str | None]:
    """Tell the worker's process id and how many threads polars may use."""
    return os.getpid(), os.environ.get("POLARS_MAX_THREADS")


def report(slot: int, rows: int) -> int:
    """Report rows done and return the slot, after a while."""
    report_rows(slot, rows)
    time.sleep(0.01 * rows)
    return slot


def fail(message: str) -> None:
    """Raise an error of the task's own."""
    raise ValueError(message)


def panic() -> None:
    """Raise what is no ``Exception``."""
    message = "a panic"
    raise PanicError(message)


def odd_part(slot: int, shard: Shard, plan: Plan, tree: OutputTree) -> Part:
    """Score a shard, unless its name says what else to do."""
    name = Path(shard.path).stem
    if name == "dies":
        os._exit(9)
    if name == "panics":
        panic()
    if name == "fails":
        fail("a bug")
    return run_part(slot, shard, plan, tree)


def has_imported(module: str) -> bool:
    """Tell whether this process has imported a module."""
    return module in sys.modules
