"""Each of VADER's rules, broken on purpose, is told by the texts of the quick test."""

from __future__ import annotations

import pytest

from tests.scorers.vader.mutants import MUTANTS, counts


def test_every_rule_has_mutants() -> None:
    assert {mutant.rule for mutant in MUTANTS} == set(range(1, 21))


@pytest.mark.slow
def test_the_texts_tell_every_mutant_and_no_unbroken_copy() -> None:
    unbroken, survivors = [], []
    for mutant, count in counts(MUTANTS):
        if mutant is None:
            unbroken.append(count)
        elif count == 0:
            survivors.append(mutant)
    assert unbroken == [0, 0]
    assert survivors == []
