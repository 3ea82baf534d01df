"""The measure of growth tells a square from a line."""

from __future__ import annotations

from tests.growth import TIMES, is_linear


def test_a_square_is_told_from_a_line() -> None:
    n = 60
    assert is_linear(lambda n: [i for i in range(1000 * n)], n, TIMES * n)  # noqa: C416 - takes its time
    assert not is_linear(lambda n: [i for i in range(n) for _ in range(n)], n, TIMES * n)
