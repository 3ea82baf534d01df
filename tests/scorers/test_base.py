"""What all scorers share: bands, frames, checks of what a scorer gives, signatures."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from math import nextafter
from typing import Any, ClassVar

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from tests.oracles import band_by_hand
from tests.scorers.pairs import listed_sentences, pair_frame, rows_of
from tonelog.scorers import (
    Scorer,
    ScorerError,
    TextualDifferenceScorer,
    ToneScorer,
    band,
    score_frame,
    score_one,
    score_pairs,
)
from tonelog.scorers.base import BANDS, UNSCORED, divide, is_blank, score_columns
from tonelog.scorers.sentences import SPLITTER_VERSION

PAIR = pair_frame([("It is good.", "It is good.")])
BOTH = (ToneScorer(), TextualDifferenceScorer())


@dataclass(frozen=True)
class Echo(Scorer):
    """Gives what its option says, whatever the pairs are."""

    rows: tuple[tuple[float | None, str | None], ...] = ()
    secret: str | None = field(default=None, metadata={"file": True})

    name: ClassVar[str] = "echo"
    version: ClassVar[int] = 3
    fields: ClassVar[pl.Schema] = pl.Schema({"score": pl.Float64, "unscored": pl.String})

    @property
    def needs_reference(self) -> bool:
        """It reads nothing."""
        return False

    def score(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Give the rows."""
        assert pairs.columns == ["response"]
        return pl.DataFrame(self.rows, schema=self.fields, orient="row")


@dataclass(frozen=True)
class Misshapen(Echo):
    """Gives other columns than it declares."""

    columns: tuple[str, ...] = ()

    def score(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Give columns of zeros by these names."""
        return pairs.select(pl.lit(0.0).alias(name) for name in self.columns)


@dataclass(frozen=True)
class Counted(Echo):
    """Gives a count beside the score."""

    count: int = 0

    fields: ClassVar[pl.Schema] = pl.Schema([*Echo.fields.items(), ("count", pl.Int64())])

    def score(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Give the count."""
        zero, none = pl.lit(0.0).alias("score"), pl.lit(None, pl.String).alias("unscored")
        return pairs.select(zero, none, pl.lit(self.count, pl.Int64).alias("count"))


# Bands


@pytest.mark.parametrize(
    ("bound", "at", "below"),
    [
        (1.0, "perfect", "strong"),
        (0.7, "strong", "moderate"),
        (0.4, "moderate", "poor"),
        (0.1, "poor", "none"),
    ],
)
def test_band_begins_at_its_bound(bound: float, at: str, below: str) -> None:
    scores = pl.DataFrame({"score": [bound, nextafter(bound, 0), nextafter(bound, 1)]})
    above = at if bound < 1 else "perfect"
    assert scores.select(band(pl.col("score"))).to_series().to_list() == [at, below, above]


def test_lowest_band_reaches_down_to_zero_and_null_has_none() -> None:
    scores = pl.DataFrame({"score": [0.0, 5e-324, None]})
    assert scores.select(band(pl.col("score"))).to_series().to_list() == ["none", "none", None]
    assert list(BANDS) == ["perfect", "strong", "moderate", "poor", "none"]


@given(st.lists(st.floats(0, 1), min_size=1))
def test_band_is_that_of_the_oracle(scores: list[float]) -> None:
    found = pl.DataFrame({"score": scores}).select(band(pl.col("score"))).to_series().to_list()
    assert found == [band_by_hand(score) for score in scores]


# Small expressions


@given(
    st.lists(st.floats(0, 2), min_size=1, max_size=20),
    st.sampled_from([0.07, 0.3, 1.0, 3.0, 7.0]) | st.floats(0.001, 1e6),
)
def test_division_has_the_bits_of_python_in_any_batch(values: list[float], by: float) -> None:
    frame = pl.DataFrame({"value": values})
    expected = [value / by for value in values]
    assert frame.select(divide(pl.col("value"), by)).to_series().to_list() == expected
    alone = [frame[row].select(divide(pl.col("value"), by)).item() for row in range(len(values))]
    assert alone == expected


def test_blank_is_white_space_of_unicode_only() -> None:
    texts = ["", " \t\r\n", "\u00a0\u3000\u2028\x85", "\u200b", " . ", None]
    found = pl.DataFrame({"text": texts}).select(is_blank(pl.col("text"))).to_series().to_list()
    assert found == [True, True, True, False, False, None]


# What a scorer must give


@pytest.mark.parametrize(
    "rows",
    [
        (),
        ((0.5, None), (0.5, None)),
        ((float("nan"), None),),
        ((float("inf"), None),),
        ((float("-inf"), None),),
        ((1e5 + 1, None),),
        ((-1e5 - 1, None),),
        ((None, None),),
        ((None, "too_boring"),),
        ((0.0, ""),),
        ((0.5, "Response_null"),),
    ],
)
def test_wrong_rows_of_a_scorer_are_refused(
    rows: tuple[tuple[float | None, str | None], ...],
) -> None:
    with pytest.raises(ScorerError, match=r"^echo: gave .* expected .* mend the scorer$"):
        score_pairs(Echo(rows), PAIR)


@pytest.mark.parametrize(
    "columns",
    [(), ("score",), ("unscored", "score"), ("score", "unscored"), ("score", "unscored", "more")],
)
def test_wrong_columns_of_a_scorer_are_refused(columns: tuple[str, ...]) -> None:
    with pytest.raises(ScorerError, match=r"^echo: gave .* expected .* mend the scorer$"):
        score_pairs(Misshapen(columns=columns), PAIR)


def test_right_rows_of_a_scorer_pass_and_unscored_ones_lose_their_number() -> None:
    pairs = pair_frame([("a", None)] * (len(UNSCORED) + 1))
    rows = ((0.25, None), *((float("nan"), reason) for reason in UNSCORED))
    expected = pl.DataFrame(
        {
            "score": [0.25, *[None] * len(UNSCORED)],
            "unscored": [None, *UNSCORED],
            "reference_index": [None] * (len(UNSCORED) + 1),
        },
        schema=score_columns(Echo()),
    )
    assert_frame_equal(score_pairs(Echo(rows), pairs), expected)


@pytest.mark.parametrize("score", [1e5, -1e5, 0.0, -0.5])
def test_number_in_range_passes(score: float) -> None:
    assert score_pairs(Echo(((score, None),)), PAIR)["score"].to_list() == [score]


@pytest.mark.parametrize(("count", "passes"), [(10**9, True), (10**9 + 1, False)])
def test_integers_have_a_range_too(count: int, passes: bool) -> None:  # noqa: FBT001 - a case
    if passes:
        assert score_pairs(Counted(count=count), PAIR)["count"].to_list() == [count]
    else:
        with pytest.raises(ScorerError, match=r"^echo: gave .* expected .* mend the scorer$"):
            score_pairs(Counted(count=count), PAIR)


def test_reasons_are_those_of_the_contract() -> None:
    assert set(UNSCORED) == {
        *("response_null", "response_blank", "reference_null", "reference_blank"),
        *("no_sentences", "cell_too_large", "response_not_utf8", "reference_not_utf8"),
    }


def test_columns_are_the_fields_and_the_index_of_the_reference() -> None:
    assert score_columns(Echo()).names() == ["score", "unscored", "reference_index"]
    for scorer in BOTH:
        assert score_columns(type(scorer)) == score_columns(scorer)
        scored = score_pairs(scorer.resolve(has_reference=True), PAIR)
        assert scored.schema == score_columns(scorer)
        assert scored.columns == [*scorer.fields, "reference_index"]


# Frames


def test_columns_are_appended_and_nothing_else_changes() -> None:
    frame = pl.DataFrame(
        {"id": [3, 1, 2], "said": ["Good.", None, "Bad."], "wanted": ["Good.", "Bad.", None]}
    )
    scored = score_frame(frame, BOTH, response="said", reference="wanted")
    assert_frame_equal(scored.select(frame.columns), frame)
    assert scored["tone_score"].to_list() == [1.0, None, None]
    assert scored["textual_difference_score"].to_list() == [1.0, None, None]
    assert scored["tone_unscored"].to_list() == [None, "response_null", "reference_null"]
    assert scored.width == 3 + 12 + 8


def test_mapping_gives_the_prefixes() -> None:
    scorers = {"mean": ToneScorer(), "whole": ToneScorer(aggregate="whole")}
    frame = pl.DataFrame({"response": ["It is good. It is great."]})
    scored = score_frame(frame, scorers)
    assert scored["mean_score"].to_list() == scored["whole_score"].to_list()
    assert scored["mean_response_sentiment"].item() < scored["whole_response_sentiment"].item()
    assert not any(name.startswith("tone") for name in scored.columns)


def test_no_scorers_add_nothing() -> None:
    assert_frame_equal(score_frame(PAIR, []), PAIR)


def test_missing_reference_is_refused_by_its_prefix() -> None:
    for scorers in ([TextualDifferenceScorer()], {"mine": ToneScorer(mode="comparison")}):
        prefix = "mine" if isinstance(scorers, Mapping) else "textual_difference"
        with pytest.raises(ScorerError, match=f"^{prefix}: no reference"):
            score_frame(PAIR, scorers)


def test_column_that_is_there_already_is_refused() -> None:
    frame = PAIR.with_columns(tone_score=pl.lit(0.5))
    with pytest.raises(ScorerError, match=r"^frame: a score column is there already .*tone_score"):
        score_frame(frame, [ToneScorer()])
    with pytest.raises(ScorerError, match=r"^frame: a score column is there already"):
        score_frame(score_frame(PAIR, [ToneScorer()]), [ToneScorer()])
    assert score_frame(frame, {"again": ToneScorer()})["again_score"].to_list() == [1.0]


def test_two_scorers_of_one_name_are_refused() -> None:
    scorers = [ToneScorer(aggregate="mean"), ToneScorer(aggregate="whole")]
    with pytest.raises(ScorerError, match="tone"):
        score_frame(PAIR, scorers)


def test_only_scorers_with_sentences_list_some() -> None:
    assert TextualDifferenceScorer().sentences(PAIR["response"]) is None
    assert listed_sentences(ToneScorer(), PAIR["response"]).height == 1


# One pair


def test_result_of_one_pair_has_all_fields() -> None:
    result = score_one(TextualDifferenceScorer(), "abcd", "abcx")
    assert result.score == 0.75
    assert result.unscored is None
    assert list(result.fields) == score_columns(TextualDifferenceScorer()).names()
    assert result.fields["changes"] == 1


def test_result_of_a_pair_without_score_says_why() -> None:
    result = score_one(TextualDifferenceScorer(), None, "a")
    assert (result.score, result.unscored) == (None, "response_null")
    assert score_one(TextualDifferenceScorer(), "a").unscored == "reference_null"
    assert score_one(ToneScorer(mode="comparison"), "a").unscored == "reference_null"
    assert score_one(ToneScorer(), "a", []).unscored == "reference_null"


def test_list_of_one_pair_has_its_best_index() -> None:
    result = score_one(TextualDifferenceScorer(), "abcd", ["x", "abcd"])
    assert (result.score, result.fields["reference_index"]) == (1.0, 1)


# Signatures


def test_signature_of_tone_has_options_sorted_then_versions() -> None:
    sums = "compensated" if sys.version_info >= (3, 12) else "plain"
    assert ToneScorer(scale=100, max_difference=0.5).signature == (
        "tone|abbreviations:()|aggregate:mean|code:skip|lexicon:none|max_difference:0.5|max_variance:1.0|mode:auto"
        f"|profile:tonelog|scale:100.0|version:1|sentences:{SPLITTER_VERSION}|vader:3.3.2|sum:{sums}"
    )


def test_signature_of_textual_difference_has_options_sorted_then_version() -> None:
    expected = "textual_difference|profile:tonelog|scale:1.0|weighting:confidence|version:1"
    assert TextualDifferenceScorer().signature == expected


def test_option_from_a_file_is_shown_by_its_hash() -> None:
    words = "zib\t2\nsecret word\t-1\n"
    digest = sha256(words.encode()).hexdigest()[:12]
    assert f"|lexicon:{digest}|" in ToneScorer(lexicon=words).signature
    assert "secret" not in ToneScorer(lexicon=words).signature
    assert ToneScorer(lexicon=words + "\n").signature != ToneScorer(lexicon=words).signature
    digest = sha256(b"x").hexdigest()[:12]
    assert Echo(secret="x").signature == f"echo|rows:()|secret:{digest}|version:3"  # noqa: S106


@pytest.mark.parametrize("option", ["scale", "max_difference", "max_variance"])
def test_whole_number_has_the_signature_of_the_float(option: str) -> None:
    whole: dict[str, Any] = {option: 2}
    broken: dict[str, Any] = {option: 2.0}
    assert ToneScorer(**whole).signature == ToneScorer(**broken).signature
    assert ToneScorer(**whole) == ToneScorer(**broken)
    assert ToneScorer(**whole).signature != ToneScorer().signature


def test_every_option_shows_in_the_signature() -> None:
    scorers = [
        ToneScorer(),
        ToneScorer(mode="comparison"),
        ToneScorer(mode="stability"),
        ToneScorer(aggregate="whole"),
        ToneScorer(code="keep"),
        ToneScorer(lexicon="zib\t2"),
        ToneScorer(scale=2),
        ToneScorer(max_difference=2),
        ToneScorer(max_variance=2),
        TextualDifferenceScorer(),
        TextualDifferenceScorer(weighting="none"),
        TextualDifferenceScorer(scale=2),
    ]
    assert len({scorer.signature for scorer in scorers}) == len(scorers)


# Threads and processes


def test_threads_give_the_same_bits() -> None:
    texts = ["It is good. It is bad!", "GREAT", None, " ", "```\nx\n```", "a b c", "I love it."]
    frame = pair_frame([(response, reference) for response in texts for reference in texts])
    for scorer in BOTH:
        resolved = scorer.resolve(has_reference=True)
        expected = rows_of(score_pairs(resolved, frame))
        with ThreadPoolExecutor(4) as threads:
            found = threads.map(score_pairs, [resolved] * 40, [frame] * 40)
            assert [rows_of(scored) for scored in found] == [expected] * 40


@pytest.mark.parametrize("scorer", [*BOTH, ToneScorer(lexicon="zib\t2", scale=7)])
def test_scorer_travels_to_other_processes(scorer: Scorer) -> None:
    copy = pickle.loads(pickle.dumps(scorer))  # noqa: S301 - our own
    assert copy == scorer
    assert copy.signature == scorer.signature
    assert rows_of(score_pairs(copy.resolve(has_reference=True), PAIR)) == rows_of(
        score_pairs(scorer.resolve(has_reference=True), PAIR)
    )
