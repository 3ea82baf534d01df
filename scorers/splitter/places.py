"""What is made of places: sentences as strings, places in characters, texts without code."""

from __future__ import annotations

import numpy as np

from ..kernels.compiled import I64, U8, compiled
from ..kernels.utf8 import is_inside
from .characters import Classes
from .cursor import line_end, skip_space
from .inline_markup import fence_end, fence_length


@compiled
def gather(content: U8, starts: I64, ends: I64) -> tuple[U8, I64]:
    """Copy parts of a text, one behind the other: their bytes, and n + 1 offsets into these."""
    offsets = np.zeros(len(starts) + 1, np.int64)
    for i in range(len(starts)):
        offsets[i + 1] = offsets[i] + ends[i] - starts[i]
    copied = np.empty(offsets[-1], np.uint8)
    for i in range(len(starts)):
        copied[offsets[i] : offsets[i + 1]] = content[starts[i] : ends[i]]
    return copied, offsets


@compiled
def count_chars(
    content: U8, text_offsets: I64, starts: I64, ends: I64, offsets: I64
) -> tuple[I64, I64]:
    """Turn the places of sentences from bytes of all texts into characters of each text."""
    first = np.empty(len(starts), np.int64)
    last = np.empty(len(starts), np.int64)
    for row in range(len(offsets) - 1):
        at = text_offsets[row]
        chars = 0
        for i in range(offsets[row], offsets[row + 1]):
            while at < starts[i]:
                chars += not is_inside(content[at])
                at += 1
            first[i] = chars
            while at < ends[i]:
                chars += not is_inside(content[at])
                at += 1
            last[i] = chars
    return first, last


@compiled
def drop_code(content: U8, offsets: I64, chars: Classes) -> tuple[U8, I64]:
    """Copy n texts without the lines of their fenced blocks: their bytes, and n + 1 offsets."""
    kept = np.empty(offsets[-1] - offsets[0], np.uint8)
    kept_offsets = np.zeros(len(offsets), np.int64)
    size = np.int64(0)
    for row in range(len(offsets) - 1):
        text = content[offsets[row] : offsets[row + 1]]
        at = np.int64(0)
        while at < len(text):
            first = skip_space(text, at, chars)
            length = fence_length(text, first)
            if length > 0:
                at = line_end(text, fence_end(text, first, length, chars)) + 1
                continue
            end = line_end(text, first)
            end += end < len(text)
            kept[size : size + end - at] = text[at:end]
            size += end - at
            at = end
        kept_offsets[row + 1] = size
    return kept[:size], kept_offsets
