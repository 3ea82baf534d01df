"""Summaries again, from the scored parts of a run that ended."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.jobs.logs import contents, score, tonelog, write_log


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Give the output of a run over two shards."""
    for name in ("a", "b"):
        write_log(tmp_path / "log" / f"{name}.parquet")
    assert score(tmp_path / "log", tmp_path / "out", "--by", "agent").code == 0
    return tmp_path / "out"


def test_the_summary_is_replaced_and_the_rest_is_as_it_was(out: Path) -> None:
    scored, summary = contents(out / "scored"), contents(out / "summary")
    outcome = tonelog("summarize", out, "--by", "response")
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1] == f"output: {out}"
    assert contents(out / "scored") == scored
    assert contents(out / "summary") != summary
    assert tonelog("summarize", out).code == 0
    assert contents(out / "summary") == summary


def test_a_key_may_be_named_twice(out: Path) -> None:
    assert tonelog("summarize", out, "--by", "response").code == 0
    once = contents(out / "summary")
    assert tonelog("summarize", out, "--by", "response", "--by", "response").code == 0
    assert contents(out / "summary") == once


def test_parts_of_a_run_that_did_not_end_are_refused(out: Path, tmp_path: Path) -> None:
    """Their signatures are not those that the manifest tells."""
    other = tmp_path / "other"
    options = ("--by", "agent", "--set", "scorers.tone.scale=10")
    assert score(tmp_path / "log", other, *options).code == 0
    part = next(iter(sorted((out / "scored").iterdir())))
    shutil.copy(other / "scored" / part.name, part)
    summary = contents(out / "summary")
    outcome = tonelog("summarize", out)
    assert outcome.code == 3
    assert outcome.err.startswith(f"{part}: is not the part of the last run that ended; ")
    part.unlink()
    assert tonelog("summarize", out).code == 3
    assert contents(out / "summary") == summary
