"""Texts that take ``vaderSentiment`` quadratic time: ours, at some length and at twice that."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

import polars as pl

from tests.benchmarks.corpora import lexicon_of_vader, texts
from tests.benchmarks.measure import side_by_side
from tests.benchmarks.sizes import Size
from tests.benchmarks.tables import Row
from tonelog.scorers.sentiment import sentiment

TITLE: Final = "VADER on one long text, seconds of one core (goal: under 0.2, and twice for twice)"
_TOKENS: Final = 8_000
_CONTRAST: Final = "good but bad but "


def measured(size: Size) -> list[Row]:
    """Time each kind of text at its length and at twice that."""
    rows = []
    for (name, once), twice in zip(_texts(1).items(), _texts(2).values(), strict=True):
        calls = {key: _sentiment_of(text) for key, text in (("once", once), ("twice", twice))}
        seconds = side_by_side(calls, repeats=size.repeats)
        row: Row = {
            "one text": name,
            "characters": len(once),
            "seconds": seconds["once"],
            "at twice the length": seconds["twice"],
            "times": seconds["twice"] / seconds["once"],
        }
        rows.append(row)
    return rows


def _texts(times: int) -> dict[str, str]:
    """Make the texts, of so many times their length."""
    rng = random.Random(0)  # noqa: S311 - sample texts, no secrets
    lexicon = lexicon_of_vader()
    words = [word for word in lexicon if word.isalpha()]
    emoji = [word for word in map(chr, range(0x1F600, 0x1F640)) if word.isprintable()]
    half = (rng.choice(words) if rng.random() < 1 / 2 else "word" for _ in range(times * _TOKENS))
    return {
        "8,000 words, half of them charged": " ".join(half),
        "8,000 emoji": "".join(rng.choices(emoji, k=times * _TOKENS)),
        "1 MB of prose": texts(1, chars=times * 10**6)[0],
        "'good but bad but ...'": (_CONTRAST * (times * 300_000 // len(_CONTRAST))),
    }


def _sentiment_of(text: str) -> Callable[[], object]:
    series = pl.Series([text])
    return lambda: sentiment(series)
