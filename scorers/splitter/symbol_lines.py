"""What a line is that begins with a mark or a digit: an item, a rule, a quotation, JSON."""

from __future__ import annotations

from typing import Final

import numpy as np

from ..kernels.compiled import U8, Bool, Int, subroutine
from ..kernels.utf8 import decode_char, next_char
from .ascii import (
    BLANK_SPACE,
    COLON,
    DASH,
    DOT,
    DOUBLE_QUOTE,
    GREATER,
    LEFT_CURLY,
    LEFT_ROUND,
    LEFT_SQUARE,
    PIPE,
    PLUS,
    RIGHT_CURLY,
    RIGHT_ROUND,
    RIGHT_SQUARE,
    byte_set,
    is_one_of,
)
from .characters import (
    ALNUM,
    EMOJI,
    EMOJI_STYLE,
    UPPER,
    WIDE_COLON,
    WIDE_COMMA,
    WIDE_PARENTHESIS,
    Classes,
)
from .cursor import (
    back_over_space,
    class_at,
    digits_end,
    is_among,
    is_at,
    is_break,
    is_char,
    line_end,
    run_end,
    skip_space,
)
from .kinds import (
    BLOCK,
    ITEM,
    JSON,
    KEY,
    LONGEST_LABEL,
    OUTPUT,
    PLAIN,
    RULE,
    SIGNING,
    TABLE,
    UNIT,
)
from .list_items import (
    LONGEST_NUMBER,
    SECTION_DIGITS,
    number_end,
    pass_marker,
    set_number,
)
from .state import BODY, MODE, State, in_sentence
from .vocabulary import BULLET
from .word_flags import Words, flags_of
from .word_lines import is_time, kind_of_key

_BULLETS: Final = byte_set("-+*")
_STRONG: Final = byte_set("*_")
_IN_RULE: Final = byte_set(" :")
_BRACKET_ENDS: Final = byte_set('])"')
# Characters before a wide colon.
_MOST_WIDE_KEY: Final = 8
_DASHES: Final = (0x2012, 0x2015)
_SHORTEST_RULE: Final = 3
_SIGNATURE_RULE: Final = 2
_PYTHON_PROMPT: Final = 3
_LONGEST_ROUND: Final = 4
_DOTS_OF_ADDRESS: Final = 3
_EMPTY_BOLD: Final = 4


@subroutine
def kind_of_number(text: U8, first: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that begins with a digit."""
    digits = digits_end(text, first)
    end = number_end(text, first, SECTION_DIGITS)
    if end > first and is_break(text, end, chars):
        set_number(text, first, end, state)
        pass_marker(text, end, chars, state)
        return np.int64(ITEM)
    if end == first and digits - first <= LONGEST_NUMBER and is_at(text, digits, DOT):
        # A section's number without a mark behind (1.2 Scope), or an address: 10.0.0.1 - -
        dots = 0
        while is_at(text, digits, DOT):
            digits = digits_end(text, digits + 1)
            dots += 1
        named = class_at(text, skip_space(text, digits, chars), chars) == UPPER
        apart = is_at(text, digits, BLANK_SPACE) and not in_sentence(state)
        if apart and (named or dots == _DOTS_OF_ADDRESS):
            return np.int64(ITEM)
    if is_char(text, digits, EMOJI_STYLE) or is_char(text, digits, WIDE_COMMA):
        return np.int64(ITEM)
    if is_char(text, digits, WIDE_PARENTHESIS):
        return np.int64(ITEM)
    return np.int64(BLOCK if is_time(text, first) else PLAIN)


@subroutine
def kind_of_sign(text: U8, first: Int, chars: Classes, words: Words, state: State) -> np.int64:
    """Kind of a line that begins with a character beyond ASCII: a bullet, an emoji, a letter."""
    end = next_char(text, first)
    if class_at(text, first, chars) == EMOJI:
        state[BODY] = end
        return np.int64(ITEM)
    if flags_of(text, first, end, words) & BULLET and (
        is_break(text, end, chars) or not _is_dash(text, first)
    ):
        pass_marker(text, end, chars, state)
        return np.int64(ITEM)
    for _ in range(_MOST_WIDE_KEY):
        if is_char(text, end, WIDE_COLON):
            return np.int64(KEY)
        if not is_among(class_at(text, end, chars), ALNUM):
            break
        end = next_char(text, end)
    return np.int64(PLAIN)


@subroutine
def _is_dash(text: U8, at: Int) -> Bool:
    """Whether a long dash stands at ``at``."""
    return _DASHES[0] <= decode_char(text, at) <= _DASHES[1]


@subroutine
def kind_of_dash(text: U8, first: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that begins with - + * = or _."""
    mark = text[first]
    end = line_end(text, first)
    last = back_over_space(text, first, end, chars)
    if mark == DASH and last - first == _SIGNATURE_RULE and text[first + 1] == mark:
        state[MODE] = SIGNING
        return np.int64(UNIT)
    other = 0
    pipes = 0
    for i in range(first, last):
        pipes += text[i] == PIPE
        other += text[i] != mark and text[i] != PIPE and not is_one_of(text[i], _IN_RULE)
    if other == 0 and pipes > 0 and mark == DASH:
        state[MODE] = TABLE
        return np.int64(RULE)
    if other == 0 and pipes == 0 and last - first >= _SHORTEST_RULE and mark != PLUS:
        return np.int64(RULE)
    if is_one_of(mark, _BULLETS) and is_break(text, first + 1, chars):
        pass_marker(text, first + 1, chars, state)
        return np.int64(ITEM)
    return _kind_of_bold(text, first, last, chars, state)


@subroutine
def _kind_of_bold(text: U8, first: Int, last: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that begins with markup: a heading if all of it is bold, or a key."""
    if last - first > _EMPTY_BOLD and text[first + 1] == text[first]:
        inner = last - 1 if text[last - 1] == COLON else last
        if text[inner - 1] == text[first] and text[inner - 2] == text[first]:
            for i in range(first + 2, inner - 2):
                if text[i] == text[first] and text[i + 1] == text[first]:
                    return kind_of_key(text, first, np.int64(0), chars, state)
            return np.int64(BLOCK)
    if is_one_of(text[first], _STRONG):
        return kind_of_key(text, first, np.int64(0), chars, state)
    return np.int64(PLAIN)


@subroutine
def kind_of_prompt(text: U8, first: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that begins with >, a quotation, or with what a shell or Python prompts."""
    end = run_end(text, first, GREATER)
    if end == first or (end - first == _PYTHON_PROMPT and is_at(text, end, BLANK_SPACE)):
        state[MODE] = OUTPUT
        return np.int64(UNIT)
    while is_at(text, end, GREATER) or is_at(text, end, BLANK_SPACE):
        end += 1
    number = number_end(text, end, SECTION_DIGITS)
    if number > end and is_break(text, number, chars):
        end = number
    state[BODY] = end
    return np.int64(BLOCK)


@subroutine
def kind_of_bracket(text: U8, first: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that begins with a bracket or a quote."""
    byte = text[first]
    last = back_over_space(text, first, line_end(text, first), chars)
    if (byte == LEFT_CURLY or byte == LEFT_SQUARE) and last - first == 1:
        state[MODE] = JSON
        return np.int64(UNIT)
    if byte == RIGHT_CURLY or byte == RIGHT_SQUARE:
        return np.int64(UNIT)
    if byte == LEFT_CURLY:
        return np.int64(BLOCK)
    end = first + 1
    while end < min(last, first + LONGEST_LABEL) and not is_one_of(text[end], _BRACKET_ENDS):
        end += 1
    if end == last or end == first + 1:
        return np.int64(PLAIN)
    if byte == LEFT_SQUARE and text[end] == RIGHT_SQUARE and is_break(text, end + 1, chars):
        state[BODY] = end + 1
        return np.int64(ITEM if end == first + 2 else BLOCK)
    if byte == LEFT_ROUND and text[end] == RIGHT_ROUND and end - first <= _LONGEST_ROUND:
        state[BODY] = end + 1
        return np.int64(ITEM)
    if byte == DOUBLE_QUOTE and text[end] == DOUBLE_QUOTE and is_at(text, end + 1, COLON):
        return np.int64(UNIT)
    return np.int64(PLAIN)
