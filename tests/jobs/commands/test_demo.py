"""The demo: two nights of sample logs, scored."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.jobs.logs import contents, tonelog
from tests.jobs.test_console import on_a_terminal


def test_the_demo_shows_the_bad_night_and_can_be_run_again(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    outcome = tonelog("demo", folder)
    assert outcome.code == 0
    lines = outcome.out.splitlines()
    assert sum(line.startswith("$ tonelog score ") for line in lines) == 2
    assert sum(line.startswith("model=heron-2-mini") for line in lines) == 4
    assert "the 5 worst runs of 2026-03-03" in lines
    first = contents(folder / "out" / "scored")
    assert len(first) == 4
    assert tonelog("demo", folder).code == 0
    assert contents(folder / "out" / "scored") == first


def test_what_the_demo_says_comes_next_does(tmp_path: Path) -> None:
    last = tonelog("demo", tmp_path / "demo").out.splitlines()[-1]
    words = last.removeprefix("next: tonelog ").split()
    assert words[0] == "summarize"
    outcome = tonelog(*words)
    assert outcome.code == 0
    assert "run_date=2026-03-03" in outcome.out


@pytest.mark.parametrize("name", ["file", "folder"])
def test_the_demo_leaves_what_is_there(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "mine.txt").write_text("mine", encoding="utf-8")
    before = contents(tmp_path)
    outcome = tonelog("demo", tmp_path / name)
    assert outcome.code == 2
    assert outcome.err == (
        f"{tmp_path / name}: is there already; expected a new folder, or a demo's; name another\n"
    )
    assert contents(tmp_path) == before


def test_the_demo_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    code, shown, _ = on_a_terminal(["demo", str(tmp_path / "demo")])
    assert code == 0
    assert "\\n" not in shown
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") == 2
    # No bar is drawn once its night's table is there.
    assert "rows/s" not in shown.rsplit("the 5 worst runs", maxsplit=1)[1]
