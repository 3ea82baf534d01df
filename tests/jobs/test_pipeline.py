"""Whole jobs: a real log, the same bytes for any workers, broken shards, the Python door."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.jobs.logs import (
    PAIRS,
    contents,
    digests,
    many_runs,
    read_parts,
    score,
    spawn_tonelog,
    tonelog,
    unchecked_text,
    write_broken_log,
    write_log,
)
from tests.oracles import band_by_hand, textual_difference_by_hand, tone_by_hand
from tests.scorers.pairs import rows_of
from tonelog.jobs.config import load_config
from tonelog.jobs.pipeline import JobReport, Watch, run_job
from tonelog.scorers import split_sentences


def sentences_of(text: str) -> list[str]:
    return list(pl.select(split_sentences(pl.lit(text), code="skip")).to_series()[0])


textual_difference = lru_cache(maxsize=None)(textual_difference_by_hand)


# A real log, through the command that a person types.


@pytest.fixture(scope="module")
def groq(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Score a real log of 500 runs: its path, and the output folder."""
    log = shared / "logs" / "foreign" / "groq_results.parquet"
    if not log.is_file():
        pytest.skip(f"{log} is not here")
    out = tmp_path_factory.mktemp("groq") / "out"
    columns = ("--response", "response", "--reference", "ground_truth", "--by", "policy_name")
    outcome = spawn_tonelog("score", log, *columns, "-o", out)
    assert outcome.code == 0
    return log, out


def test_a_real_log_is_scored_row_by_row_in_its_order(groq: tuple[Path, Path]) -> None:
    log, out = groq
    runs, scored = pl.read_parquet(log), read_parts(out)
    assert scored.height == runs.height == 500
    # No column of this log is nested, and all have types that stay as they are.
    assert scored.select(runs.columns).equals(runs)
    assert scored["run_id"].to_list() == [f"{log}:{row}" for row in range(500)]
    assert scored["tone_unscored"].null_count() == 500
    assert scored["textual_difference_unscored"].null_count() == 500


def test_every_row_of_a_real_log_has_the_numbers_of_the_formulas(
    groq: tuple[Path, Path],
) -> None:
    for row in read_parts(groq[1]).rows(named=True):
        texts = row["response"], row["ground_truth"]
        difference = textual_difference(*texts)
        tone = tone_by_hand(*texts, {text: sentences_of(text) for text in texts})
        for prefix, expected in (("textual_difference", difference), ("tone", tone)):
            got = {name: row[f"{prefix}_{name}"] for name in expected}
            assert got == pytest.approx(expected, rel=1e-13, abs=1e-13)
            assert row[f"{prefix}_band"] == band_by_hand(row[f"{prefix}_score"])
        assert row["tone_mode"] == "comparison"


def test_a_real_log_is_summarized_as_a_whole_and_by_its_key(groq: tuple[Path, Path]) -> None:
    log, out = groq
    summary = read_parts(out, "summary").filter(pl.col("field") == "score")
    policies = sorted(pl.read_parquet(log)["policy_name"].unique())
    groups = [("all", None), *(("policy_name", name) for name in policies)]
    expected = [(*group, scorer) for group in groups for scorer in ("tone", "textual_difference")]
    assert summary.select("grouping", "policy_name", "scorer").rows() == expected
    assert summary["n"].to_list() == [500] * 2 + [50] * 20
    assert summary["n_unscored"].to_list() == [0] * 22


# The same bytes, whatever the workers, batches and hashes.


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a log of three shards, one of which has several row groups and one no rows."""
    folder = tmp_path_factory.mktemp("shards") / "log"
    write_log(folder / "a.parquet", many_runs(200), row_group_size=75)
    write_log(folder / "b.parquet", many_runs(61))
    table = pa.table(many_runs(1))
    write_log(folder / "c.parquet", {name: table[name].slice(1) for name in table.column_names})
    return folder


def test_outputs_have_the_same_bytes_for_any_workers_batches_and_hash_seed(
    shards: Path, tmp_path: Path
) -> None:
    outputs = []
    # Seven workers for three shards: three processes of two threads.
    for workers, batch_rows, seed in ((1, 100, 0), (2, 100_000, 1), (7, 30, 2)):
        out = tmp_path / f"out-{workers}"
        outcome = spawn_tonelog(
            *("score", shards, "-o", out, "--sentences", "--by", "agent"),
            *("--workers", workers, "--set", f"run.batch_rows={batch_rows}"),
            env={"PYTHONHASHSEED": str(seed)},
        )
        assert outcome.code == 0
        outputs.append(digests(out))
        # The first shard is the largest: with two workers, it is not the first to be done.
        manifest = json.loads((out / "_manifest" / "manifest.json").read_text())
        assert [Path(part["shard"]).name for part in manifest["parts"]] == [
            "a.parquet",
            "b.parquet",
            "c.parquet",
        ]
    for batch_rows in (7, 997):
        out = tmp_path / f"out-{batch_rows}"
        options = ("--sentences", "--by", "agent", "--set", f"run.batch_rows={batch_rows}")
        assert score(shards, out, *options).code == 0
        outputs.append(digests(out))
    assert len(outputs[0]) == 3 + 3 + 2
    assert all(output == outputs[0] for output in outputs)


def test_a_row_scores_the_same_alone_and_in_any_order(tmp_path: Path) -> None:
    runs = pa.table(many_runs(60))
    scores = {}
    orders = {"whole": range(60), "reversed": range(59, -1, -1), "alone": [13]}
    for name, order in orders.items():
        taken = runs.take(pa.array(order))
        log = write_log(tmp_path / f"{name}.parquet", {c: taken[c] for c in taken.column_names})
        options = ("--set", "run.batch_rows=1") if name == "reversed" else ()
        assert score(log, tmp_path / name, *options).code == 0
        scored = read_parts(tmp_path / name)
        scores[name] = dict(
            zip(scored["n"], rows_of(scored.select(pl.exclude("run_id"))), strict=True)
        )
    assert scores["whole"] == scores["reversed"]
    assert scores["alone"] == {13: scores["whole"][13]}


# Nothing in, nothing lost.


def test_unscored_rows_have_a_reason_and_no_number(tmp_path: Path) -> None:
    columns = {
        "response": [
            "Good.",
            None,
            " \t\n",
            "",
            "Good.",
            "Good.",
            "```\nx\n```",
            "\u00a0",
            "y" * 99,
        ],
        "reference": ["Good.", "x", "x", "", None, " ", "x", None, "x"],
    }
    log = write_log(tmp_path / "log.parquet", columns)
    assert score(log, tmp_path / "out", "--set", "limits.cell_bytes=98").code == 0
    scored = read_parts(tmp_path / "out")
    assert scored.height == 9
    assert scored["tone_unscored"].to_list() == [
        None, "response_null", "response_blank", "response_blank", "reference_null",
        "reference_blank", "no_sentences", "response_blank", "cell_too_large",
    ]  # fmt: skip
    assert scored["textual_difference_unscored"].to_list() == [
        None, "response_null", None, None, "reference_null", None, None, "reference_null",
        "cell_too_large",
    ]  # fmt: skip
    assert scored["tone_score"].to_list() == [1.0, *[None] * 8]
    # Blank texts are texts of a difference: "" against "" is equal.
    assert scored["textual_difference_score"].to_list()[3] == 1.0
    assert scored["textual_difference_score"].null_count() == 4


def test_references_in_lists_lose_no_row(tmp_path: Path) -> None:
    references = [["Bad.", "Good."], [], None, [None], [None, "Good."], ["Good.", "Good."]]
    log = write_log(tmp_path / "log.parquet", {"response": ["Good."] * 6, "reference": references})
    assert score(log, tmp_path / "out").code == 0
    scored = read_parts(tmp_path / "out")
    for prefix in ("tone", "textual_difference"):
        rows = scored.select(
            f"{prefix}_{name}" for name in ("score", "reference_index", "unscored")
        )
        null = (None, None, "reference_null")
        assert rows.rows() == [(1, 1, None), null, null, null, (1, 1, None), (1, 0, None)]
    assert "reference" not in scored.columns


def test_two_reference_columns_count_as_a_list(tmp_path: Path) -> None:
    columns = {"response": ["Good."] * 4, "x": ["Bad.", "Good.", None, None]}
    log = write_log(tmp_path / "log.parquet", columns | {"y": ["Good.", "Good.", "Good.", None]})
    assert score(log, tmp_path / "out", "--reference", "x", "--reference", "y").code == 0
    scored = read_parts(tmp_path / "out")
    assert scored["tone_reference_index"].to_list() == [1, 0, 1, None]
    assert scored["tone_score"].to_list() == [1, 1, 1, None]
    assert scored["x"].to_list() == columns["x"]


def test_a_null_list_hides_no_reference_of_another_column(tmp_path: Path) -> None:
    columns = {"response": ["Good."] * 2, "x": pa.array([None, ["Bad."]]), "y": ["Good."] * 2}
    log = write_log(tmp_path / "log.parquet", columns)
    assert score(log, tmp_path / "out", "--reference", "x", "--reference", "y").code == 0
    assert read_parts(tmp_path / "out")["tone_score"].to_list() == [1.0, 1.0]


def test_a_reference_that_is_a_number_is_read_as_text(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", {"response": ["42", "4"], "reference": [42, None]})
    assert score(log, tmp_path / "out").code == 0
    scored = read_parts(tmp_path / "out")
    assert scored["textual_difference_score"].to_list() == [1.0, None]
    assert scored["reference"].to_list() == [42, None]


def test_bytes_that_are_no_utf8_are_unscored_with_a_reason(tmp_path: Path) -> None:
    good = "Good."
    lists = pa.ListArray.from_arrays(
        [0, 1, 2, 4], unchecked_text([b"Good.", b"\xff", b"\xff", b"Good."])
    )
    for name, reference, expected in (
        ("text", unchecked_text([b"Good.", b"Good.", b"\xff"]), [None, "reference_not_utf8"]),
        ("list", lists, ["reference_not_utf8", None]),
    ):
        response = unchecked_text([b"\xff\xfe", good.encode(), good.encode()])
        log = write_log(
            tmp_path / f"{name}.parquet", {"response": response, "reference": reference}
        )
        outcome = score(log, tmp_path / name)
        assert outcome.code == 0
        scored = read_parts(tmp_path / name)
        for prefix in ("tone", "textual_difference"):
            reasons = scored[f"{prefix}_unscored"].to_list()
            assert reasons == ["response_not_utf8", *expected]
        assert scored["response"].to_list() == ["\ufffd\ufffd", good, good]
        assert "1 reference_not_utf8, 1 response_not_utf8" in outcome.out


@pytest.mark.parametrize("groups", [0, 1])
def test_a_shard_without_rows_gives_a_part_and_summaries_without(
    tmp_path: Path, groups: int
) -> None:
    fields = {"response": pa.string(), "reference": pa.string(), "turn": pa.int16()}
    schema = pa.schema(fields)
    log = tmp_path / "log.parquet"
    with pq.ParquetWriter(log, schema) as writer:
        for _ in range(groups):
            writer.write_table(schema.empty_table())
    full = write_log(
        tmp_path / "full.parquet", {"response": ["x"], "reference": ["x"], "turn": [1]}
    )
    options = ("--sentences", "--by", "turn")
    outcome = score(log, tmp_path / "out", *options)
    assert score(full, tmp_path / "full", *options).code == 0
    assert outcome.code == 0
    assert "warning: the log has no rows" in outcome.err
    scored, expected = read_parts(tmp_path / "out"), read_parts(tmp_path / "full")
    assert scored.height == 0
    assert scored.schema == expected.schema | {"turn": pl.Int32()}
    assert read_parts(tmp_path / "out", "sentences").height == 0
    summary = read_parts(tmp_path / "out", "summary")
    assert summary["grouping"].unique().to_list() == ["all"]
    assert summary.height == 15
    assert set(summary["n"]) == {0}
    assert summary["mean"].null_count() == 15
    bands = read_parts(tmp_path / "out", "bands")
    assert bands.select("grouping", "n", "share").unique().rows() == [("all", 0, None)]
    assert bands.height == 10


def test_columns_of_nulls_without_a_type_are_read(tmp_path: Path) -> None:
    columns = {"response": pa.nulls(2), "reference": pa.nulls(2), "k": pa.nulls(2)}
    log = write_log(tmp_path / "log.parquet", columns)
    options = ("--response", "response", "--reference", "reference", "--by", "k")
    assert score(log, tmp_path / "out", *options).code == 0
    scored = read_parts(tmp_path / "out")
    assert scored["tone_unscored"].to_list() == ["response_null"] * 2
    assert scored.schema["k"] == pl.String
    summary = read_parts(tmp_path / "out", "summary").filter(pl.col("field") == "score")
    assert summary.select("grouping", "n_unscored").unique().sort("grouping").rows() == [
        ("all", 2),
        ("k", 2),
    ]


# Broken shards among good ones.


def break_shard(path: Path, how: str) -> None:
    """Put a shard among the others that cannot be scored like them."""
    writers: dict[str, Callable[[], object]] = {
        "no Parquet": lambda: path.write_bytes(b"PAR1 is not enough"),
        "empty": lambda: path.write_bytes(b""),
        "broken pages": lambda: write_broken_log(path),
        "cut off": lambda: path.write_bytes(write_log(path).read_bytes()[:-20]),
        "no response": lambda: write_log(path, {"answer": ["x"], "reference": ["x"]}),
        "no reference": lambda: write_log(path, {"response": ["x"]}),
        "another type": lambda: write_log(path, {"response": [{"text": "x"}], "reference": ["x"]}),
        "no key": lambda: write_log(path, {"response": ["x"], "reference": ["x"]}),
        "a link to nothing": lambda: path.symlink_to("nothing"),
    }
    writers[how]()


REASONS = {
    "no Parquet": "cannot be read (",
    "empty": "cannot be read (",
    "broken pages": "cannot be read (",
    "cut off": "cannot be read (",
    "no response": "no column 'response'; expected text, as in other shards",
    "no reference": "no column 'reference'; expected text or a list of texts, as in other shards",
    "another type": "'response' is struct<text: string>; expected text, as in other shards",
    "no key": "no column 'agent'; expected a scalar, as in other shards",
    "a link to nothing": "cannot be read (",
}


@pytest.mark.parametrize("how", REASONS)
def test_a_bad_shard_is_rejected_with_a_reason_and_the_others_are_scored(
    tmp_path: Path, how: str
) -> None:
    good = [write_log(tmp_path / "log" / f"{name}.parquet") for name in ("a", "z")]
    bad = tmp_path / "log" / "bad.parquet"
    break_shard(bad, how)
    outcome = score(tmp_path / "log", tmp_path / "out", "--by", "agent")
    assert outcome.code == 4
    (line,) = (line for line in outcome.err.splitlines() if "rejected" in line)
    assert line.startswith(f"rejected: {bad}: {REASONS[how]}")
    assert "rejected: 1 shard" in outcome.out
    assert "Traceback" not in outcome.err
    assert read_parts(tmp_path / "out").height == 10
    assert {name.split("-")[0] for name in contents(tmp_path / "out" / "scored")} == {"a", "z"}

    strict = score(tmp_path / "log", tmp_path / "strict", "--by", "agent", "--strict")
    assert strict.code == 3
    assert not (tmp_path / "strict" / "summary").exists()

    assert score(*good[:1], tmp_path / "one", "--by", "agent").code == 0


@pytest.mark.parametrize("how", ["no Parquet", "broken pages"])
def test_a_strict_run_that_fails_leaves_the_tables_of_the_last(tmp_path: Path, how: str) -> None:
    write_log(tmp_path / "log" / "a.parquet")
    assert score(tmp_path / "log", tmp_path / "out").code == 0
    before = digests(tmp_path / "out")
    bad = tmp_path / "log" / "bad.parquet"
    break_shard(bad, how)
    outcome = score(tmp_path / "log", tmp_path / "out", "--strict")
    assert (outcome.code, outcome.out) == (3, "")
    assert str(bad) in outcome.err.splitlines()[-1]
    assert digests(tmp_path / "out") == before


@pytest.mark.parametrize("how", ["no Parquet", "broken pages"])
def test_if_all_shards_are_bad_the_job_fails(tmp_path: Path, how: str) -> None:
    for name in ("a", "b"):
        (tmp_path / "log").mkdir(exist_ok=True)
        break_shard(tmp_path / "log" / f"{name}.parquet", how)
    outcome = score(tmp_path / "log", tmp_path / "out")
    assert outcome.code == 3
    assert "Traceback" not in outcome.err
    assert digests(tmp_path / "out") == {}


def test_if_no_shard_has_all_columns_the_job_fails(tmp_path: Path) -> None:
    write_log(tmp_path / "log" / "a.parquet", {"response": ["x"], "reference": ["x"]})
    write_log(tmp_path / "log" / "b.parquet", {"response": ["x"], "agent": ["x"]})
    outcome = score(tmp_path / "log", tmp_path / "out", "--by", "agent")
    assert outcome.code == 3
    assert digests(tmp_path / "out") == {}


# The files of broken Parquet that other projects have collected.


def test_collected_broken_files_do_not_take_the_others_along(shared: Path, tmp_path: Path) -> None:
    folder = shared / "bad_parquet"
    if not (folder / "cases.jsonl").is_file():
        pytest.skip(f"{folder} is not here")
    lines = (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    good = many_runs(20) | {"run_id": [f"good {n}" for n in range(20)]}
    write_log(tmp_path / "good.parquet", good)
    paths = [folder / case["file"] for case in cases if "reject-file" in case["expect"]]
    paths = [path for path in paths if path.is_file()]
    assert len(paths) > 50
    out = tmp_path / "out"
    columns = ("--response", "response", "--reference", "reference", "--id", "run_id")
    arguments = (*columns, "--keep", "n", "-o", out, "--workers", 2)
    outcome = spawn_tonelog("score", tmp_path / "good.parquet", *paths, *arguments)
    assert outcome.code == 4
    assert read_parts(out)["run_id"].to_list() == good["run_id"]
    manifest = json.loads((out / "_manifest" / "manifest.json").read_text())
    assert {str(path) for path in paths} <= set(manifest["rejected"])


# From Python.


def config_of(log: Path, out: Path, **run: object) -> Any:  # noqa: ANN401 - a JobConfig
    return load_config(
        flags={"input": {"paths": [str(log)]}, "output": {"path": str(out)}, "run": run}
    )


def test_a_report_says_what_was_done(tmp_path: Path) -> None:
    write_log(tmp_path / "log" / "a.parquet")
    break_shard(tmp_path / "log" / "bad.parquet", "no Parquet")
    report = run_job(config_of(tmp_path / "log", tmp_path / "out", workers=0))
    assert isinstance(report, JobReport)
    assert (report.n_rows, report.exit_code) == (5, 4)
    assert report.unscored == {
        "tone": {"reference_null": 1, "response_blank": 1, "response_null": 1},
        "textual_difference": {"reference_null": 1, "response_null": 1},
    }
    assert list(report.rejected) == [str(tmp_path / "log" / "bad.parquet")]
    assert (report.output, report.scored) == (tmp_path / "out", tmp_path / "out" / "scored")
    assert pl.DataFrame(report.summaries.rows).equals(read_parts(tmp_path / "out", "summary"))
    assert report.seconds > 0


def test_a_watch_hears_of_choices_rows_and_warnings(tmp_path: Path) -> None:
    heard: list[tuple[object, ...]] = []

    class Listener(Watch):
        def say(self, message: str) -> None:
            heard.append(("say", message))

        def begin(self, n_rows: int, n_shards: int) -> None:
            heard.append(("begin", n_rows, n_shards))

        def advance(self, rows_done: int) -> None:
            heard.append(("advance", rows_done))

    for name in ("a", "b"):
        write_log(tmp_path / "log" / f"{name}.parquet", {"response": ["Es regnet."] * 3})
    run_job(config_of(tmp_path / "log", tmp_path / "out", workers=0), Listener())
    assert heard[:5] == [
        ("say", "response: column 'response', by its name"),
        ("say", "reference: none of the usual columns, and none was given"),
        ("say", "textual_difference is off: it compares with a reference, and there is none"),
        ("begin", 6, 2),
        ("advance", 3),
    ]
    assert heard[5] == ("advance", 6)
    (kind, warning), *others = heard[6:]
    assert others == []
    assert kind == "say"
    assert str(warning).startswith("warning: tone: 100% of scored runs have no sentence that")


SCRIPT = """
import sys
from tonelog.jobs.config import load_config
from tonelog.jobs.pipeline import run_job

def main():
    log, out, workers = sys.argv[1:]
    report = run_job(load_config(flags={
        "input": {"paths": [log]}, "output": {"path": out}, "run": {"workers": int(workers)},
    }))
    heavy = {"polars", "pyarrow", "numpy", "numba", "rapidfuzz", "vaderSentiment"}
    print(report.n_rows, report.exit_code, sorted(heavy & set(sys.modules)))
"""
GUARDED = f"{SCRIPT}\nif __name__ == '__main__':\n    main()\n"
UNGUARDED = f"{SCRIPT}\nmain()\n"


def run_script(text: str, how: str, folder: Path, workers: int) -> subprocess.CompletedProcess[str]:
    log, out = write_log(folder / "log.parquet"), folder / "out"
    script = folder / "job.py"
    script.write_text(text)
    first = {"file": [str(script)], "-c": ["-c", text], "stdin": ["-"]}[how]
    return subprocess.run(
        [sys.executable, *first, str(log), str(out), str(workers)],
        input=text if how == "stdin" else None,
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=60,
    )


@pytest.mark.parametrize(("text", "how"), [(GUARDED, "file"), (UNGUARDED, "-c")])
def test_a_job_runs_from_a_script_whose_process_stays_light(
    tmp_path: Path, text: str, how: str
) -> None:
    done = run_script(text, how, tmp_path, workers=1)
    assert (done.stdout, done.returncode) == ("5 0 []\n", 0)
    assert done.stderr == ""
    assert read_parts(tmp_path / "out").height == 5


@pytest.mark.parametrize("how", ["file", "stdin"])
def test_a_script_without_a_guard_is_told_so_and_ends(tmp_path: Path, how: str) -> None:
    done = run_script(UNGUARDED, how, tmp_path, workers=1)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "__main__" in done.stderr.splitlines()[-1]
    assert not (tmp_path / "out").exists()


def test_without_workers_a_script_needs_no_guard(tmp_path: Path) -> None:
    done = run_script(UNGUARDED, "stdin", tmp_path, workers=0)
    assert done.stdout.startswith("5 0 [")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_warning_free_run_says_nothing_but_its_choices(tmp_path: Path) -> None:
    columns = {name: cast("list[object]", cells)[:2] for name, cells in PAIRS.items()}
    log = write_log(tmp_path / "log.parquet", columns)
    outcome = tonelog("score", log, "-o", tmp_path / "out", "--set", "run.workers=0")
    assert outcome.err.splitlines() == [
        "response: column 'response', by its name",
        "reference: column 'reference', by its name",
        "scoring 2 rows of 1 shard",
    ]
