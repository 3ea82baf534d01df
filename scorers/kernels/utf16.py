"""Texts as JavaScript sees them: UTF-16 code units, and its own set of white space."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from .compiled import Int, compiled

SPACE: Final = (
    r"[\x{09}-\x{0D}\x{20}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}"
    r"\x{FEFF}]"
)
"""White space as ECMAScript defines it, as a regular expression (ECMA-262, section 12.2)."""

SPACES: Final = (
    "".join(
        map(chr, (*range(0x09, 0x0E), 0x20, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029))
    )
    + "\u202f\u205f\u3000\ufeff"
)
"""The same, as characters."""

_ASTRAL: Final = r"[\x{10000}-\x{10FFFF}]"


@compiled
def is_wide_space(char: Int) -> bool:
    """Tell whether a code point beyond ASCII is white space, for kernels.

    Example:
        >>> is_wide_space(0xA0), is_wide_space(0x85)
        (True, False)
    """
    if 0x2000 <= char <= 0x205F:  # noqa: PLR2004 - the block of most of them
        return bool(char <= 0x200A) or char in (0x2028, 0x2029, 0x202F, 0x205F)  # noqa: PLR2004
    return char in (0xA0, 0x1680, 0x3000, 0xFEFF)


def length(text: pl.Expr) -> pl.Expr:
    """Count the UTF-16 code units of n strings (nullable), Int64.

    Example:
        >>> pl.select(length(pl.lit("a😀"))).item()
        3
    """
    return text.str.len_chars().cast(pl.Int64) + text.str.count_matches(_ASTRAL)


def units(texts: pl.Series) -> npt.NDArray[np.uint16]:
    """Give the UTF-16 code units of n strings (no nulls), one text after the other."""
    return np.frombuffer("".join(texts).encode("utf-16-le"), dtype="<u2")
