"""Texts as JavaScript sees them."""

from __future__ import annotations

import sys

from tonelog.scorers.kernels import utf16


def test_kernels_know_the_same_white_space() -> None:
    found = [chr(c) for c in range(0x80, sys.maxunicode + 1) if utf16.is_wide_space(c)]
    assert found == sorted(space for space in utf16.SPACES if not space.isascii())
