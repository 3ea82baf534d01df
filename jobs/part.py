"""From one shard to its part: read, score, write, sum up, in flat memory."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from itertools import chain
from typing import Final

import polars as pl
import pyarrow as pa

from .errors import InputError
from .log.read import read_batches
from .log.shards import Shard
from .output.consistency import runs_file
from .output.manifest import OutputTree
from .output.partials import Partials, Sum, measured_columns, partials_of, save_partials
from .output.write import PartWriter
from .plan import Part, Plan, signatures
from .score import ScoredBatch, score_batch
from .workers import report_rows, task_threads

_ROWS_TO_SUM: Final = 50_000


def run_part(slot: int, shard: Shard, plan: Plan, tree: OutputTree) -> Part:
    """Make a part as a worker's task, which reports its progress in that slot."""
    return make_part(shard, plan, tree, partial(report_rows, slot), task_threads())


def make_part(
    shard: Shard, plan: Plan, tree: OutputTree, report: Callable[[int], None], threads: int = 1
) -> Part:
    """Score a shard and publish its part, each file whole or not at all.

    Args:
        shard: what to read.
        plan: what the job has decided.
        tree: where to write.
        report: told the number of rows done so far.
        threads: how many batches are scored side by side.

    Raises:
        InputError: the shard cannot be read to its end; nothing is published.
    """
    tally = _Tally(plan)
    results = _scored_batches(shard, plan, threads)
    first = next(results)
    schemas = {
        name: frame.schema for name, frame in first[1]._asdict().items() if frame is not None
    }
    # No name keeps the first batch in memory while the others go by.
    results = chain([first], results)
    del first
    paths = {
        name: runs_file(tree, shard.part) if name == "runs" else tree.file(name, shard.part)
        for name in schemas
    }
    with ExitStack() as files:
        writers = {
            name: files.enter_context(PartWriter(path, schemas[name], signatures(plan.scorers)))
            for name, path in paths.items()
        }
        for batch, result in results:
            for name, writer in writers.items():
                writer.write(getattr(result, name))
            tally.add(batch, result.scored)
            report(tally.n_rows)
    saved = save_partials(tree.partials, shard.part, tally.partials)
    published = {paths[name]: writer.sha256 for name, writer in writers.items()} | saved
    return Part(
        shard=shard.path,
        stem=shard.part,
        n_rows=tally.n_rows,
        unscored={prefix: dict(sorted(n.items())) for prefix, n in tally.unscored.items()},
        n_times_lost=tally.n_times_lost,
        files={tree.relative(path): digest for path, digest in published.items()},
    )


def _scored_batches(
    shard: Shard, plan: Plan, threads: int
) -> Iterator[tuple[pa.RecordBatch, ScoredBatch]]:
    """Score a shard batch by batch, some side by side; they come in the shard's order.

    A shard without rows gives one batch without rows, for its columns.
    """
    first_row = 0
    waiting: deque[tuple[pa.RecordBatch, Future[ScoredBatch]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        for batch in read_batches(shard.path, plan.columns.read, plan.batch_rows):
            future = pool.submit(score_batch, batch, plan, shard=shard.path, first_row=first_row)
            waiting.append((batch, future))
            first_row += batch.num_rows
            # The next batch is read while these are scored, and no more, to stay in flat memory.
            if len(waiting) > threads:
                yield _result(shard, *waiting.popleft())
        if not first_row:
            nothing = pa.RecordBatch.from_arrays([], names=[])
            future = pool.submit(score_batch, nothing, plan, shard=shard.path, first_row=0)
            waiting.append((nothing, future))
        while waiting:
            yield _result(shard, *waiting.popleft())


def _result(
    shard: Shard, batch: pa.RecordBatch, future: Future[ScoredBatch]
) -> tuple[pa.RecordBatch, ScoredBatch]:
    try:
        return batch, future.result()
    except pa.ArrowException as error:
        raise InputError(shard.path, f"has values that cannot be read ({error})") from error


def preview_rows(shard: Shard, plan: Plan, n_rows: int) -> pl.DataFrame:
    """Score the first rows of a shard, and write nothing."""
    batches = read_batches(shard.path, plan.columns.read, n_rows)
    first = next(batches, pa.RecordBatch.from_arrays([], names=[])).slice(0, n_rows)
    return score_batch(first, plan, shard=shard.path, first_row=0).scored


class _Tally:
    """What is summed up while a shard goes by."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self.n_rows = self.n_times_lost = 0
        self.unscored = {spec.prefix: Counter[str]() for spec in plan.scorers}
        self._sum = Sum()
        self._columns = measured_columns(plan.scorers, plan.by)
        self._waiting: list[pl.DataFrame] = []
        self._n_waiting = 0

    @property
    def partials(self) -> Partials:
        """What all rows so far add to the summaries."""
        if self._waiting:
            self._sum_up()
        return self._sum.total()

    def add(self, batch: pa.RecordBatch, scored: pl.DataFrame) -> None:
        plan = self._plan
        self.n_rows += scored.height
        self._waiting.append(scored.select(self._columns))
        self._n_waiting += scored.height
        if self._n_waiting >= _ROWS_TO_SUM:
            self._sum_up()
        for prefix, counter in self.unscored.items():
            reasons = scored[f"{prefix}_unscored"].drop_nulls().value_counts()
            counter.update(dict(reasons.iter_rows()))
        time = plan.columns.time
        if time is not None and scored.height:
            null_before = batch.column(batch.schema.get_all_field_indices(time)[0]).null_count
            self.n_times_lost += scored[time].null_count() - null_before

    def _sum_up(self) -> None:
        """Sum up the rows that wait: many at once, since each time costs as much as some rows."""
        scored = pl.concat(self._waiting)
        self._sum.add(partials_of(scored, self._plan.scorers, self._plan.by))
        self._waiting, self._n_waiting = [], 0
