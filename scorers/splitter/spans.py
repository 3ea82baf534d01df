"""Sentences of many texts as byte offsets, found without copying any text."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..kernels.compiled import I64, Texts
from .characters import char_classes, special_bytes
from .scanner import scan_texts
from .state import STATE_SIZE
from .word_flags import word_table


class Spans(NamedTuple):
    """The sentences of n texts.

    Attributes:
        starts: where each sentence begins in the bytes of the texts.
        ends: where it ends.
        offsets: n + 1 offsets into both: sentences of text i are offsets[i] to offsets[i + 1].
    """

    starts: I64
    ends: I64
    offsets: I64


def find_sentences(
    texts: Texts, *, skip_code: bool = False, abbreviations: tuple[str, ...] = ()
) -> Spans:
    """Find the sentences of n texts; a blank text, or a null one, which is empty, has none."""
    content, offsets = texts
    size = int(offsets[-1] - offsets[0])
    # Two sentences are two bytes apart, at least. Pages that no sentence reaches cost nothing.
    found = np.empty((2, size // 2 + len(offsets)), np.int64)
    state = np.zeros(STATE_SIZE, np.int64)
    counts = np.zeros(len(offsets), np.int64)
    scan_texts(
        content, offsets, skip_code,
        special_bytes(), char_classes(), word_table(abbreviations), state, found, counts,
    )  # fmt: skip
    starts, ends = found[:, : counts[-1]].copy()
    return Spans(starts, ends, counts)
