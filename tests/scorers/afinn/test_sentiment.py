"""The originals' sentiment against a plain version of its rules."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from typing import Final

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from tests.oracles import (
    JS_WHITE_SPACE,
    SHIPPED_NEGATORS,
    shipped_comparative,
    shipped_sentences,
    shipped_valences,
)
from tonelog.scorers.afinn import sentiment as afinn

MARKS: Final = '\n.,/#!?$%^&*;:{}=_`"~()'
# Case and white space at their oddest, and neighbors of both.
ODD: Final = (
    *("\u0130", "\u212a", "\u212b", "\u03a3", "\u03c2", "\u00cf", "\u1e9e", "\u24b6", "\u24d0"),
    *("\u0307", "\x85", "\x1c", "\x1f", "\x00", "\u200b", "\u180e", "\u2060", "\u3001", "\ufefe"),
    *("\ufe0f", "\u200d", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff", "\u2014"),
    *("❤️", "👍🏽", "👨‍👩‍👧", "🇩🇪", "don’t", "'", "-", "[", "@", "Constructor", "7"),  # noqa: RUF001 - as typed
)


def check(texts: Sequence[str | None]) -> None:
    """Compare both sums, to the bit."""
    series = pl.Series(texts, dtype=pl.String)
    whole = [None if text is None else shipped_comparative(text) for text in texts]
    assert afinn.comparative(series).to_list() == whole
    sentences = [(None,) * 4 if text is None else shipped_sentences(text) for text in texts]
    assert afinn.sentence_comparative(series).rows() == sentences


pieces = (
    st.sampled_from(sorted(shipped_valences()))
    | st.sampled_from(SHIPPED_NEGATORS)
    | st.sampled_from(sorted({*MARKS, *JS_WHITE_SPACE, *ODD}))
    | st.sampled_from([" ", ". ", "bad", "Good"])
    | st.text(st.characters(codec="utf-8"), max_size=3)
)
texts = st.lists(pieces, max_size=12).map("".join)


@given(st.lists(st.none() | texts, max_size=5))
def test_sums_are_those_of_the_plain_version(texts: list[str | None]) -> None:
    check(texts)


def test_a_large_batch_too() -> None:
    rng = random.Random(20)  # noqa: S311 - a seeded sample
    tokens = sorted(shipped_valences())

    def spell(token: str) -> str:
        kelvin = token.replace("k", "\u212a") if rng.random() < 0.2 else token
        return rng.choice((kelvin, kelvin.upper(), kelvin.capitalize(), kelvin[1:], kelvin + "s"))

    def piece() -> str:
        kind = rng.random()
        if kind < 0.5:
            return spell(rng.choice(tokens if kind < 0.35 else SHIPPED_NEGATORS))
        return rng.choice(rng.choice((MARKS, ".!?", JS_WHITE_SPACE, ODD)))

    def text() -> str:
        glue = rng.choice(("", " ", " ", "\t", ". "))
        return "".join(piece() + rng.choice((glue, " ")) for _ in range(rng.randrange(12)))

    check([text() for _ in range(20_000)])


def test_every_character_within_and_between_tokens() -> None:
    shown = [chr(c) for c in range(0x20000) if not 0xD800 <= c < 0xE000]
    check([f"{c}bad{c}good{c}{c}kind{c}" for c in shown])
    check(shown)


def test_every_token_in_capitals_and_with_kelvin_signs() -> None:
    tokens = sorted(shipped_valences())
    check(tokens)
    check([token.upper() for token in tokens])
    check([token.replace("k", "\u212a") for token in tokens])


def test_letters_beyond_the_first_two_planes_have_no_case() -> None:
    beyond = "".join(map(chr, range(0x20000, sys.maxunicode + 1)))
    assert beyond.lower() == beyond


def test_slices_and_nulls() -> None:
    series = pl.Series(["bad", None, "Good. bad", ""])
    assert afinn.comparative(series[1:3]).to_list() == [None, 0.0]
    assert afinn.comparative(series.clear()).to_list() == []
    assert afinn.sentence_comparative(series[3:]).rows() == [(0.0, 0.0, 1, 0)]
    assert afinn.sentence_comparative(pl.Series([None], dtype=pl.String)).rows() == [(None,) * 4]
