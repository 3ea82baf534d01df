"""The command line: what is refused and how, what each option does, and the help."""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click
import polars as pl
import pyarrow as pa
import pytest

from tests.jobs.logs import (
    PAIRS,
    Outcome,
    contents,
    digests,
    read_parts,
    score,
    spawn_tonelog,
    tonelog,
    write_broken_log,
    write_log,
)
from tonelog.jobs import cli
from tonelog.jobs.cli import cli as commands
from tonelog.scorers import TextualDifferenceScorer, ToneScorer

COMMANDS = sorted(commands.commands)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder of its own, with a log."""
    monkeypatch.chdir(tmp_path)
    write_log(Path("log/a.parquet"))
    return tmp_path


def write_text(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def assert_refused(outcome: Outcome, code: int, before: dict[str, bytes]) -> tuple[str, ...]:
    """Hold a refusal to its shape; give its clauses."""
    assert outcome.code == code, outcome
    assert outcome.out == ""
    lines = outcome.err.splitlines()
    (line,) = [line for line in lines if ", by its name" not in line]
    assert line == lines[-1]
    assert re.fullmatch(r"[^;]+: [^;]+(; [^;]+)+", line), line
    assert contents(Path()) == before
    where, _, rest = line.partition(": ")
    return (where, *rest.split("; "))


def is_place(line: str, wanted: str) -> bool:
    """Whether a refusal begins with this place; a path may be made absolute; any will do for ""."""
    return not wanted or line.startswith((f"{wanted}: ", f"{Path(wanted).resolve()}: "))


class Wrong:
    """A slip: what was typed, and the exit code, place and words of the answer."""

    def __init__(self, arguments: str, code: int, where: str, *words: str) -> None:
        self.arguments = arguments.split()
        self.code = code
        self.where = where
        self.words = words


A = "log/a.parquet"
WRONG = {
    "no input at all": Wrong("-o out", 2, "INPUT", "nothing to read"),
    "no output": Wrong(A, 2, "output.path", "no output folder", "-o"),
    "no such path": Wrong("no.parquet -o out", 3, "no.parquet", "no Parquet file here"),
    "one of two missing": Wrong(f"{A} no.parquet -o out", 3, "no.parquet"),
    "no match": Wrong("log/*.csv -o out", 3, "log/*.csv", "no Parquet file here"),
    "an empty folder": Wrong("empty -o out", 3, "empty", "no Parquet file here"),
    "no Parquet": Wrong("notes.txt -o out", 3, "", "notes.txt: cannot be read ("),
    "no response": Wrong("plain.parquet -o out", 2, "plain.parquet", "response", "'prompt'"),
    "missing response": Wrong(
        f"{A} --response respnse -o out", 2, A,
        "no column 'respnse'", "it has 'response', 'reference', 'agent'", "--response response",
    ),
    "missing reference": Wrong(f"{A} --reference nope -o out", 2, A, "no column 'nope'"),
    "missing id": Wrong(f"{A} --id nope -o out", 2, A, "no column 'nope'", "--id"),
    "missing time": Wrong(f"{A} --time nope -o out", 2, A, "no column 'nope'", "--time"),
    "missing key": Wrong(f"{A} --by nope -o out", 2, A, "no column 'nope'", "--by"),
    "missing key, few kept": Wrong(
        f"{A} --by nope --keep agent -o out", 2, A, "no column 'nope'", "--by"
    ),
    "missing kept": Wrong(f"{A} --keep nope -o out", 2, A, "no column 'nope'", "--keep"),
    "a struct as response": Wrong(
        "odd.parquet --response meta -o out", 2, "odd.parquet",
        "column 'meta' is struct<k: int64>", "expected text", "--response",
    ),
    "a list as response": Wrong("odd.parquet --response tags -o out", 2, "odd.parquet", "list"),
    "a struct as reference": Wrong("odd.parquet --reference meta -o out", 2, "odd.parquet"),
    "a struct as id": Wrong("odd.parquet --id meta -o out", 2, "odd.parquet", "a scalar"),
    "a list as key": Wrong("odd.parquet --by tags -o out", 2, "odd.parquet", "a scalar"),
    "a number as time": Wrong("odd.parquet --time turn -o out", 2, "odd.parquet", "ISO 8601"),
    "unknown scorer": Wrong(
        f"{A} --scorer tune -o out", 2, "[scorers.tune]",
        "unknown scorer 'tune'", "textual_difference, tone", "did you mean 'tone'?",
    ),
    "unknown type": Wrong(f"{A} --set scorers.x.type=tune -o out", 2, "[scorers.x]", "'tune'"),
    "unknown option": Wrong(
        f"{A} --set scorers.tone.scal=2 -o out", 2, "[scorers.tone]",
        "unknown option 'scal'", "did you mean 'scale'?",
    ),
    "wrong option": Wrong(f"{A} --set scorers.tone.scale=0 -o out", 2, "[scorers.tone]", "scale"),
    "wrong choice": Wrong(f"{A} --set scorers.tone.mode=x -o out", 2, "[scorers.tone]", "'x'"),
    "odd prefix": Wrong(f"{A} --set scorers.To-ne.type=tone -o out", 2, "[scorers.To-ne]"),
    "a comparison without reference": Wrong(
        "lone.parquet --scorer textual_difference -o out", 2, "scorers",
        "nothing to run: textual_difference", "without a reference",
    ),
    "sentences without tone": Wrong(
        f"{A} --scorer textual_difference --sentences -o out", 2, "output.sentences"
    ),
    "unknown section": Wrong(
        "--config section.toml", 2, "section.toml", "unknown section [sorce]",
        "did you mean 'source'?",
    ),
    "unknown key": Wrong(
        "--config key.toml", 2, "key.toml: [run]", "unknown key 'worker'", "did you mean 'workers'?"
    ),
    "wrong type": Wrong("--config type.toml", 2, "type.toml: run.batch_rows", "`int`", "`str`"),
    "no config": Wrong("--config no.toml", 2, "no.toml", "cannot be read"),
    "no TOML": Wrong("--config notes.txt", 2, "notes.txt", "is no TOML"),
    "unknown setting": Wrong(
        f"{A} --set run.worker=1 -o out", 2, "--set run.worker=1: [run]", "did you mean 'workers'?"
    ),
    "setting of wrong type": Wrong(f"{A} --set run.workers=many -o out", 2, "", "run.workers"),
    "setting without value": Wrong(f"{A} --set run.workers -o out", 2, "--set run.workers"),
    "bad date": Wrong(f"{A} --date 01.03.2026 -o out", 2, "--date", "'01.03.2026'", "YYYY-MM-DD"),
    "a path needs a date": Wrong("log/{date} -o out", 2, "log/{date}", "--date"),
    "a day without logs": Wrong("log/{date} --date 2026-03-01 -o out", 3, "log/2026-03-01"),
    "output in the input": Wrong("log -o log/out", 2, "log/out", "lies inside the input log"),
    "output is the input": Wrong("log -o log", 2, "log", "lies inside the input log"),
    "output in a dated input": Wrong(
        "dated/{date} --date 2026-03-01 -o dated/2026-03-01/out", 2, "dated/2026-03-01/out"
    ),
    "output in a folder of a glob": Wrong("lo[g] -o log/out", 2, "log/out", "inside"),
    "input in the output": Wrong(
        "log/a.parquet -o log", 2, A, "lies inside the output log"
    ),
    "output of another": Wrong(f"{A} -o foreign", 2, "foreign", "is not empty"),
    "output is a file": Wrong(f"{A} -o notes.txt", 2, "notes.txt", "is a file"),
    "output below a file": Wrong(f"{A} -o notes.txt/out", 2, "", "notes.txt", "is a file"),
    "a date into a plain output": Wrong(
        f"{A} --date 2026-03-01 -o plain", 2, "plain", "without --date"
    ),
    "no date into a dated output": Wrong(f"{A} -o dated-out", 2, "dated-out", "with --date"),
    "a score column in the input": Wrong(
        "scored.parquet -o out", 2, "scored.parquet", "column 'tone_score'", "--keep"
    ),
    "a key like a column of the summary": Wrong(
        "keys.parquet --by mean -o out", 2, "--by mean", "the summary has a column of this name"
    ),
    "a key like a column of the bands": Wrong("keys.parquet --by share -o out", 2, "--by share"),
    "a grouping of other keys": Wrong(
        f"{A} --by agent --set summary.groupings=[['model']] -o out", 2, "summary.groupings",
        "'model' is no key", "expected ['agent']",
    ),
    "no lexicon": Wrong(
        f"{A} --set scorers.tone.lexicon=no.tsv -o out", 2, "tone.lexicon", "'no.tsv'"
    ),
    "a bad lexicon": Wrong(
        f"{A} --set scorers.tone.lexicon=notes.txt -o out", 2, "[scorers.tone]", "line 1"
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make what the slips speak of."""
    folder = tmp_path_factory.mktemp("slips") / "all"
    texts = {
        "notes.txt": "just notes\n",
        "foreign/precious.txt": "mine",
        "section.toml": "[sorce]\nresponse = 'x'\n",
        "key.toml": "[run]\nworker = 1\n",
        "type.toml": "[run]\nbatch_rows = 'two'\n",
    }
    for name, text in texts.items():
        write_text(folder / name, text)
    (folder / "empty").mkdir()
    odd = {"meta": [{"k": 1}] * 5, "tags": [["x"]] * 5, "turn": [1] * 5}
    logs: dict[str, dict[str, object]] = {
        A: PAIRS,
        "dated/2026-03-01/a.parquet": PAIRS,
        "plain.parquet": {"prompt": ["x"], "turn": [1]},
        "lone.parquet": {"response": ["x"]},
        "odd.parquet": PAIRS | odd,
        "scored.parquet": PAIRS | {"tone_score": [1.0] * 5},
        "keys.parquet": PAIRS | {"mean": [1] * 5, "share": [1] * 5},
    }
    for name, columns in logs.items():
        write_log(folder / name, columns)
    assert score(folder / A, folder / "plain").code == 0
    assert score(folder / A, folder / "dated-out", "--date", "2026-03-01").code == 0
    return folder


@pytest.fixture
def slips(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a copy of what the slips speak of."""
    folder = tmp_path / "slips"
    shutil.copytree(prepared, folder)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.usefixtures("slips")
@pytest.mark.parametrize("name", WRONG)
def test_wrong_use_gives_its_code_one_line_and_writes_nothing(name: str) -> None:
    wrong = WRONG[name]
    before = contents(Path())
    outcome = tonelog("score", "--set", "run.workers=0", *wrong.arguments)
    where, *clauses = assert_refused(outcome, wrong.code, before)
    line = outcome.err.splitlines()[-1]
    assert is_place(line, wrong.where)
    assert where
    assert clauses
    for word in wrong.words:
        assert word in line


@pytest.mark.usefixtures("slips")
@pytest.mark.parametrize("name", ["missing response", "no such path", "output of another"])
def test_wrong_use_is_the_same_in_a_process_of_its_own(name: str) -> None:
    wrong = WRONG[name]
    before = contents(Path())
    outcome = spawn_tonelog("score", *wrong.arguments)
    assert_refused(outcome, wrong.code, before)
    assert is_place(outcome.err.splitlines()[-1], wrong.where)


@pytest.mark.usefixtures("slips")
@pytest.mark.parametrize("name", ["missing key", "unknown scorer", "output in the input"])
def test_a_dry_run_refuses_what_a_run_refuses(name: str) -> None:
    wrong = WRONG[name]
    before = contents(Path())
    outcome = tonelog("score", *wrong.arguments, "--dry-run")
    assert_refused(outcome, wrong.code, before)
    assert is_place(outcome.err.splitlines()[-1], wrong.where)


@pytest.mark.parametrize(
    "arguments",
    [
        ["score", A, "--nope"],
        ["score", A, "--workers", "many"],
        ["score", A, "--workers", "-1"],
        ["list", "nothing"],
        ["nope"],
        ["summarize"],
        ["score", A, "-o"],
    ],
)
def test_what_the_parser_refuses_is_usage(arguments: list[str]) -> None:
    before = contents(Path())
    outcome = tonelog(*arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert "Traceback" not in outcome.err
    assert outcome.err.splitlines()[-1].startswith("Error: ")
    assert contents(Path()) == before


def test_a_bug_shows_its_traceback_and_70(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        message = "a bug"
        raise ZeroDivisionError(message)

    monkeypatch.setattr(cli, "run_job", fail)
    outcome = tonelog("score", A, "-o", "out")
    assert (outcome.code, outcome.out) == (70, "")
    assert outcome.err.startswith("Traceback (most recent call last):\n")
    assert outcome.err.endswith("ZeroDivisionError: a bug\n")


@pytest.mark.parametrize(("error", "code"), [(KeyboardInterrupt, 130), (click.Abort, 130)])
def test_an_interrupt_is_said_and_130(
    monkeypatch: pytest.MonkeyPatch, error: type[BaseException], code: int
) -> None:
    def interrupt(*_: object) -> None:
        raise error

    monkeypatch.setattr(cli, "run_job", interrupt)
    outcome = tonelog("score", A, "-o", "out")
    assert (outcome.code, outcome.out) == (code, "")
    assert re.fullmatch("interrupted; .*run again.*", outcome.err.splitlines()[-1])


# What each option and key does.


def written(name: str, column: str) -> list[Any]:
    return read_parts(Path(name))[column].to_list()


def groupings(name: str) -> list[str]:
    column = read_parts(Path(name), "summary")["grouping"]
    return [str(grouping) for grouping in column.unique(maintain_order=True)]


Checks = dict[str, tuple[str, Callable[[], bool]]]
OPTIONS: Checks = {
    "response": ("--response agent", lambda: written("out", "tone_n_sentences")[0] == 1),
    "reference": (
        "--reference agent",
        lambda: written("out", "textual_difference_score")[1] == 0.0,
    ),
    "references": (
        "--reference agent --reference reference",
        lambda: written("out", "tone_reference_index")[0] == 0,
    ),
    "id": ("--id agent", lambda: written("out", "run_id")[0] == "a"),
    "time": ("--time day", lambda: str(written("out", "day")[0]) == "1970-01-02 00:00:00+00:00"),
    "by": ("--by agent", lambda: groupings("out") == ["all", "agent"]),
    "bys": (
        "--by agent --by day",
        lambda: groupings("out") == ["all", "agent", "day", "agent+day"],
    ),
    "scorer": (
        "--scorer tone",
        lambda: "textual_difference_score" not in read_parts(Path("out")).columns,
    ),
    "keep": ("--keep day", lambda: read_parts(Path("out")).columns[:3] == [
        "run_id", "day", "tone_score",
    ]),
    "sentences": ("--sentences", lambda: Path("out/sentences").is_dir()),
    "date": ("--date 2026-03-01", lambda: Path("out/scored/run_date=2026-03-01").is_dir()),
    "set": ("--set scorers.tone.scale=100", lambda: written("out", "tone_score")[1] == 100.0),
}  # fmt: skip


@pytest.mark.parametrize("name", OPTIONS)
def test_each_option_does_what_it_says(name: str) -> None:
    log = write_log(Path("b.parquet"), PAIRS | {"day": pa.array([1] * 5, pa.date32())})
    arguments, is_done = OPTIONS[name]
    outcome = score(log, Path("out"), *arguments.split())
    assert outcome.code == 0, outcome
    assert is_done()


KEYS: Checks = {
    "input.paths = ['log', 'b.parquet']": ("", lambda: len(written("out", "run_id")) == 10),
    "source.response = 'agent'": ("", lambda: written("out", "tone_n_sentences")[0] == 1),
    "source.reference = ['agent', 'reference']": (
        "",
        lambda: written("out", "tone_reference_index")[0] == 0,
    ),
    "source.reference = 'agent'": ("", lambda: written("out", "tone_reference_index")[0] is None),
    "source.id = 'agent'": ("", lambda: written("out", "run_id")[0] == "a"),
    "source.time = 'day'": ("", lambda: read_parts(Path("out")).schema["day"] == pl.Datetime(
        "us", "UTC"
    )),
    "output.path = 'elsewhere'": ("", lambda: len(written("elsewhere", "run_id")) == 5),
    "output.keep = ['day']": ("", lambda: read_parts(Path("out")).columns[:3] == [
        "run_id", "day", "tone_score",
    ]),
    "output.keep = []": ("", lambda: read_parts(Path("out")).columns[1] == "tone_score"),
    "output.sentences = true": ("", lambda: Path("out/sentences").is_dir()),
    "scorers.tone.scale = 100": ("", lambda: written("out", "tone_score")[1] == 100.0),
    "scorers.tone.aggregate = 'whole'": (
        "", lambda: written("out", "tone_response_sentiment")[0] == 0.1531,
    ),
    "scorers.tone.mode = 'stability'": ("", lambda: written("out", "tone_mode")[0] == "stability"),
    "scorers.tone.max_difference = 0.1": ("", lambda: written("out", "tone_score")[0] == 0.0),
    "scorers.tone.lexicon = 'words.tsv'": (
        "", lambda: written("out", "tone_response_sentiment")[1] == 0.4588,
    ),
    "scorers.textual_difference.weighting = 'none'": (
        "",
        lambda: written("out", "textual_difference_score") == written(
            "out", "textual_difference_ratio"
        ),
    ),
    "scorers.mine = {type = 'textual_difference', scale = 10}": (
        "", lambda: written("out", "mine_score")[1] == 10.0,
    ),
    "summary.by = ['agent', 'day']": (
        "", lambda: groupings("out") == ["all", "agent", "day", "agent+day"],
    ),
    "summary = {by = ['agent', 'day'], groupings = [['day', 'agent']]}": (
        "", lambda: groupings("out") == ["all", "day+agent"],
    ),
    "limits.cell_bytes = 8": ("", lambda: written("out", "tone_unscored")[0] == "cell_too_large"),
}  # fmt: skip


@pytest.mark.parametrize("text", KEYS)
def test_each_key_of_the_config_does_what_it_says(text: str) -> None:
    write_log(Path("b.parquet"), PAIRS | {"day": pa.array([1] * 5, pa.date32())})
    # VADER's normalization gives a valence of 2 the compound 2 / sqrt(2 * 2 + 15) = 0.4588.
    write_text(Path("words.tsv"), "works\t2.0\n")
    sections = ["run.workers = 0", text]
    if not text.startswith("input"):
        sections.append("input.paths = ['b.parquet']")
    if not text.startswith("output.path"):
        sections.append("output.path = 'out'")
    write_text(Path("job.toml"), "\n".join(sections))
    outcome = tonelog("score", "--config", "job.toml")
    assert outcome.code == 0, outcome
    assert KEYS[text][1]()


def test_a_flag_beats_a_setting_and_a_setting_beats_the_file() -> None:
    write_text(
        Path("job.toml"),
        "[input]\npaths = ['no.parquet']\n[output]\npath = 'file'\nkeep = ['reference']\n"
        "[summary]\nby = ['response']\n[run]\nworkers = 0\n",
    )
    outcome = tonelog(
        *("score", A, "--config", "job.toml", "-o", "flag"),
        *("--set", "output.path=setting", "--set", "output.keep=['response']", "--by", "agent"),
    )
    assert outcome.code == 0
    assert not Path("file").exists()
    assert not Path("setting").exists()
    names = read_parts(Path("flag")).columns
    assert names[: names.index("tone_score")] == ["run_id", "agent", "response"]


def test_strict_and_workers_of_the_file_hold_without_a_flag() -> None:
    Path("log/bad.parquet").write_bytes(b"")
    write_text(Path("job.toml"), "[run]\nworkers = 0\nstrict = true\n")
    assert tonelog("score", "log", "-o", "out", "--config", "job.toml").code == 3
    assert tonelog("score", "log", "-o", "out", "--set", "run.workers=0").code == 4
    assert tonelog("score", "log", "-o", "out", "--set", "run.workers=0", "--strict").code == 3


def test_scorers_that_are_named_take_their_options_from_the_file() -> None:
    write_text(
        Path("job.toml"), "[scorers.tone]\nscale = 100\n[scorers.textual_difference]\nscale = 10"
    )
    assert score(Path(A), Path("out"), "--config", "job.toml", "--scorer", "tone").code == 0
    assert written("out", "tone_score")[1] == 100.0
    assert "textual_difference_score" not in read_parts(Path("out")).columns


def test_a_date_fills_the_paths_and_names_the_partition() -> None:
    for day in ("2026-03-01", "2026-03-02"):
        write_log(Path("runs") / day.replace("-", "/") / "a.parquet")
    write_text(Path("job.toml"), "input.paths = ['runs/{date:%Y/%m/%d}']\noutput.path = 'out'\n")
    arguments = ("--config", "job.toml", "--set", "run.workers=0", "--date", "2026-03-02")
    assert tonelog("score", *arguments).code == 0
    (part,) = Path("out/scored/run_date=2026-03-02").iterdir()
    (name, *_) = pl.read_parquet(part, hive_partitioning=False)["run_id"]
    assert name == "runs/2026/03/02/a.parquet:0"


def test_a_broken_shard_gives_4_in_a_process_of_its_own() -> None:
    write_broken_log(Path("log/bad.parquet"))
    outcome = spawn_tonelog("score", "log", "-o", "out", "--workers", 1)
    assert outcome.code == 4
    assert "rejected: log/bad.parquet: cannot be read (" in outcome.err
    assert "Traceback" not in outcome.err
    assert spawn_tonelog("score", "log", "-o", "out", "--workers", 1, "--strict").code == 3


# A dry run.


def test_a_dry_run_says_what_would_happen_and_writes_nothing() -> None:
    Path("log/bad.parquet").write_bytes(b"")
    before = contents(Path())
    outcome = score(Path("log"), Path("out"), "--dry-run", "--by", "agent", "--sentences")
    assert outcome.code == 0
    assert contents(Path()) == before
    assert outcome.err == ""
    lines = outcome.out.splitlines()
    assert "response: column 'response', by its name" in lines
    assert any(line.startswith("rejected: log/bad.parquet: cannot be read") for line in lines)
    assert any(line.startswith("would read 5 rows of ") for line in lines)
    assert "response: 'response'" in lines
    assert "reference: 'reference'" in lines
    assert "run_id: the shard and the row" in lines
    assert "summary by: all, agent" in lines
    assert score(Path("log"), Path("out"), "--by", "agent").code == 4
    signatures = read_parts(Path("out"), "summary").select("scorer", "signature").unique()
    assert all(f"{scorer}: {signature}" in lines for scorer, signature in signatures.rows())
    for column in read_parts(Path("out")).columns:
        assert any(line.split()[:1] == [column] for line in lines)
    (header,) = (n for n, line in enumerate(lines) if line.startswith("run_id  "))
    rows = [line.split() for line in lines[header + 1 :]]
    assert [row[:2] for row in rows] == [
        ["log/a.parquet:0", "0.4164"],
        ["log/a.parquet:1", "1.0000"],
        ["log/a.parquet:2", "-"],
    ]


@pytest.mark.parametrize("name", ["out[/red]", "[bold]out", "o[1]"])
def test_a_dry_run_shows_names_as_they_are(name: str) -> None:
    log = write_log(Path(f"{name}.log/a.parquet"))
    outcome = score(log, Path(f"{name}.out"), "--dry-run")
    assert outcome.code == 0, outcome
    assert f"would write to {name}.out/scored" in outcome.out
    assert f"first rows of {log}" in outcome.out


# Help and lists.


def help_of(words: Sequence[str]) -> str:
    outcome = tonelog(*words, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    return outcome.out


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_each_command_has_an_example_of_its_use(name: str) -> None:
    text = help_of([name])
    assert text == tonelog(name, "-h").out
    examples = [line.strip() for line in text.splitlines() if line.startswith("  tonelog ")]
    assert examples
    assert all(example.startswith(f"tonelog {name}") for example in examples)


@pytest.mark.parametrize("words", [[], ["score"]])
def test_the_help_lists_the_exit_codes(words: list[str]) -> None:
    text = help_of(words)
    codes = re.findall(r"^    (\d+(?:, \d+)?)  ?", text.partition("Exit codes:")[2], re.MULTILINE)
    assert codes == ["0", "2", "3", "4", "70", "130, 143"]


def test_the_help_of_score_has_every_option_of_it() -> None:
    text = help_of(["score"])
    for parameter in commands.commands["score"].params:
        assert all(option in text for option in parameter.opts if option.startswith("-"))
        assert parameter.param_type_name == "argument" or getattr(parameter, "help", None)


def test_the_help_lists_every_command() -> None:
    text = help_of([])
    assert [line.split()[0] for line in text.splitlines() if re.match(r"  [a-z]+  ", line)] == [
        *COMMANDS
    ]


def test_without_a_command_there_is_help() -> None:
    outcome = tonelog()
    assert "Usage: " in outcome.out + outcome.err
    assert "Commands:" in outcome.out + outcome.err
    assert "Traceback" not in outcome.err


def test_the_version() -> None:
    assert tonelog("--version") == Outcome(0, f"tonelog {version('tonelog')}\n", "")


def test_the_list_of_scorers_has_every_option_and_column() -> None:
    outcome = tonelog("list", "scorers")
    assert (outcome.code, outcome.err) == (0, "")
    blocks: dict[str, list[str]] = {}
    for line in outcome.out.splitlines():
        if not line.startswith(" "):
            own = blocks[line.split()[0]] = []
        else:
            own.append(line)
    assert {"tone", "textual_difference"} <= set(blocks)
    for kind in (ToneScorer, TextualDifferenceScorer):
        options = [f"  option {f.name} = {f.default!r}" for f in dataclasses.fields(kind)]
        assert [line for line in blocks[kind.name] if line.startswith("  option ")] == options
        assert "  option scale = 1.0" in options
    columns = [
        tuple(line.split()[1:])
        for name in ("tone", "textual_difference")
        for line in blocks[name]
        if line.startswith("  column ")
    ]
    arguments = ("--set", "output.keep=[]", "--scorer", "tone", "--scorer", "textual_difference")
    assert score(Path(A), Path("out"), *arguments).code == 0
    names = {pl.String: "string", pl.Float64: "double", pl.Int32: "int32", pl.Int64: "int64"}
    schema = list(read_parts(Path("out")).schema.items())[1:]
    assert columns == [(name, names[type(dtype)]) for name, dtype in schema]


# Names of files.


@pytest.mark.parametrize(
    "name",
    ["a b.parquet", "ä😀.parquet", "a[1].parquet", "{}%s.parquet", "$HOME", "x" * 240, "ä" * 120],
)
def test_a_file_of_any_name_is_scored(name: str) -> None:
    log = write_log(Path("odd") / name)
    assert score(log, Path("out")).code == 0
    assert written("out", "run_id")[0] == f"odd/{name}:0"


def test_a_name_that_begins_with_a_dash_comes_after_two_dashes() -> None:
    write_log(Path("-x.parquet"))
    outcome = tonelog("score", "-o", "out", "--set", "run.workers=0", "--", "-x.parquet")
    assert outcome.code == 0
    assert written("out", "run_id")[0] == "-x.parquet:0"


def test_a_file_whose_name_is_no_utf8_takes_no_other_along() -> None:
    path = write_log(Path("odd/a.parquet"))
    path.with_name("\udcff.parquet").write_bytes(path.read_bytes())
    outcome = score(Path("odd"), Path("out"))
    assert outcome.code in {0, 4}
    assert "Traceback" not in outcome.err
    assert f"{path}:0" in written("out", "run_id")


def test_an_output_may_be_replaced_and_gives_the_same_bytes() -> None:
    assert score(Path("log"), Path("out")).code == 0
    before = digests(Path("out"))
    assert spawn_tonelog("score", "log", "-o", "out", "--workers", 1).code == 0
    assert digests(Path("out")) == before
