"""The parts import one way, and each library has one home (read from the source by ast)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCES = sorted(
    str(path.relative_to(ROOT))
    for part in ("jobs", "scorers")
    for path in (ROOT / part).rglob("*.py")
)
SCORER_MODULES = {
    f"tonelog.scorers.{path.stem}"
    for path in (ROOT / "scorers").glob("[!_]*")
    if path.suffix == ".py" or path.is_dir()
}
FOR_JOBS = {
    f"tonelog.scorers.{name}"
    for name in ("base", "registry", "sentences", "sentiment", "similarity")
}

NOT_IN_SCORERS = (
    "tonelog.jobs", "click", "rich", "pyarrow.parquet", "pyarrow.fs", "pathlib", "os", "io",
)  # fmt: skip
HOMES = {
    "rapidfuzz": {"scorers/similarity.py"},
    "numba": {"scorers/kernels/compiled.py", "scorers/kernels/instructions.py"},
    "llvmlite": {"scorers/kernels/instructions.py"},
    "vaderSentiment": {"scorers/vader/lexicon.py"},
    "pyarrow.parquet": {"jobs/log/read.py", "jobs/output/write.py"},
    "click": {"jobs/cli.py"},
}
KERNELS = ("scorers/afinn/", "scorers/kernels/", "scorers/splitter/", "scorers/vader/")
"""Folders of kernels. Compiled code is cached by the sources of its folder and of kernels/."""

VAGUE_NAMES = {"utils", "helpers", "common", "manager", "data"}


def _imported(source: str, path: str) -> Iterator[str]:
    """Name every module that a source imports; ``from a import b`` names both a and a.b."""
    package = ["tonelog", *Path(path).parent.parts]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*above, *([node.module] if node.module else [])])
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def _is_within(name: str, module: str) -> bool:
    return name == module or name.startswith(f"{module}.")


def _faults(path: str, source: str) -> list[str]:
    """Say where a source at that path breaks the layout's rules."""
    found = []
    if Path(path).stem in VAGUE_NAMES:
        found.append(f"{path}: says nothing by its name")
    for name in _imported(source, path):
        homes = [home for module, home in HOMES.items() if _is_within(name, module)]
        if any(path not in home for home in homes):
            found.append(f"{path}: {name} has its home elsewhere")
        if path.startswith("scorers/") and any(_is_within(name, bad) for bad in NOT_IN_SCORERS):
            found.append(f"{path}: {name} is nothing for scorers")
        if path.startswith(KERNELS) and _is_within(name, "tonelog"):
            own = f"tonelog.{path.rpartition('/')[0].replace('/', '.')}"
            if not any(_is_within(name, folder) for folder in (own, "tonelog.scorers.kernels")):
                found.append(f"{path}: {name} is not in its own folder, nor in kernels/")
        if path.startswith("jobs/") and any(
            _is_within(name, module) for module in SCORER_MODULES - FOR_JOBS
        ):
            found.append(f"{path}: {name} is not among {sorted(FOR_JOBS)}")
    return found


@pytest.mark.parametrize("path", SOURCES)
def test_source_keeps_to_the_layout(path: str) -> None:
    assert _faults(path, (ROOT / path).read_text()) == []


def test_sources_are_found() -> None:
    assert {"jobs/__init__.py", "scorers/base.py", "scorers/tone.py"} <= set(SOURCES)
    assert SCORER_MODULES > FOR_JOBS


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("scorers/tone.py", "import tonelog.jobs.log.read"),
        ("scorers/tone.py", "from tonelog import jobs"),
        ("scorers/tone.py", "from ..jobs.log import read"),
        ("scorers/tone.py", "def f():\n    import os.path"),
        ("scorers/tone.py", "from pathlib import Path"),
        ("scorers/tone.py", "from pyarrow import parquet"),
        ("scorers/tone.py", "import pyarrow.fs as files"),
        ("scorers/tone.py", "from rich.table import Table"),
        ("scorers/tone.py", "import io"),
        ("scorers/tone.py", "from rapidfuzz.distance import LCSseq"),
        ("jobs/score.py", "import rapidfuzz"),
        ("scorers/tone.py", "import vaderSentiment.vaderSentiment"),
        ("jobs/pipeline.py", "import pyarrow.parquet as pq"),
        ("jobs/config.py", "import click"),
        ("jobs/score.py", "from tonelog.scorers.tone import ToneScorer"),
        ("jobs/score.py", "from tonelog.scorers import textual_difference"),
        ("jobs/score.py", "from ..scorers import tone"),
        ("scorers/kernels/lcs.py", "from ..base import ScorerError"),
        ("scorers/kernels/lcs.py", "from ..vader.lexicon import VERSION"),
        ("scorers/vader/tokens.py", "from ..splitter import state"),
        ("scorers/vader/tokens.py", "from tonelog.scorers import sentiment"),
        ("jobs/utils.py", ""),
    ],
)
def test_checker_finds_what_breaks_the_layout(path: str, source: str) -> None:
    assert len(_faults(path, source)) > 0


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("scorers/tone.py", "import ostrich, ioctl, clicker"),
        ("scorers/similarity.py", "from rapidfuzz.process import cpdist"),
        ("scorers/vader/lexicon.py", "from vaderSentiment import vaderSentiment"),
        ("scorers/vader/tokens.py", "from ..kernels import utf8\nfrom . import lexicon"),
        ("scorers/splitter/lines.py", "from . import state\nfrom .state import START"),
        ("jobs/log/read.py", "import pyarrow.parquet as pq"),
        ("jobs/cli.py", "import click\nfrom pathlib import Path"),
        (
            "jobs/score.py",
            "from tonelog.scorers import score_pairs\nfrom tonelog.scorers import base",
        ),
        ("jobs/score.py", "from tonelog.scorers.registry import create_scorer"),
        ("jobs/score.py", "from tonelog.scorers.similarity import group_similarity"),
        ("jobs/score.py", "import pyarrow as pa"),
    ],
)
def test_checker_passes_what_the_layout_allows(path: str, source: str) -> None:
    assert _faults(path, source) == []
