"""VADER and the splitter beside a Python loop over the same texts, on one core."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import polars as pl
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from tests.benchmarks.corpora import charged_share, ground_truth, joined, sentences, texts
from tests.benchmarks.measure import side_by_side
from tests.benchmarks.sizes import Size
from tests.benchmarks.tables import Row
from tonelog.scorers.sentences import split_sentences
from tonelog.scorers.sentiment import sentiment

TITLE: Final = "Text per second of one core, in MB: a Python loop, tonelog"
SENTENCE_CHARS: Final = 100
WHOLE_CHARS: Final = (1_000, 5_000)
_SPLIT_CHARS: Final = (120, 600, 5_000)
_NAIVE: Final = re.compile(r"(?<=[.!?])\s+")
_LOOP_SHARE: Final = 0.05
_SHARE_TEXTS: Final = 500


class Speeds(NamedTuple):
    """Megabytes of UTF-8 a second: of a peer, and of our own."""

    peer: float
    own: float

    @property
    def ratio(self) -> float:
        """How many times as fast our own is."""
        return self.own / self.peer


def measured(size: Size) -> list[Row]:
    """Compare by corpus: VADER on sentences and on whole texts, then splitting."""
    return [*_vader_rows(size), *_split_rows(size)]


def versus_vader(some: Sequence[str], size: Size) -> Speeds:
    """Compare with ``vaderSentiment``, text by text."""
    score = _analyzer().polarity_scores
    return _compare(lambda part: [score(text) for text in part], sentiment, some, size)


def versus_re(some: Sequence[str], size: Size) -> Speeds:
    """Compare with splitting behind each mark and before white space, right or wrong."""

    def split(series: pl.Series) -> object:
        return pl.select(split_sentences(pl.lit(series)))

    return _compare(lambda part: [_NAIVE.split(text) for text in part], split, some, size)


def prose(chars: int, size: Size) -> list[str]:
    """Make as much prose as is to be measured: sentences, or texts of so many characters."""
    n = int(size.megabytes * 1e6 / chars)
    return sentences(n) if chars == SENTENCE_CHARS else texts(n, chars=chars)


def _vader_rows(size: Size) -> Iterator[Row]:
    corpora = {f"prose, {n:,}": prose(n, size) for n in (SENTENCE_CHARS, 120, 600, *WHOLE_CHARS)}
    if human := ground_truth():
        corpora["ground truth, as it is"] = human
        corpora |= {f"ground truth, {n:,}": joined(human, chars=n) for n in WHOLE_CHARS}
    for name, some in corpora.items():
        share = 100 * charged_share(list(some[:_SHARE_TEXTS]))
        yield _row("vaderSentiment", name, share, versus_vader(some, size))


def _split_rows(size: Size) -> Iterator[Row]:
    for chars in _SPLIT_CHARS:
        yield _row("re.split", f"prose, {chars:,}", None, versus_re(prose(chars, size), size))


def _row(peer: str, corpus: str, share: float | None, speeds: Speeds) -> Row:
    return {
        "peer": peer,
        "corpus, characters": corpus,
        "charged words %": share,
        "peer MB/s": speeds.peer,
        "tonelog MB/s": speeds.own,
        "ratio": speeds.ratio,
    }


def _compare(
    peer: Callable[[Sequence[str]], object],
    own: Callable[[pl.Series], object],
    some: Sequence[str],
    size: Size,
) -> Speeds:
    """Time both in turns, the peer on a part of the texts, since it takes so much longer."""
    part = some[: max(1, int(len(some) * _LOOP_SHARE))]
    series = pl.Series(some)
    calls = {"peer": lambda: peer(part), "own": lambda: own(series)}
    seconds = side_by_side(calls, repeats=size.repeats)
    return Speeds(_megabytes(part) / seconds["peer"], _megabytes(some) / seconds["own"])


def _megabytes(some: Sequence[str]) -> float:
    return sum(len(text.encode()) for text in some) / 1e6


@lru_cache(maxsize=1)
def _analyzer() -> SentimentIntensityAnalyzer:
    return SentimentIntensityAnalyzer()
