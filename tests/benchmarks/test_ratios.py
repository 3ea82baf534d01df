"""No ratio falls under half of its goal: both sides in one process, in turns, the best of each."""

from __future__ import annotations

import pytest

from tests.benchmarks.ratios import GUARDS
from tests.benchmarks.sizes import SMALL


@pytest.mark.slow
@pytest.mark.parametrize("name", GUARDS)
def test_ratio_is_at_least_half_of_its_goal(name: str) -> None:
    guard = GUARDS[name]
    assert guard.ratio(SMALL) >= guard.floor
