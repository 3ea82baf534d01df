"""What a line is by how it begins: an item of a list, a heading, a row, a line of a log, or prose."""

from __future__ import annotations

from typing import Final

import numpy as np

from tonelog.scorers.compiled import Bytes, Int, step
from tonelog.scorers.splitter.ascii import (
    AT,
    BEYOND,
    BLANK_SPACE,
    COLON,
    COMMA,
    DASH,
    DOLLAR,
    DOT,
    DOUBLE_QUOTE,
    GREATER,
    HASH,
    LEFT_CURLY,
    LEFT_ROUND,
    LEFT_SQUARE,
    LESS,
    LINE_FEED,
    PIPE,
    PLUS,
    RIGHT_CURLY,
    RIGHT_ROUND,
    RIGHT_SQUARE,
    SMALL,
    TAB,
    ZERO,
    byte_set,
    is_one_of,
)
from tonelog.scorers.splitter.characters import (
    DIGIT,
    EMOJI,
    LETTERS,
    LOWER,
    MARKUP,
    NEWLINE,
    UPPER,
    Classes,
)
from tonelog.scorers.splitter.marks import (
    SECTION_DIGITS,
    fence_length,
    number_end,
    tag_end,
    tag_flags,
)
from tonelog.scorers.splitter.state import (
    BODY,
    IN_LIST,
    MODE,
    NONE,
    NUMBER,
    PLAIN,
    SIGNING,
    STYLE,
    State,
    in_sentence,
)
from tonelog.scorers.splitter.text import (
    after_char,
    back_over_space,
    class_at,
    digits_end,
    is_among,
    is_at,
    is_break,
    line_end,
    run_end,
    skip_space,
    word_end,
)
from tonelog.scorers.splitter.words import (
    BULLET,
    GREETING,
    INLINE_TAG,
    LOG_LEVEL,
    SIGN_OFF,
    STARTER,
    TRACE_FRAME,
    TRACE_HEAD,
    Words,
    flags_of,
)

# Kinds of lines. BLANK also stands for the beginning of the text.
BLANK: Final = 0
FENCE: Final = 2
# One sentence, whatever it holds: a heading, a row of a table, a line of JSON.
UNIT: Final = 3
# An item of a list: an indented line may belong to it.
ITEM: Final = 4
# A line of a quotation, a log, a signature: it may hold sentences, none of which leaves it.
BLOCK: Final = 5
# ``Key: value``: only a long one may be wrapped.
KEY: Final = 6
# A line of - or =: a rule, or what underlines a heading.
RULE: Final = 7

# What some lines are together, until a blank line.
SIGNED: Final = 2
OUTPUT: Final = 3
TRACE: Final = 4
JSON: Final = 5
TABLE: Final = 6

_INDENT: Final = 4
_DASHES: Final = byte_set("-+*=_")
_BULLETS: Final = byte_set("-+*")
_STRONG: Final = byte_set("*_")
_IN_NAME: Final = byte_set("./_:(")
_ENDS: Final = byte_set(".!?:")
_IN_RULE: Final = byte_set(" :")
_ROMAN: Final = byte_set("IVX")
_NOT_IN_KEY: Final = byte_set("!?,;")
_IN_TIME: Final = byte_set("-/:T ")
_BRACKET_ENDS: Final = byte_set('])"')
_SHORT: Final = 60
_LONGEST_KEY: Final = 32
# In bytes, up to a wide colon: six characters of Chinese.
_LONGEST_WIDE_KEY: Final = 20
_MOST_KEY_WORDS: Final = 3
_MOST_SIGN_OFF: Final = 32
_LONGEST_LABEL: Final = 40
_DEEPEST_HEADING: Final = 6


@step
def line_kind(
    text: Bytes, at: Int, first: Int, chars: Classes, words: Words, state: State
) -> np.int64:
    """Kind of the line that begins at ``at``, with its first character at ``first``.

    Sets BODY to where its words begin, and MODE.
    """
    state[BODY] = first
    state[NUMBER] = NONE
    if is_break(text, first, chars):
        return np.int64(BLANK)
    if fence_length(text, first) > 0:
        return np.int64(FENCE)
    kind = _kind_in_mode(text, at, first, state)
    if kind == PLAIN:
        kind = _kind_by_mark(text, at, first, chars, words, state)
    if kind == ITEM:
        state[IN_LIST] = 1
    elif first == at:
        state[IN_LIST] = 0
    if kind == PLAIN:
        indented = (first - at >= _INDENT or text[at] == TAB) and state[IN_LIST] == 0
        apart = not in_sentence(state) or _is_after_colon(text, at)
        if state[MODE] != 0 or (apart and (indented or _is_one_name(text, first))):
            return np.int64(BLOCK)
    return np.int64(kind)


@step
def _is_after_colon(text: Bytes, at: Int) -> bool:
    """Whether the line before the one that begins at ``at`` ends in a colon."""
    return at > 2 and (is_at(text, at - 2, COLON) or is_at(text, at - 3, COLON))


@step
def _is_one_name(text: Bytes, first: Int) -> bool:
    """Whether a line is one path, address or call, as a program prints them."""
    marks = 0
    i = first
    while i < len(text) and text[i] > BLANK_SPACE:
        marks += is_one_of(text[i], _IN_NAME)
        i += 1
    return marks > 0 and not is_one_of(text[i - 1], _ENDS) and line_end(text, i) <= i + 1


@step
def _kind_in_mode(text: Bytes, at: Int, first: Int, state: State) -> np.int64:
    """Kind of a line by the lines before it; ends the mode where it must."""
    mode = state[MODE]
    byte = text[first]
    if mode == JSON:
        if first == at and (byte == RIGHT_CURLY or byte == RIGHT_SQUARE):
            state[MODE] = 0
        return np.int64(UNIT)
    if mode == TRACE:
        # The error itself stands behind the indented calls.
        state[MODE] = TRACE if first > at else 0
        return np.int64(UNIT)
    if mode == SIGNING or mode == SIGNED:
        state[MODE] = SIGNED if line_end(text, first) - first <= _SHORT else 0
    if mode == TABLE:
        for i in range(first, line_end(text, first)):
            if text[i] == PIPE:
                return np.int64(UNIT)
    return np.int64(PLAIN)


@step
def _kind_by_mark(
    text: Bytes, at: Int, first: Int, chars: Classes, words: Words, state: State
) -> np.int64:
    """Kind of a line by what it begins with."""
    of_class = class_at(text, first, chars)
    byte = text[first]
    if byte >= BEYOND:
        return _kind_of_sign(text, first, chars, words, state)
    if is_among(of_class, LETTERS):
        return _kind_of_words(text, at, first, chars, words, state)
    if of_class == DIGIT:
        return _kind_of_number(text, first, chars, state)
    if is_one_of(byte, _DASHES):
        return _kind_of_dash(text, first, chars, state)
    if byte == PIPE:
        return np.int64(UNIT)
    if byte == HASH:
        end = run_end(text, first, byte)
        heading = end - first <= _DEEPEST_HEADING and is_break(text, end, chars)
        return np.int64(UNIT if heading else PLAIN)
    if byte == GREATER or (byte == DOLLAR and is_at(text, first + 1, BLANK_SPACE)):
        return _kind_of_prompt(text, first, chars, state)
    if byte == LESS:
        end = tag_end(text, first)
        named = end > first and not tag_flags(text, first, words) & INLINE_TAG
        return np.int64(BLOCK if named and not is_break(text, first + 1, chars) else PLAIN)
    return _kind_of_bracket(text, first, chars, words, state)


@step
def _kind_of_words(
    text: Bytes, at: Int, first: Int, chars: Classes, words: Words, state: State
) -> np.int64:
    """Kind of a line that begins with a letter."""
    end = word_end(text, first, chars)
    if end - first <= 4 and _is_letter_mark(text, first, end, chars, state):
        state[NUMBER] = text[first] if end - first == 1 else NONE
        state[STYLE] = text[end]
        state[BODY] = end + 1
        return np.int64(ITEM)
    flags = flags_of(text, first, end, words)
    if flags & TRACE_HEAD and is_at(text, end + 1, LEFT_ROUND):
        state[MODE] = TRACE
        return np.int64(BLOCK)
    if flags & TRACE_FRAME and first - at > 1 and not state[IN_LIST]:
        return np.int64(UNIT)
    if flags & LOG_LEVEL and not in_sentence(state):
        return np.int64(BLOCK)
    if _is_prompt(text, first):
        state[MODE] = OUTPUT
        return np.int64(UNIT)
    if _is_time(text, _behind_date(text, end, chars)):
        return np.int64(BLOCK)
    if flags & (GREETING | SIGN_OFF):
        kind = _kind_of_courtesy(text, first, flags, chars, words, state)
        if kind != PLAIN:
            return kind
    return _kind_of_key(text, first, flags, chars, state)


@step
def _is_letter_mark(text: Bytes, first: Int, end: Int, chars: Classes, state: State) -> bool:
    """Whether a line begins with a lettered mark: a. b) A. iv."""
    if not (is_at(text, end, DOT) or is_at(text, end, RIGHT_ROUND)):
        return False
    if class_at(text, end + 1, chars) == NEWLINE or not is_break(text, end + 1, chars):
        return False
    if end - first == 1:
        # In the middle of a sentence, a capital and a dot are an initial.
        initial = class_at(text, first, chars) == UPPER and is_at(text, end, DOT)
        return not (initial and in_sentence(state))
    for i in range(first, end):
        if not is_one_of(text[i] ^ SMALL, _ROMAN):
            return False
    return True


@step
def _is_prompt(text: Bytes, first: Int) -> bool:
    """Whether a shell's prompt stands at ``first``: user@host:~$."""
    host = False
    for i in range(first, min(len(text) - 1, first + _LONGEST_LABEL)):
        if text[i] <= BLANK_SPACE:
            break
        host = host or text[i] == AT
        if host and (text[i] == DOLLAR or text[i] == HASH) and text[i + 1] == BLANK_SPACE:
            return True
    return False


@step
def _behind_date(text: Bytes, end: Int, chars: Classes) -> np.int64:
    """Where the time stands behind a month's name and a day, as in system logs."""
    return skip_space(text, digits_end(text, skip_space(text, end, chars)), chars)


@step
def _kind_of_courtesy(
    text: Bytes, first: Int, flags: Int, chars: Classes, words: Words, state: State
) -> np.int64:
    """Kind of a line that greets, or takes leave: the lines behind are a signature."""
    end = back_over_space(text, first, line_end(text, first), chars)
    comma = text[end - 1] == COMMA
    if flags & GREETING and comma and end - first <= _LONGEST_LABEL:
        return np.int64(BLOCK)
    if not flags & SIGN_OFF or end - first > _MOST_SIGN_OFF:
        return np.int64(PLAIN)
    # Either every word is one of leave, or a short line with a capital, the name, comes behind.
    then = line_end(text, first) + 1
    named = class_at(text, then, chars) == UPPER and line_end(text, then) - then <= _LONGEST_LABEL
    at = first
    last = end - 1 if comma else end
    while at < last and flags_of(text, at, word_end(text, at, chars), words) & SIGN_OFF:
        at = word_end(text, at, chars)
        at += is_at(text, at, BLANK_SPACE)
    if (comma and (at == last or named)) or (at == last and named):
        state[MODE] = SIGNING
        return np.int64(BLOCK)
    return np.int64(PLAIN)


@step
def _kind_of_key(text: Bytes, first: Int, flags: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that may begin with a key: a few words and a colon."""
    spaces = 0
    end = first
    while end < min(len(text), first + _LONGEST_KEY) and text[end] != COLON:
        if text[end] == BLANK_SPACE:
            spaces += 1
        elif text[end] == LINE_FEED or is_one_of(text[end], _NOT_IN_KEY):
            return np.int64(PLAIN)
        end += 1
    if not is_at(text, end, COLON) or spaces >= _MOST_KEY_WORDS or flags & STARTER and spaces:
        return np.int64(PLAIN)
    behind = end + 1
    while class_at(text, behind, chars) == MARKUP:
        behind += 1
    if not is_break(text, behind, chars):
        return np.int64(PLAIN)
    small = class_at(text, first, chars) == LOWER
    if small and (spaces > 0 or in_sentence(state)):
        return np.int64(PLAIN)
    return np.int64(KEY)


@step
def _kind_of_number(text: Bytes, first: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that begins with a digit."""
    digits = digits_end(text, first)
    end = number_end(text, first, SECTION_DIGITS)
    if end > first and is_break(text, end, chars):
        set_number(text, first, end, state)
        pass_marker(text, end, chars, state)
        return np.int64(ITEM)
    if end == first and digits - first <= 3 and is_at(text, digits, DOT):
        # A section's number without a mark behind: 1.2 Scope
        while is_at(text, digits, DOT):
            digits = digits_end(text, digits + 1)
        named = class_at(text, skip_space(text, digits, chars), chars) == UPPER
        if is_at(text, digits, BLANK_SPACE) and named and not in_sentence(state):
            return np.int64(ITEM)
    if is_at(text, digits, 0xEF) or is_at(text, digits, 0xE3):
        # A digit in a box (1️⃣), or with the comma of Chinese lists.
        return np.int64(ITEM)
    return np.int64(BLOCK if _is_time(text, first) else PLAIN)


@step
def _is_time(text: Bytes, first: Int) -> bool:
    """Whether a date and time, or a time with seconds, stands at ``first``."""
    end = digits_end(text, first)
    marks = 0
    while end < len(text) and is_one_of(text[end], _IN_TIME):
        part = digits_end(text, end + 1)
        if part != end + 3:
            break
        marks += 1
        end = part
    return marks >= 2 and end - first >= 8 and (marks > 2 or text[end - 3] == COLON)


@step
def set_number(text: Bytes, first: Int, end: Int, state: State) -> None:
    """Keep a list item's number and mark, by which a list run together on a line is told."""
    digits = digits_end(text, first)
    number = 0
    for i in range(first, digits):
        number = number * 10 + np.int64(text[i]) - ZERO
    state[NUMBER] = number
    # Both bytes of a mark such as .)
    state[STYLE] = np.int64(text[digits]) if end == digits + 1 else np.int64(DOT)


@step
def pass_marker(text: Bytes, at: Int, chars: Classes, state: State) -> None:
    """Let the words begin behind a list's marker, that ends at ``at``, and a box or number there."""
    at = skip_space(text, at, chars)
    if is_at(text, at, LEFT_SQUARE) and is_at(text, at + 2, RIGHT_SQUARE):
        at += 3
    end = number_end(text, at, SECTION_DIGITS)
    state[BODY] = end if is_break(text, end, chars) else at


@step
def _kind_of_sign(text: Bytes, first: Int, chars: Classes, words: Words, state: State) -> np.int64:
    """Kind of a line that begins with a character beyond ASCII: a bullet, an emoji, a letter."""
    end = after_char(text, first)
    if class_at(text, first, chars) == EMOJI:
        state[BODY] = end
        return np.int64(ITEM)
    if flags_of(text, first, end, words) & BULLET and (
        is_break(text, end, chars) or not _is_dash(text, first)
    ):
        pass_marker(text, end, chars, state)
        return np.int64(ITEM)
    for i in range(first, min(len(text) - 2, first + _LONGEST_WIDE_KEY)):
        if text[i] == LINE_FEED:
            break
        if text[i] == 0xEF and text[i + 1] == 0xBC and text[i + 2] == 0x9A:
            return np.int64(KEY)
    return np.int64(PLAIN)


@step
def _is_dash(text: Bytes, at: Int) -> bool:
    """Whether one of the dashes U+2012 to U+2015 stands at ``at``."""
    return text[at] == 0xE2 and text[at + 1] == 0x80 and 0x92 <= text[at + 2] <= 0x95


@step
def _kind_of_dash(text: Bytes, first: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that begins with - + * = or _."""
    mark = text[first]
    end = line_end(text, first)
    last = back_over_space(text, first, end, chars)
    if mark == DASH and last - first == 2 and text[first + 1] == mark:
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
    if other == 0 and pipes == 0 and last - first >= 3 and mark != PLUS:
        return np.int64(RULE)
    if is_one_of(mark, _BULLETS) and is_break(text, first + 1, chars):
        pass_marker(text, first + 1, chars, state)
        return np.int64(ITEM)
    return _kind_of_bold(text, first, last, chars, state)


@step
def _kind_of_bold(text: Bytes, first: Int, last: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that begins with markup: a heading if all of it is bold, or a key."""
    if last - first > 4 and text[first + 1] == text[first]:
        inner = last - 1 if text[last - 1] == COLON else last
        if text[inner - 1] == text[first] and text[inner - 2] == text[first]:
            for i in range(first + 2, inner - 2):
                if text[i] == text[first] and text[i + 1] == text[first]:
                    return _kind_of_key(text, first, np.int64(0), chars, state)
            return np.int64(BLOCK)
    if is_one_of(text[first], _STRONG):
        return _kind_of_key(text, first, np.int64(0), chars, state)
    return np.int64(PLAIN)


@step
def _kind_of_prompt(text: Bytes, first: Int, chars: Classes, state: State) -> np.int64:
    """Kind of a line that begins with >, a quotation, or with what a shell or Python prompts."""
    end = run_end(text, first, GREATER)
    if end == first or (end - first == 3 and is_at(text, end, BLANK_SPACE)):
        state[MODE] = OUTPUT
        return np.int64(UNIT)
    while is_at(text, end, GREATER) or is_at(text, end, BLANK_SPACE):
        end += 1
    number = number_end(text, end, SECTION_DIGITS)
    if number > end and is_break(text, number, chars):
        end = number
    state[BODY] = end
    return np.int64(BLOCK)


@step
def _kind_of_bracket(
    text: Bytes, first: Int, chars: Classes, words: Words, state: State
) -> np.int64:
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
    while end < min(last, first + _LONGEST_LABEL) and not is_one_of(text[end], _BRACKET_ENDS):
        end += 1
    if end == last or end == first + 1:
        return np.int64(PLAIN)
    if byte == LEFT_SQUARE and text[end] == RIGHT_SQUARE and is_break(text, end + 1, chars):
        state[BODY] = end + 1
        return np.int64(ITEM if end == first + 2 else BLOCK)
    if byte == LEFT_ROUND and text[end] == RIGHT_ROUND and end - first <= 4:
        state[BODY] = end + 1
        return np.int64(ITEM)
    if byte == DOUBLE_QUOTE and text[end] == DOUBLE_QUOTE and is_at(text, end + 1, COLON):
        return np.int64(UNIT)
    return np.int64(PLAIN)
