"""Marks of several characters, for kernels: fences, notes, tags, emoticons."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import U8, Int, subroutine
from .ascii import (
    BEYOND,
    BLANK_SPACE,
    COLON,
    GRAVE,
    GREATER,
    LEFT_ROUND,
    LESS,
    LINE_FEED,
    NINE,
    RIGHT_SQUARE,
    SLASH,
    TAB,
    TILDE,
    ZERO,
    byte_set,
    is_one_of,
)
from .characters import Classes
from .cursor import is_at, is_break, line_end, run_end, skip_space
from .vocabulary import BREAK_TAG, EMOTICON
from .word_flags import Words, flags_of

LONGEST_EMOTICON: Final = 4
_LONGEST_NOTE: Final = 24
_LONGEST_TAG: Final = 64
_SHORTEST_FENCE: Final = 3
_IN_NOTE: Final = byte_set("^,- ")
_AFTER_TAG: Final = byte_set("> /")


@subroutine
def fence_length(text: U8, first: Int) -> np.int64:
    """How long the mark is that opens a fenced block at ``first``; 0 if none does."""
    if not (is_at(text, first, GRAVE) or is_at(text, first, TILDE)):
        return np.int64(0)
    mark = text[first]
    end = run_end(text, first, mark)
    if end - first < _SHORTEST_FENCE:
        return np.int64(0)
    if mark == GRAVE:
        # Behind backticks no other may stand in the line, which would be inline code.
        for i in range(end, line_end(text, end)):
            if text[i] == GRAVE:
                return np.int64(0)
    return np.int64(end - first)


@subroutine
def fence_end(text: U8, first: Int, length: Int, chars: Classes) -> np.int64:
    """Where the fenced block opened at ``first`` ends: behind its closing mark, or the text.

    A closing mark is at least as long as the opening one and alone in its line.
    """
    at = line_end(text, first)
    while at < len(text):
        begin = at + 1
        while is_at(text, begin, BLANK_SPACE) or is_at(text, begin, TAB):
            begin += 1
        end = run_end(text, begin, text[first])
        at = line_end(text, end)
        if end - begin >= length and skip_space(text, end, chars) == at:
            return np.int64(end)
    return np.int64(at)


@subroutine
def note_end(text: U8, at: Int) -> np.int64:
    """Where a citation mark ([3], [^1], [4, 5]) ends; ``at`` if there is none."""
    digits = 0
    for i in range(at + 1, min(len(text), at + _LONGEST_NOTE)):
        byte = text[i]
        if ZERO <= byte <= NINE:
            digits += 1
        elif byte == RIGHT_SQUARE:
            linked = is_at(text, i + 1, LEFT_ROUND) or is_at(text, i + 1, COLON)
            return np.int64(i + 1 if digits > 0 and not linked else at)
        elif not is_one_of(byte, _IN_NOTE):
            break
    return np.int64(at)


@subroutine
def tag_end(text: U8, at: Int) -> np.int64:
    """Where the tag at ``at`` ends; ``at`` if there is none, or it is a long one."""
    for i in range(at + 1, min(len(text), at + _LONGEST_TAG)):
        if text[i] == GREATER:
            return np.int64(i + 1 if i > at + 1 else at)
        if text[i] == LESS or text[i] == LINE_FEED:
            break
    return np.int64(at)


@subroutine
def tag_flags(text: U8, at: Int, words: Words) -> np.int64:
    """Flags of the name of the tag at ``at``, with its ``<`` and, at its end, its ``/``."""
    end = at + 1
    if is_at(text, end, SLASH):
        end += 1
    while end < min(len(text), at + _LONGEST_TAG) and not is_one_of(text[end], _AFTER_TAG):
        end += 1
    return flags_of(text, at, end, words)


@subroutine
def break_end(text: U8, at: Int, words: Words) -> np.int64:
    """Where a tag that ends a sentence ends; ``at`` if there is none."""
    end = tag_end(text, at)
    if end > at and tag_flags(text, at, words) & BREAK_TAG:
        return end
    return np.int64(at)


@subroutine
def tags_end(text: U8, at: Int, words: Words) -> np.int64:
    """Pass over more tags that end something."""
    while is_at(text, at, LESS):
        end = tag_end(text, at) if is_at(text, at + 1, SLASH) else break_end(text, at, words)
        if end == at:
            break
        at = end
    return np.int64(at)


@subroutine
def emoticon_end(text: U8, at: Int, chars: Classes, words: Words) -> np.int64:
    """Where an emoticon, with white space behind, ends; ``at`` if there is none."""
    end = at
    while end - at <= LONGEST_EMOTICON and end < len(text) and BLANK_SPACE < text[end] < BEYOND:
        end += 1
    if is_break(text, end, chars) and flags_of(text, at, end, words) & EMOTICON:
        return np.int64(end)
    return np.int64(at)
