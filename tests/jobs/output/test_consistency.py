"""Run-to-run consistency: the numbers of a plain loop over all pairs, however the log is cut."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Sequence
from itertools import combinations, groupby, pairwise
from math import fsum
from pathlib import Path
from statistics import stdev
from tempfile import TemporaryDirectory
from typing import Any, cast

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.jobs.logs import (
    Outcome,
    contents,
    digests,
    many_runs,
    read_parts,
    score,
    spawn_tonelog,
    tonelog,
    unchecked_text,
    write_log,
)
from tests.oracles import naive_lcs
from tonelog.jobs.config import load_config
from tonelog.jobs.errors import InputError
from tonelog.jobs.output import consistency
from tonelog.jobs.output.consistency import compare_runs
from tonelog.jobs.output.manifest import OutputTree
from tonelog.jobs.pipeline import JobReport, run_job

Run = tuple[str, str | None, str | None]
"""A run's id, its key, its response."""

SIGNATURE = "consistency|cap:200|characters:1000000|seed:0|version:1"
NUMBERS = ("n", "n_unscored", "n_compared", "mean_similarity", "min_similarity", "share_identical")

texts = st.text("ab ", max_size=8)
runs = st.lists(
    st.tuples(st.uuids().map(str), st.sampled_from(["p", "q", "", None]), st.none() | texts),
    min_size=1,
    max_size=20,
    unique_by=lambda run: run[0],
)


def compare(log: Path, out: Path, *options: object, by: str = "prompt_id") -> Outcome:
    """Score a log in this process, its runs grouped by a key."""
    return score(log, out, "--set", f"consistency.by={json.dumps(by.split())}", *options)


def log_of(runs: Iterable[Run]) -> dict[str, object]:
    """Make the columns of a log of some runs."""
    ids, keys, responses = zip(*runs, strict=True)
    strings = pa.string()
    return {
        "run_id": pa.array(ids, strings),
        "prompt_id": pa.array(keys, strings),
        "response": pa.array(responses, strings),
    }


def table_of(out: Path, *columns: str) -> list[tuple[Any, ...]]:
    return read_parts(out, "consistency").select(columns or pl.all()).rows()


def naive_ratio(a: str, b: str) -> float:
    return 2 * naive_lcs(a, b) / (len(a) + len(b)) if a or b else 1.0


def place(run: Run) -> int:
    """Where a run stands in the order of the sample, as the README says."""
    digest = hashlib.blake2b(str(run[2]).encode(), digest_size=16).hexdigest()
    last = hashlib.blake2b(f"0:{digest}:{run[0]}".encode(), digest_size=8).digest()
    return int.from_bytes(last, "big", signed=True)


def sample_of(responses: Iterable[Run], cap: int, characters: int) -> list[str]:
    """Take runs in order until there are enough, or enough characters."""
    sample: list[str] = []
    for *_, text in sorted(responses, key=place):
        if len(sample) == cap or sum(map(len, sample)) >= characters:
            break
        sample.append(str(text))
    return sample


def naive_table(runs: Iterable[Run], cap: int, characters: int) -> list[tuple[Any, ...]]:
    """Compare all pairs of each group's sample, in a loop; a null key makes no group."""
    known = sorted((run for run in runs if run[1] is not None), key=lambda run: str(run[1]))
    table = []
    for key, members in groupby(known, key=lambda run: run[1]):
        group = list(members)
        responses = [run for run in group if run[2] is not None]
        all_texts = [text for *_, text in responses]
        sample = sample_of(responses, cap, characters)
        ratios = [naive_ratio(a, b) for a, b in combinations(sample, 2)]
        most = max(map(all_texts.count, all_texts), default=0)
        table.append(
            (
                key,
                len(responses),
                len(group) - len(responses),
                len(sample),
                fsum(ratios) / len(ratios) if ratios else None,
                min(ratios) if ratios else None,
                most / len(responses) if responses else None,
            )
        )
    return table


# The numbers.


def test_groups_have_the_numbers_worked_out_by_hand(tmp_path: Path) -> None:
    log = write_log(
        tmp_path / "log.parquet",
        {
            "prompt_id": ["same", "p", "one", "p", "none", "same", "p", "empty", "empty", "p"],
            "response": [
                "Good.", "abcd", "Good.", "abcd", None, "Good.", "ab", "", "", None,
            ],
        },
    )  # fmt: skip
    outcome = compare(log, tmp_path / "out")
    assert outcome.code == 0
    assert table_of(tmp_path / "out") == [
        ("empty", 2, 0, 2, 1.0, 1.0, None, 1.0, SIGNATURE),
        ("none", 0, 1, 0, None, None, None, None, SIGNATURE),
        ("one", 1, 0, 1, None, None, None, 1.0, SIGNATURE),
        # (1 + 2/3 + 2/3) / 3; all three are without tone: alike.
        ("p", 3, 1, 3, 0.7777777777777777, 2 / 3, 0.0, 2 / 3, SIGNATURE),
        ("same", 2, 0, 2, 1.0, 1.0, 0.0, 1.0, SIGNATURE),
    ]
    where = tmp_path / "out" / "consistency" / "consistency.parquet"
    # (1 + 7/9 + 1) / 3: groups of one have no similarity.
    assert f"consistency: 5 groups, mean similarity 0.9259: {where}" in outcome.out.splitlines()


def test_the_table_has_flat_columns_and_a_signature_in_its_footer(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet")
    assert compare(log, tmp_path / "out", by="agent").code == 0
    schema = pq.read_schema(tmp_path / "out" / "consistency" / "consistency.parquet")
    assert {name: str(schema.field(name).type) for name in schema.names} == {
        "agent": "string",
        "n": "int64",
        "n_unscored": "int64",
        "n_compared": "int64",
        "mean_similarity": "double",
        "min_similarity": "double",
        "tone_std": "double",
        "share_identical": "double",
        "signature": "string",
    }
    assert schema.metadata[b"tonelog.consistency"].decode() == SIGNATURE
    assert b"tonelog.tone" in schema.metadata


def test_the_spread_of_tone_is_the_standard_deviation_of_the_scored_responses(
    tmp_path: Path,
) -> None:
    responses = ["Great.", "Awful!", "It is a table.", " ", None]
    log = write_log(tmp_path / "log.parquet", {"response": responses, "prompt_id": ["p"] * 5})
    assert compare(log, tmp_path / "out").code == 0
    tones = read_parts(tmp_path / "out")["tone_avg_sentiment"].drop_nulls().to_list()
    assert len(tones) == 3
    ((spread,),) = table_of(tmp_path / "out", "tone_std")
    assert spread == pytest.approx(stdev(tones), rel=1e-9)


def test_without_a_scorer_of_tone_there_is_no_spread(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet")
    assert compare(log, tmp_path / "out", "--scorer", "textual_difference", by="agent").code == 0
    assert table_of(tmp_path / "out", "agent", "n", "tone_std") == [("a", 2, None), ("b", 2, None)]


def test_responses_that_are_too_long_or_no_text_are_counted_and_not_compared(
    tmp_path: Path,
) -> None:
    cells = [b"Good.", b"\xff", b"Good.", b"x" * 200_000, b"x" * 200_001, b"y" * 200_002, None]
    log = write_log(
        tmp_path / "log.parquet", {"response": unchecked_text(cells), "prompt_id": ["p"] * 7}
    )
    options = ("--response", "response", "--set", "limits.cell_bytes=200001")
    assert compare(log, tmp_path / "out", *options).code == 0
    assert table_of(tmp_path / "out", *NUMBERS) == [(3, 4, 3, 1 / 3, 0.0, 2 / 3)]


def test_keys_are_text_in_order_and_a_run_without_one_is_in_no_group(tmp_path: Path) -> None:
    columns = {
        "response": ["x"] * 6,
        "turn": [10, 9, None, 10, 9, 9],
        "ok": [True, True, True, None, False, True],
    }
    log = write_log(tmp_path / "log.parquet", columns)
    outcome = compare(log, tmp_path / "out", "--set", "output.keep=[]", by="turn ok")
    assert table_of(tmp_path / "out", "turn", "ok", "n") == [
        ("10", "true", 1), ("9", "false", 1), ("9", "true", 2),
    ]  # fmt: skip
    assert "turn" not in read_parts(tmp_path / "out").columns
    warning = "warning: 2 runs are in no group of the consistency table: a key of theirs is null"
    assert warning in outcome.err.splitlines()


def test_keys_of_any_characters_are_kept_apart(tmp_path: Path) -> None:
    keys = ["", " ", "a", "a\x00", "a\x00b", "\u00e4", "\ud7ff", "\U0001f600", "A", "'; --"]
    log = write_log(tmp_path / "log.parquet", {"response": ["x"] * 20, "prompt_id": keys * 2})
    assert compare(log, tmp_path / "out").code == 0
    assert table_of(tmp_path / "out", "prompt_id", "n") == [(key, 2) for key in sorted(keys)]


def test_a_log_without_rows_gives_an_empty_table(tmp_path: Path) -> None:
    empty: dict[str, object] = {
        name: pa.array([], pa.string()) for name in ("response", "prompt_id")
    }
    outcome = compare(write_log(tmp_path / "log.parquet", empty), tmp_path / "out")
    assert outcome.code == 0
    assert "consistency: 0 groups, no two responses to compare: " in outcome.out
    assert table_of(tmp_path / "out") == []


# Any cut of the log, and the sample.


def table_in_parts(parts: Sequence[Sequence[Run]], cap: int, batch_rows: int) -> pl.DataFrame:
    """Score runs that are cut into shards, and give the consistency table."""
    with TemporaryDirectory() as folder:
        for number, part in enumerate(parts):
            write_log(Path(folder, "log", f"{number}.parquet"), log_of(part))
        options = (
            *("--scorer", "tone", "--response", "response"),
            *("--set", f"consistency.cap={cap}", "--set", f"run.batch_rows={batch_rows}"),
        )
        assert compare(Path(folder, "log"), Path(folder, "out"), *options).code == 0
        return read_parts(Path(folder, "out"), "consistency")


@settings(max_examples=25)
@given(
    runs,
    st.data(),
    st.integers(2, 6),
    st.sampled_from([1, 10, 1_000_000]),
)
def test_any_order_cut_and_batches_give_the_numbers_of_a_plain_loop(
    some: list[Run], data: st.DataObject, cap: int, characters: int
) -> None:
    cuts = data.draw(st.lists(st.integers(1, len(some)), max_size=3).map(sorted))
    shuffled = data.draw(st.permutations(some))
    bounds = [0, *cuts, len(some)]
    parts = [shuffled[a:b] for a, b in pairwise(bounds) if b > a]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(consistency, "SAMPLE_CHARACTERS", characters)
        whole = table_in_parts([some], cap, 100)
        cut = table_in_parts(parts, cap, data.draw(st.integers(1, 5)))
    assert whole.equals(cut)
    assert whole.select("prompt_id", *NUMBERS).rows() == naive_table(some, cap, characters)


def test_a_group_above_the_cap_is_compared_by_a_sample(tmp_path: Path) -> None:
    some = [(f"run {n}", "p", f"{n:b}") for n in range(500)]
    log = write_log(tmp_path / "log.parquet", log_of(some))
    assert compare(log, tmp_path / "out", "--set", "consistency.cap=40").code == 0
    expected = naive_table(some, 40, 1_000_000)
    assert table_of(tmp_path / "out", "prompt_id", *NUMBERS) == expected
    ((_, n, _, n_compared, *_),) = expected
    assert (n, n_compared) == (500, 40)
    assert "|cap:40|" in table_of(tmp_path / "out", "signature")[0][0]


def test_a_group_of_long_responses_is_compared_by_fewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert consistency.SAMPLE_CHARACTERS == 1_000_000
    monkeypatch.setattr(consistency, "SAMPLE_CHARACTERS", 1000)
    responses = [f"{n:0100}" for n in range(12)]
    log = write_log(tmp_path / "log.parquet", {"response": responses, "prompt_id": ["p"] * 12})
    assert compare(log, tmp_path / "out").code == 0
    assert table_of(tmp_path / "out", "n", "n_compared") == [(12, 10)]


def test_a_group_of_10_000_takes_bounded_time(tmp_path: Path) -> None:
    responses = [f"Ticket {n * n} is a refund of {n} for order {n * 7}. Thanks." for n in range(10)]
    log = write_log(
        tmp_path / "log.parquet",
        {"response": responses * 1000, "prompt_id": ["p"] * 10_000},
    )
    report = job(log, tmp_path / "out")
    began = time.process_time()
    compare_again(report)
    assert time.process_time() - began < 5
    assert table_of(tmp_path / "out", "n", "n_compared", "share_identical") == [(10_000, 200, 0.1)]


# The same bytes; what is written, and what goes.


def test_the_table_has_the_same_bytes_for_any_workers_and_batches(tmp_path: Path) -> None:
    columns = many_runs(300)
    columns["run_id"] = [f"run {n}" for n in range(300)]
    for name, rows in (("a", range(120)), ("b", range(120, 300))):
        part = {column: [cast("Any", cells)[n] for n in rows] for column, cells in columns.items()}
        write_log(tmp_path / "log" / f"{name}.parquet", part, row_group_size=75)
    outputs = []
    for workers, batch_rows in ((1, 100), (2, 100_000)):
        out = tmp_path / f"out-{workers}"
        outcome = spawn_tonelog(
            *("score", tmp_path / "log", "-o", out, "--workers", workers),
            *("--set", "consistency.by=['agent']", "--set", "consistency.cap=20"),
            *("--set", f"run.batch_rows={batch_rows}"),
            env={"PYTHONHASHSEED": str(workers)},
        )
        assert outcome.code == 0
        outputs.append(digests(out) | contents(out / "_manifest" / "partials"))
    assert outputs[0] == outputs[1]
    assert "consistency/consistency.parquet" in outputs[0]


def test_no_text_is_written_and_the_scored_table_stays_as_it_is(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet")
    assert compare(log, tmp_path / "out", by="agent").code == 0
    assert score(log, tmp_path / "plain").code == 0
    (part,) = (tmp_path / "out" / "_manifest" / "partials").glob("*.runs.parquet")
    assert pq.read_schema(part).names == [
        "key0", "row", "digest", "sample", "characters", "sentiment",
    ]  # fmt: skip
    written, plain = digests(tmp_path / "out"), digests(tmp_path / "plain")
    assert written.pop("consistency/consistency.parquet")
    assert written == plain
    assert not list((tmp_path / "out").rglob("*tonelog-tmp*"))


def test_the_table_is_in_journal_and_manifest_and_goes_with_its_section(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.parquet"), tmp_path / "out"
    options = ("--date", "2026-03-01")
    assert compare(log, out, *options, by="agent").code == 0
    name = "consistency/run_date=2026-03-01/consistency.parquet"
    lines = (out / "_manifest" / "journal.jsonl").read_text().splitlines()
    recorded = {entry["file"]: entry["sha256"] for entry in map(json.loads, lines)}
    assert recorded[name] == hashlib.sha256((out / name).read_bytes()).hexdigest()
    manifest_file = out / "_manifest" / "run_date=2026-03-01" / "manifest.json"
    manifest = json.loads(manifest_file.read_text())
    assert manifest["consistency"]["files"] == {name: recorded[name]}
    assert manifest["consistency"]["n_groups"] == 2
    assert set(recorded) <= {path.relative_to(out).as_posix() for path in out.rglob("*.parquet")}
    assert tonelog("summarize", out).code == 0
    assert score(log, out, *options).code == 0
    assert not (out / name).exists()
    assert not list(out.rglob("*.runs.parquet"))


# What is refused.


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("promt_id", "no column 'promt_id'; it has 'response', 'prompt_id', 'nested', 'n'; "),
        ("nested", "column 'nested' is list<element: int64>; expected a scalar; "),
        ("n", "consistency.by: the consistency table has a column 'n' of its own; "),
    ],
)
def test_a_key_that_cannot_be_is_refused(tmp_path: Path, by: str, message: str) -> None:
    columns = {"response": ["x"], "prompt_id": ["p"], "nested": [[1]], "n": [1]}
    log = write_log(tmp_path / "log.parquet", columns)
    outcome = compare(log, tmp_path / "out", by=by)
    assert outcome.code == 2
    assert message in outcome.err
    assert digests(tmp_path / "out") == {}


def test_a_shard_without_the_key_is_rejected(tmp_path: Path) -> None:
    write_log(tmp_path / "log" / "a.parquet", {"response": ["x"], "prompt_id": ["p"]})
    bad = write_log(tmp_path / "log" / "b.parquet", {"response": ["x"]})
    outcome = compare(tmp_path / "log", tmp_path / "out")
    assert outcome.code == 4
    assert f"rejected: {bad}: no column 'prompt_id'; expected a scalar" in outcome.err
    assert table_of(tmp_path / "out", "prompt_id", "n") == [("p", 1)]


def test_a_shard_that_has_changed_meanwhile_is_told(tmp_path: Path) -> None:
    log = tmp_path / "log.parquet"
    columns: dict[str, object] = {"response": ["a", "b"], "prompt_id": ["p", "p"]}
    report = job(write_log(log, columns), tmp_path / "out")
    write_log(log, columns | {"response": ["a", "c"]})
    with pytest.raises(InputError, match="has changed since it was scored"):
        compare_again(report)
    assert not list((tmp_path / "out").rglob("*tonelog-tmp*"))


def test_a_dry_run_names_the_keys(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet")
    outcome = compare(log, tmp_path / "out", "--dry-run", by="agent")
    assert "consistency by: agent" in outcome.out.splitlines()


def job(log: Path, out: Path) -> JobReport:
    """Run a job whose runs are grouped by prompt_id, without workers."""
    flags: dict[str, dict[str, object]] = {
        "input": {"paths": [str(log)]},
        "output": {"path": str(out)},
        "consistency": {"by": ["prompt_id"]},
        "run": {"workers": 0},
    }
    return run_job(load_config(flags=flags))


def compare_again(report: JobReport) -> None:
    """Run the last task of a job once more."""
    parts = [(part.shard, part.stem) for part in report.parts]
    compare_runs(OutputTree(report.output), report.plan, parts, report.n_rows)
