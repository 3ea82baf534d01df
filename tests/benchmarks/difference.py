"""What a pair's difference costs, beside difflib and rapidfuzz: all in one run, taking turns."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from difflib import SequenceMatcher
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final
from unittest.mock import patch

import numpy as np
import polars as pl
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from tests.benchmarks.sizes import FULL, Size
from tests.benchmarks.tables import Row
from tonelog.scorers import TextualDifferenceScorer, score_pairs, textual_difference
from tonelog.scorers.similarity import pair_lcs, pair_word_distance

OURS: Final = "ours"
RAPIDFUZZ: Final = "rapidfuzz cpdist"
SCALAR: Final = "scalar"
DIFFLIB: Final = "difflib"
CDIFFLIB: Final = "cdifflib"
_COLUMNS: Final = (OURS, RAPIDFUZZ, SCALAR, DIFFLIB, CDIFFLIB)
TITLE: Final = "difference of a pair: CPU microseconds; gain over rapidfuzz cpdist"
# Pairs by their characters; difflib, which takes a thousand times as long, gets a few of them.
_PAIRS: Final = {120: 10_000, 600: 4_000, 1_000: 2_000, 5_000: 150}
_FEW: Final = 3
_WORDS: Final = 3_000
_EDITED: Final = 0.1
_LETTERS: Final = "etaoinshrdlucmfwypvbgkjqxz"

Path = Callable[[], object]


def measured(size: Size) -> list[Row]:
    """Measure every path at every length, for pairs that are near (a word in ten) and unrelated."""
    rows: list[Row] = []
    for characters, most in _PAIRS.items():
        n = max(_FEW, int(most * size.megabytes / FULL.megabytes))
        for kind in ("near", "unrelated"):
            pairs = _pairs(n, characters, near=kind == "near")
            paths = {"ratio": _ratio(pairs), "changes": _changes(pairs), "scorer": _scorer(pairs)}
            for what, some in paths.items():
                took = _turns(some, n, size.repeats)
                rows.append(
                    {
                        "what": what,
                        "characters": characters,
                        "pairs": kind,
                        **{name: took.get(name) for name in _COLUMNS},
                        "gain": took[RAPIDFUZZ] / took[OURS],
                    }
                )
    return rows


def _ratio(pairs: pl.DataFrame) -> dict[str, Path]:
    left, right = pairs.get_columns()
    few = list(pairs.head(_FEW).iter_rows())
    paths: dict[str, Path] = {
        OURS: lambda: pair_lcs(left, right),
        RAPIDFUZZ: lambda: _lcs_by_rapidfuzz(left, right),
        SCALAR: lambda: [LCSseq.similarity(*pair) for pair in pairs.iter_rows()],
        DIFFLIB: lambda: _match(SequenceMatcher, few),
    }
    if find_spec("cdifflib"):
        matcher = import_module("cdifflib").CSequenceMatcher
        paths[CDIFFLIB] = lambda: _match(matcher, few)
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


def _turns(paths: Mapping[str, Path], n: int, rounds: int) -> dict[str, float]:
    """Let the paths take turns: the least CPU time of each, in microseconds a pair."""
    least = dict.fromkeys(paths, float("inf"))
    for _ in range(rounds):
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
