"""Tokens to valences: VADER's rules about the words around one that its lexicon knows.

Each rule is VADER's, in VADER's order, its slips included; the numbers are those of its source.
"""

from __future__ import annotations

from math import isnan
from typing import Final

import numpy as np
import numpy.typing as npt

from ..kernels.compiled import Int, inlined, subroutine
from ..kernels.instructions import element
from .lexicon import (
    AT,
    BEGINS_PHRASE,
    BOOSTS,
    CONTINUES_PHRASE,
    DOUBT,
    IN_LEXICON,
    KIND,
    LEAST,
    NEGATES,
    NEVER,
    NO,
    NO_WORD,
    NOR,
    OF,
    OR,
    SO,
    THIS,
    VERY,
    WITHOUT,
)
from .tokens import IS_UPPER, Codes, Marks, Numbers

_BOOST_AT_2: Final = 0.95
_BOOST_AT_3: Final = 0.9
_NEVER_SO: Final = 1.25


@inlined
def is_charged(tokens: Codes, i: Int, marks: Marks) -> bool:
    """Whether a word of the lexicon counts: it is no booster, and not the kind of "kind of"."""
    word = element(tokens, i) >> 1
    return not element(marks, word) & BOOSTS and not (word == KIND and _word(tokens, i + 1) == OF)


@inlined
def valence_of(
    tokens: Codes,
    i: Int,
    caps_differ: bool,
    valences: Numbers,
    boosts: Numbers,
    marks: Marks,
    phrases: Codes,
    phrase_valences: Numbers,
    phrase_is_whole: npt.NDArray[np.bool_],
    phrase_boosts: Numbers,
    capitals: float,
    negation: float,
) -> tuple[float, bool]:
    """Give the valence of the charged word i, and whether it is an int to Python."""
    first, second, third = _word(tokens, i - 1), _word(tokens, i - 2), _word(tokens, i - 3)
    valence = _own_valence(tokens, i, valences, marks, negation)
    is_whole = False
    if caps_differ and element(tokens, i) & IS_UPPER:
        valence += capitals if valence > 0 else -capitals
    # A word before acts only if the lexicon does not know it.
    if i >= 1 and not element(marks, first) & IN_LEXICON:
        valence += _boost(element(tokens, i - 1), valence, caps_differ, boosts, capitals)
        if element(marks, first) & NEGATES:
            valence *= negation
    if i >= 2 and not element(marks, second) & IN_LEXICON:
        valence += (
            _boost(element(tokens, i - 2), valence, caps_differ, boosts, capitals) * _BOOST_AT_2
        )
        valence *= _negation_at_2(first, second, marks, negation)
    if i >= 3 and not element(marks, third) & IN_LEXICON:
        valence += (
            _boost(element(tokens, i - 3), valence, caps_differ, boosts, capitals) * _BOOST_AT_3
        )
        valence *= _negation_at_3(first, second, third, marks, negation)
        if _may_be_phrase(tokens, i, marks):
            valence, is_whole = _with_phrases(
                *(tokens, i, valence, marks),
                *(phrases, phrase_valences, phrase_is_whole, phrase_boosts),
            )
    # Not the "least" of "at least" and "very least".
    if (
        first == LEAST
        and not element(marks, LEAST) & IN_LEXICON
        and second != AT
        and second != VERY
    ):
        return valence * negation, False
    return valence, is_whole


@inlined
def _boost(
    token: Int, valence: float, caps_differ: bool, boosts: Numbers, capitals: float
) -> float:
    """Give what a word before adds to a valence, at full strength."""
    boost = float(element(boosts, token >> 1))
    if boost == 0:
        return 0.0
    if valence < 0:
        boost = -boost
    if caps_differ and token & IS_UPPER:
        boost += capitals if valence > 0 else -capitals
    return boost


@inlined
def _own_valence(tokens: Codes, i: Int, valences: Numbers, marks: Marks, negation: float) -> float:
    """Give a word's valence in the lexicon; "no" is rather a negation than a word of its own."""
    word = element(tokens, i) >> 1
    first, second, third = _word(tokens, i - 1), _word(tokens, i - 2), _word(tokens, i - 3)
    if first == NO or second == NO or (third == NO and (first == OR or first == NOR)):
        return float(element(valences, word) * negation)
    behind = _word(tokens, i + 1)
    if word == NO and behind != NO_WORD and element(marks, behind) & IN_LEXICON:
        return 0.0
    return float(element(valences, word))


@inlined
def _negation_at_2(first: Int, second: Int, marks: Marks, negation: float) -> float:
    """Give the factor of the word two before."""
    if second == NEVER and (first == SO or first == THIS):
        return _NEVER_SO
    if second == WITHOUT and first == DOUBT:
        return 1.0
    return negation if element(marks, second) & NEGATES else 1.0


@inlined
def _negation_at_3(first: Int, second: Int, third: Int, marks: Marks, negation: float) -> float:
    """Give the factor of the word three before."""
    # VADER's "and" binds before its "or": the word before may be "so" without any "never".
    if (third == NEVER and (second == SO or second == THIS)) or first == SO or first == THIS:
        return _NEVER_SO
    if third == WITHOUT and (second == DOUBT or first == DOUBT):
        return 1.0
    return negation if element(marks, third) & NEGATES else 1.0


@inlined
def _may_be_phrase(tokens: Codes, i: Int, marks: Marks) -> bool:
    """Whether a phrase may begin and go on in the words around word i, three before it at least."""
    third, second = element(marks, _word(tokens, i - 3)), element(marks, _word(tokens, i - 2))
    first, own = element(marks, _word(tokens, i - 1)), element(marks, _word(tokens, i))
    behind = _word(tokens, i + 1)
    continues = second | first | own | (0 if behind == NO_WORD else element(marks, behind))
    return (third | second | first | own) & BEGINS_PHRASE and continues & CONTINUES_PHRASE


@subroutine
def _with_phrases(
    tokens: Codes,
    i: Int,
    valence: float,
    marks: Marks,
    phrases: Codes,
    phrase_valences: Numbers,
    phrase_is_whole: npt.NDArray[np.bool_],
    phrase_boosts: Numbers,
) -> tuple[float, bool]:
    """Let phrases replace the valence, or boost it; True if it is then an int to Python."""
    first, second, third = _word(tokens, i - 1), _word(tokens, i - 2), _word(tokens, i - 3)
    word, behind = _word(tokens, i), _word(tokens, i + 1)
    back = (
        _phrase(first, word, NO_WORD, marks, phrases),
        _phrase(second, first, word, marks, phrases),
        _phrase(second, first, NO_WORD, marks, phrases),
        _phrase(third, second, first, marks, phrases),
        _phrase(third, second, NO_WORD, marks, phrases),
    )
    ahead = (
        _phrase(word, behind, NO_WORD, marks, phrases),
        _phrase(word, behind, _word(tokens, i + 2), marks, phrases),
    )
    is_whole = False
    for phrase in back:
        if phrase >= 0 and not isnan(element(phrase_valences, phrase)):
            valence, is_whole = element(phrase_valences, phrase), phrase_is_whole[phrase]
            break
    for phrase in ahead:
        if phrase >= 0 and not isnan(element(phrase_valences, phrase)):
            valence, is_whole = element(phrase_valences, phrase), phrase_is_whole[phrase]
    for phrase in (back[3], back[4], back[2]):
        if phrase >= 0 and element(phrase_boosts, phrase) != 0:
            valence, is_whole = valence + element(phrase_boosts, phrase), False
    return valence, is_whole


@inlined
def _phrase(first: Int, second: Int, third: Int, marks: Marks, phrases: Codes) -> np.int64:
    """Give the row of a phrase, or -1."""
    if (
        element(marks, first) & BEGINS_PHRASE
        and second != NO_WORD
        and element(marks, second) & CONTINUES_PHRASE
    ):
        for row in range(len(phrases)):
            if phrases[row, 0] == first and phrases[row, 1] == second and phrases[row, 2] == third:
                return np.int64(row)
    return np.int64(-1)


@inlined
def _word(tokens: Codes, i: Int) -> np.int64:
    return np.int64(element(tokens, i) >> 1) if 0 <= i < len(tokens) else np.int64(NO_WORD)
