"""The one door to VADER: sentiment of texts, and of the sentences of a text.

VADER (Hutto and Gilbert 2014, https://doi.org/10.1609/icwsm.v8i1.14550) as the package
``vaderSentiment`` computes it, to the last bit, compiled (``tonelog.scorers.vader``).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final, overload

import numpy as np
import numpy.typing as npt
import polars as pl

from .base import ScorerError
from .kernels.compiled import I64, U8, as_texts
from .vader.lexicon import VERSION, Lexicon, make_lexicon
from .vader.polarity import SUM, polarity

SENTIMENT: Final = pl.Schema(dict.fromkeys(("compound", "pos", "neu", "neg"), pl.Float64))
"""What VADER says of a text: compound in [-1, 1], and three shares in [0, 1]."""

VERSIONS: Final = {
    "vader": VERSION,
    "sum": SUM,
}
"""What the numbers depend on, for signatures."""

_UNITS: Final = 10_000
_MOST_SENTENCES: Final = 100_000


@overload
def sentiment(texts: pl.Series, lexicon: str | None = None) -> pl.DataFrame: ...
@overload
def sentiment(texts: pl.Expr, lexicon: str | None = None) -> pl.Expr: ...
def sentiment(texts: pl.Series | pl.Expr, lexicon: str | None = None) -> pl.DataFrame | pl.Expr:
    """Score n texts (nullable) with VADER: n rows of compound, pos, neu, neg.

    A null text has null sentiment; an empty one has zeros. Linear in the texts' length.

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
    content, offsets = as_texts(texts)
    scores = polarity(content, offsets[:-1], offsets[1:], _lexicon(lexicon))
    frame = pl.DataFrame(dict(zip(SENTIMENT, scores, strict=True)))
    return frame.select(pl.when(texts.is_not_null()).then(pl.all())) if texts.has_nulls() else frame


def sentence_sentiment(sentences: pl.Series, lexicon: str | None = None) -> pl.DataFrame:
    """Sum up the sentiment of n lists of sentences (nullable): n rows; see ``span_sentiment``.

    Example:
        >>> sentence_sentiment(pl.Series([["Good.", "Bad."]])).row(0)
        (-0.05095, 0.2414248225, 2, 2)
    """
    lengths = sentences.list.len().fill_null(0)
    content, places = as_texts(sentences.filter(lengths > 0).explode())
    offsets = np.append(0, lengths.cast(pl.Int64).cum_sum().to_numpy())
    return span_sentiment(content, places[:-1], places[1:], offsets, lexicon)


def span_sentiment(
    content: U8, starts: I64, ends: I64, offsets: I64, lexicon: str | None = None
) -> pl.DataFrame:
    """Sum up the sentiment of the sentences of n texts, without a copy of any: n rows.

    A compound has four decimals, so sums are of whole numbers: mean and variance are the exact
    ones, rounded once, whatever the order of the sentences.

    Args:
        content: texts in UTF-8.
        starts: where each sentence begins in it.
        ends: where it ends.
        offsets: n + 1 offsets into both: the sentences of text i are offsets[i] to offsets[i + 1].
        lexicon: as for ``sentiment``.

    Returns:
        ``avg_sentiment``: mean of the sentences' compounds, in [-1, 1];
        ``sentiment_variance``: their population variance, in [0, 1];
        ``n_sentences`` and ``n_charged`` (sentences with compound != 0), Int32. A text without
        sentences has null mean and variance and counts 0.
    """
    compounds = polarity(content, starts, ends, _lexicon(lexicon))[0]
    units = np.rint(compounds * _UNITS).astype(np.int64)
    total, squares, charged = (_sums(column, offsets) for column in (units, units**2, units != 0))
    n = np.diff(offsets)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / (_UNITS * n)
        exact = (n * squares - total**2) / (_UNITS * n) ** 2
        # Beyond these, the whole numbers would not fit into 64 bits.
        variance = np.where(n <= _MOST_SENTENCES, exact, squares / n / _UNITS**2 - mean**2)
    return pl.DataFrame(
        {
            "avg_sentiment": pl.Series(mean, nan_to_null=True),
            "sentiment_variance": pl.Series(variance, nan_to_null=True),
            "n_sentences": pl.Series(n, dtype=pl.Int32),
            "n_charged": pl.Series(charged, dtype=pl.Int32),
        }
    )


def _sums(values: npt.NDArray[Any], offsets: I64) -> I64:
    """Sum up whole numbers from each offset to the next."""
    running: I64 = np.append(0, values.cumsum(dtype=np.int64))
    sums: I64 = running[offsets[1:]] - running[offsets[:-1]]
    return sums


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
def _lexicon(lexicon: str | None) -> Lexicon:
    """Make VADER's tables, with a domain's own words if there are any."""
    return make_lexicon(parse_lexicon(lexicon))
