"""What a pair's difference costs, beside difflib and rapidfuzz: all in one run, taking turns.

Run by ``python -m tests.benchmarks``, or alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final
from unittest.mock import patch

import numpy as np
import polars as pl
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from tonelog.scorers import TextualDifferenceScorer, score_pairs, textual_difference
from tonelog.scorers.similarity import pair_lcs, pair_word_distance

OURS: Final = "ours"
RAPIDFUZZ: Final = "rapidfuzz, cpdist"
# Pairs by their characters; difflib, which takes a thousand times as long, gets a few of them.
_PAIRS: Final = {120: 10_000, 600: 4_000, 1_000: 2_000, 5_000: 150}
_FEW: Final = 3
_ROUNDS: Final = 5
_WORDS: Final = 3_000
_EDITED: Final = 0.1
_LETTERS: Final = "etaoinshrdlucmfwypvbgkjqxz"

Path = Callable[[], object]


@dataclass(frozen=True)
class Cost:
    """What pairs of one kind cost.

    Attributes:
        what: "ratio", "changes" or "scorer".
        characters: of a text, about.
        kind: "near" (one word in ten differs) or "unrelated".
        microseconds: CPU time a pair by each path; ours is ``OURS``.
    """

    what: str
    characters: int
    kind: str
    microseconds: Mapping[str, float]

    @property
    def gain(self) -> float:
        """How many times as fast as rapidfuzz over the same columns."""
        return self.microseconds[RAPIDFUZZ] / self.microseconds[OURS]


def measure_difference() -> list[Cost]:
    """Measure every path at every length."""
    costs = []
    for characters, n in _PAIRS.items():
        for kind in ("near", "unrelated"):
            pairs = _pairs(n, characters, near=kind == "near")
            paths = {"ratio": _ratio(pairs), "changes": _changes(pairs), "scorer": _scorer(pairs)}
            costs += [Cost(what, characters, kind, _turns(some, n)) for what, some in paths.items()]
    return costs


def print_difference() -> None:
    """Measure, and print a table."""
    print("difference of a pair, CPU microseconds")
    print(f"{'':8} {'chars':>6} {'':9} {'ours':>8} {'rapidfuzz':>10} {'ratio':>6}  others")
    for cost in measure_difference():
        others = {k: v for k, v in cost.microseconds.items() if k not in {OURS, RAPIDFUZZ}}
        print(
            f"{cost.what:8} {cost.characters:>6,} {cost.kind:9} {cost.microseconds[OURS]:>8.2f} "
            f"{cost.microseconds[RAPIDFUZZ]:>10.2f} {cost.gain:>5.1f}x  "
            + ", ".join(f"{name} {took:,.1f}" for name, took in others.items())
        )


def _ratio(pairs: pl.DataFrame) -> dict[str, Path]:
    left, right = pairs.get_columns()
    few = list(pairs.head(_FEW).iter_rows())
    paths: dict[str, Path] = {
        OURS: lambda: pair_lcs(left, right),
        RAPIDFUZZ: lambda: _lcs_by_rapidfuzz(left, right),
        "rapidfuzz, scalar": lambda: [LCSseq.similarity(*pair) for pair in pairs.iter_rows()],
        f"difflib ({_FEW} pairs)": lambda: _match(SequenceMatcher, few),
    }
    if find_spec("cdifflib"):
        matcher = import_module("cdifflib").CSequenceMatcher
        paths[f"cdifflib ({_FEW} pairs)"] = lambda: _match(matcher, few)
    return paths


def _changes(pairs: pl.DataFrame) -> dict[str, Path]:
    left, right = pairs.get_columns()
    return {
        OURS: lambda: pair_word_distance(left, right),
        RAPIDFUZZ: lambda: _distance_by_rapidfuzz(left, right),
    }


def _scorer(pairs: pl.DataFrame) -> dict[str, Path]:
    scorer = TextualDifferenceScorer()

    def by_rapidfuzz() -> pl.DataFrame:
        with patch.multiple(
            textual_difference,
            pair_lcs=_lcs_by_rapidfuzz,
            pair_word_distance=_distance_by_rapidfuzz,
        ):
            return score_pairs(scorer, pairs)

    return {OURS: lambda: score_pairs(scorer, pairs), RAPIDFUZZ: by_rapidfuzz}


def _lcs_by_rapidfuzz(left: pl.Series, right: pl.Series) -> pl.Series:
    sides = left.to_list(), right.to_list()
    return pl.Series(cpdist(*sides, scorer=LCSseq.similarity, dtype=np.int64))


def _distance_by_rapidfuzz(left: pl.Series, right: pl.Series) -> pl.Series:
    sides = ([text.split() for text in side.to_list()] for side in (left, right))
    return pl.Series(cpdist(*sides, scorer=Levenshtein.distance, dtype=np.int64))


def _match(matcher: Any, pairs: Sequence[tuple[str, str]]) -> list[float]:  # noqa: ANN401 - cdifflib has no types
    return [matcher(None, *pair).ratio() for pair in pairs]


def _turns(paths: Mapping[str, Path], n: int) -> dict[str, float]:
    """Let the paths take turns: the least CPU time of each, in microseconds a pair."""
    least = dict.fromkeys(paths, float("inf"))
    for _ in range(_ROUNDS):
        for name, path in paths.items():
            began = time.process_time()
            path()
            pairs = _FEW if "difflib" in name else n
            least[name] = min(least[name], 1e6 * (time.process_time() - began) / pairs)
    return least


def _pairs(n: int, characters: int, *, near: bool) -> pl.DataFrame:
    """Make pairs of texts of made-up words, some of them much more frequent than others."""
    random = np.random.default_rng(7)
    letters = np.array(list(_LETTERS))
    frequent = np.linspace(3, 1, len(letters))
    words = np.array(
        [
            "".join(random.choice(letters, size, p=frequent / frequent.sum()))
            for size in 1 + random.binomial(12, 0.35, _WORDS)
        ]
    )

    def drawn(size: int) -> Any:  # noqa: ANN401 - numpy's string arrays
        return words[(_WORDS * random.random(size) ** 3).astype(int)]

    left, right = [], []
    for _ in range(n):
        one = drawn(characters // 4)
        other = drawn(len(one))
        if near:
            other = np.where(random.random(len(one)) < _EDITED, other, one)
        left.append(" ".join(one)[:characters])
        right.append(" ".join(other)[:characters])
    return pl.DataFrame({"response": left, "reference": right})


if __name__ == "__main__":
    print_difference()
