"""Textual difference: how far a response's text is from its reference's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final, Literal

import polars as pl

from tonelog.scorers.base import Positive, Scorer, band
from tonelog.scorers.similarity import pair_lcs, pair_word_distance

MAX_CHARS: Final = 200_000
"""A longer text is unscored: LCS is quadratic, and a pair of this length takes about a second."""


@dataclass(frozen=True)
class TextualDifferenceScorer(Scorer):
    """Textual difference by longest common subsequence (LCS) of characters.

    With n and m characters in response and reference:

    * ``ratio = 2 * LCS / (n + m)``, in [0, 1]; 1.0 for equal texts, both empty included
    * ``length_diff = |n - m| / max(n, m)``, 0.0 if both are empty; ``confidence = 1 - length_diff``
    * ``changes``: Levenshtein distance in words (split on white space); 1 if the texts differ in
      white space only, so that 0 means equal
    * ``score = scale * ratio * confidence``, or ``scale * ratio`` with ``weighting="none"``

    Blank texts are texts here: "" against "" scores 1.0. A null text leaves the pair unscored,
    and so does one of more than 200,000 characters (``cell_too_large``). Source: the textual
    difference scorer of Mastra's evals (documented: weighted; shipped: unweighted).

    Attributes:
        weighting: "confidence" weighs the ratio by the lengths' agreement, "none" does not.
        scale: multiplies the score, last. Above 0, at most 1,000.

    Raises:
        ScorerError: an option is outside its range.

    Example:
        >>> pairs = pl.DataFrame({"response": ["a cat"], "reference": ["a cat sat"]})
        >>> TextualDifferenceScorer().score(pairs).select("ratio", "changes").row(0)
        (0.7142857142857143, 1)
    """

    weighting: Literal["confidence", "none"] = "confidence"
    scale: Positive = 1.0

    name: ClassVar[str] = "textual_difference"
    fields: ClassVar[pl.Schema] = pl.Schema(
        {
            "score": pl.Float64,
            "ratio": pl.Float64,
            "confidence": pl.Float64,
            "length_diff": pl.Float64,
            "changes": pl.Int64,
            "band": pl.String,
            "unscored": pl.String,
        }
    )

    def score(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Score n pairs: n rows of ``fields``; see the class for formulas and nulls."""
        n, m = pl.col("response").str.len_chars(), pl.col("reference").str.len_chars()
        longest = pl.max_horizontal(n, m)
        pairs = pairs.select("response", "reference").with_columns(
            pl.when(pl.col("response").is_null())
            .then(pl.lit("response_null"))
            .when(pl.col("reference").is_null())
            .then(pl.lit("reference_null"))
            .when(longest > MAX_CHARS)
            .then(pl.lit("cell_too_large"))
            .alias("unscored")
        )
        scorable = pairs.select(
            pl.when(pl.col("unscored").is_null()).then(pl.col("response", "reference"))
        )
        sides = scorable["response"], scorable["reference"]
        equal = pl.col("response") == pl.col("reference")
        ratio = pl.when(n + m > 0).then(2 * pl.col("lcs") / (n + m)).otherwise(1.0)
        length_diff = (
            pl.when(longest > 0)
            .then((n.cast(pl.Int64) - m.cast(pl.Int64)).abs() / longest)
            .otherwise(0.0)
        )
        changes = pl.when(equal).then(0).otherwise(pl.max_horizontal(1, "word_distance"))
        confidence = 1 - length_diff
        unscaled = ratio * confidence if self.weighting == "confidence" else ratio
        return pairs.with_columns(
            pair_lcs(*sides).alias("lcs"), pair_word_distance(*sides).alias("word_distance")
        ).select(
            (unscaled * self.scale).alias("score"),
            ratio.alias("ratio"),
            confidence.alias("confidence"),
            length_diff.alias("length_diff"),
            changes.cast(pl.Int64).alias("changes"),
            band(unscaled).alias("band"),
            "unscored",
        )
