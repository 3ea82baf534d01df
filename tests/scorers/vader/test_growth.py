"""Time grows with the length of a text, where that of vaderSentiment grows with its square."""

from __future__ import annotations

from collections.abc import Callable

import polars as pl
import pytest

from tests.growth import TIMES, is_linear
from tonelog.scorers.sentiment import sentiment


def half_lexicon(n_tokens: int) -> str:
    return "good table bad chair " * (n_tokens // 4)


def emoji(n_emoji: int) -> str:
    return "\U0001f600" * n_emoji


def prose(n_bytes: int) -> str:
    sentence = "The agent wrote the report, but it was not very good: 3 of 14 tests failed! "
    return (sentence * (n_bytes // len(sentence) + 1))[:n_bytes]


def good_but_bad(n_characters: int) -> str:
    return ("good but bad but " * (n_characters // 17 + 1))[:n_characters]


def distinct_valences(n_tokens: int) -> str:
    return "but " + " ".join(f"{'very ' * (n % 4)}good{'!' * (n % 3)}" for n in range(n_tokens))


def one_word(n_characters: int) -> str:
    return "\u00e9n't'" * (n_characters // 5)


def sigmas(n_characters: int) -> str:
    return "A" + "\u03a3'\u0301" * (n_characters // 3)


def blank(n_characters: int) -> str:
    return " \u3000\n" * (n_characters // 3)


KINDS = [
    (half_lexicon, 16_000),
    (emoji, 16_000),
    (prose, 1_000_000),
    (good_but_bad, 300_000),
    (distinct_valences, 20_000),
    (one_word, 1_000_000),
    (sigmas, 1_000_000),
    (blank, 1_000_000),
]


@pytest.mark.parametrize(("kind", "size"), KINDS, ids=lambda kind: getattr(kind, "__name__", kind))
def test_time_grows_with_the_text_and_not_with_its_square(
    kind: Callable[[int], str], size: int
) -> None:
    short, long = (pl.Series([kind(n)]) for n in (size // TIMES, size))
    assert is_linear(sentiment, short, long)
