"""How well and how fast texts are split into sentences: by us, and by what others offer.

Run by ``python -m tests.benchmarks``, or alone with POLARS_MAX_THREADS=1. The others come with
``pip install '.[peers]'``; one that is not installed is left out, which is said.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import polars as pl

from tests.scorers.cases import (
    FURTHER,
    GOLD,
    boundary_f1,
    n_equal,
    read_cases,
    read_golden_rules,
)
from tonelog.jobs.demo_logs import demo_log
from tonelog.scorers.compiled import as_texts
from tonelog.scorers.sentences import find_sentences, split_sentences

Splitter = Callable[[str], Iterable[str]]

_SHARED: Final = Path(__file__).resolve().parents[3] / "shared"
_GOLDEN_RULES: Final = _SHARED / "sentences" / "golden_rules.jsonl"
_SIZE: Final = 10_000_000
_SECONDS: Final = 1.0
_RUNS: Final = 5
_TEXTS_IN_ONE: Final = 6
_BLINGFIRE_JOINT: Final = "\n"


def ours(text: str) -> list[str]:
    """Split one text."""
    split: list[str] = pl.select(split_sentences(pl.lit(text))).item().to_list()
    return split


def _pysbd(module: Any) -> Splitter:  # noqa: ANN401 - a module without types
    split: Splitter = module.Segmenter(language="en", clean=False).segment
    return split


def _sentencex(module: Any) -> Splitter:  # noqa: ANN401 - as above
    return lambda text: module.segment("en", text)


def _blingfire(module: Any) -> Splitter:  # noqa: ANN401 - as above
    return lambda text: module.text_to_sentences(text).split(_BLINGFIRE_JOINT)


def _nupunkt(module: Any) -> Splitter:  # noqa: ANN401 - as above
    split: Splitter = module.sent_tokenize
    return split


def _syntok(module: Any) -> Splitter:  # noqa: ANN401 - as above
    def split(text: str) -> Iterator[str]:
        for paragraph in module.analyze(text):
            for tokens in paragraph:
                yield text[tokens[0].offset : tokens[-1].offset + len(tokens[-1].value)]

    return split


PEERS: Final = {
    "pysbd": _pysbd,
    "sentencex": _sentencex,
    "blingfire": _blingfire,
    "nupunkt": _nupunkt,
    "syntok.segmenter": _syntok,
}


def mixed_texts(size: int = _SIZE) -> list[str]:
    """Make texts of agents, of so many bytes: the cases in groups, and answers of the demo."""
    cases = [case.text for case in read_cases(GOLD) + read_cases(FURTHER)]
    # What opens a fence and never closes it would make code of what is joined to it.
    open_ended = [text for text in cases if text.count("```") % 2 or text.count("~~~") % 2]
    joined = [text for text in cases if text not in open_ended]
    groups = ["\n\n".join(joined[i::_TEXTS_IN_ONE]) for i in range(_TEXTS_IN_ONE)]
    groups = [
        "\n\n".join(joined[i : i + _TEXTS_IN_ONE]) for i in range(0, len(joined), _TEXTS_IN_ONE)
    ]
    answers = demo_log(date(2026, 1, 1), runs=len(groups)).column("response").to_pylist()
    one = [*open_ended, *groups, *(answer for answer in answers if answer)]
    bytes_of_one = sum(len(text.encode()) for text in one)
    return list(islice(cycle(one), len(one) * size // bytes_of_one))
