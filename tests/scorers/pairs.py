"""Pairs for tests: strategies that make them, and what holds for the pairs of every scorer."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import polars as pl
from hypothesis import strategies as st

from tests.oracles import WHITE_SPACE
from tonelog.scorers import Scorer, score_frame, score_pairs

Pair = tuple[str | None, str | None]
PairOfList = tuple[str | None, list[str | None] | None]

_PIECES = (
    "great", "GREAT", "good", "kind of", "very", "not", "isn't", "never", "bad", "awful", "love",
    "the", "build", "failed", "but", "no", "e.g.", "3.14", "main.py", "`x. y`", "!", "?!", ".",
    ". ", "... ", "\n", "\n\n", "\r\n", "\n- ", "\n1. ", "\n```\ncode. Bad.\n```\n", "\u3002",
    "\U0001f600", "\u2764\ufe0f", "\u00e9", "e\u0301", "\u00df", "\x00", "\x1c", "\u200b",
)  # fmt: skip

unicode_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
blank_texts = st.text(st.sampled_from(WHITE_SPACE), max_size=4)
prose = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=14).map(" ".join)
texts = prose | prose | unicode_texts | blank_texts
nullable_texts = texts | texts | texts | st.none()
plain_pairs = st.lists(st.tuples(nullable_texts, nullable_texts), min_size=1, max_size=9)
reference_lists = st.lists(nullable_texts, max_size=4) | st.none()
pairs_with_lists = st.lists(st.tuples(nullable_texts, reference_lists), min_size=1, max_size=6)


def pair_frame(
    pairs: Sequence[tuple[str | None, str | Sequence[str | None] | None]],
) -> pl.DataFrame:
    """Make a frame of pairs; references are lists if any of them is one."""
    lists = any(isinstance(reference, list) for _, reference in pairs)
    return pl.DataFrame(
        {"response": [pair[0] for pair in pairs], "reference": [pair[1] for pair in pairs]},
        schema={"response": pl.String, "reference": pl.List(pl.String) if lists else pl.String},
    )


def rows_of(frame: pl.DataFrame) -> list[str]:
    """Write out each row, so that equal rows have the same bits (repr tells -0.0 from 0.0)."""
    return [repr(row) for row in frame.rows()]


def assert_rows_stand_alone(scorer: Scorer, pairs: pl.DataFrame, order: Sequence[int]) -> None:
    """Hold a scorer to this: a row's bits depend on that row alone, however it is reached."""
    whole = rows_of(score_pairs(scorer, pairs))
    assert len(whole) == pairs.height
    for size in (1, 7):
        batches = (pairs[start : start + size] for start in range(0, pairs.height, size))
        assert [row for batch in batches for row in rows_of(score_pairs(scorer, batch))] == whole
    shuffled = rows_of(score_pairs(scorer, pairs[list(order)]))
    assert shuffled == [whole[row] for row in order]
    appended = score_frame(pairs, {"x": scorer}, reference="reference")
    assert rows_of(appended.select(pl.exclude("response", "reference"))) == whole


def assert_best_reference_counts(scorer: Scorer, pairs: Sequence[PairOfList]) -> None:
    """Hold a scorer to this: a list scores as the first best of its elements, each alone."""
    # A second row with a list makes the column one of lists even if all others are null.
    scored = score_pairs(scorer, pair_frame([*pairs, ("a", ["a"])])).rows(named=True)
    exploded = [(response, one) for response, many in pairs for one in many or [None]]
    alone = iter(score_pairs(scorer, pair_frame(exploded)).rows(named=True))
    for (_, references), row in zip(pairs, scored, strict=False):
        each = list(islice(alone, len(references or [None])))
        scores = [one["score"] for one in each if one["score"] is not None]
        if scores:
            best = next(i for i, one in enumerate(each) if one["score"] == max(scores))
            assert repr(row) == repr(each[best] | {"reference_index": best})
        else:
            assert row["unscored"] in {one["unscored"] for one in each}
            assert sum(value is not None for value in row.values()) == 1


def changed_columns(before: pl.DataFrame, after: pl.DataFrame) -> set[str]:
    """Name the columns in which two frames of the same rows differ."""
    assert before.columns == after.columns
    assert before.height == after.height
    return {name for name in before.columns if not before[name].equals(after[name])}


def listed_sentences(scorer: Scorer, responses: pl.Series) -> pl.DataFrame:
    """List the sentences that a scorer's scores rest on."""
    found = scorer.sentences(responses)
    assert found is not None
    return found
