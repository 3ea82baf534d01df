"""VADER's rule for "but": what stands before the first one counts half, what follows 1.5 times.

VADER goes through the valences and changes, for each, the *first that is equal to it*, as changed
so far. So of two equal valences before a "but" the first may be halved twice. To find the first
equal one in good time, positions of equal valences are kept in heaps, one for each value.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from ..kernels.compiled import Int, compiled, subroutine

Positions = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

_BEFORE: Final = 0.5
_BEHIND: Final = 1.5
_HASH_STEP: Final = 0x9E3779B97F4A7C15 - (1 << 64)
_NONE: Final = -1


@compiled
def contrast(
    valences: Numbers, places: Positions, but: Int, is_plain: npt.NDArray[np.bool_]
) -> None:
    """Change the valences (none of them 0) of a text's words, which stand at the given places.

    A changed one is a float to Python, so no longer ``is_plain``. Takes n log n steps.
    """
    n = len(valences)
    bits = valences.view(np.int64)
    # A hash table from a value's bits to its heap. A position is in one heap at a time; each step
    # makes one new value at most.
    size = 1
    while size < 4 * n:
        size *= 2
    values = np.zeros(size, np.int64)
    roots = np.full(size, _NONE, np.int64)
    child = np.full(n, _NONE, np.int64)
    sibling = np.full(n, _NONE, np.int64)
    for i in range(n):
        # A zero, of a tiny one that was halved, is equal to any word without a valence.
        if valences[i] == 0:
            continue
        slot = _slot(bits[i], values)
        roots[slot] = _meld(roots[slot], i, child, sibling)
        first = roots[slot]
        if places[first] == but:
            continue
        roots[slot] = _without_first(first, child, sibling)
        valences[first] *= _BEFORE if places[first] < but else _BEHIND
        is_plain[first] = False
        if valences[first] != 0:
            slot = _slot(bits[first], values)
            roots[slot] = _meld(roots[slot], first, child, sibling)


@subroutine
def _slot(bits: Int, values: Positions) -> np.int64:
    """Find the slot of a value, or make it one: no value here is 0."""
    mixed = bits * _HASH_STEP
    slot = (mixed ^ mixed >> 32) & len(values) - 1
    while values[slot] not in (0, bits):
        slot = slot + 1 & len(values) - 1
    values[slot] = bits
    return np.int64(slot)


@subroutine
def _meld(left: Int, right: Int, child: Positions, sibling: Positions) -> np.int64:
    """Make one pairing heap of two, by their roots: positions, the lowest on top."""
    if left == _NONE or right == _NONE:
        return np.int64(max(left, right))
    top, below = min(left, right), max(left, right)
    sibling[below] = child[top]
    child[top] = below
    return np.int64(top)


@subroutine
def _without_first(root: Int, child: Positions, sibling: Positions) -> np.int64:
    """Take the root off a pairing heap: its children are melded in pairs, then all together."""
    pairs = np.int64(_NONE)
    heap = child[root]
    child[root] = _NONE
    while heap != _NONE:
        other = sibling[heap]
        sibling[heap] = _NONE
        rest = np.int64(_NONE)
        if other != _NONE:
            rest = sibling[other]
            sibling[other] = _NONE
        pair = _meld(heap, other, child, sibling)
        sibling[pair] = pairs
        pairs, heap = pair, rest
    melded = np.int64(_NONE)
    while pairs != _NONE:
        pair, pairs = pairs, sibling[pairs]
        sibling[pair] = _NONE
        melded = _meld(melded, pair, child, sibling)
    return melded
