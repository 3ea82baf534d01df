"""The four ratios that must not fall: ours beside what each user would write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from tests.benchmarks.logs import CHARS, pairs
from tests.benchmarks.measure import side_by_side
from tests.benchmarks.sentiment import SENTENCE_CHARS, WHOLE_CHARS, prose, versus_vader
from tests.benchmarks.sizes import Size
from tests.benchmarks.tables import Row
from tonelog.scorers.similarity import pair_lcs, pair_word_distance

TITLE: Final = "Ratios that are guarded: how many times as fast, on one core (floor: half the goal)"
_PAIRS: Final = 2_000


class Guard(NamedTuple):
    """A ratio and what it must be.

    Attributes:
        peer: what ours is compared with.
        goal: how many times as fast it should be; half of it is the floor.
        ratio: measures it.
    """

    peer: str
    goal: float
    ratio: Callable[[Size], float]

    @property
    def floor(self) -> float:
        """What the ratio may not fall under, whatever the machine."""
        return self.goal / 2


def measured(size: Size) -> list[Row]:
    """Measure all ratios."""
    return [
        {
            "what": name,
            "peer": guard.peer,
            "ratio": guard.ratio(size),
            "goal": guard.goal,
            "floor": guard.floor,
        }
        for name, guard in GUARDS.items()
    ]


def _sentences(size: Size) -> float:
    return versus_vader(prose(SENTENCE_CHARS, size), size).ratio


def _whole_texts(size: Size) -> float:
    return versus_vader(prose(WHOLE_CHARS[0], size), size).ratio


def _changes(size: Size) -> float:
    left, right = pairs(_PAIRS).get_columns()

    def peer() -> object:
        words = ([text.split() for text in side.to_list()] for side in (left, right))
        return cpdist(*words, scorer=Levenshtein.distance, dtype=np.int64)

    return _ratio(peer, lambda: pair_word_distance(left, right), size)


def _lcs(size: Size) -> float:
    left, right = pairs(_PAIRS).get_columns()

    def peer() -> object:
        sides = (left.to_list(), right.to_list())
        return cpdist(*sides, scorer=LCSseq.similarity, dtype=np.int64)

    return _ratio(peer, lambda: pair_lcs(left, right), size)


def _ratio(peer: Callable[[], object], own: Callable[[], object], size: Size) -> float:
    seconds = side_by_side({"peer": peer, "own": own}, repeats=size.repeats)
    return seconds["peer"] / seconds["own"]


GUARDS: Final = {
    "VADER, sentences": Guard("vaderSentiment, in a loop", 40, _sentences),
    f"VADER, {WHOLE_CHARS[0]:,} characters": Guard("vaderSentiment, in a loop", 120, _whole_texts),
    f"changes, {CHARS} characters": Guard("rapidfuzz' cpdist on str.split", 2, _changes),
    f"ratio, {CHARS} characters": Guard("rapidfuzz' cpdist", 2, _lcs),
}
"""By what is compared."""
