"""The shipped numbers of the originals, on one core, beside what the originals themselves reach.

Run by ``python -m tests.benchmarks``, or alone with POLARS_MAX_THREADS=1.
"""

from __future__ import annotations

import time
from typing import Final

import polars as pl

from tonelog.scorers import create_scorer, score_pairs

# Measured with the TypeScript packages on one thread of a 2-core machine, at 1,000 characters.
ORIGINALS: Final = {"textual_difference": 34, "tone, comparison": 13_500, "tone, stability": 10_000}
_PAIRS: Final = 4_000
_SENTENCE: Final = (
    "The agent answered question {} quickly, and I was not happy with it. Great job! "
)
_CHARS: Final = 1_000


def pairs() -> pl.DataFrame:
    """Make pairs of about 1,000 characters, every tenth word replaced in the reference."""
    responses = [(_SENTENCE.format(n) * 20)[:_CHARS] for n in range(_PAIRS)]
    references = []
    for text in responses:
        words = text.split(" ")
        words[::10] = ["other"] * len(words[::10])
        references.append(" ".join(words))
    return pl.DataFrame({"response": responses, "reference": references})


def measure_originals() -> dict[str, float]:
    """Give pairs a second under ``profile="mastra"``, the best of three runs."""
    frame = pairs()
    modes = {"textual_difference": {}, "tone, comparison": {"mode": "comparison"}}
    modes["tone, stability"] = {"mode": "stability"}
    speeds = {}
    for name, options in modes.items():
        scorer = create_scorer(name.partition(",")[0], profile="mastra", **options)
        best = float("inf")
        for _ in range(3):
            began = time.perf_counter()
            score_pairs(scorer, frame)
            best = min(best, time.perf_counter() - began)
        speeds[name] = _PAIRS / best
    return speeds


if __name__ == "__main__":
    print("profile mastra, one core, 1,000 characters")
    print(f"{'':24} {'pairs/s':>9} {'original':>9} {'ratio':>7}")
    for name, speed in measure_originals().items():
        print(f"{name:24} {speed:>9,.0f} {ORIGINALS[name]:>9,} {speed / ORIGINALS[name]:>6.1f}x")
