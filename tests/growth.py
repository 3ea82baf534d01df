"""Whether time grows with the length of what is read, or with its square."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Final, TypeVar

Input = TypeVar("Input")

TIMES: Final = 8
"""How much longer the long input has to be."""
# Eight times as long takes eight times the time if that is linear, 64 times if quadratic.
_MOST: Final = 24
_TURNS: Final = 9


def is_linear(call: Callable[[Input], object], short: Input, long: Input) -> bool:
    """Measure what both take at best, in turns: what else the machine does slows down both."""
    best_short = best_long = float("inf")
    call(short)
    for _ in range(_TURNS):
        best_short = min(best_short, _seconds(call, short))
        best_long = min(best_long, _seconds(call, long))
        if best_long < _MOST * best_short:
            return True
    return False


def _seconds(call: Callable[[Input], object], some: Input) -> float:
    began = process_time()
    call(some)
    return process_time() - began
