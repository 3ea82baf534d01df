"""What a job decides before it reads a row: which columns come out, and as what."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.jobs.logs import PAIRS, digests, read_parts, schema_of, score, write_log


def test_all_scalar_columns_are_kept_unless_named_and_nested_ones_only_if_named(
    tmp_path: Path,
) -> None:
    columns = {
        **PAIRS,
        "a.b": range(5),
        "a b": [1.5] * 5,
        "tags": [["x"], [], None, ["y", "z"], ["\u00e4"]],
        "meta": [{"k": n} for n in range(5)],
        "raw": pa.array([b"bytes"] * 5, pa.binary()),
    }
    log = write_log(tmp_path / "log.parquet", columns)
    assert score(log, tmp_path / "all").code == 0
    names = read_parts(tmp_path / "all").columns
    assert names[: names.index("tone_score")] == ["run_id", *PAIRS, "a.b", "a b"]
    keep = [word for name in ("tags", "a.b", "raw", "meta") for word in ("--keep", name)]
    assert score(log, tmp_path / "some", *keep, "--by", "a b").code == 0
    scored = read_parts(tmp_path / "some")
    names = scored.columns
    assert names[: names.index("tone_score")] == ["run_id", "a b", "tags", "a.b", "raw", "meta"]
    assert scored["tags"].to_list() == ['["x"]', "[]", None, '["y","z"]', '["ä"]']
    assert [json.loads(text) for text in scored["meta"]] == columns["meta"]
    assert scored["raw"].to_list() == ["bytes"] * 5
    assert score(log, tmp_path / "none", "--set", "output.keep=[]").code == 0
    assert read_parts(tmp_path / "none").columns[:2] == ["run_id", "tone_score"]


def test_output_types_are_the_plain_ones_that_every_reader_knows(tmp_path: Path) -> None:
    columns = {
        "response": pa.array(["x"]).dictionary_encode(),
        "reference": pa.array(["x"], pa.large_string()),
        "bool": [True],
        "small": pa.array([1], pa.uint8()),
        "int64": [1],
        "uint64": pa.array([2**64 - 1], pa.uint64()),
        "half": pa.array([1.5], pa.float32()),
        "day": pa.array([0], pa.date64()),
        "at": pa.array([1_000_000_001], pa.timestamp("ns")),
        "took": pa.array([1], pa.duration("ms")),
        "of_day": pa.array([1], pa.time64("us")),
        "nothing": pa.nulls(1),
    }
    assert score(write_log(tmp_path / "log.parquet", columns), tmp_path / "out").code == 0
    schema = schema_of(tmp_path / "out").remove_metadata()
    types = {field.name: str(field.type) for field in schema}
    kept = {name: types[name] for name in columns}
    assert kept == {
        "response": "string", "reference": "string", "bool": "bool", "small": "int32",
        "int64": "int64", "uint64": "string", "half": "double", "day": "date32[day]",
        "at": "timestamp[us, tz=UTC]", "took": "int64", "of_day": "string", "nothing": "string",
    }  # fmt: skip
    assert set(types.values()) <= {*kept.values()}
    assert types["tone_n_sentences"] == "int32"
    assert types["textual_difference_changes"] == "int64"
    row = read_parts(tmp_path / "out").row(0, named=True)
    assert (row["uint64"], row["took"]) == (str(2**64 - 1), 1000)


def write_both(folder: Path, first: object, second: object) -> Path:
    """Write two shards whose column k holds one value each, of types that may differ."""
    for name, k in (("a", first), ("b", second)):
        columns = {"response": ["x"], "reference": ["x"]}
        extra = {} if k is None else {"k": k}
        write_log(folder / "log" / f"{name}.parquet", columns | extra)
    return folder / "log"


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ([1], [1.5], [1.0, 1.5]),
        (pa.array([1], pa.int16()), [2**40], [1, 2**40]),
        ([1], ["x"], ["1", "x"]),
        ([True], [1], ["true", "1"]),
        ([1], None, [1, None]),
        (None, [1], [None, 1]),
        (pa.nulls(1), [1], [None, 1]),
        ([1.5], pa.nulls(1), [1.5, None]),
        (pa.array(["x"]).dictionary_encode(), ["y"], ["x", "y"]),
    ],
    ids=str,
)
def test_a_kept_column_has_one_type_in_all_parts(
    tmp_path: Path, first: object, second: object, expected: list[object]
) -> None:
    log = write_both(tmp_path, first, second)
    assert score(log, tmp_path / "out", "--by", "response").code == 0
    kept = read_parts(tmp_path / "out")["k"].to_list()
    assert kept == expected
    assert [type(value) for value in kept] == [type(value) for value in expected]


def test_a_column_that_is_nested_in_one_shard_comes_only_if_it_is_named(tmp_path: Path) -> None:
    log = write_both(tmp_path, [1], [[1, 2]])
    assert score(log, tmp_path / "out").code == 0
    assert "k" not in read_parts(tmp_path / "out").columns
    assert score(log, tmp_path / "named", "--keep", "k").code == 0
    assert read_parts(tmp_path / "named")["k"].to_list() == ["1", "[1,2]"]


def test_of_two_columns_of_one_name_the_first_is_read(tmp_path: Path) -> None:
    table = pa.Table.from_arrays(
        [pa.array(["x"]), pa.array(["y"]), pa.array(["x"]), pa.array([1]), pa.array([2])],
        names=["response", "response", "reference", "k", "k"],
    )
    pq.write_table(table, tmp_path / "log.parquet")
    assert score(tmp_path / "log.parquet", tmp_path / "out").code == 0
    row = read_parts(tmp_path / "out").row(0, named=True)
    assert (row["textual_difference_score"], row["k"]) == (1.0, 1)


def test_runs_are_named_by_the_id_and_where_it_is_null_by_shard_and_row(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", PAIRS | {"uid": [7, None, 8, None, 7]})
    assert score(log, tmp_path / "out", "--id", "uid", "--set", "run.batch_rows=2").code == 0
    scored = read_parts(tmp_path / "out")
    assert scored["run_id"].to_list() == ["7", f"{log}:1", "8", f"{log}:3", "7"]


@pytest.mark.parametrize("flags", [(), ("--id", "run_id")])
def test_a_column_run_id_is_the_id_whether_named_or_found(
    tmp_path: Path, flags: tuple[str, ...]
) -> None:
    log = write_log(tmp_path / "log.parquet", {"run_id": list("abcde"), **PAIRS})
    outcome = score(log, tmp_path / "out", *flags)
    assert (outcome.code, "id: column 'run_id', by its name" in outcome.err) == (0, not flags)
    scored = read_parts(tmp_path / "out")
    assert scored["run_id"].to_list() == list("abcde")


def test_a_column_run_id_of_numbers_is_not_lost(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", {"run_id": range(5), **PAIRS})
    outcome = score(log, tmp_path / "out")
    if outcome.code == 0:
        assert read_parts(tmp_path / "out")["run_id"].to_list() == list("01234")
    else:
        assert outcome.code == 2
        assert "run_id" in outcome.err


def test_another_id_beside_a_column_run_id_needs_a_choice(tmp_path: Path) -> None:
    columns = {"run_id": list("abcde"), "uid": list("vwxyz"), **PAIRS}
    log = write_log(tmp_path / "log.parquet", columns)
    assert score(log, tmp_path / "out", "--id", "uid").code == 2
    assert score(log, tmp_path / "out", "--id", "uid", "--keep", "agent").code == 0
    assert read_parts(tmp_path / "out")["run_id"].to_list() == list("vwxyz")


def test_times_that_cannot_be_read_are_null_and_counted(tmp_path: Path) -> None:
    at = ["2026-03-01T10:00:00Z", "soon", None, "", "2026-03-01 11:00:00+02:00"]
    log = write_log(tmp_path / "log.parquet", PAIRS | {"at": at})
    outcome = score(log, tmp_path / "out", "--time", "at", "--set", "run.batch_rows=2")
    assert outcome.code == 0
    assert "warning: 2 values of the time column are no " in outcome.err
    scored = read_parts(tmp_path / "out")
    assert scored.schema["at"] == pl.Datetime("us", "UTC")
    assert [None if t is None else t.isoformat() for t in scored["at"]] == [
        "2026-03-01T10:00:00+00:00", None, None, None, "2026-03-01T09:00:00+00:00",
    ]  # fmt: skip


def test_the_time_and_the_keys_are_kept_though_nothing_else_is(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", PAIRS | {"at": pa.array([0] * 5, pa.date32())})
    options = ("--time", "at", "--by", "agent", "--set", "output.keep=[]")
    assert score(log, tmp_path / "out", *options).code == 0
    assert read_parts(tmp_path / "out").columns[:4] == ["run_id", "at", "agent", "tone_score"]


@pytest.mark.parametrize("first", [[b"x"], ["x"]])
def test_a_key_may_be_bytes(tmp_path: Path, first: list[object]) -> None:
    log = write_both(tmp_path, first, [b"y"])
    assert score(log, tmp_path / "out", "--by", "k").code == 0
    summary = read_parts(tmp_path / "out", "summary").filter(pl.col("grouping") == "k")
    assert set(summary["k"]) == {"x", "y"}


def test_a_key_that_is_given_twice_counts_once(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet")
    assert score(log, tmp_path / "once", "--by", "agent").code == 0
    assert score(log, tmp_path / "twice", "--by", "agent", "--by", "agent").code == 0
    assert digests(tmp_path / "twice") == digests(tmp_path / "once")


def test_an_id_that_one_shard_has_by_chance_takes_no_other_shard_along(tmp_path: Path) -> None:
    first = write_log(tmp_path / "log" / "a.parquet")
    write_log(tmp_path / "log" / "b.parquet", {"run_id": list("abcde"), **PAIRS})
    assert score(tmp_path / "log", tmp_path / "out").code == 0
    names = read_parts(tmp_path / "out")["run_id"].to_list()
    assert names[:5] == [f"{first}:{row}" for row in range(5)]
    assert names[5:] in (list("abcde"), [f"{first.with_name('b.parquet')}:{n}" for n in range(5)])


def test_columns_are_found_by_their_usual_names_in_order_of_preference(tmp_path: Path) -> None:
    columns = {
        "output": ["y"],
        "completion": ["y"],
        "response": [7],
        "target": ["y"],
        "ground_truth": ["z"],
        "expected": [{"text": "z"}],
    }
    outcome = score(write_log(tmp_path / "log.parquet", columns), tmp_path / "out")
    assert outcome.code == 0
    assert outcome.err.splitlines()[:2] == [
        "response: column 'output', by its name",
        "reference: column 'ground_truth', by its name",
    ]
    assert read_parts(tmp_path / "out")["textual_difference_score"].to_list() == [0.0]


def test_a_named_column_beats_a_usual_name_in_silence(tmp_path: Path) -> None:
    columns = PAIRS | {"mine": ["Great."] * 5, "truth": ["Great."] * 5}
    log = write_log(tmp_path / "log.parquet", columns)
    outcome = score(log, tmp_path / "out", "--response", "mine", "--reference", "truth")
    assert outcome.code == 0
    assert outcome.err.splitlines() == ["scoring 5 rows of 1 shard"]
    assert read_parts(tmp_path / "out")["tone_score"].to_list() == [1.0] * 5


def test_without_a_reference_tone_is_stability_and_the_difference_is_off(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", {"response": ["Great. Bad."]})
    outcome = score(log, tmp_path / "out")
    assert outcome.code == 0
    assert "textual_difference is off: it compares with a reference" in outcome.err
    row = read_parts(tmp_path / "out").row(0, named=True)
    # VADER gives 0.6249 and -0.5423: the mean of their squares less the square of their mean.
    variance = ((0.6249 + 0.5423) / 2) ** 2
    assert row["tone_score"] == pytest.approx(1 - variance, abs=1e-12)
    assert row["tone_mode"] == "stability"
    assert not any(name.startswith("textual_difference_") for name in row)


def test_the_mode_is_that_of_the_job_though_a_row_has_no_reference(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", {"response": ["Good."], "reference": [None]})
    assert score(log, tmp_path / "out", "--reference", "reference").code == 0
    row = read_parts(tmp_path / "out").row(0, named=True)
    assert (row["tone_score"], row["tone_unscored"]) == (None, "reference_null")


def test_two_scorers_of_one_type_have_columns_and_rows_of_their_own(tmp_path: Path) -> None:
    config = tmp_path / "job.toml"
    config.write_text(
        "[scorers.tone]\n[scorers.hard]\ntype = 'tone'\nmax_difference = 0.1\nscale = 100\n"
    )
    log = write_log(tmp_path / "log.parquet", {"response": ["Good."], "reference": ["Good job."]})
    outcome = score(log, tmp_path / "out", "--config", config)
    assert outcome.code == 0
    row = read_parts(tmp_path / "out").row(0, named=True)
    assert (row["tone_score"], row["hard_score"]) == (1.0, 100.0)
    summary = read_parts(tmp_path / "out", "summary")
    assert summary["scorer"].unique(maintain_order=True).to_list() == ["tone", "hard"]
    signatures = summary["signature"].unique().to_list()
    assert len(signatures) == 2
    assert sum("max_difference:0.1" in signature for signature in signatures) == 1


def test_sentences_are_those_of_the_responses(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", PAIRS | {"uid": list("abcde")})
    assert score(log, tmp_path / "out", "--sentences", "--id", "uid").code == 0
    sentences = read_parts(tmp_path / "out", "sentences")
    assert list(sentences.schema.items()) == [
        ("run_id", pl.String()),
        ("sentence_index", pl.Int32()),
        ("start", pl.Int32()),
        ("end", pl.Int32()),
        ("sentence", pl.String()),
        *((name, pl.Float64()) for name in ("compound", "pos", "neu", "neg")),
    ]
    assert sentences.select("run_id", "sentence_index", "start", "end", "sentence").rows() == [
        ("a", 0, 0, 6, "Great."),
        ("a", 1, 7, 11, "Bad."),
        ("b", 0, 0, 9, "It works."),
        ("e", 0, 0, 6, "Awful!"),
    ]
    counts = read_parts(tmp_path / "out")["tone_n_sentences"].to_list()
    # The last run has no reference: it is unscored, and its sentence is there.
    assert counts == [2, 1, None, None, None]
