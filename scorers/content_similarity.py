"""Content similarity: how many pairs of neighboring characters two texts share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl

from .base import Positive, Scorer, band
from .kernels import utf16


@dataclass(frozen=True)
class ContentSimilarityScorer(Scorer):
    """Content similarity by the Dice coefficient over bigrams of UTF-16 code units.

    White space (JavaScript's) is left out first. With n and m units left in response and
    reference, and ``overlap`` the size of the multiset intersection of their bigrams,
    ``score = scale * 2 * overlap / (n + m - 2)``, in [0, scale]; 1.0 for equal texts, else 0.0 if
    one has fewer than two units. Blank texts are texts here; a null one leaves the pair unscored.
    Source: the content similarity scorer of Mastra's evals, number for number; Dice (1945,
    https://doi.org/10.2307/1932409).

    Attributes:
        ignore_case: compare in lower case.
        scale: multiplies the score, last. Above 0, at most 1,000.

    Raises:
        ScorerError: an option is outside its range.

    Example:
        >>> pairs = pl.DataFrame({"response": ["Night"], "reference": ["nacht"]})
        >>> ContentSimilarityScorer().score(pairs)["score"].item()
        0.25
    """

    ignore_case: bool = True
    scale: Positive = 1.0

    name: ClassVar[str] = "content_similarity"
    fields: ClassVar[pl.Schema] = pl.Schema(
        {"score": pl.Float64, "band": pl.String, "unscored": pl.String}
    )

    def score(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Score n pairs: n rows of ``fields``; see the class for formula and nulls."""
        text = pl.col("response", "reference").str.replace_all(utf16.SPACE, "")
        texts = pairs.select(text.str.to_lowercase() if self.ignore_case else text)
        response, reference = pl.col("response"), pl.col("reference")
        shorter = pl.min_horizontal("n", "m")
        unscaled = (
            pl.when(response == reference)
            .then(1.0)
            .when(shorter < 2)  # noqa: PLR2004 - a bigram has two
            .then(0.0)
            .otherwise(2 * pl.col("overlap") / (pl.col("n") + pl.col("m") - 2))
        )
        unscored = pl.when(response.is_null()).then(pl.lit("response_null"))
        return texts.with_columns(
            utf16.length(response).alias("n"),
            utf16.length(reference).alias("m"),
            pl.Series("overlap", bigram_overlap(texts["response"], texts["reference"])),
        ).select(
            (unscaled * self.scale).alias("score"),
            band(unscaled).alias("band"),
            unscored.when(reference.is_null()).then(pl.lit("reference_null")).alias("unscored"),
        )


def bigram_overlap(left: pl.Series, right: pl.Series) -> npt.NDArray[np.int64]:
    """Count the bigrams of UTF-16 code units that n pairs of strings share, as multisets.

    A null counts as an empty string.

    Example:
        >>> bigram_overlap(pl.Series(["aaaa", None]), pl.Series(["aaab", "ab"])).tolist()
        [2, 0]
    """
    (left_keys, n_left), (right_keys, n_right) = (
        np.unique(_bigrams(side), return_counts=True) for side in (left, right)
    )
    shared, at_left, at_right = np.intersect1d(
        left_keys, right_keys, assume_unique=True, return_indices=True
    )
    overlap = np.zeros(len(left), dtype=np.int64)
    np.add.at(overlap, shared >> 32, np.minimum(n_left[at_left], n_right[at_right]))
    return overlap


def _bigrams(texts: pl.Series) -> npt.NDArray[np.int64]:
    """Give every bigram of every text as one number: the text's row, then the two units."""
    filled = texts.fill_null("")
    lengths = filled.to_frame("text").select(utf16.length(pl.col("text"))).to_series().to_numpy()
    units = utf16.units(filled).astype(np.int64)
    row = np.repeat(np.arange(len(filled)), lengths)
    within = row[:-1] == row[1:]
    keys = (row[:-1] << 32) | (units[:-1] << 16) | units[1:]
    return np.asarray(keys[within], dtype=np.int64)
