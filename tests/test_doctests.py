"""Every example in a docstring does what it says."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module

import pytest

import tonelog.jobs
import tonelog.scorers

_PACKAGES = (tonelog.jobs, tonelog.scorers)
MODULES = [
    *(package.__name__ for package in _PACKAGES),
    *(
        module.name
        for package in _PACKAGES
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not module.name.endswith("__main__")
    ),
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_are_true(name: str) -> None:
    # A failed example prints what was expected and what came; pytest shows it.
    assert doctest.testmod(import_module(name), verbose=False).failed == 0


def test_modules_of_both_packages_are_found() -> None:
    assert {"tonelog.jobs", "tonelog.scorers", "tonelog.scorers.tone"} <= set(MODULES)


def test_scorers_have_examples() -> None:
    module = import_module("tonelog.scorers.tone")
    assert doctest.testmod(module, verbose=False).attempted > 0
