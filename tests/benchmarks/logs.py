"""Seeded logs of any size, written in flat memory: a base of pairs, varied by rotation."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from tests.benchmarks.corpora import texts

CHARS: Final = 600
"""Characters of each response and each reference."""

_BASE_ROWS: Final = 10_000
_CHANGED_SHARE: Final = 0.1
_AGENTS, _MODELS = 4, 5


def write_logs(
    folder: Path, *, rows: int, shards: int, group_rows: int = _BASE_ROWS, first_row: int = 0
) -> None:
    """Write ``rows`` pairs as some shards of the same size.

    Every text of a response is its own. References are near (a tenth of the words replaced) for
    every second row, and unrelated for the others.

    Args:
        folder: made if it is not there.
        rows: of all shards together.
        shards: how many files.
        group_rows: most rows of a row group.
        first_row: logs from other rows on have other texts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    size = -(-rows // shards)
    for shard in range(shards):
        start, end = first_row + shard * size, first_row + min((shard + 1) * size, rows)
        _write(folder / f"log-{shard:06}.parquet", start, end, group_rows)


def pairs(n: int) -> pl.DataFrame:
    """Make ``response`` and ``reference`` of at most 10,000 pairs, near and unrelated in turns."""
    return _base().head(n)


def _write(path: Path, start: int, end: int, group_rows: int) -> None:
    schema = _rows(0, 1).schema
    # A dictionary of texts that are all distinct says nothing; one of names is what logs have.
    with pq.ParquetWriter(path, schema, use_dictionary=["model", "agent"]) as writer:
        waiting: list[pa.Table] = []
        for row in range(start, end, _BASE_ROWS):
            waiting.append(_rows(row, min(row + _BASE_ROWS, end)))
            if sum(table.num_rows for table in waiting) >= min(group_rows, end - start):
                writer.write_table(pa.concat_tables(waiting), row_group_size=group_rows)
                waiting = []
        if waiting:
            writer.write_table(pa.concat_tables(waiting), row_group_size=group_rows)


def _rows(start: int, end: int) -> pa.Table:
    """Make the rows of a log from ``start`` on, which depend on their numbers alone."""
    row = pl.int_range(start, end, eager=True)
    turn = row // _BASE_ROWS
    names = {
        "run_id": pl.format("run-{}", row),
        "model": pl.format("model-{}", row % _MODELS),
        "agent": pl.format("agent-{}", row // _MODELS % _AGENTS),
    }
    return (
        _base()[row % _BASE_ROWS]
        .select(**names, **{name: _rotated(name, turn) for name in ("response", "reference")})
        .to_arrow(compat_level=pl.CompatLevel.oldest())
        .combine_chunks()
    )


def _rotated(name: str, turn: pl.Series) -> pl.Expr:
    """Move the beginning of each text to its end, further with each turn; both sides alike."""
    by = pl.lit(turn) * 7 % CHARS
    return pl.concat_str(pl.col(name).str.slice(by), pl.col(name).str.head(by)).alias(name)


@lru_cache(maxsize=1)
def _base() -> pl.DataFrame:
    responses = texts(_BASE_ROWS, chars=CHARS, seed=1)
    unrelated = iter(texts(_BASE_ROWS // 2, chars=CHARS, seed=2))
    rng = random.Random(3)  # noqa: S311 - sample texts, no secrets
    references = [
        _changed(text, rng) if number % 2 == 0 else next(unrelated)
        for number, text in enumerate(responses)
    ]
    return pl.DataFrame({"response": responses, "reference": references})


def _changed(text: str, rng: random.Random) -> str:
    """Replace a tenth of the words by other words of the text."""
    words = text.split(" ")
    chosen: Iterator[int] = iter(rng.sample(range(len(words)), int(len(words) * _CHANGED_SHARE)))
    for place in chosen:
        words[place] = rng.choice(words)
    return " ".join(words)
