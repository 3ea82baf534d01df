"""Tokens to valences: VADER's rules about the words around one that its lexicon knows.

Each rule is VADER's, in VADER's order, its slips included; the numbers are those of its source.
"""

from __future__ import annotations

from math import isnan
from typing import Final

import numpy as np
import numpy.typing as npt

from tonelog.scorers.compiled import Int, compiled
from tonelog.scorers.vader.lexicon import (
    AT,
    BEGINS_PHRASE,
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
from tonelog.scorers.vader.tokens import IS_UPPER

Numbers = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Marks = npt.NDArray[np.uint8]

_BOOST_AT_2: Final = 0.95
_BOOST_AT_3: Final = 0.9
_NEVER_SO: Final = 1.25


@compiled
def is_charged(tokens: Codes, i: Int, boosts: Numbers, marks: Marks) -> bool:
    """Whether a word counts: it is in the lexicon, and neither a booster nor the kind of kind of."""
    word = tokens[i] >> 1
    if not marks[word] & IN_LEXICON or boosts[word] != 0:
        return False
    return not (word == KIND and _word(tokens, i + 1) == OF)


@compiled
def valence_of(
    tokens: Codes,
    i: Int,
    caps_differ: bool,  # noqa: FBT001 - a fact of the text, as are the tokens
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
    """Give the valence of the charged word i, and whether Python would hold it as an int."""
    before = (_word(tokens, i - 1), _word(tokens, i - 2), _word(tokens, i - 3))
    valence = _own_valence(tokens, i, before, valences, marks, negation)
    if caps_differ and tokens[i] & IS_UPPER:
        valence += capitals if valence > 0 else -capitals
    is_whole = False
    for distance in range(1, min(i, 3) + 1):
        word = before[distance - 1]
        if marks[word] & IN_LEXICON:
            continue
        boost = boosts[word]
        if boost != 0:
            if valence < 0:
                boost = -boost
            if caps_differ and tokens[i - distance] & IS_UPPER:
                boost += capitals if valence > 0 else -capitals
            if distance == 2:
                boost *= _BOOST_AT_2
            elif distance == 3:
                boost *= _BOOST_AT_3
            valence += boost
        valence *= _negation(before, distance, marks, negation)
        if distance == 3:
            valence, is_whole = _with_phrases(
                *(tokens, i, before, valence, marks, phrases),
                *(phrase_valences, phrase_is_whole, phrase_boosts),
            )
    if _is_least(before, marks):
        return valence * negation, False
    return valence, is_whole


@compiled
def _own_valence(
    tokens: Codes,
    i: Int,
    before: tuple[np.int64, np.int64, np.int64],
    valences: Numbers,
    marks: Marks,
    negation: float,
) -> float:
    """Give a word's valence in the lexicon; "no" is rather a negation than a word of its own."""
    word = tokens[i] >> 1
    if NO in (before[0], before[1]) or (before[2] == NO and before[0] in (OR, NOR)):
        return float(valences[word] * negation)
    behind = _word(tokens, i + 1)
    if word == NO and behind != NO_WORD and marks[behind] & IN_LEXICON:
        return 0.0
    return float(valences[word])


@compiled
def _negation(
    before: tuple[np.int64, np.int64, np.int64], distance: Int, marks: Marks, negation: float
) -> float:
    """Give the factor of a word before, if it negates."""
    first, second, third = before
    if distance == 2:  # noqa: PLR2004 - words between
        if second == NEVER and first in (SO, THIS):
            return _NEVER_SO
        if second == WITHOUT and first == DOUBT:
            return 1.0
    if distance == 3:  # noqa: PLR2004
        # VADER's and binds before its or: "so" and "this" need no "never".
        if (third == NEVER and second in (SO, THIS)) or first in (SO, THIS):
            return _NEVER_SO
        if third == WITHOUT and DOUBT in (first, second):
            return 1.0
    return negation if marks[before[distance - 1]] & NEGATES else 1.0


@compiled
def _with_phrases(
    tokens: Codes,
    i: Int,
    before: tuple[np.int64, np.int64, np.int64],
    valence: float,
    marks: Marks,
    phrases: Codes,
    phrase_valences: Numbers,
    phrase_is_whole: npt.NDArray[np.bool_],
    phrase_boosts: Numbers,
) -> tuple[float, bool]:
    """Let phrases replace the valence, or boost it; True if it is then an int to Python."""
    first, second, third = before
    word, behind = np.int64(tokens[i] >> 1), _word(tokens, i + 1)
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
        if phrase >= 0 and not isnan(phrase_valences[phrase]):
            valence, is_whole = phrase_valences[phrase], phrase_is_whole[phrase]
            break
    for phrase in ahead:
        if phrase >= 0 and not isnan(phrase_valences[phrase]):
            valence, is_whole = phrase_valences[phrase], phrase_is_whole[phrase]
    for phrase in (back[3], back[4], back[2]):
        if phrase >= 0 and phrase_boosts[phrase] != 0:
            valence, is_whole = valence + phrase_boosts[phrase], False
    return valence, is_whole


@compiled
def _phrase(first: Int, second: Int, third: Int, marks: Marks, phrases: Codes) -> np.int64:
    """Give the row of a phrase, or -1."""
    if marks[first] & BEGINS_PHRASE:
        for row in range(len(phrases)):
            phrase = phrases[row]
            if phrase[0] == first and phrase[1] == second and phrase[2] == third:
                return np.int64(row)
    return np.int64(-1)


@compiled
def _is_least(before: tuple[np.int64, np.int64, np.int64], marks: Marks) -> bool:
    """Whether the word before is a "least" that negates: not that of "at least", "very least"."""
    first, second, _ = before
    return first == LEAST and not marks[LEAST] & IN_LEXICON and second not in (AT, VERY)


@compiled
def _word(tokens: Codes, i: Int) -> np.int64:
    return np.int64(tokens[i] >> 1) if 0 <= i < len(tokens) else np.int64(NO_WORD)
