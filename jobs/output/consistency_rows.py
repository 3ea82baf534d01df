"""What consistency needs of each run: its keys, hashes of its response, its tone; no text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

import polars as pl

from ...scorers.similarity import MAX_CHARS

FRACTION_BITS: Final = 32
SEED: Final = 0
"""Of the order in which a group's runs are taken into its sample."""


def key_columns(n_keys: int) -> list[str]:
    """Name the keys of a run by their position, so that none collides with another column."""
    return [f"key{position}" for position in range(n_keys)]


def runs_of(
    keys: Sequence[pl.Series],
    run_id: pl.Series,
    responses: pl.Series,
    sentiment: pl.Series,
    first_row: int,
) -> pl.DataFrame:
    """Reduce n runs to a row for each whose keys are all known.

    Returns:
        The keys (String), ``row`` (of the shard), ``digest`` of the response, its place in the
        ``sample`` (a hash of run_id and response: any sample is the runs of its smallest values,
        which can be taken over parts in any order), its ``characters``, all null for a response
        that is null or longer than ``MAX_CHARS``; and its ``sentiment`` in fixed point.
    """
    names = key_columns(len(keys))
    frame = pl.DataFrame(
        [
            *(key.alias(name) for key, name in zip(keys, names, strict=True)),
            pl.Series("row", range(first_row, first_row + len(run_id)), pl.Int64),
            run_id.alias("run_id"),
            responses.alias("response"),
            sentiment.alias("sentiment"),
        ]
    ).drop_nulls(names)
    length = pl.col("response").str.len_chars().cast(pl.Int64)
    frame = frame.with_columns(
        pl.when(length <= MAX_CHARS).then("response"),
        pl.when(length <= MAX_CHARS).then(length).alias("characters"),
    )
    digests = [None if text is None else digest_of(text) for text in frame["response"]]
    return frame.with_columns(
        pl.Series("digest", digests, pl.String),
        pl.Series("sample", _places(digests, frame["run_id"]), pl.Int64),
        (pl.col("sentiment") * 2.0**FRACTION_BITS).round(0).cast(pl.Int64),
    ).select(*names, "row", "digest", "sample", "characters", "sentiment")


def digest_of(text: str) -> str:
    """Hash a response: 128 bits, so that two of a log's differing ones never share it."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _places(digests: Iterable[str | None], run_ids: Iterable[str]) -> list[int | None]:
    """Give each response its place in the order of the sample, from its hash and its run's id."""
    return [
        None if digest is None else _place(f"{SEED}:{digest}:{run_id}")
        for digest, run_id in zip(digests, run_ids, strict=True)
    ]


def _place(text: str) -> int:
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)
