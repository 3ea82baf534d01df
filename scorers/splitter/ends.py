"""Whether a sentence ends at a mark, by the word before it and by what follows."""

from __future__ import annotations

from typing import Final

import numpy as np

from tonelog.scorers.compiled import Bytes, Int, step, inlined
from tonelog.scorers.splitter.ascii import (
    BLANK_SPACE,
    CAPITAL_I,
    COLON,
    DOT,
    ZERO,
    byte_set,
    is_one_of,
)
from tonelog.scorers.splitter.characters import (
    ALNUM,
    DIGIT,
    ELLIPSIS,
    FULL_STOP,
    LETTER,
    LETTERS,
    LOWER,
    STOP,
    STOPS,
    UPPER,
    Classes,
)
from tonelog.scorers.splitter.state import ITEM, MARK, MARK_KIND, QUOTED, START, State
from tonelog.scorers.splitter.text import (
    after_char,
    before_char,
    class_at,
    digits_end,
    follower,
    is_among,
    is_at,
    is_break,
    skip_openers,
    word_begin,
    word_end,
)
from tonelog.scorers.splitter.words import (
    ALWAYS,
    BEFORE_DIGIT,
    BEFORE_LOWER,
    BEFORE_NAME,
    CLOCK,
    CLOCK_NAME,
    JOINT,
    LABEL,
    MARKED_NAME,
    PREPOSITION,
    SAYS,
    STARTER,
    UNLESS_STARTER,
    Words,
    flags_of,
)

# Beside STOP, FULL_STOP and ELLIPSIS: a single dot, and spaced ones.
PERIOD: Final = 16
SPACED: Final = 17
_JOINTS: Final = byte_set("-,;:")
_BEFORE_ITEM: Final = byte_set(":,;(")
# A capital behind one of these is a key, a sharp or the end of a contraction.
_BEFORE_LABEL: Final = byte_set("'+/#_&")
_MOST_SAYS: Final = 4
# The first byte of Chinese colons and commas.
_WIDE_COLON: Final = np.int64(0xEF)
_LONGEST_OPENING: Final = 16


@inlined
def stop_end(text: Bytes, at: Int, chars: Classes, state: State) -> np.int64:
    """Where the marks at ``at`` end, spaced dots too; sets MARK and MARK_KIND."""
    kind = np.int64(ELLIPSIS)
    end = np.int64(at)
    dots = 0
    spaced = False
    while True:
        of_class = class_at(text, end, chars)
        if not is_among(of_class, STOPS):
            if dots == 0 or not _is_spaced_dot(text, end, chars):
                break
            spaced = True
            end += 1
        elif of_class == FULL_STOP or (of_class == STOP and text[end] != DOT and kind != FULL_STOP):
            kind = of_class
        dots += text[end] == DOT
        end = after_char(text, end)
    if kind == ELLIPSIS and spaced:
        kind = np.int64(SPACED)
    elif kind == ELLIPSIS and dots == 1 and end == at + 1:
        kind = np.int64(PERIOD)
    state[MARK] = at
    state[MARK_KIND] = kind
    state[QUOTED] = 0
    return end


@step
def _is_spaced_dot(text: Bytes, at: Int, chars: Classes) -> bool:
    """Whether a space and a dot that stands alone, as in a spaced ellipsis, come at ``at``."""
    if not (is_at(text, at, BLANK_SPACE) and is_at(text, at + 1, DOT)):
        return False
    return not is_among(class_at(text, at + 2, chars), ALNUM)


@inlined
def goes_on(text: Bytes, end: Int, chars: Classes, words: Words, state: State) -> bool:
    """Whether the sentence goes on behind its marks and what closes behind them, at ``end``."""
    kind = state[MARK_KIND]
    quoted = state[QUOTED] != 0
    if kind == FULL_STOP:
        return quoted and _says(text, end, chars, words)
    if not is_break(text, end, chars):
        return True
    then = follower(text, end, chars)
    if then == len(text):
        return False
    word = skip_openers(text, then, chars)
    of_class = class_at(text, word, chars)
    if kind == ELLIPSIS or kind == SPACED:
        if state[MARK] == state[START]:
            return True
        # An I is always a capital: it tells nothing behind spaced dots, which leave words out.
        if kind == SPACED and is_at(text, word, CAPITAL_I):
            return word_end(text, word, chars) == word + 1
        return of_class != UPPER and of_class != LETTER
    if quoted and (of_class == LOWER or is_one_of(text[then], _JOINTS)):
        return True
    if kind == STOP:
        return of_class == LOWER and _is_of_a_name(text, state[MARK], chars, words, state)
    return _period_goes_on(text, state[MARK], word, of_class, chars, words, state)


@step
def _says(text: Bytes, end: Int, chars: Classes, words: Words) -> bool:
    """Whether a sentence goes on behind a quotation in a script without case."""
    if class_at(text, follower(text, end, chars), chars) == LOWER:
        return True
    stop = end
    for _ in range(_MOST_SAYS):
        if class_at(text, stop, chars) != LETTER:
            break
        stop = after_char(text, stop)
        if flags_of(text, end, stop, words) & SAYS:
            # Behind 我说 a colon begins the next quotation.
            return not (is_at(text, stop, COLON) or is_at(text, stop, _WIDE_COLON))
    return False


@step
def _is_of_a_name(text: Bytes, at: Int, chars: Classes, words: Words, state: State) -> bool:
    """Whether ! or ? is a name's (Yahoo!), or stands apart as an operator does."""
    if at > state[START] and is_break(text, before_char(text, at), chars):
        return True
    begin = word_begin(text, at, state[START], chars)
    return flags_of(text, begin, at, words) & MARKED_NAME != 0


@inlined
def _period_goes_on(
    text: Bytes, at: Int, then: Int, of_class: Int, chars: Classes, words: Words, state: State
) -> bool:
    """Whether a sentence goes on behind the dot at ``at``, with its next word at ``then``."""
    begin = word_begin(text, at, state[START], chars)
    if begin == at:
        return False
    if digits_end(text, begin) == at:
        return _is_item(text, begin, at, of_class, chars, words, state)
    flags = flags_of(text, begin, at, words)
    if not flags & (ALWAYS | UNLESS_STARTER):
        flags = _flags_by_shape(text, begin, at, then, chars, words, state)
    if flags == 0:
        return False
    if flags & ALWAYS:
        return True
    if of_class == DIGIT:
        return flags & BEFORE_DIGIT != 0
    if of_class != UPPER and of_class != LETTER:
        return flags & BEFORE_LOWER != 0
    next_flags = flags_of(text, then, word_end(text, then, chars), words)
    if flags & CLOCK:
        return next_flags & CLOCK_NAME != 0 or _is_opening(text, at, chars, words, state)
    return flags & BEFORE_NAME != 0 and not next_flags & STARTER


@step
def _is_opening(text: Bytes, at: Int, chars: Classes, words: Words, state: State) -> bool:
    """Whether the sentence so far says only when: At 5 a.m. Mr. Smith left."""
    first = skip_openers(text, state[START], chars)
    flags = flags_of(text, first, word_end(text, first, chars), words)
    return flags & PREPOSITION != 0 and at - first <= _LONGEST_OPENING


@inlined
def _flags_by_shape(
    text: Bytes, begin: Int, at: Int, then: Int, chars: Classes, words: Words, state: State
) -> np.int64:
    """Flags of a word that looks like an abbreviation: an initial, letters with dots."""
    if after_char(text, begin) == at:
        of_class = class_at(text, begin, chars)
        if of_class == UPPER:
            named = _is_initial(text, begin, chars, words, state)
            return np.int64(UNLESS_STARTER if named else 0)
        # Spaced letters with dots: z. B., e. g.
        spaced = of_class == LOWER and is_among(class_at(text, then, chars), LETTERS)
        return np.int64(ALWAYS if spaced and is_at(text, after_char(text, then), DOT) else 0)
    while begin < at and is_among(class_at(text, begin, chars), LETTERS):
        begin = after_char(text, begin)
        if text[begin] != DOT:
            return np.int64(0)
        begin += 1
    return np.int64(UNLESS_STARTER if begin > at else 0)


@step
def _is_initial(text: Bytes, begin: Int, chars: Classes, words: Words, state: State) -> bool:
    """Whether a capital letter is a name's initial, and no label (plan B) nor the pronoun I."""
    end = begin
    while end > state[START] and is_at(text, end - 1, BLANK_SPACE):
        end -= 1
    before = word_begin(text, end, state[START], chars)
    if begin > state[START] and is_one_of(text[begin - 1], _BEFORE_LABEL):
        return False
    if flags_of(text, before, end, words) & LABEL:
        return False
    return text[begin] != CAPITAL_I or class_at(text, before, chars) == UPPER


@step
def _is_item(
    text: Bytes, begin: Int, at: Int, of_class: Int, chars: Classes, words: Words, state: State
) -> bool:
    """Whether a number with a dot counts an item within the sentence: 1. wait or 2. retry."""
    if at - begin > 1 or np.int64(text[begin]) - ZERO != state[ITEM] + 1:
        return False
    end = begin
    while end > state[START] and is_at(text, end - 1, BLANK_SPACE):
        end -= 1
    joined = end > state[START] and is_one_of(text[end - 1], _BEFORE_ITEM)
    if not joined:
        before = word_begin(text, end, state[START], chars)
        joined = flags_of(text, before, end, words) & JOINT != 0 or of_class == LOWER
    if joined:
        state[ITEM] += 1
    return joined
