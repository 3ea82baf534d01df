"""What a scan keeps in mind, in one array of whole numbers, and the sentences that it has found.

An opener (bracket, quotation, inline code) remembers where it stood. Ends are set behind it as
anywhere; when its closer comes and the sentence goes on, they are taken back. So nothing is read
twice, and an opener that is never closed does no harm.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import I64, U8, Bool, Int, inlined, subroutine
from .characters import LAST_BRACKET, PAIR_BITS, Classes
from .cursor import back_over_space
from .kinds import PLAIN, SIGNING

State = I64
# Two rows: where each sentence begins and ends, in the bytes of all texts.
Found = I64

# Where the text begins in the bytes of all texts.
BASE: Final = 0
# Sentences found so far, in all texts.
COUNT: Final = 1
# Where the open sentence begins, or NONE; and where its words do, behind markers and openers.
START: Final = 2
BODY: Final = 3
# The kind of the line before, and what several lines are together.
KIND: Final = 4
MODE: Final = 5
# Where the last line with text began, and the sentences found before it: NONE if it continued one.
LINE: Final = 6
LINE_COUNT: Final = 7
# Whether the lines are within a list: an indented one belongs to it.
IN_LIST: Final = 8
# The number and the mark of the list item that the line began with.
NUMBER: Final = 9
STYLE: Final = 10
# The last number of a list in these lines.
COUNTED: Final = 11
# The marks that may end the sentence: where they begin and of which kind they are; whether a
# bracket or quotation closed behind them; and the depth of the quotation's opener, or NONE.
MARK: Final = 12
MARK_KIND: Final = 13
QUOTED: Final = 14
BACK: Final = 15
DEPTH: Final = 16
_STACK: Final = 17
_FIELDS: Final = 4
_DEEPEST: Final = 32
STATE_SIZE: Final = _STACK + _FIELDS * _DEEPEST

NONE: Final = -1
# An opener's pair (with the length of a run of backticks above its bits), whether it stood within
# a sentence, and the sentences found and the open sentence's beginning then.
_PAIR: Final = 0
_WITHIN: Final = 1
_COUNT: Final = 2
_START: Final = 3


@subroutine
def reset(state: State, base: Int) -> None:
    """Begin a text."""
    count = state[COUNT]
    state[:_STACK] = 0
    state[BASE] = base
    state[COUNT] = count
    state[START] = NONE
    state[LINE_COUNT] = NONE


@subroutine
def end_block(state: State) -> None:
    """Pass a blank line: what lines are together ends, but a signature that is still to come."""
    if state[MODE] != SIGNING:
        state[MODE] = 0
    state[KIND] = 0
    state[COUNTED] = 0


@subroutine
def in_sentence(state: State) -> Bool:
    """Whether the line before is prose that has not ended its sentence: this one may go on."""
    return state[START] != NONE and state[KIND] == PLAIN


@inlined
def emit(begin: Int, end: Int, state: State, found: Found) -> None:
    """Note a sentence."""
    found[0, state[COUNT]] = state[BASE] + begin
    found[1, state[COUNT]] = state[BASE] + end
    state[COUNT] += 1
    state[START] = NONE


@subroutine
def close(text: U8, at: Int, chars: Classes, state: State, found: Found) -> None:
    """End the open sentence, if there is one, and forget what was opened."""
    if state[START] != NONE:
        emit(state[START], back_over_space(text, state[START], at, chars), state, found)
    state[DEPTH] = 0


@subroutine
def push(pair: Int, within: Bool, state: State) -> None:
    """Remember an opener; too many at once are passed over."""
    if state[DEPTH] < _DEEPEST:
        slot = _STACK + _FIELDS * state[DEPTH]
        state[slot + _PAIR] = pair
        state[slot + _WITHIN] = within
        state[slot + _COUNT] = state[COUNT]
        state[slot + _START] = state[START]
        state[DEPTH] += 1


@subroutine
def pop(pair: Int, state: State) -> np.int64:
    """Find the last opener of a pair, and forget it and those behind it: its depth, or NONE."""
    depth = state[DEPTH] - 1
    while depth >= 0:
        slot = _STACK + _FIELDS * depth
        if state[slot + _PAIR] == pair:
            state[DEPTH] = depth
            return np.int64(depth)
        depth -= 1
    return np.int64(NONE)


@subroutine
def is_open(pair: Int, state: State) -> Bool:
    """Whether an opener of a pair waits for its closer."""
    for depth in range(state[DEPTH]):
        if state[_STACK + _FIELDS * depth + _PAIR] & PAIR_BITS == pair:
            return True
    return False


@subroutine
def take_back(depth: Int, state: State) -> None:
    """Take back the ends that were set behind an opener which stood within a sentence."""
    slot = _STACK + _FIELDS * depth
    if depth != NONE and state[slot + _WITHIN]:
        state[COUNT] = state[slot + _COUNT]
        state[START] = state[slot + _START]


@subroutine
def close_pair(pair: Int, state: State) -> np.int64:
    """Close a pair: a bracket at once; for a quotation, the depth at which its ends lie."""
    depth = pop(pair, state)
    if pair <= LAST_BRACKET:
        take_back(depth, state)
        return np.int64(NONE)
    return depth
