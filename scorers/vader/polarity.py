"""Valences to polarity: compound, pos, neu and neg of a text, rounded as Python rounds."""

from __future__ import annotations

from math import copysign, floor, isfinite, isnan, sqrt
from typing import Final

import numpy as np
import numpy.typing as npt

from ..kernels.compiled import I64, U8, Int, compiled, inlined, read_only
from .contrast import contrast
from .lexicon import Lexicon
from .tokens import Codes, Marks, Numbers, tokenize
from .valence import is_charged, valence_of

SUM_IS_COMPENSATED: Final = sum([1e16, 1.0, -1e16]) == 1
"""From 3.12 on, Python's sum() carries what floats lose, which moves the last bit of some sums."""
_INTS_ARE_COMPENSATED: Final = sum([1e16, 1, -1e16]) == 1
"""Later versions also carry what is lost where an int is added to a float."""
SUM: Final = (
    "plain"
    if not SUM_IS_COMPENSATED
    else ("compensated_ints" if _INTS_ARE_COMPENSATED else "compensated")
)
"""How the running Python sums up, for signatures."""

_ALPHA: Final = 15.0
_SPLITTER: Final = 134217729.0
"""2**27 + 1 cuts a float into two halves (Dekker 1971)."""


def polarity(text: U8, starts: I64, ends: I64, lexicon: Lexicon) -> Numbers:
    """Score n texts, each from ``starts[i]`` to ``ends[i]`` in UTF-8: four columns of n numbers.

    The columns are compound, pos, neu and neg, as ``vaderSentiment`` gives them, in its rounding.
    Linear in the texts' bytes.
    """
    tokens = tokenize(text, read_only(starts), read_only(ends), lexicon)
    scores = np.empty((4, len(starts)))
    _score(
        tokens.tokens, tokens.offsets, tokens.in_lexicon, tokens.n_upper, tokens.but,
        tokens.emphasis, lexicon.valences, lexicon.boosts, lexicon.marks, lexicon.phrases,
        lexicon.phrase_valences, lexicon.phrase_is_whole, lexicon.phrase_boosts,
        lexicon.capitals, lexicon.negation, SUM_IS_COMPENSATED, _INTS_ARE_COMPENSATED, scores,
    )  # fmt: skip
    return scores


@compiled
def _score(
    tokens: Codes,
    offsets: I64,
    in_lexicon: I64,
    n_upper: I64,
    but: I64,
    emphasis: Numbers,
    word_valences: Numbers,
    boosts: Numbers,
    marks: Marks,
    phrases: Codes,
    phrase_valences: Numbers,
    phrase_is_whole: npt.NDArray[np.bool_],
    phrase_boosts: Numbers,
    capitals: float,
    negation: float,
    is_compensated: bool,
    ints_are_compensated: bool,
    scores: Numbers,
) -> None:
    most = np.diff(offsets).max() if len(offsets) > 1 else 0
    places, valences = np.empty(most, np.int64), np.empty(most, np.float64)
    is_plain = np.empty(most, np.bool_)
    charged = 0
    for text in range(len(emphasis)):
        start, end = offsets[text], offsets[text + 1]
        words = tokens[start:end]
        caps_differ = 0 < n_upper[text] < len(words)
        n = 0
        # Python's sum is an int until it meets a float, be it 0.0. "but" makes a float of the first
        # zero, or of all that stands before it.
        sum_is_int = but[text] < 0
        while charged < len(in_lexicon) and in_lexicon[charged] < end:
            i = in_lexicon[charged] - start
            charged += 1
            if is_charged(words, i, marks):
                valence, whole = valence_of(
                    *(words, i, caps_differ, word_valences, boosts, marks, phrases),
                    *(phrase_valences, phrase_is_whole, phrase_boosts, capitals, negation),
                )
                # Zeros count as the words without a valence do.
                if valence != 0:
                    places[n], valences[n] = i, valence
                    is_plain[n] = sum_is_int or (whole and not ints_are_compensated)
                    n += 1
                sum_is_int = sum_is_int and whole
        if n and but[text] >= 0:
            contrast(valences[:n], places[:n], but[text] - start, is_plain[:n])
        total = _sum(valences[:n], is_plain[:n], is_compensated)
        scores[0, text], scores[1, text], scores[2, text], scores[3, text] = _polarity(
            valences[:n], total, len(words), emphasis[text]
        )


@inlined
def _sum(valences: Numbers, is_plain: npt.NDArray[np.bool_], is_compensated: bool) -> float:
    """Sum up as Python does, left to right; compensated, but for values that are added plainly."""
    total = lost = 0.0
    for i in range(len(valences)):
        value = valences[i]
        before, total = total, total + value
        if is_compensated and not is_plain[i]:
            if abs(before) >= abs(value):
                lost += before - total + value
            else:
                lost += value - total + before
    return total + lost if isfinite(lost) else total


@inlined
def _polarity(
    valences: Numbers, total: float, n_words: Int, emphasis: float
) -> tuple[float, float, float, float]:
    """Give compound, pos, neu and neg."""
    if n_words == 0:
        return 0.0, 0.0, 0.0, 0.0
    positive = negative = 0.0
    neutral = n_words
    for value in valences:
        neutral -= value != 0
        if value > 0:
            positive += value + 1
        elif value < 0:
            negative += value - 1
    if total > 0:
        total += emphasis
    elif total < 0:
        total -= emphasis
    # VADER holds this within -1 and 1, where it is anyway.
    compound = total / sqrt(total * total + _ALPHA)
    if positive > -negative:
        positive += emphasis
    elif positive < -negative:
        negative -= emphasis
    whole = positive - negative + neutral
    return (
        _round(compound, 1e4),
        _round(positive / whole, 1e3),
        _round(neutral / whole, 1e3),
        _round(abs(negative / whole), 1e3),
    )


@inlined
def _round(value: float, units: float) -> float:
    """Round to 1 / units as Python does: by the exact product, a tie to the even neighbor."""
    if isnan(value):
        return value
    size = abs(value)
    product = size * units
    whole = floor(product)
    over = product - whole - 0.5
    if over == 0:
        over = _product_error(size, units, product)
    if over > 0 or (over == 0 and whole % 2 == 1):
        whole += 1
    return copysign(whole / units, value)


@inlined
def _product_error(left: float, right: float, product: float) -> float:
    """What a rounded product leaves out, exactly (Dekker 1971)."""
    left_high = left * _SPLITTER - (left * _SPLITTER - left)
    right_high = right * _SPLITTER - (right * _SPLITTER - right)
    left_low, right_low = left - left_high, right - right_high
    error = left_high * right_high - product
    return error + left_high * right_low + left_low * right_high + left_low * right_low
