"""What a person sees: a bar on a terminal, plain lines in a pipe, and nothing that acts on it."""

from __future__ import annotations

import dataclasses
import os
import pty
import re
import subprocess
import time
from pathlib import Path

import pytest

from tests.jobs.logs import PAIRS, TONELOG, many_runs, read_parts, score, write_log
from tonelog.jobs.config import load_config
from tonelog.jobs.console import Terminal, count, printable, show_summaries
from tonelog.jobs.pipeline import run_job

ESCAPE = "\x1b"


def plain(text: str) -> str:
    """Take the codes of colors and cursor out of what a terminal was sent."""
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text)


def on_a_terminal(
    arguments: list[str], *, only_stderr: bool = False, columns: int = 120
) -> tuple[int, str, str]:
    """Run a command on a terminal: its code, what it showed, what it piped."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": str(columns), "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    job = subprocess.Popen(
        [TONELOG, *arguments],
        stdin=theirs,
        stdout=subprocess.PIPE if only_stderr else theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            some = os.read(ours, 65536)
        except OSError:
            break
        if not some:
            break
        shown += some
    os.close(ours)
    piped = job.stdout.read().decode() if job.stdout else ""
    if job.stdout:
        job.stdout.close()
    return job.wait(timeout=30), shown.decode(), piped


def test_a_terminal_shows_a_bar_and_a_table_in_color(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_log(tmp_path / "log" / f"{name}.parquet", many_runs(300))
    arguments = ["score", str(tmp_path / "log"), "-o", str(tmp_path / "out"), "--workers", "1"]
    code, shown, _ = on_a_terminal(arguments)
    assert code == 0
    assert f"{ESCAPE}[" in shown
    text = plain(shown)
    assert "scoring ━" in text
    assert "600 of 600 rows" in text
    assert re.search(r"[0-9,]+ rows/s", text)
    assert "scoring 600 rows of 2 shards" not in text
    assert "response: column 'response', by its name" in text
    assert "output: " in text


@pytest.mark.parametrize("columns", [80, 100, 160])
def test_a_terminal_of_any_width_shows_whole_numbers_and_names(
    tmp_path: Path, columns: int
) -> None:
    log = write_log(tmp_path / "log.parquet")
    arguments = ["score", str(log), "-o", str(tmp_path / "out"), "--workers", "1", "--by", "agent"]
    code, shown, _ = on_a_terminal(arguments, columns=columns)
    assert code == 0
    text = plain(shown)
    assert "\u2026" not in text
    assert text.count("textual_difference") == 5
    # The tone of all runs: mean, deviation, and three percentiles.
    for number in ("0.7082", "0.4127", "0.4164", "1.0000"):
        assert number in text


def test_a_piped_stdout_has_results_only_though_stderr_is_a_terminal(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet")
    arguments = ["score", str(log), "-o", str(tmp_path / "out"), "--workers", "1"]
    code, shown, piped = on_a_terminal(arguments, only_stderr=True)
    assert code == 0
    assert "5 of 5 rows" in plain(shown)
    assert "textual_difference" not in shown
    assert ESCAPE not in piped
    assert piped.startswith("5 rows of 1 shard in ")
    assert "\ngroup " in piped


def test_pipes_get_plain_lines_each_stream_its_own(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet")
    outcome = score(log, tmp_path / "out", "--by", "agent")
    assert outcome.err.splitlines() == [
        "response: column 'response', by its name",
        "reference: column 'reference', by its name",
        "scoring 5 rows of 1 shard",
    ]
    first, header, *rows = outcome.out.splitlines()
    assert re.fullmatch(r"5 rows of 1 shard in \d+\.\d s \(\d+ rows/s\)", first)
    assert header.split() == [
        "group", "scorer", "runs", "unscored", "mean", "std", "p05", "p50", "p95",
        "perfect", "strong", "moderate", "poor", "none",
    ]  # fmt: skip
    assert [row.split()[:4] for row in rows[:6]] == [
        ["all", "tone", "5", "3"],
        ["all", "textual_difference", "5", "2"],
        ["agent=a", "tone", "2", "1"],
        ["agent=a", "textual_difference", "2", "0"],
        ["agent=b", "tone", "2", "1"],
        ["agent=b", "textual_difference", "2", "1"],
    ]
    # Means and percentiles of 0.4164 (Great. Bad. against Great.) and of 1.
    assert rows[0].split()[4:] == [
        "0.7082", "0.4127", "0.4164", "0.4164", "1.0000", "50%", "0%", "50%", "0%", "0%",
    ]  # fmt: skip
    assert rows[6].split()[:4] == ["agent=(null)", "tone", "1", "1"]
    assert rows[8:] == [
        "unscored by tone: 3 (1 reference_null, 1 response_blank, 1 response_null)",
        "unscored by textual_difference: 2 (1 reference_null, 1 response_null)",
        "of those scored by tone: 50% uncharged, 50% one_sentence",
        f"output: {tmp_path / 'out'}",
    ]
    assert ESCAPE not in outcome.out + outcome.err


def test_lines_in_a_pipe_are_whole_however_long(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet")
    out = tmp_path / ("o" * 100) / ("u" * 100)
    done = score(log, out)
    assert f"output: {out}" in done.out.splitlines()
    tried = score(log, out, "--dry-run")
    lines = tried.out.splitlines()
    assert any(line.startswith(f"would write to {out / 'scored'}, ") for line in lines)


def test_groups_beyond_the_first_twenty_are_counted(tmp_path: Path) -> None:
    columns = {"response": ["x"] * 30, "reference": ["x"] * 30, "agent": range(30)}
    outcome = score(write_log(tmp_path / "log.parquet", columns), tmp_path / "out", "--by", "agent")
    lines = outcome.out.splitlines()
    # All runs are a group too.
    assert sum("agent=" in line for line in lines) == 2 * 19
    assert "and 11 more groups in the summary table" in lines
    assert read_parts(tmp_path / "out", "summary")["agent"].n_unique() == 31


def test_a_warning_is_a_line_of_stderr(tmp_path: Path) -> None:
    german = {"response": ["Es regnet.", "Gut gemacht.", "Great."], "reference": ["x"] * 3}
    outcome = score(write_log(tmp_path / "log.parquet", german), tmp_path / "out")
    assert outcome.code == 0
    (line,) = (line for line in outcome.err.splitlines() if "warning" in line)
    assert line.startswith("warning: tone: 67% of scored runs have no sentence that VADER finds")
    summary = {
        row["field"]: row["mean"]
        for row in read_parts(tmp_path / "out", "summary").rows(named=True)
        if row["scorer"] == "tone"
    }
    assert summary["uncharged"] == pytest.approx(2 / 3, abs=1e-9)
    assert summary["one_sentence"] == 1.0
    half = {"response": ["Es regnet.", "Great."], "reference": ["x"] * 2}
    outcome = score(write_log(tmp_path / "half.parquet", half), tmp_path / "half")
    assert "warning" not in outcome.err


HOSTILE = {
    "clear the screen": "a\x1b[2Jb",
    "a bell": "a\x07b",
    "a carriage return": "a\rb",
    "a line feed": "a\nb",
    "a backspace": "a\x08b",
    "eight-bit codes": "a\x9b2Jb",
    "text that turns round": "a\u202eb",
}
ESCAPED = {
    "clear the screen": "a\\x1b[2Jb",
    "a bell": "a\\x07b",
    "a carriage return": "a\\rb",
    "a line feed": "a\\nb",
    "a backspace": "a\\x08b",
    "eight-bit codes": "a\\x9b2Jb",
    "text that turns round": "a\\u202eb",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_control_characters_in_keys_are_shown_not_sent(tmp_path: Path, name: str) -> None:
    columns = {"response": ["x"], "reference": ["x"], "agent": [HOSTILE[name]]}
    outcome = score(write_log(tmp_path / "log.parquet", columns), tmp_path / "out", "--by", "agent")
    assert HOSTILE[name] not in outcome.out
    assert f"agent={ESCAPED[name]} " in outcome.out
    # In the tables they are as they were.
    assert HOSTILE[name] in read_parts(tmp_path / "out", "summary")["agent"].to_list()


@pytest.mark.parametrize("name", HOSTILE)
def test_control_characters_in_paths_are_shown_not_sent(tmp_path: Path, name: str) -> None:
    hostile, escaped = HOSTILE[name], ESCAPED[name]
    write_log(tmp_path / hostile / "a.parquet")
    (tmp_path / hostile / "bad.parquet").write_bytes(b"")
    outcome = score(tmp_path / hostile, tmp_path / f"{hostile}-out")
    assert outcome.code == 4
    missing = score(tmp_path / hostile / "no", tmp_path / "out")
    assert missing.code == 3
    tried = score(tmp_path / hostile, tmp_path / f"{hostile}-dry", "--dry-run")
    assert tried.code == 0
    for text in (*outcome, *missing, *tried):
        assert hostile not in str(text)
    assert f"output: {tmp_path}/{escaped}-out" in outcome.out
    assert f"rejected: {tmp_path}/{escaped}/bad.parquet: cannot be read" in outcome.err
    assert missing.err.startswith(f"{tmp_path}/{escaped}/no: ")
    assert len(missing.err.splitlines()) == 1
    assert f"would write to {tmp_path}/{escaped}-dry/scored" in tried.out


def test_control_characters_in_names_of_columns_are_shown_not_sent(tmp_path: Path) -> None:
    hostile = HOSTILE["clear the screen"]
    log = write_log(tmp_path / "log.parquet", PAIRS | {hostile: range(5)})
    outcome = score(log, tmp_path / "out", "--by", hostile)
    tried = score(log, tmp_path / "dry", "--by", hostile, "--dry-run")
    missing = score(log, tmp_path / "none", "--by", "nope")
    for one in (outcome, tried, missing):
        assert ESCAPE not in one.out + one.err
    assert (outcome.code, tried.code, missing.code) == (0, 0, 2)
    assert f"{ESCAPED['clear the screen']}=0 " in outcome.out


@pytest.mark.parametrize("key", ["[bold]", "[/red]", "a[1]", ":smile:", "\\[x]"])
def test_marks_of_style_in_keys_and_paths_are_text(tmp_path: Path, key: str) -> None:
    columns = {"response": ["x"], "reference": ["x"], "agent": [key]}
    out = tmp_path / f"{key}out"
    outcome = score(write_log(tmp_path / "log.parquet", columns), out, "--by", "agent")
    assert outcome.code == 0
    assert f"agent={key} " in outcome.out
    assert f"output: {out}" in outcome.out


@pytest.mark.parametrize("key", ["a b", "x+y", "all"])
def test_groups_are_named_by_their_keys_whatever_these_are_called(tmp_path: Path, key: str) -> None:
    columns = {"response": ["x"], "reference": ["x"], key: ["k"]}
    outcome = score(write_log(tmp_path / "log.parquet", columns), tmp_path / "out", "--by", key)
    if outcome.code == 0:
        rows = outcome.out.splitlines()[2:6]
        assert rows[2].startswith(f"{key}=k ")
        assert rows[2].split()[-5:] == ["100%", "0%", "0%", "0%", "0%"]
    else:
        assert outcome.code == 2
        assert key in outcome.err


def test_escaping_leaves_what_can_be_printed() -> None:
    text = "ä 😀 日本 [x] \\n"
    assert printable(text) == text


def test_numbers_of_things() -> None:
    assert [count(n, "row") for n in (0, 1, 2, 1_234_567)] == [
        "0 rows",
        "1 row",
        "2 rows",
        "1,234,567 rows",
    ]


def test_a_long_job_in_a_pipe_says_now_and_then_how_far_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    terminal = Terminal()
    terminal.begin(10_000, 3)
    for seconds, rows in ((10, 1000), (29, 2000), (31, 3100), (45, 4000), (62, 6200)):
        now[0] = 100.0 + seconds
        terminal.advance(rows)
    printed, said = capsys.readouterr()
    assert printed == ""
    assert said.splitlines() == [
        "scoring 10,000 rows of 3 shards",
        "3,100 of 10,000 rows, 100 rows/s, 69 s left",
        "6,200 of 10,000 rows, 100 rows/s, 38 s left",
    ]


def test_before_the_first_row_no_time_is_left_to_tell(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    terminal = Terminal()
    terminal.begin(10, 1)
    now[0] = 40.0
    terminal.advance(0)
    assert capsys.readouterr().err.splitlines()[1].startswith("0 of 10 rows, 0 rows/s")


def test_no_rows_on_a_terminal_do_not_break_the_bar(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", {"response": [], "reference": []})
    names = ("--response", "response", "--reference", "reference")
    arguments = ["score", str(log), "-o", str(tmp_path / "out"), "--workers", "1", *names]
    code, shown, _ = on_a_terminal(arguments)
    assert code == 0
    assert "the log has no rows" in plain(shown)
    assert "Traceback" not in shown


def test_a_scorer_without_bands_is_shown_without(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = write_log(tmp_path / "log.parquet")
    flags: dict[str, dict[str, object]] = {
        "input": {"paths": [str(log)]},
        "output": {"path": str(tmp_path / "out")},
    }
    report = run_job(load_config(flags=flags, settings=["run.workers=0"]))
    show_summaries(dataclasses.replace(report.summaries, bands=[]))
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[:2]] == [
        ["group", "scorer", "runs", "unscored", "mean", "std", "p05", "p50", "p95"],
        ["all", "tone", "5", "3", "0.7082", "0.4127", "0.4164", "0.4164", "1.0000"],
    ]


def test_stdout_of_a_closed_pipe_shows_no_traceback(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet")
    job = subprocess.Popen(
        [TONELOG, "score", str(log), "-o", str(tmp_path / "out"), "--set", "run.workers=0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert job.stdout is not None
    assert job.stderr is not None
    job.stdout.close()
    said = job.stderr.read().decode()
    job.stderr.close()
    job.wait(timeout=30)
    assert "Traceback" not in said
    assert read_parts(tmp_path / "out").height == 5
