"""The rule for "but", against a plain copy of VADER's own loop."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tonelog.scorers.vader.contrast import contrast


def vaders_loop(sentiments: Sequence[float], but: int) -> list[float]:
    """Change the sentiments of a text, whose first "but" stands at a place, as VADER does."""
    changed = list(sentiments)
    for sentiment in changed:
        place = changed.index(sentiment)
        if place < but:
            changed[place] = sentiment * 0.5
        elif place > but:
            changed[place] = sentiment * 1.5
    return changed


def changed(sentiments: Sequence[float], but: int) -> list[float]:
    """Change them with the kernel, which sees those that are not 0."""
    places = np.flatnonzero(sentiments)
    valences = np.array(sentiments, float)[places]
    is_whole = np.array([isinstance(sentiments[place], int) for place in places.tolist()], np.bool_)
    contrast(valences, places, but, is_whole)
    whole = np.zeros(len(sentiments))
    whole[places] = valences
    expected = vaders_loop(sentiments, but)
    assert is_whole.tolist() == [isinstance(expected[place], int) for place in places.tolist()]
    return [float(value) for value in whole]


@pytest.mark.parametrize(
    ("sentiments", "but", "expected"),
    [
        ([2.0, 0, 3.0], 1, [1.0, 0, 4.5]),
        # The first of two equal ones is halved, then the second.
        ([2.0, 2.0, 0], 2, [1.0, 1.0, 0]),
        # A half is equal to the next one: the first is halved twice.
        ([2.0, 1.0, 0], 2, [0.5, 1.0, 0]),
        ([2.0, 1.0, 0.5, 0], 3, [0.25, 1.0, 0.5, 0]),
        # What follows may be equal to what stands before.
        ([2.0, 0, 1.0, 1.0], 1, [0.5, 0, 1.5, 1.0]),
        ([4.5, 0, 3.0, 4.5, 3.0], 1, [2.25, 0, 6.75, 4.5, 4.5]),
        # The word "but" keeps the valence that it may have.
        ([2.0, 2.0, 2.0], 1, [1.0, 2.0, 2.0]),
        ([3, 1.5, 3], 1, [0.75, 1.5, 4.5]),
        ([3, 0, 3], 0, [3, 0, 3]),
        ([-2.0, 2.0, 0], 2, [-1.0, 1.0, 0]),
    ],
)
def test_first_equal_valence_is_changed(
    sentiments: list[float], but: int, expected: list[float]
) -> None:
    assert changed(sentiments, but) == expected == vaders_loop(sentiments, but)


def test_no_valences_are_no_trouble() -> None:
    contrast(np.empty(0), np.empty(0, np.int64), 0, np.empty(0, np.bool_))


@pytest.mark.parametrize("n_values", [1, 2, 3, 5, 1000])
def test_random_valences_are_changed_as_by_vaders_loop(n_values: int) -> None:
    random = Random(n_values)  # noqa: S311 - the same lists in every run
    for _ in range(1_500):
        base = [random.choice((2.0, 1.9, 3.1, -1.5, 0.7)) for _ in range(n_values)]
        # Halves and 1.5 times of each, so that changed ones meet others; ints, as phrases have.
        values = [0, 3, *(value * 0.5 ** random.randint(0, 3) for value in base)]
        values += [value * 1.5 ** random.randint(1, 3) for value in base]
        if n_values > 10:
            values += [random.uniform(-4, 4) for _ in range(n_values)]
        sentiments = random.choices(values, k=random.randint(1, 40))
        but = random.randrange(len(sentiments))
        expected = [float(value) for value in vaders_loop(sentiments, but)]
        assert changed(sentiments, but) == expected


def test_long_lists_are_changed_as_by_vaders_loop() -> None:
    random = Random(9)  # noqa: S311 - the same lists in every run
    for values in (
        (1.9,),
        (1.9, -2.5, 0),
        (3.0, 1.5, 0.75, 2.25),
        tuple(n / 8 for n in range(999)),
    ):
        for but in (0, 1, 500, 1_499, 2_998, 2_999):
            sentiments = random.choices(values, k=3_000)
            assert changed(sentiments, but) == [float(v) for v in vaders_loop(sentiments, but)]


tiny = st.sampled_from((5e-324, -5e-324, 1e-323, 1.5e-323, 1e308, -1e308, 2.0, 1.0, 0, 3))


@given(st.lists(tiny, min_size=1, max_size=12), st.integers(0, 11))
def test_valences_may_become_zero_or_infinite(sentiments: list[float], but: int) -> None:
    but = min(but, len(sentiments) - 1)
    assert changed(sentiments, but) == vaders_loop(sentiments, but)


@given(
    st.lists(st.floats(-4, 4) | st.sampled_from((1.0, 2.0, 0.5, 3, 0)), min_size=1, max_size=30),
    st.integers(0, 29),
)
def test_any_valences_are_changed_as_by_vaders_loop(sentiments: list[float], but: int) -> None:
    but = min(but, len(sentiments) - 1)
    assert changed(sentiments, but) == vaders_loop(sentiments, but)
