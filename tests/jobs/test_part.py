"""A part: the same for any number of threads, and whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.jobs.logs import contents, many_runs, plan_of, write_broken_log, write_log
from tonelog.jobs.errors import InputError
from tonelog.jobs.log.shards import Shard
from tonelog.jobs.output.manifest import OutputTree
from tonelog.jobs.part import make_part

PLAN = plan_of(by=("agent",), batch_rows=7)


def test_a_part_is_the_same_for_any_number_of_threads(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", many_runs(61))
    made = []
    for threads in (1, 2, 5, 100):
        tree = OutputTree(tmp_path / f"out-{threads}", None)
        reported: list[int] = []
        part = make_part(Shard(str(log)), PLAN, tree, reported.append, threads)
        assert reported == [7, 14, 21, 28, 35, 42, 49, 56, 61]
        made.append((part, contents(tree.root)))
    assert all(one == made[0] for one in made)


def test_a_shard_that_breaks_while_others_of_its_batches_are_scored_leaves_nothing(
    tmp_path: Path,
) -> None:
    log = write_broken_log(tmp_path / "log.parquet")
    tree = OutputTree(tmp_path / "out", None)
    with pytest.raises(InputError, match=r"log\.parquet: cannot be read"):
        make_part(Shard(str(log)), PLAN, tree, lambda _: None, 3)
    assert not contents(tree.root)
