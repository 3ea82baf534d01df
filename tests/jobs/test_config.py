"""What a job is asked: file, settings and flags, and every refusal of a slip."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tonelog.jobs.config import JobConfig, RunConfig, load_config, parse_date
from tonelog.jobs.errors import ConfigError

EVERY_KEY: dict[str, dict[str, Any]] = {
    "input": {"paths": ["a.parquet", "runs/{date}"]},
    "source": {"response": "answer", "reference": ["x", "y"], "id": "uid", "time": "at"},
    "output": {"path": "out", "keep": ["agent", "model"], "sentences": True},
    "scorers": {"tone": {"scale": 100}, "strict": {"type": "tone", "max_difference": 0.5}},
    "summary": {"by": ["agent", "model"], "groupings": [["agent"], ["agent", "model"]]},
    "consistency": {"by": ["prompt_id"], "cap": 50},
    "limits": {"cell_bytes": 1000},
    "run": {"workers": 3, "batch_rows": 7, "strict": True},
}
"""A value other than the default for every key there is."""


def toml_file(folder: Path, text: str) -> str:
    path = folder / "job.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def toml_of(tables: dict[str, dict[str, Any]]) -> str:
    lines = []
    for section, values in tables.items():
        for key, value in values.items():
            if isinstance(value, dict):
                options = ", ".join(f"{name} = {json.dumps(v)}" for name, v in value.items())
                lines.append(f"{section}.{key} = {{ {options} }}")
            else:
                lines.append(f"{section}.{key} = {json.dumps(value)}")
    return "\n".join(lines)


def plain(config: JobConfig) -> dict[str, Any]:
    """Give a config as JSON would hold it: lists for tuples."""
    tables: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(config)))
    return tables


def clauses_of(*settings: str, path: str | None = None) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load_config(path, settings=settings)
    return list(caught.value.args)


def test_every_key_is_read_from_a_file(tmp_path: Path) -> None:
    config = load_config(toml_file(tmp_path, toml_of(EVERY_KEY)))
    assert plain(config) == EVERY_KEY | {"date": None}


def test_every_key_is_read_from_settings() -> None:
    settings = [
        f"{section}.{key}={json.dumps(value)}"
        for section, values in EVERY_KEY.items()
        for key, value in values.items()
        if section != "scorers"
    ]
    settings += ["scorers.tone.scale=100", "scorers.strict.type=tone"]
    settings += ["scorers.strict.max_difference=0.5"]
    # Settings tune the scorers that run anyway, or add to them.
    scorers = EVERY_KEY["scorers"] | {"textual_difference": {}}
    assert plain(load_config(settings=settings)) == EVERY_KEY | {"date": None, "scorers": scorers}


def test_no_key_is_forgotten_here() -> None:
    sections = {field.name: field for field in dataclasses.fields(JobConfig)}
    assert set(sections) == {*EVERY_KEY, "date"}
    for section, values in EVERY_KEY.items():
        default = getattr(JobConfig(), section)
        if section != "scorers":
            assert set(values) == {field.name for field in dataclasses.fields(default)}
            assert all(getattr(default, key) != value for key, value in values.items())


def test_defaults() -> None:
    assert plain(load_config()) == {
        "input": {"paths": []},
        "source": {"response": None, "reference": [], "id": None, "time": None},
        "output": {"path": None, "keep": None, "sentences": False},
        "scorers": {"tone": {}, "textual_difference": {}},
        "summary": {"by": [], "groupings": None},
        "consistency": {"by": [], "cap": 200},
        "limits": {"cell_bytes": 16_777_216},
        "run": {"workers": None, "batch_rows": 8192, "strict": False},
        "date": None,
    }


def test_an_empty_file_is_a_config_of_defaults(tmp_path: Path) -> None:
    assert load_config(toml_file(tmp_path, "")) == load_config()


def test_the_scorers_of_a_file_are_all_that_run_and_settings_tune_them(tmp_path: Path) -> None:
    path = toml_file(tmp_path, "[scorers.tone]\nscale = 2")
    assert load_config(path).scorers == {"tone": {"scale": 2}}
    both = load_config(path, settings=["scorers.tone.scale=3", "scorers.tone.code=keep"])
    assert both.scorers == {"tone": {"scale": 3, "code": "keep"}}
    alone = load_config(settings=["scorers.tone.scale=3"])
    assert alone.scorers == {"tone": {"scale": 3}, "textual_difference": {}}


def test_a_setting_beats_the_file_and_a_flag_beats_both(tmp_path: Path) -> None:
    path = toml_file(tmp_path, "[run]\nbatch_rows = 1\nworkers = 1\nstrict = true")
    config = load_config(
        path,
        settings=["run.batch_rows=2", "run.workers=2"],
        flags={"run": {"batch_rows": 3}},
    )
    assert config.run == RunConfig(workers=2, batch_rows=3, strict=True)


def test_the_last_of_two_settings_wins() -> None:
    config = load_config(settings=["run.batch_rows=2", "run.batch_rows=3"])
    assert config.run.batch_rows == 3


def test_a_reference_is_one_column_or_several() -> None:
    assert load_config(settings=["source.reference=x"]).source.references == ("x",)
    assert load_config(settings=["source.reference=['x', 'y']"]).source.references == ("x", "y")
    assert load_config().source.references == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [("plain text", "plain text"), ("'quoted'", "quoted"), ("a=b", "a=b"), ("", "")],
)
def test_a_setting_that_is_no_toml_is_text(text: str, value: str) -> None:
    assert load_config(settings=[f"source.response={text}"]).source.response == value


def test_the_date_comes_with_the_call_alone() -> None:
    assert load_config(day=date(2026, 3, 1)).date == date(2026, 3, 1)
    assert clauses_of("date.x=1")[1] == "unknown section [date]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "[ouput]\npath = 'x'",
            (
                "FILE: unknown section [ouput]; there are input, source, output, scorers, summary, "
                "consistency, limits, run; did you mean 'output'?"
            ),
        ),
        (
            "[source]\nrespnse = 'x'",
            (
                "FILE: [source]: unknown key 'respnse'; there are response, reference, id, time; "
                "did you mean 'response'?"
            ),
        ),
        (
            "[run]\nzzz = 1",
            "FILE: [run]: unknown key 'zzz'; there are workers, batch_rows, strict; take it out",
        ),
        ("run = 5", "FILE: run is 5; expected a section [run]; change it"),
        (
            "[run]\nbatch_rows = 'many'",
            "FILE: run.batch_rows: wrong value; Expected `int`, got `str`; change it",
        ),
        (
            "[run]\nbatch_rows = 0",
            "FILE: run.batch_rows: wrong value; Expected `int` >= 1; change it",
        ),
        (
            "[run]\nworkers = -1",
            "FILE: run.workers: wrong value; Expected `int` >= 0; change it",
        ),
        (
            "[output]\nsentences = 'yes'",
            "FILE: output.sentences: wrong value; Expected `bool`, got `str`; change it",
        ),
    ],
)
def test_a_slip_in_a_file_is_named_with_file_key_and_what_was_expected(
    tmp_path: Path, text: str, expected: str
) -> None:
    path = toml_file(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert str(caught.value) == expected.replace("FILE", path)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("input.paths = 'a.parquet'", "input.paths"),
        ("input.paths = [1]", "input.paths"),
        ("source.response = 1", "source.response"),
        ("source.reference = {}", "source.reference"),
        ("source.id = ['a']", "source.id"),
        ("source.time = true", "source.time"),
        ("output.path = 1", "output.path"),
        ("output.keep = 'agent'", "output.keep"),
        ("scorers.tone = 1", "scorers"),
        ("summary.by = 'agent'", "summary.by"),
        ("summary.groupings = ['agent']", "summary.groupings"),
        ("consistency.by = 'prompt_id'", "consistency.by"),
        ("consistency.cap = 1", "consistency.cap"),
        ("consistency.cap = 2001", "consistency.cap"),
        ("consistency.cap = '200'", "consistency.cap"),
        ("limits.cell_bytes = 0", "limits.cell_bytes"),
        ("limits.cell_bytes = 1.5", "limits.cell_bytes"),
        ("run.strict = 1", "run.strict"),
        ("run.workers = true", "run.workers"),
    ],
)
def test_a_value_of_the_wrong_type_is_refused(tmp_path: Path, text: str, key: str) -> None:
    path = toml_file(tmp_path, text)
    where, what, *_ = clauses_of(path=path)
    assert where.startswith(f"{path}: {key}")
    assert what == "wrong value"


@pytest.mark.parametrize(
    "setting", ["run.workers", "workers=1", "run=1", "=1", ".=1", "run.=1", ""]
)
def test_a_setting_without_section_key_or_value_is_refused(setting: str) -> None:
    clauses = clauses_of(setting)
    assert clauses[0].startswith(f"--set {setting}")
    assert len(clauses) >= 3


def test_a_setting_with_an_unknown_key_names_it_and_the_nearest() -> None:
    assert clauses_of("run.worker=1") == [
        "--set run.worker=1: [run]",
        "unknown key 'worker'",
        "there are workers, batch_rows, strict",
        "did you mean 'workers'?",
    ]


@pytest.mark.parametrize(
    "settings",
    [
        ("source.response.x=1",),
        ("source.response=a", "source.response.x=1"),
        ("scorers.tone=1", "scorers.tone.scale=2"),
    ],
)
def test_a_setting_below_a_plain_value_is_refused(settings: tuple[str, ...]) -> None:
    assert len(clauses_of(*settings)) >= 3


def test_a_file_that_is_missing_is_named_with_where_to_find_examples(tmp_path: Path) -> None:
    path = str(tmp_path / "no.toml")
    where, what, expected, advice = clauses_of(path=path)
    assert (where, what) == (path, "cannot be read (No such file or directory)")
    assert expected == "expected a TOML file"
    assert Path(advice.removeprefix("see ")).is_dir()


@pytest.mark.parametrize("content", [b"[run\n", b"a = \xff", b"[run]\n[run]\n"])
def test_a_file_that_is_no_toml_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "job.toml"
    path.write_bytes(content)
    where, what, *_ = clauses_of(path=str(path))
    assert where == str(path)
    assert what.startswith("is no TOML (")


def test_a_date_is_a_day_or_its_name_in_utc() -> None:
    before = datetime.now(UTC).date()
    today, yesterday = parse_date("today"), parse_date("yesterday")
    assert before <= today <= datetime.now(UTC).date()
    assert today - yesterday in {timedelta(days=1), timedelta(days=0)}
    assert before - timedelta(days=1) <= yesterday < datetime.now(UTC).date()
    assert parse_date("2026-03-01") == date(2026, 3, 1)


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-02-30", "01.03.2026", "2026-03-01T00:00"])
def test_another_date_is_refused(text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_date(text)
    assert caught.value.args[:3] == (
        "--date",
        f"cannot read {text!r}",
        "expected YYYY-MM-DD, today or yesterday",
    )


def test_a_setting_of_a_scorer_turns_no_other_off() -> None:
    config = load_config(settings=["scorers.tone.scale=100"])
    assert config.scorers == {"tone": {"scale": 100}, "textual_difference": {}}
