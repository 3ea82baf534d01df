"""The table of characters, against Python's own words on each."""

from __future__ import annotations

import string
import sys
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tonelog.scorers.kernels.unicode import (
    CASE_IGNORABLE,
    CASED,
    LOWER_CASE,
    NOT_UPPER,
    PUNCTUATION,
    SPACE,
    TABLE_SIZE,
    UPPER,
    characters,
    lower_word,
    marks_of,
)

DOTTED_I, SIGMA = "\u0130", "\u03a3"
CHARS = [chr(point) for point in range(TABLE_SIZE) if not 0xD800 <= point < 0xE000]
BEYOND = [chr(point) for point in range(TABLE_SIZE, sys.maxunicode + 1)]


def lowered(word: str) -> str:
    """Lower a word that has other bytes on both sides."""
    data = f"A{word}A".encode()
    text = np.frombuffer(data, np.uint8)
    room = np.full(2 * len(data), 0xFF, np.uint8)
    length = lower_word(text, 1, len(data) - 1, characters(), room)
    assert (room[2 * (len(data) - 2) :] == 0xFF).all()
    return room[:length].tobytes().decode()


def final_sigma(before: str, behind: str) -> bool:
    """Whether Python takes a capital sigma there for a final one."""
    return f"{before}{SIGMA}{behind}".lower()[len(before.lower())] == "\u03c2"


# The table


def test_table_says_of_each_character_what_python_says() -> None:
    table = characters()
    for char in CHARS:
        marks = int(table[ord(char)])
        assert bool(marks & SPACE) == (len(f"a{char}a".split()) == 2), char
        assert bool(marks & PUNCTUATION) == (char in string.punctuation), char
        assert bool(marks & UPPER) == char.isupper(), char
        # A word with such a character and a capital is not upper case.
        assert bool(marks & NOT_UPPER) == (not f"A{char}".isupper()), char
        if char not in (DOTTED_I, SIGMA):
            assert chr(marks & LOWER_CASE) == char.lower(), char


def test_table_knows_what_makes_a_sigma_a_final_one() -> None:
    table = characters()
    for char in (*CHARS, *(chr(point) for point in range(0xE0000, 0xE0200))):
        marks = int(marks_of(ord(char), table))
        cased, ignored = final_sigma(char, ""), final_sigma(f"A{char}", "")
        assert bool(marks & CASED) == (cased and not final_sigma("A", f"{char}")), char
        assert bool(marks & CASE_IGNORABLE) == (ignored and not marks & CASED), char


def test_characters_beyond_the_table_are_plain() -> None:
    assert all(not char.isspace() and char.lower() == char for char in BEYOND)
    assert not any(char.isupper() or char.islower() or char.istitle() for char in BEYOND)
    table = characters()
    # Those with a mark are the tags and the variation selectors, which a sigma may have around it.
    marked = [char for char in BEYOND if final_sigma(f"A{char}", "")]
    assert all(marks_of(ord(char), table) == ord(char) | CASE_IGNORABLE for char in marked)
    plain = {BEYOND[0], BEYOND[-1], "\U000dffff", "\U000e0000", "\U000e0200", *BEYOND[::997]}
    assert all(marks_of(ord(char), table) == ord(char) for char in plain - set(marked))


def test_table_is_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        characters()[0] = 0


# Lower case


def test_each_character_is_lowered_as_python_does() -> None:
    for char in CHARS:
        assert lowered(char) == char.lower()
        assert lowered(f"x{char}") == f"x{char}".lower()


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("", ""),
        ("GOOD", "good"),
        ("\u212aIND", "kind"),
        ("\u0130X", "i\u0307x"),
        ("X\u0130\u0130", "xi\u0307i\u0307"),
        ("\u023a\u023e", "\u2c65\u2c66"),
        ("\u01c5", "\u01c6"),
        ("\u1e9e", "\u00df"),
        ("\U00010400", "\U00010428"),
        ("\u03a3", "\u03c3"),
        ("\u039f\u03a3", "\u03bf\u03c2"),
        ("\u039f\u03a3\u039f", "\u03bf\u03c3\u03bf"),
        ("\u03a3\u03a3\u03a3", "\u03c3\u03c3\u03c2"),
        ("A'\u03a3", "a'\u03c2"),
        ("A\u03a3'", "a\u03c2'"),
        ("A\u03a3'B", "a\u03c3'b"),
        ("A\u0301\u0301\u03a3\u0301\u0301", "a\u0301\u0301\u03c2\u0301\u0301"),
        ("1\u03a3", "1\u03c3"),
        ("A1\u03a3", "a1\u03c3"),
        ("A\u03a31A", "a\u03c21a"),
        ("A\U000e0100\u03a3", "a\U000e0100\u03c2"),
        ("A\u03a3\U000e0041A", "a\u03c3\U000e0041a"),
        ("\u0130\u03a3", "i\u0307\u03c2"),
    ],
)
def test_word_is_lowered(word: str, expected: str) -> None:
    assert lowered(word) == expected == word.lower()


AROUND_SIGMA = (
    *("A", "a", "1", "'", "\u0301", "\u00ad", "\u02b0", "\u2160", "\u03a3", "\u0130", "\u01c5"),
    *("\u4e2d", "\U00010400", "\U000e0100", "\U000e0020", "\U0001f600", "."),
)


def test_sigma_is_lowered_by_all_that_stands_around_it() -> None:
    parts = ["".join(part) for n in range(3) for part in product(AROUND_SIGMA, repeat=n)]
    random = Random(1)  # noqa: S311 - the same words in every run
    words = [f"{part}{SIGMA}" for part in parts] + [f"A{SIGMA}{part}" for part in parts]
    words += ["".join(random.choices((*AROUND_SIGMA, SIGMA), k=9)) for _ in range(5_000)]
    assert [lowered(word) for word in words] == [word.lower() for word in words]


@given(st.text(st.characters(codec="utf-8") | st.sampled_from((SIGMA, DOTTED_I, *AROUND_SIGMA))))
def test_any_word_is_lowered_as_python_does(word: str) -> None:
    assert lowered(word) == word.lower()


def test_words_around_are_not_looked_at() -> None:
    text = np.frombuffer("A\u03a3A".encode(), np.uint8)
    room = np.empty(8, np.uint8)
    length = lower_word(text, 1, 3, characters(), room)
    assert room[:length].tobytes().decode() == "\u03c3"
    length = lower_word(text, 0, 3, characters(), room)
    assert room[:length].tobytes().decode() == "a\u03c2"
