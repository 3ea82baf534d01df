"""The originals' own numbers: real outputs of the packages that this project re-creates."""

from __future__ import annotations

import json
from collections import Counter
from importlib.metadata import PackageNotFoundError
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import naive_lcs
from tonelog.scorers import (
    ScorerError,
    ScoreResult,
    ToneScorer,
    create_scorer,
    score_one,
    score_pairs,
)
from tonelog.scorers.afinn import sentiment as afinn
from tonelog.scorers.content_similarity import bigram_overlap

ORIGINALS = Path(__file__).resolve().parents[1] / "golden/originals"
PAIRS = {"response": pl.String, "reference": pl.String}


def cases(name: str) -> list[dict[str, Any]]:
    """Read the originals' outputs of one kind."""
    lines = (ORIGINALS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def scores(found: list[dict[str, Any]], scorer: str, **options: object) -> pl.DataFrame:
    """Score the originals' pairs as one batch."""
    pairs = [(case["input"], case["output"]) for case in found]
    frame = pl.DataFrame(pairs, schema=PAIRS, orient="row")
    return score_pairs(create_scorer(scorer, **options).resolve(has_reference=True), frame)


def units(text: str) -> list[int]:
    """Give a text's UTF-16 code units."""
    data = text.encode("utf-16-le")
    return [low | high << 8 for low, high in zip(data[::2], data[1::2], strict=True)]


def test_textual_difference_has_the_shipped_numbers_to_the_bit() -> None:
    found = cases("textual_difference")
    assert len(found) == 742
    scored = scores(found, "textual_difference", profile="mastra")
    assert scored["score"].to_list() == [case["expected"]["score"] for case in found]
    names = {"confidence": "confidence", "ratio": "ratio", "changes": "changes"}
    for column, name in (names | {"length_diff": "lengthDiff"}).items():
        expected = [case["expected"]["info"][name] for case in found]
        assert scored[column].to_list() == expected


@pytest.mark.parametrize(("name", "n"), [("tone_comparison", 388), ("tone_stability", 392)])
def test_tone_has_the_shipped_numbers_to_the_bit(name: str, n: int) -> None:
    """In one batch each: a pair without a reference falls back to stability, as shipped."""
    found = [{"output": ""} | case for case in cases(name)]
    assert len(found) == n
    columns = {
        "responseSentiment": "response_sentiment",
        "referenceSentiment": "reference_sentiment",
        "difference": "difference",
        "avgSentiment": "avg_sentiment",
        "sentimentVariance": "sentiment_variance",
    }
    pairs = pl.DataFrame([(c["input"], c["output"]) for c in found], schema=PAIRS, orient="row")
    scorer = create_scorer("tone", profile="mastra").resolve(has_reference=True)
    for case, row in zip(found, score_pairs(scorer, pairs).iter_rows(named=True), strict=True):
        assert row["score"] == case["expected"]["score"]
        shown = {name: row[column] for name, column in columns.items() if row[column] is not None}
        assert shown == case["expected"]["info"]


def test_shipped_tone_scores_blank_texts_and_leaves_null_unscored() -> None:
    frame = pl.DataFrame(
        [("", ""), (" ", None), (None, "Good."), ("Good.", " ")], schema=PAIRS, orient="row"
    )
    scored = score_pairs(ToneScorer(profile="mastra", mode="comparison"), frame)
    assert scored.select("score", "mode", "unscored").rows() == [
        (1.0, "stability", None),
        (1.0, "stability", None),
        (None, None, "response_null"),
        # "Good" is worth 3.
        (0.0, "comparison", None),
    ]


def test_the_extra_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(afinn, "version", missing)
    with pytest.raises(
        ScorerError, match=r"needs the package afinn; pip install 'tonelog\[mastra\]'"
    ):
        ToneScorer(profile="mastra")


@pytest.mark.parametrize(
    ("ignore_case", "name"),
    [(True, "content_similarity"), (False, "content_similarity_case_sensitive")],
)
def test_content_similarity_has_the_shipped_numbers_to_the_bit(
    name: str, *, ignore_case: bool
) -> None:
    found = cases("siblings")
    assert len(found) == 719
    scored = scores(found, "content_similarity", ignore_case=ignore_case)
    assert scored["score"].to_list() == [case[name] for case in found]


@pytest.mark.parametrize(
    ("scorer", "options"),
    [
        ("tone", {"profile": "mastra"}),
        ("textual_difference", {"profile": "mastra"}),
        ("content_similarity", {}),
    ],
)
def test_one_pair_scores_as_in_a_batch(scorer: str, options: dict[str, object]) -> None:
    found = cases("textual_difference")[::7]
    batch = scores(found, scorer, **options)
    alone = [score_one(create_scorer(scorer, **options), c["input"], c["output"]) for c in found]
    assert [one.fields for one in alone] == batch.to_dicts()


texts = st.text(st.characters(codec="utf-8"), max_size=30) | st.text("ab \u00a0😀😁", max_size=12)


@given(texts, texts)
def test_the_ratio_counts_utf16_units(response: str, reference: str) -> None:
    left, right = units(response), units(reference)
    result = score_one(create_scorer("textual_difference", profile="mastra"), response, reference)
    lcs = naive_lcs("".join(map(chr, left)), "".join(map(chr, right)))
    total = len(left) + len(right)
    assert result.score == (2 * lcs / total if total else 1.0)


@given(st.lists(st.tuples(st.none() | texts, st.none() | texts), max_size=6))
def test_overlap_is_that_of_bags_of_bigrams(pairs: list[tuple[str | None, str | None]]) -> None:
    frame = pl.DataFrame(pairs, schema=PAIRS, orient="row")
    expected = []
    for sides in pairs:
        left, right = (Counter(pairwise(u)) for u in (units(s or "") for s in sides))
        expected.append((left & right).total())
    assert bigram_overlap(frame["response"], frame["reference"]).tolist() == expected


def one(response: str | None, reference: str | None, **options: object) -> ScoreResult:
    """Score one pair by content similarity."""
    return score_one(create_scorer("content_similarity", **options), response, reference)


def test_content_similarity_of_nulls_blanks_and_short_texts() -> None:
    assert one(None, "a").unscored == "response_null"
    unscored = scores([{"input": "a", "output": None}], "content_similarity")
    assert unscored["unscored"].to_list() == ["reference_null"]
    assert unscored["score"].to_list() == [None]
    assert one("", " \ufeff").score == 1.0
    assert one("a", "b").score == 0.0
    assert one("A", "a").score == 1.0
    assert one("A", "a", ignore_case=False).score == 0.0
    # night and nacht share one of four bigrams each.
    assert one("night", "nacht", scale=100).score == 25.0
    assert one("night", "nacht", scale=100).fields["band"] == "poor"
