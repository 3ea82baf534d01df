"""The one door to VADER: sentiment of texts, and of the sentences of a text.

VADER (Hutto and Gilbert 2014, https://doi.org/10.1609/icwsm.v8i1.14550) as the package
``vaderSentiment`` computes it, to the last bit.
"""

from __future__ import annotations

import math
import sys
from functools import lru_cache
from importlib.metadata import version
from typing import Final, overload

import numpy as np
import polars as pl
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from tonelog.scorers.base import ScorerError

SENTIMENT: Final = pl.Schema(dict.fromkeys(("compound", "pos", "neu", "neg"), pl.Float64))
"""What VADER says of a text: compound in [-1, 1], and three shares in [0, 1]."""

VERSIONS: Final = {
    "vader": version("vaderSentiment"),
    # From 3.12 on, Python's sum() is compensated, which moves the last bit of some compounds.
    "sum": "compensated" if sys.version_info >= (3, 12) else "plain",
}
"""What the numbers depend on, for signatures."""


@overload
def sentiment(texts: pl.Series, lexicon: str | None = None) -> pl.DataFrame: ...
@overload
def sentiment(texts: pl.Expr, lexicon: str | None = None) -> pl.Expr: ...
def sentiment(texts: pl.Series | pl.Expr, lexicon: str | None = None) -> pl.DataFrame | pl.Expr:
    """Score n texts (nullable) with VADER: n rows of compound, pos, neu, neg.

    Each distinct text is scored once. A null text has null sentiment; an empty one has zeros.

    Args:
        texts: a Series (gives a frame) or an expression (gives a struct) of strings.
        lexicon: lines ``word<TAB>valence`` in VADER's format (-4 to 4), added to VADER's words or
            put in their place; None for VADER's own.

    Raises:
        ScorerError: a line of the lexicon is not in that format.

    Example:
        >>> sentiment(pl.Series(["The staff is friendly.", None]))["compound"].to_list()
        [0.4939, None]
    """
    if isinstance(texts, pl.Expr):
        return texts.map_batches(
            lambda series: sentiment(series, lexicon).to_struct(),
            return_dtype=pl.Struct(SENTIMENT),
            is_elementwise=True,
        )
    polarity = _analyzer(lexicon).polarity_scores
    distinct = texts.alias("text").drop_nulls().unique()
    scores = pl.DataFrame([polarity(text) for text in distinct], schema=SENTIMENT)
    return (
        texts.alias("text")
        .to_frame()
        .join(scores.with_columns(distinct), on="text", how="left", maintain_order="left")
        .select(SENTIMENT.names())
    )


def sentence_sentiment(sentences: pl.Series, lexicon: str | None = None) -> pl.DataFrame:
    """Sum up the sentiment of n lists of sentences (nullable): n rows.

    Sums run over the sentences from left to right, so a row's bits do not depend on other rows.

    Returns:
        ``avg_sentiment``: mean of the sentences' compounds, in [-1, 1];
        ``sentiment_variance``: their population variance, in [0, 1];
        ``n_sentences`` and ``n_charged`` (sentences with compound != 0), Int32. A null or empty
        list has null mean and variance and counts 0.

    Example:
        >>> sentence_sentiment(pl.Series([["Good.", "Bad."]])).row(0)
        (-0.050949999999999995, 0.2414248225, 2, 2)
    """
    lengths = sentences.list.len().fill_null(0)
    flat = sentences.filter(lengths > 0).explode()
    compound = sentiment(flat, lexicon)["compound"].to_numpy()
    count = lengths.to_numpy()
    row = np.repeat(np.arange(len(count)), count)
    with np.errstate(invalid="ignore"):
        mean = np.bincount(row, compound, len(count)) / count
        variance = np.bincount(row, (compound - mean[row]) ** 2, len(count)) / count
    return pl.DataFrame(
        {
            "avg_sentiment": pl.Series(mean, nan_to_null=True),
            "sentiment_variance": pl.Series(variance, nan_to_null=True),
            "n_sentences": pl.Series(count, dtype=pl.Int32),
            "n_charged": pl.Series(
                np.bincount(row[compound != 0], minlength=len(count)), dtype=pl.Int32
            ),
        }
    )


def parse_lexicon(lexicon: str | None) -> dict[str, float]:
    r"""Read lines ``word<TAB>valence[<TAB>...]`` into valences by word; blank lines say nothing.

    Raises:
        ScorerError: a line is not in that format.

    Example:
        >>> parse_lexicon("flaky\t-1.5\nblazing\t2.1\n")
        {'flaky': -1.5, 'blazing': 2.1}
    """
    valences = {}
    for number, line in enumerate((lexicon or "").splitlines(), start=1):
        if line.strip():
            word, _, rest = line.strip().partition("\t")
            try:
                valences[word] = _finite(rest.split("\t")[0])
            except ValueError:
                message = (
                    f"lexicon: line {number} is {line!r}; expected a word, a tab and a valence "
                    "(-4 to 4); mend the line"
                )
                raise ScorerError(message) from None
    return valences


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


@lru_cache(maxsize=8)
def _analyzer(lexicon: str | None) -> SentimentIntensityAnalyzer:
    """Build VADER's analyzer, with a domain's own words if there are any."""
    analyzer = SentimentIntensityAnalyzer()
    analyzer.lexicon.update(parse_lexicon(lexicon))
    return analyzer
