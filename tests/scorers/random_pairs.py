"""Pairs of texts in great number for the kernels: seeded, any script, any length, near and far."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from tests.oracles import WHITE_SPACE

Codes = npt.NDArray[np.uint32]
Sides = tuple[list[str | None], list[str | None]]

PYTHON_SPACE: Final = [*WHITE_SPACE, *"\x1c\x1d\x1e\x1f"]
"""White space as ``str.split()`` sees it: four separators more than Unicode's property."""

_WIDE: Final = np.concatenate([np.arange(1, 0xD800), np.arange(0xE000, 0x110000)])
_ALPHABETS: Final = [
    np.array(codes, np.uint32)
    for codes in (
        [*b"ab"],
        [*b"etaoinshrdlu ,.\n"],
        range(1, 0x80),
        range(0xA0, 0x100),  # Latin-1
        [*b"aeo", 0xE9, 0x301, 0x308, 0x327],  # combining marks
        range(0x4E00, 0x9FFF),
        [*range(0x1F600, 0x1F640), 0x200D, 0xFE0F, 0x61],
        [0x61, 0xE9, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x10FFFF],  # the edges of UTF-8
        _WIDE,
        [ord(space) for space in PYTHON_SPACE] + [0x61, 0x62, 0x200B],
    )
]
_WORDS: Final = [
    *("a", "b", "ab", "\x00", "a\x00", "\u00e9", "e\u0301", "\u597d", "\U0001f600", "\u200b"),
    *("eight888", "nine99999", "nine99998", "naught.here", "naught.hero", "\u597d\u597d\u597d"),
    *(f"https://example.com/{n % 7}/a-long-way/{n}/index.html" for n in range(40)),
    *(f"w{n}" for n in range(400)),
]
_N_EDITS: Final = 6


def character_pairs(n: int) -> Sides:
    """Make n pairs of characters of one alphabet each; some equal, empty or null."""
    random = np.random.default_rng(4)

    def text(alphabet: Codes) -> Codes:
        return alphabet[random.integers(0, len(alphabet), _length(random))]

    left, right = [], []
    for _ in range(n):
        alphabet = _ALPHABETS[random.integers(len(_ALPHABETS))]
        one = text(alphabet)
        other = _edited(one, alphabet, random) if random.random() < 0.5 else text(alphabet)
        left.append(_characters(one))
        right.append(_characters(other))
    return _with_nulls(left, random), _with_nulls(right, random)


def word_pairs(n: int) -> Sides:
    """Make n pairs of words with any white space between them; some equal, blank or null."""
    random = np.random.default_rng(5)
    left, right = [], []
    for _ in range(n):
        known = np.arange(random.integers(1, len(_WORDS)), dtype=np.uint32)
        one = known[random.integers(0, len(known), _length(random) // 4)]
        if random.random() < 0.5:
            other = _edited(one, known, random)
        else:
            other = known[random.integers(0, len(known), _length(random) // 4)]
        any_space = random.random() < 0.5
        left.append(_joined(one, random, any_space=any_space))
        right.append(_joined(other, random, any_space=any_space))
    return _with_nulls(left, random), _with_nulls(right, random)


def _length(random: np.random.Generator) -> int:
    """Draw a length: short as a rule, often near a multiple of a machine word or of four."""
    kind = random.random()
    if kind < 0.7:
        return int(random.geometric(1 / 30)) - 1
    if kind < 0.995:
        return int(random.choice([64, 128, 192, 256, 320, 512]) + random.integers(-2, 3))
    return int(random.integers(600, 4000))


def _edited(codes: Codes, alphabet: Codes, random: np.random.Generator) -> Codes:
    """Replace some stretches by others, of other lengths; sometimes none."""
    for _ in range(random.integers(_N_EDITS)):
        start = random.integers(len(codes) + 1)
        new = alphabet[random.integers(0, len(alphabet), random.integers(4))]
        codes = np.concatenate([codes[:start], new, codes[start + random.integers(4) :]])
    return codes


def _characters(codes: Codes) -> str:
    return codes.astype("<u4").tobytes().decode("utf-32-le")


def _joined(words: Codes, random: np.random.Generator, *, any_space: bool) -> str:
    spaces = PYTHON_SPACE if any_space else [" ", " ", " ", "\n", "  "]
    between = random.integers(0, len(spaces), len(words) + 1)
    ends = random.random(2) < 0.3
    text = "".join(
        spaces[space] + _WORDS[word] for space, word in zip(between, words, strict=False)
    )
    return text[0 if ends[0] else 1 :] + (spaces[between[-1]] * 2 if ends[1] else "")


def _with_nulls(texts: list[str], random: np.random.Generator) -> list[str | None]:
    return [
        None if null else text
        for text, null in zip(texts, random.random(len(texts)) < 0.02, strict=True)
    ]
