"""Texts with the sentences that a reader sees in them, and how near a split comes to these."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).with_name("sentences")
GOLD: Final = _FOLDER / "gold.jsonl"
"""Texts by the project's conventions, written by somebody else."""
FURTHER: Final = _FOLDER / "further.jsonl"
"""More texts by the same conventions, written before the splitter was."""


@dataclass(frozen=True)
class Case:
    """A text and its sentences.

    Attributes:
        id: its name in the file.
        text: the text.
        sentences: what a reader takes for its sentences.
    """

    id: str
    text: str
    sentences: list[str]


def read_cases(path: Path) -> list[Case]:
    """Read a file of cases: one JSON object a line."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Case(line["id"], line["text"], line["sentences"]) for line in lines]


def read_golden_rules(path: Path) -> list[Case]:
    """Read the Golden Rules, whose fields are named otherwise."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [Case(line["id"], line["input"], line["expected"]) for line in lines]


def ends(sentences: Iterable[str]) -> list[int]:
    """Say behind how many characters, white space left out, each sentence ends.

    So splitters that change white space, or leave it at their sentences, are measured as others.
    """
    behind: list[int] = []
    total = 0
    for sentence in sentences:
        total += len("".join(sentence.split()))
        if total > (behind[-1] if behind else 0):
            behind.append(total)
    return behind


def boundary_f1(cases: Sequence[Case], found: Sequence[Iterable[str]]) -> float:
    """Give the F1 of the ends within the texts; a text's own end is no merit."""
    right = n_expected = n_found = 0
    for case, sentences in zip(cases, found, strict=True):
        expected, got = set(ends(case.sentences)[:-1]), set(ends(sentences)[:-1])
        right += len(expected & got)
        n_expected += len(expected)
        n_found += len(got)
    return 2 * right / (n_expected + n_found)


def n_equal(cases: Sequence[Case], found: Sequence[Iterable[str]]) -> int:
    """Count the texts that are split as a reader would, all of them kept."""
    return sum(
        ends(case.sentences) == ends(sentences)
        for case, sentences in zip(cases, found, strict=True)
    )
