"""Scoring one batch: a pure function, the unit that every engine runs."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import polars as pl
import pyarrow as pa

from ..scorers.base import Scorer, score_pairs
from ..scorers.registry import create_scorer
from ..scorers.sentences import sentence_spans, split_sentences
from ..scorers.sentiment import sentiment
from ..scorers.similarity import pair_lcs, pair_word_distance
from .log.columns import map_batch, map_keys
from .output.consistency_rows import runs_of
from .plan import Plan, ScorerSpec


class ScoredBatch(NamedTuple):
    """What scoring n rows of a log gives.

    Attributes:
        scored: n rows: ``run_id``, the kept columns, the scorers' columns.
        sentences: a row per sentence of the responses, or None if the plan has none.
        runs: a row per run with keys of the consistency table, or None if the plan has none.
    """

    scored: pl.DataFrame
    sentences: pl.DataFrame | None
    runs: pl.DataFrame | None


def score_batch(batch: pa.RecordBatch, plan: Plan, *, shard: str, first_row: int) -> ScoredBatch:
    """Score n rows of a log. A row's scores depend on that row and the plan alone.

    Args:
        batch: n rows of the shard, with the columns that the plan reads.
        plan: what the job has decided.
        shard: the shard's path; names a run that has no id, together with its row.
        first_row: the row of the shard at which the batch begins.
    """
    kept, pairs = map_batch(
        batch, plan.columns, shard=shard, first_row=first_row, cell_bytes=plan.cell_bytes
    )
    parts = [kept]
    for spec in plan.scorers:
        scored = score_pairs(scorer_of(spec), pairs)
        parts.append(scored.rename({name: f"{spec.prefix}_{name}" for name in scored.columns}))
    whole = pl.concat(parts, how="horizontal")
    keys = map_keys(batch, plan.columns.keys)
    tone = _tone(whole, plan)
    return ScoredBatch(
        whole,
        _sentences(kept["run_id"], pairs["response"], plan) if plan.sentences else None,
        runs_of(keys, kept["run_id"], pairs["response"], tone, first_row) if keys else None,
    )


def warm_up(kernels: str) -> None:
    """Run some kernels on two short texts: what is not in their cache is compiled, and kept there.

    Args:
        kernels: "sentences", "sentiment" or "similarity".
    """
    texts = pl.Series(["It is good.", "C'est très bien."])
    if kernels == "sentences":
        pl.select(split_sentences(pl.lit(texts)))
        sentence_spans(texts)
    elif kernels == "sentiment":
        sentiment(texts)
    else:
        pair_lcs(texts, texts.reverse())
        pair_word_distance(texts, texts.reverse())


def scorer_of(spec: ScorerSpec) -> Scorer:
    """Make the scorer of a spec; the same one for the same spec."""
    # A plan that was read from a manifest has lists where the scorer has tuples.
    options = {k: tuple(v) if isinstance(v, list) else v for k, v in spec.options.items()}
    return _create(spec.type, tuple(sorted(options.items())))


def has_sentences(spec: ScorerSpec) -> bool:
    """Whether the scores of a spec rest on sentences, which can be listed."""
    return scorer_of(spec).sentences(pl.Series(dtype=pl.String)) is not None


@lru_cache(maxsize=64)
def _create(type_: str, options: tuple[tuple[str, object], ...]) -> Scorer:
    return create_scorer(type_, **dict(options))


def _tone(scored: pl.DataFrame, plan: Plan) -> pl.Series:
    """Give the responses' sentiment by the first scorer that tells it; null without any."""
    for spec in plan.scorers:
        if "avg_sentiment" in scorer_of(spec).fields:
            return scored[f"{spec.prefix}_avg_sentiment"]
    return pl.repeat(None, scored.height, dtype=pl.Float64, eager=True)


def _sentences(run_id: pl.Series, responses: pl.Series, plan: Plan) -> pl.DataFrame | None:
    """List the sentences of the first scorer that has any."""
    for spec in plan.scorers:
        sentences = scorer_of(spec).sentences(responses)
        if sentences is not None:
            return sentences.select(run_id.gather(sentences["row"]), pl.exclude("row"))
    return None
