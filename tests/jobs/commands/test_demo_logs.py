"""The sample logs: always the same, with oddities, and with one bad night."""

from __future__ import annotations

import hashlib
import json
from typing import cast

import polars as pl
import pyarrow as pa
import pytest

from tonelog.jobs.commands.demo_logs import DATES, demo_log
from tonelog.scorers import ToneScorer, score_frame


@pytest.fixture(scope="module", params=DATES, ids=str)
def log(request: pytest.FixtureRequest) -> pl.DataFrame:
    return cast("pl.DataFrame", pl.from_arrow(demo_log(request.param)))


@pytest.fixture(scope="module")
def tones() -> dict[tuple[str, str], float]:
    """Mean tone score by date and model."""
    logs = pl.concat(cast("pl.DataFrame", pl.from_arrow(demo_log(day))) for day in DATES)
    scored = score_frame(logs, [ToneScorer()], reference="reference")
    day = pl.col("created_at").dt.date().cast(pl.String)
    means = scored.group_by(day, "model").agg(pl.col("tone_score").mean())
    return {(date, model): mean for date, model, mean in means.iter_rows()}


def test_schema() -> None:
    assert demo_log(DATES[0], runs=0).schema == pa.schema(
        {
            "run_id": pa.string(),
            "created_at": pa.timestamp("us", tz="UTC"),
            "agent": pa.string(),
            "model": pa.string(),
            "prompt": pa.string(),
            "response": pa.string(),
            "reference": pa.string(),
            "latency_ms": pa.int64(),
            "n_tokens": pa.int64(),
        }
    )


def test_same_table_twice() -> None:
    assert demo_log(DATES[1]).equals(demo_log(DATES[1]))
    assert demo_log(DATES[0]) != demo_log(DATES[1])


def test_same_texts_under_every_python() -> None:
    digest = hashlib.sha256()
    for day in DATES:
        for row in demo_log(day).select(["prompt", "response", "reference"]).to_pylist():
            digest.update(json.dumps(row).encode())
    assert digest.hexdigest() == "b58a4ec335c0cac933f8b15949b373496fd1970ce62c03a4bb59c9179bd9c4d1"


def test_runs_fill_the_day(log: pl.DataFrame) -> None:
    times = log["created_at"]
    assert log.height == 600
    assert log["run_id"].n_unique() == 600
    assert log["run_id"].to_list()[::599] == [f"{times[0]:%Y-%m-%d}-{n}" for n in ("0001", "0600")]
    assert times.is_sorted()
    assert times.dt.date().n_unique() == 1
    assert times.dt.hour().n_unique() == 24
    assert set(log["agent"]) == {"support", "billing", "coder", "travel"}
    assert set(log["model"]) == {"heron-2", "heron-2-mini"}


def test_every_slot_is_filled(log: pl.DataFrame) -> None:
    for column in ("prompt", "response", "reference"):
        assert not log[column].drop_nulls().str.contains("[{}]").any()


@pytest.mark.parametrize(
    "oddity",
    [
        pl.col("response").is_null(),
        pl.col("response") == "",
        pl.col("response") == "  \n",
        pl.col("reference").is_null(),
        pl.col("response").str.contains("(?s)^```.*```$"),
        pl.col("response").str.contains("(?i)pedido|números|bezahlt"),
        pl.col("response").str.len_chars() > 4000,
    ],
    ids=["null", "empty", "blank", "no_reference", "only_code", "language", "very_long"],
)
def test_a_few_of_each_oddity(log: pl.DataFrame, oddity: pl.Expr) -> None:
    assert 3 <= log.filter(oddity).height <= 10


def test_some_responses_equal_their_reference_and_more_do_not(log: pl.DataFrame) -> None:
    assert 30 < log.filter(pl.col("response") == pl.col("reference")).height < 200


def test_mini_is_worse_on_the_bad_night_only(tones: dict[tuple[str, str], float]) -> None:
    bad = tones["2026-03-03", "heron-2-mini"]
    assert bad < tones["2026-03-02", "heron-2-mini"] - 0.15
    assert bad < tones["2026-03-03", "heron-2"] - 0.15


def test_the_others_stay_as_they_were(tones: dict[tuple[str, str], float]) -> None:
    others = [mean for key, mean in tones.items() if key != ("2026-03-03", "heron-2-mini")]
    assert len(others) == 3
    assert min(others) > 0.9
    assert max(others) - min(others) < 0.03
