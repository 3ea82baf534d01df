"""Seeded prose of any size, made offline: ordinary words, as many charged ones as agents write."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Final

import polars as pl
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer, SentiText

GROUND_TRUTH: Final = Path(__file__).resolve().parents[3] / "shared/logs/vader_groundtruth.parquet"
"""23,703 tweets, reviews and comments that humans scored, if they lie beside the repository."""

# By how often they come: the first ones make up most of any text.
_ORDINARY: Final = """
the of and to a in is that it for you was on are as with be this your at have from or not by
but we can an will if has all one they our when there use which were more their also any its
do been so only time what then after here into some other than should how out up now no each
who them first new data file these order just before two both run may same set most where
because line very through table test code still between value model back does name agent team
list over change over day number page under need column account answer week message request
field call type user output server input without card while another version system step during
record project made database function last report server every next invoice results amount take
about payment sent customer following against hours address second later config please returns
across open several never might within rows until found plan product since again example
current process default given check option module service available note region left months
contains query people usually once added already per however therefore already section above
below local whole part average point month small large long short early level right side group
deployment parameter configuration implementation documentation approximately specification
environment repository transaction dashboard description warehouse pipeline document response
reference evaluation measurement container frontend backend schedule translation conversation
paragraph sentence summary question content source index cluster memory storage network client
window keyboard shelf bridge river station train ticket hotel airport kitchen garden winter
summer evening morning yesterday tomorrow monday tuesday friday january march september
didn't doesn't it's that's we're isn't can't you'll I I've cannot actually really extremely
slightly barely quite rather almost somewhat completely whether whenever though although
"""
_MARKS: Final = (*("",) * 92, *(",",) * 6, ":", ";")
_ENDS: Final = (*(".",) * 44, *("?",) * 3, *("!",) * 2, "...")
_GAPS: Final = (*(" ",) * 9, "\n\n")
_CHARGED_SHARE: Final = 0.04
_NUMBER_SHARE: Final = 0.015
_FOREIGN_SHARE: Final = 0.0005
_FOREIGN: Final = ("caf\u00e9", "\u2014", "don\u2019t", "\u20ac", "\U0001f680")
_CHARGED_WORDS: Final = 400
_SENTENCE_WORDS: Final = (11, 25)


def sentences(n: int, *, seed: int = 0) -> list[str]:
    """Make n distinct sentences of about 100 characters."""
    return _distinct(_prose(random.Random(seed)), n)  # noqa: S311 - sample texts, no secrets


def texts(n: int, *, chars: int, seed: int = 0) -> list[str]:
    """Make n distinct texts of so many characters each: sentences and paragraphs, cut off."""
    return _distinct(_cut(random.Random(seed), chars), n)  # noqa: S311 - as above


def ground_truth() -> list[str]:
    """Read the texts that humans scored; none if they are not there."""
    if not GROUND_TRUTH.is_file():
        return []
    return pl.read_parquet(GROUND_TRUTH, columns=["text"])["text"].to_list()


def joined(pieces: list[str], *, chars: int) -> list[str]:
    """Join short texts into texts of at least so many characters."""
    whole, part, size = [], list[str](), 0
    for piece in pieces:
        part.append(piece)
        size += len(piece) + 1
        if size > chars:
            whole.append(" ".join(part))
            part, size = [], 0
    return whole


def charged_share(some: list[str]) -> float:
    """Give the share of words that VADER's lexicon knows, in the words that VADER itself sees."""
    lexicon = lexicon_of_vader()
    words = [word.lower() for text in some for word in SentiText(text).words_and_emoticons]
    return sum(word in lexicon for word in words) / len(words)


@lru_cache(maxsize=1)
def lexicon_of_vader() -> dict[str, float]:
    """Give VADER's valences by word, in the order of its file."""
    return dict(SentimentIntensityAnalyzer().lexicon)


def _distinct(made: Iterator[str], n: int) -> list[str]:
    found = dict.fromkeys(next(made) for _ in range(n))
    while len(found) < n:
        found[next(made)] = None
    return list(found)


def _cut(rng: random.Random, chars: int) -> Iterator[str]:
    prose = _prose(rng)
    while True:
        text = next(prose)
        while len(text) < chars:
            text += rng.choice(_GAPS) + next(prose)
        yield text[:chars]


def _prose(rng: random.Random) -> Iterator[str]:
    """Make sentences without end."""
    ordinary, cumulated, charged = _vocabulary()
    while True:
        words = rng.choices(ordinary, cum_weights=cumulated, k=rng.randint(*_SENTENCE_WORDS))
        for i, chance in enumerate([rng.random() for _ in words]):
            if chance < _CHARGED_SHARE:
                words[i] = rng.choice(charged)
            elif chance < _CHARGED_SHARE + _NUMBER_SHARE:
                words[i] = str(rng.randrange(2000))
            elif chance > 1 - _FOREIGN_SHARE:
                words[i] = rng.choice(_FOREIGN)
        marked = map("".join, zip(words, rng.choices(_MARKS, k=len(words) - 1), strict=False))
        text = " ".join([*marked, words[-1]])
        yield text[0].upper() + text[1:] + rng.choice(_ENDS)


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[list[str], list[float], list[str]]:
    """Give ordinary words with cumulated weights (Zipf and Mandelbrot), and charged ones."""
    lexicon = lexicon_of_vader()
    ordinary = [word for word in dict.fromkeys(_ORDINARY.split()) if word.lower() not in lexicon]
    weights = accumulate(1 / (rank + 20) for rank in range(1, len(ordinary) + 1))
    words = [word for word in lexicon if word.isalpha() and word.islower()]
    rng = random.Random(0)  # noqa: S311 - as above
    return ordinary, list(weights), rng.sample(words, _CHARGED_WORDS)
