"""The scan of texts for their sentences, line by line."""

from __future__ import annotations

from typing import Final

import numpy as np

from tonelog.scorers.compiled import Bytes, Int, Offsets, compiled, decode_char
from tonelog.scorers.splitter.ascii import BLANK_SPACE, COLON, EQUALS
from tonelog.scorers.splitter.characters import EMOJI, JOINED, LOWER, Classes
from tonelog.scorers.splitter.lines import (
    BLANK,
    FENCE,
    ITEM,
    KEY,
    PLAIN,
    RULE,
    SIGNING,
    UNIT,
    line_kind,
)
from tonelog.scorers.splitter.marks import fence_end, fence_length
from tonelog.scorers.splitter.sentence import open_sentence, scan_words
from tonelog.scorers.splitter.state import (
    BODY,
    COUNT,
    IN_LIST,
    KIND,
    LINE,
    LINE_COUNT,
    MODE,
    NONE,
    START,
    Found,
    State,
    close,
    emit,
    reset,
)
from tonelog.scorers.splitter.text import (
    back_over_space,
    before_char,
    class_at,
    line_end,
    skip_space,
)
from tonelog.scorers.splitter.words import EMOTICON, Words, flags_of

_LONG_LINE: Final = 40
_LONGEST_EMOTICON: Final = 4
# Scripts that are written without marks at the end of a sentence: Thai and Lao, Tibetan.
_UNMARKED: Final = (0x0E00, 0x0FFF)


@compiled
def scan_texts(
    content: Bytes, offsets: Offsets, skip_code: bool,
    special: Classes, chars: Classes, words: Words, state: State, found: Found,
) -> Offsets:  # fmt: skip
    """Find the sentences of n texts: fills ``found``, and gives the n + 1 offsets into it."""
    n = len(offsets) - 1
    counts = np.zeros(n + 1, np.int64)
    for row in range(n):
        text = content[offsets[row] : offsets[row + 1]]
        reset(state, offsets[row])
        at = np.int64(0)
        while at < len(text):
            at = _scan_line(text, at, skip_code, special, chars, words, state, found)
        close(text, len(text), chars, state, found)
        counts[row + 1] = state[COUNT]
    return counts


@compiled
def _scan_line(
    text: Bytes, at: Int, skip_code: bool,
    special: Classes, chars: Classes, words: Words, state: State, found: Found,
) -> np.int64:  # fmt: skip
    """Read a line, or a fenced block: where the next line begins."""
    first = skip_space(text, at, chars)
    kind = line_kind(text, at, first, chars, words, state)
    if kind == BLANK:
        close(text, at, chars, state, found)
        if state[MODE] != SIGNING:
            state[MODE] = 0
        state[KIND] = BLANK
        return np.int64(first + 1)
    if kind == ITEM:
        state[IN_LIST] = 1
    elif first == at:
        state[IN_LIST] = 0
    if kind == FENCE or kind == UNIT or kind == RULE:
        return _read_unit(text, at, first, kind, skip_code, chars, state, found)
    if kind == PLAIN and _runs_on(text, at, first, chars, words, state):
        state[LINE_COUNT] = NONE if state[START] != NONE else state[COUNT]
    else:
        close(text, at, chars, state, found)
        state[LINE_COUNT] = state[COUNT]
        state[KIND] = kind
    if state[START] == NONE:
        state[KIND] = kind
        open_sentence(text, first, chars, state)
    state[LINE] = first
    return scan_words(text, state[BODY], special, chars, words, state, found) + 1


@compiled
def _read_unit(
    text: Bytes, at: Int, first: Int, kind: Int, skip_code: bool,
    chars: Classes, state: State, found: Found,
) -> np.int64:  # fmt: skip
    """Note a line, or a fenced block, as one sentence: where the next line begins."""
    # Under a line that has no end of its own, - make a heading of it; = do in any case.
    unended = state[START] != NONE or text[first] == EQUALS
    close(text, at, chars, state, found)
    if kind == RULE and state[KIND] == PLAIN and unended and state[LINE_COUNT] != NONE:
        state[COUNT] = state[LINE_COUNT]
        emit(state[LINE], back_over_space(text, state[LINE], at, chars), state, found)
    state[KIND] = kind
    if kind == FENCE:
        end = fence_end(text, first, fence_length(text, first), chars)
    else:
        end = back_over_space(text, first, line_end(text, first), chars)
    if kind != FENCE or not skip_code:
        emit(first, back_over_space(text, first, end, chars), state, found)
    return line_end(text, end) + 1


@compiled
def _runs_on(text: Bytes, at: Int, first: Int, chars: Classes, words: Words, state: State) -> bool:
    """Whether a plain line continues the sentence that the line before left open."""
    kind = state[KIND]
    small = class_at(text, first, chars) == LOWER
    if kind == ITEM:
        return first > at
    if kind == KEY:
        return small and at - state[LINE] > _LONG_LINE
    if kind != PLAIN:
        return False
    if state[START] == NONE or small:
        return True
    last = back_over_space(text, state[START], at, chars)
    char = before_char(text, last)
    while char > state[START] and class_at(text, char, chars) == JOINED:
        char = before_char(text, char)
    if class_at(text, char, chars) == EMOJI or text[char] == COLON:
        return False
    if _is_unmarked(text, char) or _is_unmarked(text, first):
        return False
    begin = last
    while begin > max(state[START], last - _LONGEST_EMOTICON) and text[begin - 1] > BLANK_SPACE:
        begin -= 1
    return flags_of(text, begin, last, words) & EMOTICON == 0


@compiled
def _is_unmarked(text: Bytes, at: Int) -> bool:
    """Whether the character at ``at`` is of a script without marks at a sentence's end."""
    return text[at] == 0xE0 and _UNMARKED[0] <= decode_char(text, at) <= _UNMARKED[1]
