"""Characters in UTF-8: as Python sees them, and the ends that two texts share."""

from __future__ import annotations

from itertools import takewhile

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tonelog.scorers.kernels.compiled import U8
from tonelog.scorers.kernels.utf8 import (
    common_head,
    common_tail,
    count_characters,
    decode,
    is_ascii,
)

# Of these, some share their first bytes, and some their last.
any_text = st.text(
    st.sampled_from("ab\x7f\u0080\u00e9\u00e8\u0109\u597d\u5979\ud7ff\U0001f600\U0001f640")
)
any_unicode = st.text(st.characters(exclude_categories=["Cs"]))


def as_bytes(text: str) -> U8:
    """Give a text as kernels see it."""
    return np.frombuffer(text.encode(), np.uint8)


@given(any_text | any_unicode)
def test_characters_are_pythons(text: str) -> None:
    content = as_bytes(text)
    assert decode(content, 1).tolist() == list(map(ord, text))
    assert count_characters(content, 1) == len(text)
    assert is_ascii(content) == text.isascii()


@given(any_text | any_unicode)
def test_characters_of_two_units_are_surrogates(text: str) -> None:
    units = memoryview(text.encode("utf-16-le")).cast("H").tolist()
    assert decode(as_bytes(text), 2).tolist() == units
    assert count_characters(as_bytes(text), 2) == len(units)


def shared(left: str, right: str) -> str:
    """Give what two texts begin with."""
    pairs = takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    return "".join(character for character, _ in pairs)


@given(any_text, any_text, any_text, any_text)
def test_shared_ends_are_of_whole_characters(head: str, left: str, right: str, tail: str) -> None:
    pair = head + left + tail, head + right + tail
    contents = as_bytes(pair[0]), as_bytes(pair[1])
    assert common_head(*contents) == len(shared(*pair).encode())
    backwards = shared(pair[0][::-1], pair[1][::-1])
    assert common_tail(*contents) == len(backwards.encode())
