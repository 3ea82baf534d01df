"""The whole job from the command line, beside a Python loop and a bare copy of the same log."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Final

import pyarrow.parquet as pq
from rapidfuzz.distance import LCSseq, Levenshtein
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from tests.benchmarks.logs import CHARS, pairs, write_logs
from tests.benchmarks.measure import Measured, measure, side_by_side
from tests.benchmarks.sizes import Size
from tests.benchmarks.tables import Row

TITLE: Final = f"The whole job, both scorers, {CHARS} + {CHARS} characters, in 4 shards"
KEYS_ONLY: Final = ("--set", "output.keep=[]")
KEEP_ALL: Final = ()
_SHARDS: Final = 4
_TURNS: Final = 2
_NAIVE: Final = re.compile(r"(?<=[.!?])\s+")


def measured(size: Size) -> list[Row]:
    """Time the job with 1 and 2 workers, keys only and keep all, the best of two turns."""
    with TemporaryDirectory() as name:
        log, ten = Path(name) / "log", Path(name) / "ten"
        write_logs(log, rows=size.rows, shards=_SHARDS)
        write_logs(ten, rows=10, shards=1)
        score(ten)  # compiles what is not in the cache
        return list(_rows(log, ten, size))


def score(
    log: Path, *options: str, workers: int = 2, memory: bool = False, repeats: int = 1
) -> Measured:
    """Measure the scoring of a log by two keys, each time anew; give the fastest turn."""
    tonelog = str(Path(sys.executable).with_name("tonelog"))
    keys = ("--by", "model", "--by", "agent", "--workers", str(workers))
    turns = []
    for _ in range(repeats):
        with TemporaryDirectory(dir=log.parent) as output:
            command = [tonelog, "score", str(log), "-o", output, *keys, *options]
            turns.append(measure(command, memory=memory))
    return min(turns, key=lambda turn: turn.seconds)


def loop_seconds(n_rows: int) -> float:
    """Give the seconds of one core that a Python loop takes for each pair."""
    rows = list(pairs(n_rows).iter_rows())
    analyzer = SentimentIntensityAnalyzer()

    def tone(text: str) -> float:
        return fmean(analyzer.polarity_scores(s)["compound"] for s in _NAIVE.split(text))

    def score_all() -> object:
        return [
            (
                abs(tone(response) - tone(reference)),
                LCSseq.normalized_similarity(response, reference),
                Levenshtein.distance(response.split(), reference.split()),
            )
            for response, reference in rows
        ]

    return side_by_side({"loop": score_all}, repeats=_TURNS)["loop"] / n_rows


def _rows(log: Path, ten: Path, size: Size) -> Iterator[Row]:
    loop, start_up = loop_seconds(size.loop_rows), score(ten, repeats=_TURNS)
    yield _row("Python loop, one core", Measured(loop * size.loop_rows), size.loop_rows, loop, 0)
    for name, way in _ways(log).items():
        is_job = "worker" in name
        yield _row(name, way(), size.rows, loop, start_up.seconds if is_job else 0)
    yield _row("start-up: 10 rows, 2 workers", start_up, 10, loop, 0)


def _ways(log: Path) -> dict[str, Callable[[], Measured]]:
    """Name the ways to go through the log."""
    ways: dict[str, Callable[[], Measured]] = {"bare Parquet copy": partial(_copied, log)}
    for kept, options in (("keys only", KEYS_ONLY), ("keep all", KEEP_ALL)):
        for workers in (1, 2):
            name = f"{workers} worker{'s' * (workers > 1)}, {kept}"
            ways[name] = partial(score, log, *options, workers=workers, repeats=_TURNS)
    return ways


def _row(name: str, took: Measured, rows: int, loop: float, start_up: float) -> Row:
    speed = rows / took.seconds
    return {
        "what": name,
        "rows": rows,
        "seconds": took.seconds,
        "rows/s": speed,
        "MB/s": speed * _megabytes_per_row(),
        "times the loop": speed * loop,
        "rows/s without start-up": rows / (took.seconds - start_up) if start_up else None,
        "cores busy": took.cpu_seconds / took.seconds if took.cpu_seconds else None,
        "CPU us/row": took.cpu_seconds / rows * 1e6 if took.cpu_seconds else None,
    }


def _megabytes_per_row() -> float:
    some = pairs(1000)
    return sum(len(text.encode()) for row in some.iter_rows() for text in row) / 1e6 / len(some)


def _copied(log: Path) -> Measured:
    """Read and write the log as it is: what Parquet and the disk alone take."""
    began, began_cpu = time.perf_counter(), time.process_time()
    for path in sorted(log.iterdir()):
        with pq.ParquetFile(path) as file:
            copy, schema = log.with_name(f"copy of {path.name}"), file.schema_arrow
            with pq.ParquetWriter(copy, schema, compression="zstd") as writer:
                for batch in file.iter_batches():
                    writer.write_batch(batch)
    return Measured(time.perf_counter() - began, time.process_time() - began_cpu)
