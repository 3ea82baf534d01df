"""VADER's rules about the words around one, by numbers worked out by hand."""

from __future__ import annotations

import polars as pl
import pytest

from tests.oracles import compound_of
from tests.scorers.vader.exactness import as_compiled, as_said
from tonelog.scorers.sentiment import sentiment

UP, NOT, CAPITALS = 0.293, -0.74, 0.733
GOOD, BAD, KIND, NO, DOUBT = 1.9, -2.5, 2.4, -1.2, -1.5


@pytest.mark.parametrize(
    ("text", "valences"),
    [
        # Boosters, at three distances; the sign is that of the valence so far.
        ("very good", [GOOD + UP]),
        ("very x good", [GOOD + UP * 0.95]),
        ("very x x good", [GOOD + UP * 0.9]),
        ("very x x x good", [GOOD]),
        ("barely bad", [BAD + UP]),
        ("very bad", [BAD - UP]),
        ("very not good", [GOOD * NOT - UP * 0.95]),
        ("not very good", [(GOOD + UP) * NOT]),
        # A word of the lexicon modifies nothing, and a booster has no valence itself.
        ("like good", [1.5, GOOD]),
        ("tremendous good", [GOOD + UP]),
        # Negations.
        ("not good", [GOOD * NOT]),
        ("not x good", [GOOD * NOT]),
        ("not x x good", [GOOD * NOT]),
        ("not x x x good", [GOOD]),
        ("not not good", [GOOD * NOT * NOT]),
        ("gizn't good", [GOOD * NOT]),
        ("isn\u2019t good", [GOOD]),
        # Never so, this; without doubt.
        ("never good", [GOOD * NOT]),
        ("never so good", [(GOOD + UP) * 1.25]),
        ("never this good", [GOOD * 1.25]),
        ("never so x good", [(GOOD + UP * 0.95) * 1.25]),
        ("x x this good", [GOOD * 1.25]),
        ("x this good", [GOOD]),
        ("not x this good", [GOOD * 1.25]),
        ("without doubt good", [DOUBT * NOT, GOOD]),
        ("without x doubt good", [DOUBT * NOT, GOOD]),
        ("without x good", [GOOD * NOT]),
        # Least.
        ("least good", [GOOD * NOT]),
        ("x least good", [GOOD * NOT]),
        ("at least good", [GOOD]),
        ("very least good", [GOOD + UP * 0.95]),
        # No.
        ("no good", [GOOD * NOT]),
        ("no x good", [NO, GOOD * NOT]),
        ("no x x good", [NO, GOOD]),
        ("no x or good", [NO, GOOD * NOT]),
        ("no x nor good", [NO, GOOD * NOT * NOT]),
        ("no", [NO]),
        ("x no", [NO]),
        ("no no good", [0, NO * NOT, GOOD * NOT]),
        # Kind of.
        ("kind x", [KIND]),
        ("kind of", []),
        ("kind of good", [GOOD]),
        ("x kind of good", [GOOD - UP]),
        ("x x sort of good", [GOOD - UP]),
        ("x just enough good", [GOOD - UP]),
        ("x sort of x good", [GOOD - UP]),
        ("x sort of x bad", [BAD - UP]),
        # Phrases, only behind three other words.
        ("x x x the bomb", [3]),
        ("x x the bomb", [3]),
        ("x the bomb", [-2.2]),
        ("x x x yeah right", [-2]),
        ("x x yeah right", [1.2]),
        ("yeah right", [1.2]),
        ("x x bad ass", [BAD, 1.5]),
        ("x x x bad ass", [1.5, 1.5]),
        ("x x x beating heart", [3.5, 3.5]),
        ("x x x kiss of death", [-1.5, -1.5]),
        ("x x to die for good", [-2.9, 3]),
        ("x x x not the bomb", [3]),
    ],
)
def test_words_before_and_behind_change_a_valence(text: str, valences: list[float]) -> None:
    assert as_compiled([text]) == as_said([text])
    assert sentiment(pl.Series([text]))["compound"].item() == compound_of(*valences)


@pytest.mark.parametrize(
    ("text", "valences"),
    [
        ("GOOD x", [GOOD + CAPITALS]),
        ("BAD x", [BAD - CAPITALS]),
        ("GOOD X", [GOOD]),
        ("VERY good", [GOOD + UP + CAPITALS]),
        ("VERY x x good", [GOOD + (UP + CAPITALS) * 0.9]),
        ("BARELY good", [GOOD - UP + CAPITALS]),
        ("VERY bad", [BAD - UP - CAPITALS]),
        ("NOT GOOD x", [(GOOD + CAPITALS) * NOT]),
        # A valence of 0 is taken for a negative one.
        ("NO good", [-CAPITALS, GOOD * NOT]),
        ("ZERO x", [-CAPITALS]),
        ("VERY zero", [UP - CAPITALS]),
        ("very zero", [UP]),
    ],
)
def test_capitals_among_other_words_count(text: str, valences: list[float]) -> None:
    own = {"zero": 0.0}
    assert as_compiled([text], own) == as_said([text], own)
    compounds = sentiment(pl.Series([text]), "zero\t0.0")["compound"]
    assert compounds.item() == compound_of(*valences)
