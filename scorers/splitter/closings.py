"""What closes behind the marks of an end: quotes, brackets, markup, emoji, notes, tags."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import U8, Bool, Int, inlined, subroutine
from ..kernels.utf8 import next_char
from .ascii import BEYOND, BLANK_SPACE, LEFT_SQUARE, LESS
from .characters import (
    CLASS_BITS,
    CLOSE,
    EMOJI,
    JOINED,
    LETTERS,
    MARKUP,
    OPEN,
    PAIR_SHIFT,
    QUOTE,
    SPACE,
    SQUARE,
    STOPS,
    Classes,
    class_set,
)
from .cursor import (
    class_at,
    entry_at,
    is_among,
    is_break,
    run_end,
    skip_space,
)
from .ends import stop_end
from .inline_markup import break_end, emoticon_end, note_end, tags_end
from .pairs import closes
from .state import BACK, NONE, QUOTED, START, State, close_pair
from .word_flags import Words

_PAIRED: Final = class_set(CLOSE, QUOTE, OPEN)


@inlined
def is_before_word(text: U8, at: Int, chars: Classes) -> Bool:
    """Whether a space and an ASCII letter follow, so that nothing closes."""
    if at + 1 >= len(text) or text[at] != BLANK_SPACE or text[at + 1] >= BEYOND:
        return False
    return is_among(np.int64(chars[text[at + 1]]), LETTERS)


@subroutine
def closed_end(
    text: U8, end: Int, chars: Classes, words: Words, state: State
) -> tuple[Bool, np.int64]:
    """Where what closes behind a stop ends: quotes, brackets, markup, emoji, notes, tags.

    Also tells whether a tag among them ends the sentence whatever follows.
    """
    forced: Bool = False
    while end < len(text):
        entry = entry_at(text, end, chars)
        of_class = entry & CLASS_BITS
        stop = end
        if is_among(of_class, STOPS):
            stop = stop_end(text, end, chars, state)
        elif is_among(of_class, _PAIRED):
            stop = _pair_end(text, end, entry, chars, state)
        elif of_class == EMOJI or of_class == JOINED:
            stop = next_char(text, end)
        elif of_class == MARKUP:
            stop = _markup_end(text, end, chars, state)
        elif of_class == SPACE:
            stop = _attached_end(text, end, chars, words)
        elif text[end] == LESS:
            stop = tags_end(text, end, words)
            forced = forced or break_end(text, end, words) > end
        if stop == end:
            break
        end = stop
    return forced, np.int64(end)


@subroutine
def _pair_end(text: U8, at: Int, entry: Int, chars: Classes, state: State) -> np.int64:
    """Where a bracket or quote that closes behind a stop ends, or a note; ``at`` for nothing."""
    pair = entry >> PAIR_SHIFT
    if closes(text, at, entry, chars, state):
        depth = close_pair(pair, state)
        if depth != NONE:
            state[BACK] = depth
        state[QUOTED] = 1
        return next_char(text, at)
    return note_end(text, at) if pair == SQUARE else np.int64(at)


@subroutine
def _markup_end(text: U8, at: Int, chars: Classes, state: State) -> np.int64:
    """Where markup behind a stop ends; ``at`` if it is not the end of any in this sentence."""
    end = np.int64(run_end(text, at, text[at]))
    if end > at + 1 and is_break(text, end, chars):
        return end
    before = at - 1
    while before > state[START] and text[before] != text[at]:
        before -= 1
    return np.int64(end if text[before] == text[at] else at)


@subroutine
def _attached_end(text: U8, at: Int, chars: Classes, words: Words) -> np.int64:
    """Where what belongs to the sentence before ends, behind white space; ``at`` for nothing."""
    begin = skip_space(text, at, chars)
    if begin == len(text):
        return np.int64(at)
    of_class = class_at(text, begin, chars)
    if of_class == EMOJI:
        return next_char(text, begin)
    if of_class == CLOSE:
        # French puts a space before its closing quotes.
        return begin
    if text[begin] == LEFT_SQUARE:
        end = note_end(text, begin)
    else:
        end = emoticon_end(text, begin, chars, words)
    return np.int64(end if end > begin else at)
