"""What two texts in UTF-8 share at their beginning and at their end, which need not be compared."""

from __future__ import annotations

from typing import Final

from tonelog.scorers.compiled import Bytes, compiled

_KIND: Final = 0xC0
_CONTINUED: Final = 0x80


@compiled
def is_inside(byte: int) -> bool:
    """Whether a byte is inside of a UTF-8 character, not its first."""
    return byte & _KIND == _CONTINUED


@compiled
def common_head(a: Bytes, b: Bytes) -> int:
    """Count the bytes of the longest beginning, of whole characters, that two texts share."""
    shorter = min(len(a), len(b))
    head = 0
    while head < shorter and a[head] == b[head]:
        head += 1
    while 0 < head < shorter and is_inside(a[head]):
        head -= 1
    return head


@compiled
def common_tail(a: Bytes, b: Bytes) -> int:
    """Count the bytes of the longest end, of whole characters, that two texts share."""
    shorter = min(len(a), len(b))
    tail = 0
    while tail < shorter and a[len(a) - 1 - tail] == b[len(b) - 1 - tail]:
        tail += 1
    while tail > 0 and is_inside(a[len(a) - tail]):
        tail -= 1
    return tail
