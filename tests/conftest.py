"""Settings and fixtures that all tests share."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

_UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.register_profile("quick", _UNHURRIED, max_examples=100)
settings.register_profile("long", _UNHURRIED, max_examples=1000)
settings.load_profile("quick")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Give the folder of shared data beside the repository, or skip the test without it."""
    folder = Path(__file__).resolve().parents[2] / "shared"
    if not folder.is_dir():
        pytest.skip("../shared is not here: put the folder of shared data beside the repository")
    return folder
