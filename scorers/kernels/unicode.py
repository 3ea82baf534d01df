"""What a tokenizer has to know of a character: space, punctuation, case. Python's own rules.

One number a code point: the lower 21 bits are its lower case, the bits above are marks.
"""

from __future__ import annotations

import string
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from .compiled import U8, Int, inlined, subroutine
from .instructions import element
from .utf8 import before_char, decode_char, encode_char, next_char

Characters = npt.NDArray[np.uint32]

LOWER_CASE: Final = (1 << 21) - 1
SPACE: Final = 1 << 21
PUNCTUATION: Final = 1 << 22
"""ASCII punctuation."""
UPPER: Final = 1 << 23
NOT_UPPER: Final = 1 << 24
"""Lower or title case: a word with one of these is not upper case."""
CASED: Final = 1 << 25
CASE_IGNORABLE: Final = 1 << 26
FREE: Final = 1 << 27
"""For a table of one's own: the first mark that means nothing here."""

TABLE_SIZE: Final = 0x20000
"""No character from here on is white space or has case."""

# The tags and the variation selectors up there may stand within a word, as accents do.
_TAGS: Final = 0xE0000
_N_TAGS: Final = 0x200

# The one character whose lower case is two: an i and a dot above.
_DOTTED_I: Final = 0x130
_DOT_ABOVE: Final = 0x307
# The one character whose lower case depends on those around it.
_SIGMA: Final = 0x3A3
_SMALL_SIGMA: Final = 0x3C3
_FINAL_SIGMA: Final = 0x3C2


@lru_cache(maxsize=1)
def characters() -> Characters:
    """Give the table of the running Python's characters, by code point. Read-only."""
    points = np.r_[0:TABLE_SIZE, _TAGS : _TAGS + _N_TAGS].astype(np.uint32)
    # Surrogates stand in no text.
    points[0xD800:0xE000] = ord("_")
    # For the moment: its two letters would shift those behind it.
    points[_DOTTED_I] = ord("I")
    alone = points.view("U1")
    table = _lowered(points)
    table[_SIGMA] = _SMALL_SIGMA
    upper = np.strings.isupper(alone)
    # A capital sigma tells: it is a final one behind a cased letter, whatever is ignored between.
    sigma, space, letter = (np.full_like(points, ord(char)) for char in "Σ A")
    cased = _lowered(points, sigma, space)[1::3] == _FINAL_SIGMA
    behind_letter = _lowered(letter, points, sigma, space)[2::4] == _FINAL_SIGMA
    for mark, which in {
        SPACE: np.strings.isspace(alone),
        PUNCTUATION: np.isin(points, [ord(char) for char in string.punctuation]),
        UPPER: upper,
        NOT_UPPER: np.strings.islower(alone) | (np.strings.istitle(alone) & ~upper),
        CASED: cased,
        CASE_IGNORABLE: behind_letter & ~cased,
    }.items():
        table[which] |= np.uint32(mark)
    table.flags.writeable = False
    return table


def _lowered(*columns: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Lower the text that the columns give, read row by row."""
    text = np.column_stack(columns).tobytes().decode("utf-32-le").lower()
    return np.frombuffer(text.encode("utf-32-le"), np.uint32).copy()


@inlined
def marks_of(char: Int, table: Characters) -> np.int64:
    """Give a character's lower case and marks; one beyond the table has itself and no mark."""
    if char < TABLE_SIZE:
        return np.int64(element(table, char))
    tag = char - _TAGS
    return np.int64(element(table, TABLE_SIZE + tag) if 0 <= tag < _N_TAGS else char)


@subroutine
def lower_word(text: U8, start: Int, end: Int, table: Characters, lowered: U8) -> np.int64:
    """Write ``str.lower()`` of a word into ``lowered`` as UTF-8, and give its length in bytes.

    ``lowered`` holds twice as many bytes as the word.
    """
    length = np.int64(0)
    at = start
    while at < end:
        char = decode_char(text, at)
        lower = marks_of(char, table) & LOWER_CASE
        if char == _SIGMA and _is_final(text, start, at, end, table):
            lower = np.int64(_FINAL_SIGMA)
        length = encode_char(lower, lowered, length)
        if char == _DOTTED_I:
            length = encode_char(np.int64(_DOT_ABOVE), lowered, length)
        at = next_char(text, at)
    return length


@subroutine
def _is_final(text: U8, start: Int, at: Int, end: Int, table: Characters) -> bool:
    """Whether the sigma at ``at`` has a cased letter before it and none behind it."""
    before = np.int64(at)
    mark = np.int64(CASE_IGNORABLE)
    while before > start and mark & CASE_IGNORABLE:
        before = before_char(text, before)
        mark = marks_of(decode_char(text, before), table)
    if not mark & CASED:
        return False
    behind = next_char(text, at)
    mark = np.int64(CASE_IGNORABLE)
    while behind < end and mark & CASE_IGNORABLE:
        mark = marks_of(decode_char(text, behind), table)
        behind = next_char(text, behind)
    return not mark & CASED
