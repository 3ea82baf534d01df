"""Textual difference: how far a response's text is from its reference's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import polars as pl

from .base import Positive, Scorer, band
from .kernels import utf16
from .similarity import MAX_CHARS, pair_lcs, pair_word_distance


@dataclass(frozen=True)
class TextualDifferenceScorer(Scorer):
    """Textual difference by longest common subsequence (LCS) of characters.

    With n and m characters in response and reference:

    * ``ratio = 2 * LCS / (n + m)``, in [0, 1]; 1.0 for equal texts, both empty included
    * ``length_diff = |n - m| / max(n, m)``, 0.0 if both are empty; ``confidence = 1 - length_diff``
    * ``changes``: Levenshtein distance in words (split on white space); 1 if the texts differ in
      white space only, so that 0 means equal
    * ``score = scale * ratio * confidence``, or ``scale * ratio`` with ``weighting="none"``

    With ``profile="mastra"`` all is as Mastra's evals ship it (documented: weighted), bit for bit:
    characters are UTF-16 code units, the score is not weighted, and ``changes`` compares words as
    multisets, ``max(words) - |intersection|``, blind to their order.

    Blank texts are texts here: "" against "" scores 1.0. A null text leaves the pair unscored,
    and so does one of more than 200,000 characters (``cell_too_large``). Source: the textual
    difference scorer of Mastra's evals.

    Attributes:
        profile: "tonelog", or "mastra" for the original's shipped numbers.
        weighting: "confidence" weighs the ratio by the lengths' agreement, "none" does not.
        scale: multiplies the score, last. Above 0, at most 1,000.

    Raises:
        ScorerError: an option is outside its range.

    Example:
        >>> pairs = pl.DataFrame({"response": ["a cat"], "reference": ["a cat sat"]})
        >>> TextualDifferenceScorer().score(pairs).select("ratio", "changes").row(0)
        (0.7142857142857143, 1)
    """

    profile: Literal["tonelog", "mastra"] = "tonelog"
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
        features = self._features(pairs.select("response", "reference"))
        n, m = pl.col("n"), pl.col("m")
        longest = pl.max_horizontal(n, m)
        equal = pl.col("response") == pl.col("reference")
        ratio = pl.when(n + m > 0).then(2 * pl.col("lcs") / (n + m)).otherwise(1.0)
        length_diff = pl.when(longest > 0).then((n - m).abs() / longest).otherwise(0.0)
        confidence = 1 - length_diff
        changes = pl.when(equal).then(0).otherwise("distance")
        weighted = self.profile == "tonelog" and self.weighting == "confidence"
        unscaled = ratio * confidence if weighted else ratio
        return features.select(
            (unscaled * self.scale).alias("score"),
            ratio.alias("ratio"),
            confidence.alias("confidence"),
            length_diff.alias("length_diff"),
            changes.cast(pl.Int64).alias("changes"),
            band(unscaled).alias("band"),
            "unscored",
        )

    def _features(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Add ``n``, ``m``, ``lcs``, ``distance`` and ``unscored`` to n pairs."""
        length = utf16.length if self.profile == "mastra" else _length
        response, reference = pl.col("response"), pl.col("reference")
        pairs = pairs.with_columns(
            length(response).alias("n"),
            length(reference).alias("m"),
            pl.when(response.is_null())
            .then(pl.lit("response_null"))
            .when(reference.is_null())
            .then(pl.lit("reference_null"))
            .when(pl.max_horizontal(_length(response), _length(reference)) > MAX_CHARS)
            .then(pl.lit("cell_too_large"))
            .alias("unscored"),
        )
        scorable = pl.when(pl.col("unscored").is_null()).then(pl.col("response", "reference"))
        left, right = pairs.select(scorable).get_columns()
        if self.profile == "mastra":
            lcs, distance = pair_lcs(left, right, utf16=True), _word_bag_distance(left, right)
        else:
            lcs, distance = pair_lcs(left, right), pair_word_distance(left, right).clip(1)
        return pairs.with_columns(lcs.alias("lcs"), distance.alias("distance"))


def _length(text: pl.Expr) -> pl.Expr:
    return text.str.len_chars().cast(pl.Int64)


def _word_bag_distance(left: pl.Series, right: pl.Series) -> pl.Series:
    """Count the words of each longer text that the other lacks; 1 where space alone differs.

    Words are split on JavaScript's white space, and compared as multisets.
    """
    text = pl.col("left", "right").str.replace_all(f"{utf16.SPACE}+", " ").str.strip_chars(" ")
    words = (
        pl.DataFrame({"left": left, "right": right})
        .select(text.str.split(" "))
        .with_row_index("row")
    )
    bags = [
        words.select("row", pl.col(side).alias("word"))
        .explode("word")
        .group_by("row", "word")
        .len(side)
        for side in ("left", "right")
    ]
    common = (
        bags[0]
        .join(bags[1], on=["row", "word"])
        .group_by("row")
        .agg(pl.min_horizontal("left", "right").sum().alias("common"))
    )
    longest = pl.max_horizontal(pl.col("left").list.len(), pl.col("right").list.len())
    missing = longest.cast(pl.Int64) - pl.col("common").fill_null(0).cast(pl.Int64)
    same = pl.col("left") == pl.col("right")
    return (
        words.join(common, on="row", how="left", maintain_order="left")
        .select(pl.when(same).then(1).otherwise(missing))
        .to_series()
    )
