"""Brackets, quotations and inline code: what opens and what closes within a sentence."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import U8, Bool, Int, subroutine
from ..kernels.utf8 import before_char, next_char
from .ascii import byte_set, is_one_of
from .characters import (
    ALNUM,
    BACKTICK,
    CLASS_BITS,
    CLOSE,
    CURLY,
    CURVED_SINGLE,
    MARKUP,
    NEWLINE,
    OPEN,
    PAIR_SHIFT,
    QUOTE,
    SPACE,
    SQUARE,
    STRAIGHT_SINGLE,
    WHITE,
    Classes,
    class_set,
)
from .cursor import (
    class_at,
    is_among,
    is_break,
    run_end,
)
from .list_items import begin_item, is_next_item
from .state import (
    BODY,
    NONE,
    START,
    Found,
    State,
    is_open,
    pop,
    push,
    take_back,
)
from .word_flags import Words

_PARENTHESIS: Final = 1
_BEFORE_WORD: Final = class_set(SPACE, NEWLINE, OPEN, QUOTE, MARKUP)
_EYES: Final = byte_set(":;=")
_NOSES: Final = byte_set("-'")


@subroutine
def read_quote(text: U8, at: Int, pair: Int, chars: Classes, state: State) -> np.int64:
    """Read one of the marks that both open and close, behind which no stop stands."""
    end = np.int64(at + 1)
    if pair == BACKTICK:
        end = run_end(text, at, text[at])
        run = pair | end - at << PAIR_SHIFT
        depth = pop(run, state)
        take_back(depth, state)
        if depth == NONE and not is_open(pair, state):
            push(run, end > at, state)
        return end
    if pair == STRAIGHT_SINGLE:
        if _is_single_opener(text, at, end, chars, state):
            _open_pair(at, end, pair, state)
        elif _is_single_closer(text, at, end, chars):
            take_back(pop(pair, state), state)
        return end
    spaced = is_break(text, end, chars)
    if is_open(pair, state) and (spaced or not _begins_word(text, at, chars, state)):
        take_back(pop(pair, state), state)
    elif not spaced:
        _open_pair(at, end, pair, state)
    return end


@subroutine
def _begins_word(text: U8, at: Int, chars: Classes, state: State) -> Bool:
    """Whether a word could begin at ``at``: white space or an opener stands before it."""
    if at <= state[BODY]:
        return True
    before = class_at(text, before_char(text, at), chars)
    return is_among(before, _BEFORE_WORD)


@subroutine
def _is_single_opener(text: U8, at: Int, end: Int, chars: Classes, state: State) -> Bool:
    """Whether a single quote opens: a word begins behind it, and none ends before it."""
    return not is_break(text, end, chars) and _begins_word(text, at, chars, state)


@subroutine
def _is_single_closer(text: U8, at: Int, end: Int, chars: Classes) -> Bool:
    """Whether a single quote closes and is no apostrophe: a mark stands before it, no letter."""
    behind = class_at(text, end, chars)
    if at == 0 or is_among(behind, ALNUM):
        return False
    # White space and a word behind a letter: the users' files.
    return behind != SPACE or not is_among(class_at(text, before_char(text, at), chars), ALNUM)


@subroutine
def _open_pair(at: Int, end: Int, pair: Int, state: State) -> None:
    """Remember an opener; at the beginning of a sentence, that stays its beginning."""
    push(pair, at > state[BODY] or pair == SQUARE or pair == CURLY, state)
    if at == state[BODY]:
        state[BODY] = end


@subroutine
def read_opener(text: U8, at: Int, pair: Int, chars: Classes, state: State) -> np.int64:
    """Read an opening bracket or quote."""
    end = next_char(text, at)
    if pair > 0 and not (pair == _PARENTHESIS and _is_face(text, at, end, chars, state)):
        _open_pair(at, end, pair, state)
    return end


@subroutine
def _is_face(text: U8, at: Int, end: Int, chars: Classes, state: State) -> Bool:
    """Whether a parenthesis is the mouth of an emoticon."""
    eyes = at - 1
    if eyes > state[START] and is_one_of(text[eyes], _NOSES):
        eyes -= 1
    if eyes < state[START] or not is_one_of(text[eyes], _EYES):
        return False
    return is_break(text, end, chars) and (
        eyes == state[START] or is_break(text, before_char(text, eyes), chars)
    )


@subroutine
def read_closer(
    text: U8, at: Int, pair: Int, chars: Classes, words: Words, state: State, found: Found
) -> np.int64:
    """Read a closing bracket or quote, behind which no stop stands: the sentence goes on."""
    end = next_char(text, at)
    if pair == CURVED_SINGLE and not _is_single_closer(text, at, end, chars):
        return end
    if pair == _PARENTHESIS:
        if _is_face(text, at, end, chars, state):
            return end
        if not is_open(pair, state) and is_next_item(text, at, end, chars, words, state):
            return begin_item(text, at, end, chars, state, found)
    take_back(pop(pair, state), state)
    return end


@subroutine
def closes(text: U8, at: Int, entry: Int, chars: Classes, state: State) -> Bool:
    """Whether a bracket or quote right behind a stop closes."""
    of_class = entry & CLASS_BITS
    pair = entry >> PAIR_SHIFT
    if pair == BACKTICK or pair == 0:
        return False
    if of_class == CLOSE:
        return True
    behind = class_at(text, next_char(text, at), chars)
    if of_class == QUOTE:
        return is_open(pair, state) or not is_among(behind, ALNUM)
    return pair > SQUARE + 3 and is_among(behind, WHITE)
