"""Sums and rounding as Python's, and polarity of spans of texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vaderSentiment import vaderSentiment

from tests.scorers.vader.exactness import Salads, as_said
from tonelog.scorers.vader import polarity as module
from tonelog.scorers.vader.lexicon import Lexicon, make_lexicon
from tonelog.scorers.vader.polarity import SUM, _round, _sum, polarity

Number = float | int


def sum_by_hand(values: Iterable[Number], kind: str) -> Number:
    """Sum up as CPython does: 3.11 plainly, 3.12 and later with what floats lose.

    An int becomes a float plainly at the first float. Then ints are added plainly, or, in the last
    versions, as floats are.
    """
    total: Number = 0
    lost = 0.0
    for value in values:
        before = total
        total = before + value
        is_carried = isinstance(value, float) or kind == "compensated_ints"
        if kind != "plain" and isinstance(before, float) and is_carried:
            if abs(before) >= abs(value):
                lost += (before - total) + value
            else:
                lost += (value - total) + before
    return total + lost if lost and math.isfinite(lost) else total


def summed(values: Sequence[float], *, is_compensated: bool) -> float:
    return float(_sum(np.array(values, float), np.zeros(len(values), bool), is_compensated))


floats = st.lists(st.floats(-1e6, 1e6) | st.sampled_from((0.1, 0.2, -0.3, 1e16, 1.0, -1e16)))
valences = st.integers(-400, 400).filter(bool).map(lambda number: number / 100)


@given(floats | st.lists(valences))
def test_sum_is_pythons(values: list[float]) -> None:
    assert repr(summed(values, is_compensated=False)) == repr(float(sum_by_hand(values, "plain")))
    expected = repr(float(sum_by_hand(values, "compensated")))
    assert repr(summed(values, is_compensated=True)) == expected
    assert repr(float(sum(values))) == repr(float(sum_by_hand(values, SUM)))


@given(st.lists(st.floats() | st.integers(-9, 9) | valences))
def test_sum_by_hand_is_the_running_pythons(values: list[Number]) -> None:
    assert repr(sum(values)) == repr(sum_by_hand(values, SUM))


def test_sums_of_both_kinds_differ_where_they_should() -> None:
    tenths = [0.1] * 10
    assert summed(tenths, is_compensated=False) == 0.9999999999999999
    assert summed(tenths, is_compensated=True) == 1.0
    whole = np.array([False, True, False])
    assert _sum(np.array([1e16, 1.0, -1e16]), whole, True) == 0.0  # noqa: FBT003 - a kernel's
    assert _sum(np.array([1e16, 1.0, -1e16]), ~whole & False, True) == 1.0  # noqa: FBT003 - as above
    assert summed([1e308, 1e308, -1e308], is_compensated=True) == math.inf
    assert summed([], is_compensated=True) == 0.0


def test_texts_are_summed_up_as_any_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    salads = Salads(3)
    texts = [*salads.texts(1_000), *salads.sums(4_000)]
    said = {}
    for kind in ("plain", "compensated", "compensated_ints"):
        # VADER then finds this sum instead of the built-in one.
        by_hand = partial(sum_by_hand, kind=kind)
        monkeypatch.setattr(vaderSentiment, "sum", by_hand, raising=False)
        monkeypatch.setattr(module, "SUM_IS_COMPENSATED", kind != "plain")
        monkeypatch.setattr(module, "_INTS_ARE_COMPENSATED", kind == "compensated_ints")
        said[kind] = as_said(texts)
        assert spans_of(texts) == said[kind]
    monkeypatch.undo()
    assert said["plain"] != said["compensated"] != said["compensated_ints"] != said["plain"]
    assert said[SUM] == as_said(texts)


@lru_cache(maxsize=1)
def vaders_lexicon() -> Lexicon:
    return make_lexicon({})


def spans_of(texts: Sequence[str]) -> list[str]:
    """Score texts that lie in one buffer, written out."""
    data = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, data)])
    text = np.frombuffer(b"".join(data), np.uint8)
    scores = polarity(text, ends[:-1], ends[1:], vaders_lexicon())
    return [repr(tuple(map(float, row))) for row in scores.T]


# Rounding


@pytest.mark.parametrize(("digits", "units"), [(3, 1e3), (4, 1e4)])
def test_numbers_next_to_ties_are_rounded_as_python_does(digits: int, units: float) -> None:
    for half in range(2 * int(units) + 1):
        value = half / (2 * units)
        near = [value]
        for to in (-math.inf, math.inf):
            step = value
            for _ in range(3):
                step = math.nextafter(step, to)
                near.append(step)
        for number in near:
            assert repr(_round(number, units)) == repr(round(number, digits))
            assert repr(_round(-number, units)) == repr(round(-number, digits))


@given(st.floats(-1, 1) | st.integers(-(2**20), 2**20).map(lambda number: number / 2**20))
def test_any_number_is_rounded_as_python_does(value: float) -> None:
    assert repr(_round(value, 1e3)) == repr(round(value, 3))
    assert repr(_round(value, 1e4)) == repr(round(value, 4))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        *((0.0, "0.0"), (-0.0, "-0.0"), (-1e-300, "-0.0"), (5e-324, "0.0"), (1.0, "1.0")),
        *((0.03125, "0.0312"), (0.09375, "0.0938"), (-0.03125, "-0.0312"), (0.00005, "0.0001")),
        *((0.00015, "0.0001"), (0.49385, "0.4939"), (0.99995, "1.0"), (math.nan, "nan")),
    ],
)
def test_number_is_rounded_to_four_decimals(value: float, expected: str) -> None:
    assert repr(_round(value, 1e4)) == repr(round(value, 4)) == expected


# Spans


def test_compound_never_leaves_its_bounds_so_it_needs_no_clamp() -> None:
    random = Random(2)  # noqa: S311 - the same numbers in every run
    totals = [random.uniform(1, 2) * 2.0 ** random.randint(0, 600) for _ in range(100_000)]
    assert max(total / math.sqrt(total * total + 15) for total in totals) == 1.0


def test_spans_of_one_buffer_may_overlap_touch_and_be_empty() -> None:
    text = "x good. bad! \U0001f600 GREAT"
    data = text.encode()
    buffer = np.frombuffer(data, np.uint8)
    cuts = [len(text[:n].encode()) for n in range(len(text) + 1)]
    spans = [(a, b) for a in cuts for b in cuts if a <= b]
    starts, ends = (np.array(side, np.int64) for side in zip(*spans, strict=True))
    scores = polarity(buffer, starts, ends, vaders_lexicon())
    expected = as_said(data[start:end].decode() for start, end in spans)
    assert [repr(tuple(map(float, row))) for row in scores.T] == expected


def test_texts_of_one_character_and_no_text() -> None:
    chars = [*map(chr, range(1, 0x300)), "\u2603", "\U0001f600", "\U00020000", "\U0010ffff"]
    assert spans_of(chars) == as_said(chars)
    for char in chars[::17]:
        assert spans_of([char]) == as_said([char])
    assert spans_of([]) == []
    assert spans_of(["", ""]) == as_said(["", ""])


def test_score_of_a_text_is_that_of_the_text_alone() -> None:
    texts = Salads(5).texts(400)
    alone = [row for text in texts for row in spans_of([text])]
    assert spans_of(texts) == alone
    assert spans_of(texts[::-1]) == alone[::-1]
    assert [row for pair in pairwise(texts[::2]) for row in spans_of(pair)] == [
        row for pair in pairwise(alone[::2]) for row in pair
    ]
