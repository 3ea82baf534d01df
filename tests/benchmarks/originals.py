"""The shipped numbers of the originals, on one core, beside what the originals themselves reach."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import polars as pl

from tests.benchmarks.measure import side_by_side
from tests.benchmarks.sizes import Size
from tests.benchmarks.tables import Row
from tonelog.scorers import create_scorer, score_pairs

TITLE: Final = "Profile mastra, one core, 1,000 characters, beside the originals on another machine"
# Measured with the TypeScript packages on one thread of a 2-core machine, at 1,000 characters.
_ORIGINALS: Final = {
    "textual_difference": 34,
    "tone, comparison": 13_500,
    "tone, stability": 10_000,
}
_OPTIONS: Final[dict[str, dict[str, Any]]] = {
    "textual_difference": {},
    "tone, comparison": {"mode": "comparison"},
    "tone, stability": {"mode": "stability"},
}
_PAIRS: Final = 4_000
_SENTENCE: Final = (
    "The agent answered question {} quickly, and I was not happy with it. Great job! "
)
_CHARS: Final = 1_000


def measured(size: Size) -> list[Row]:
    """Give pairs a second under ``profile="mastra"``."""
    frame = _pairs()
    calls = {}
    for name, options in _OPTIONS.items():
        scorer = create_scorer(name.partition(",")[0], profile="mastra", **options)
        calls[name] = partial(score_pairs, scorer, frame)
    seconds = side_by_side(calls, repeats=size.repeats)
    return [
        {
            "scorer": name,
            "pairs/s": _PAIRS / took,
            "original": _ORIGINALS[name],
            "ratio": _PAIRS / took / _ORIGINALS[name],
        }
        for name, took in seconds.items()
    ]


def _pairs() -> pl.DataFrame:
    """Make pairs of about 1,000 characters, every tenth word replaced in the reference."""
    responses = [(_SENTENCE.format(n) * 20)[:_CHARS] for n in range(_PAIRS)]
    references = []
    for text in responses:
        words = text.split(" ")
        words[::10] = ["other"] * len(words[::10])
        references.append(" ".join(words))
    return pl.DataFrame({"response": responses, "reference": references})
