"""How well and how fast texts are split into sentences: by us, and by what others offer.

Run by ``python -m tests.benchmarks sentences``. The others come with ``pip install '.[peers]'``;
one that is not installed is left out, which is said. The Golden Rules are read from the folder
``shared`` beside the repository, if it is there.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from importlib import import_module
from itertools import cycle, islice
from pathlib import Path
from typing import Any, Final

import polars as pl

from tests.benchmarks.sizes import FULL, Size
from tests.benchmarks.tables import Row
from tests.scorers.cases import (
    FURTHER,
    GOLD,
    boundary_f1,
    n_equal,
    read_cases,
    read_golden_rules,
)
from tonelog.jobs.commands.demo_logs import demo_log
from tonelog.scorers.kernels.compiled import as_texts
from tonelog.scorers.sentences import find_sentences, split_sentences

Splitter = Callable[[str], Iterable[str]]

_SHARED: Final = Path(__file__).resolve().parents[3] / "shared"
_GOLDEN_RULES: Final = _SHARED / "sentences" / "golden_rules.jsonl"
_SIZE: Final = 10_000_000
# Of the others, at least so long is measured.
_SECONDS: Final = 1.0
_RUNS: Final = 7
_TEXTS_IN_ONE: Final = 6
_PROSE: Final = 2_000


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
    return lambda text: module.text_to_sentences(text).split("\n")


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
    """Make texts of agents, so many bytes of them: the cases by sixes, and answers of the demo."""
    cases = [case.text for case in read_cases(GOLD) + read_cases(FURTHER)]
    # What opens a fence and never closes it would make code of what is joined to it.
    whole = [text for text in cases if text.count("```") % 2 == text.count("~~~") % 2 == 0]
    sixes = ["\n\n".join(whole[i : i + _TEXTS_IN_ONE]) for i in range(0, len(whole), _TEXTS_IN_ONE)]
    return _repeated([*sixes, *demo_answers(len(sixes))], size)


def demo_answers(runs: int) -> list[str]:
    """Give the demo's answers, which are prose but for a few lists, tables and blocks of code."""
    answers = demo_log(date(2026, 1, 1), runs=runs).column("response").to_pylist()
    return [answer for answer in answers if answer]


def _repeated(texts: list[str], size: int = _SIZE) -> list[str]:
    size_of_all = sum(len(text.encode()) for text in texts)
    return list(islice(cycle(texts), len(texts) * size // size_of_all))


def speed_of(split: Splitter, texts: Iterable[str]) -> float:
    """Measure how many MB of the texts, one after the other, are split in a second."""
    began = time.process_time()
    n_bytes = 0
    for text in texts:
        list(split(text))
        n_bytes += len(text.encode())
        if time.process_time() - began > _SECONDS:
            break
    return n_bytes / (time.process_time() - began) / 1e6


def speeds_of_ours(texts: list[str]) -> tuple[float, float]:
    """Measure, in MB of the texts a second, spans and Series to List: the best of some runs."""
    frame = pl.DataFrame({"text": texts})
    column = split_sentences(pl.col("text"))
    as_bytes = as_texts(frame["text"])

    def speed(task: Callable[[], object]) -> float:
        best = float("inf")
        for _ in range(_RUNS):
            began = time.process_time()
            task()
            best = min(best, time.process_time() - began)
        return len(as_bytes.bytes) / best / 1e6

    return speed(lambda: find_sentences(as_bytes)), speed(lambda: frame.select(column))


TITLE: Final = "sentences, one core: whole texts that are split as a reader would; mixed texts"


def measured(size: Size) -> list[Row]:
    """Measure accuracy on each set, and speed: ours over Series, the others text by text."""
    sets = {"gold": read_cases(GOLD), "further": read_cases(FURTHER)}
    if _GOLDEN_RULES.is_file():
        sets = {"golden": read_golden_rules(_GOLDEN_RULES)} | sets
    n_bytes = int(_SIZE * size.megabytes / FULL.megabytes)
    texts = mixed_texts(n_bytes)
    spans, lists = speeds_of_ours(texts)

    def row(name: str, split: Splitter | None, speed: float | None) -> Row:
        shown: Row = {"splitter": name}
        for key, cases in sets.items():
            found = [list(split(case.text)) for case in cases] if split else None
            shown[f"{key} ({len(cases)})"] = None if found is None else n_equal(cases, found)
            if key == "gold":
                shown["gold F1"] = None if found is None else round(boundary_f1(cases, found), 3)
        return shown | {"MB/s": speed, "times slower": speed and lists / speed}

    rows = [row("tonelog, Series to List", ours, lists), row("tonelog, spans", None, spans)]
    for name, adapt in PEERS.items():
        try:
            split = adapt(import_module(name))
        except ImportError:
            rows.append(row(f"{name}: not installed, see the extra peers", None, None))
            continue
        rows.append(row(name.partition(".")[0], split, speed_of(split, texts)))
    spans, lists = speeds_of_ours(_repeated(demo_answers(_PROSE), n_bytes))
    rows.append(_only("spans, the demo's answers", rows[0], spans))
    rows.append(_only("lists, the demo's answers", rows[0], lists))
    return rows


def _only(name: str, like: Row, speed: float) -> Row:
    """Make a row of the same columns with a name and a speed alone."""
    row: Row = dict.fromkeys(like)
    return row | {"splitter": name, "MB/s": speed}
