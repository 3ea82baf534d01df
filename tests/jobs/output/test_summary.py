"""The summary and the bands table, rebuilt from the scored parts by DuckDB."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pytest

from tests.jobs.logs import PAIRS, contents, digests, read_parts, score, tonelog, write_log
from tonelog.jobs.prepare import find_groupings

PERCENTILES = {"p05": 0.05, "p25": 0.25, "p50": 0.5, "p75": 0.75, "p95": 0.95}
FLAGS = {"uncharged": "n_charged = 0", "one_sentence": "n_sentences = 1"}
FIELDS = {
    "tone": [
        "score", "response_sentiment", "reference_sentiment", "difference", "avg_sentiment",
        "sentiment_variance", "n_sentences", "n_charged", "uncharged", "one_sentence",
    ],
    "textual_difference": ["score", "ratio", "confidence", "length_diff", "changes"],
}  # fmt: skip
BANDS = ["perfect", "strong", "moderate", "poor", "none"]
GROUPINGS: list[tuple[str, ...]] = [(), ("agent",), ("cost",), ("agent", "cost")]
SENTENCES = [
    "It is great.", "It is good.", "It is bad.", "Awful!", "It works.", "I love it!", "No.",
    "The build failed.", "Nice work, thanks.", "An error, sadly.", "This is the best.",
]  # fmt: skip


def random_runs(seed: int, rows: int) -> dict[str, list[object]]:
    """Make runs of one or two sentences: means of two compounds lie on ties of rounding."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets

    def text() -> str | None:
        if chance.random() < 0.1:
            return chance.choice([None, "", " \n"])
        return " ".join(chance.choices(SENTENCES, k=chance.choice([1, 2, 2, 2, 3])))

    return {
        "response": [text() for _ in range(rows)],
        "reference": [text() for _ in range(rows)],
        "agent": [chance.choice(["a", "b", "B", "ä", "", None]) for _ in range(rows)],
        "cost": [chance.choice([1.5, -2.0, None]) for _ in range(rows)],
    }


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Score three shards, grouped by a text and a number that are null at times."""
    folder = tmp_path_factory.mktemp("summarize")
    for seed, rows in enumerate((300, 1, 499)):
        write_log(folder / "log" / f"{seed}.parquet", random_runs(seed, rows))
    # A group of its own in which nothing is scored, and one of a single run.
    columns = {"response": [None, None, "Good."], "reference": ["x"] * 3}
    columns |= {"agent": ["unscored"] * 2 + ["one"], "cost": [0.0] * 3}
    write_log(folder / "log" / "odd.parquet", columns)
    outcome = score(folder / "log", folder / "out", "--by", "agent", "--by", "cost")
    assert outcome.code == 0
    return folder / "out"


def ask(out: Path, keys: Sequence[str], fields: str, values: str) -> list[tuple[Any, ...]]:
    """Ask DuckDB for one row per group of the scored runs: its keys as text, then the values."""
    names = [f"cast({key} as varchar) as {key}" for key in keys]
    with duckdb.connect() as connection:
        scored = connection.read_parquet(str(out / "scored" / "*.parquet"))
        runs = scored.project(f"agent, cost, {fields}")
        return runs.aggregate(", ".join([*names, values]), ", ".join(keys)).fetchall()


def key_of(row: dict[str, Any], *names: str) -> tuple[object, ...]:
    return (row["grouping"], row["agent"], row["cost"], *(row[name] for name in names))


def in_all(keys: Sequence[str], row: Sequence[Any]) -> tuple[object, ...]:
    """Give grouping, agent and cost of a row that begins with these keys."""
    named = dict(zip(keys, row, strict=False))
    return ("+".join(keys) or "all", named.get("agent"), named.get("cost"))


def near(value: float | None) -> object:
    """Give what is equal to a number within 1e-8, or to null."""
    return None if value is None else pytest.approx(value, rel=0, abs=1e-8)


def test_statistics_are_those_of_duckdb(out: Path) -> None:
    summary = read_parts(out, "summary")
    rows = {key_of(row, "scorer", "field"): row for row in summary.rows(named=True)}
    assert len(rows) == summary.height
    percentiles = ", ".join(f"quantile_disc(round(x, 4), {p})" for p in PERCENTILES.values())
    values = f"count(x), count(u), min(x), max(x), {percentiles}, avg(x), stddev_samp(x)"
    n_compared = 0
    for keys, (scorer, fields) in product(GROUPINGS, FIELDS.items()):
        for field in fields:
            x = f"{scorer}_{FLAGS.get(field, field)}"
            scored = f"case when {scorer}_unscored is null then ({x})::double end"
            for group in ask(out, keys, f"{scored} as x, {scorer}_unscored as u", values):
                row = rows[*in_all(keys, group), scorer, field]
                *exact, mean, std = group[len(keys) :]
                names = ["n", "n_unscored", "min", "max", *PERCENTILES]
                assert [row[name] for name in names] == exact
                assert row["mean"] == near(mean)
                assert row["std"] == near(std)
                n_compared += 1
    assert n_compared == summary.height


def test_bands_are_those_of_duckdb(out: Path) -> None:
    bands = read_parts(out, "bands")
    rows = {key_of(row, "scorer", "band"): row for row in bands.rows(named=True)}
    assert len(rows) == bands.height
    n_compared = 0
    for keys, scorer in product(GROUPINGS, FIELDS):
        counts = ", ".join(f"count(*) filter (band = '{band}')" for band in BANDS)
        for group in ask(out, keys, f"{scorer}_band as band", f"count(band), {counts}"):
            total, *each = group[len(keys) :]
            for band, n in zip(BANDS, each, strict=True):
                row = rows[*in_all(keys, group), scorer, band]
                assert (row["n"], row["share"]) == (n, n / total if total else None)
                n_compared += 1
    assert n_compared == bands.height
    assert 0 in bands["n"].to_list()


def test_rows_come_in_the_order_of_groupings_keys_scorers_and_fields(out: Path) -> None:
    summary = read_parts(out, "summary")
    groupings = summary["grouping"].unique(maintain_order=True).to_list()
    assert groupings == ["all", "agent", "cost", "agent+cost"]
    per_group = [(scorer, field) for scorer, fields in FIELDS.items() for field in fields]
    assert summary.select("scorer", "field").rows() == per_group * (summary.height // 15)
    own = summary.filter(pl.col("grouping") == "agent")["agent"].unique(maintain_order=True)
    assert own.to_list() == ["", "B", "a", "b", "one", "unscored", "ä", None]


def test_columns_and_their_types(out: Path) -> None:
    text, number, count = pl.String(), pl.Float64(), pl.Int64()
    statistics = ("mean", "std", "min", "p05", "p25", "p50", "p75", "p95", "max")
    summary: list[tuple[str, pl.DataType]] = [
        *((name, text) for name in ("grouping", "scorer", "field")),
        *((name, count) for name in ("n", "n_unscored")),
        *((name, number) for name in statistics),
        *((name, text) for name in ("signature", "agent", "cost")),
    ]
    bands: list[tuple[str, pl.DataType]] = [
        *((name, text) for name in ("grouping", "scorer", "band")),
        ("n", count),
        ("share", number),
        *((name, text) for name in ("signature", "agent", "cost")),
    ]
    assert list(read_parts(out, "summary").schema.items()) == summary
    assert list(read_parts(out, "bands").schema.items()) == bands


def test_a_group_without_scores_has_no_numbers_and_one_run_has_no_deviation(out: Path) -> None:
    summary = read_parts(out, "summary").filter(
        (pl.col("grouping") == "agent")
        & (pl.col("scorer") == "tone")
        & (pl.col("field") == "score")
    )
    rows = {row["agent"]: row for row in summary.rows(named=True)}
    statistics = ("mean", "std", "min", *PERCENTILES, "max")
    none = [rows["unscored"][name] for name in ("n", "n_unscored", *statistics)]
    assert none == [0, 2, *[None] * 9]
    # "Good." is 0.4404, and "x" is 0.
    one = [rows["one"][name] for name in ("n", "n_unscored", *statistics)]
    assert one == [1, 0, pytest.approx(0.5596, abs=1e-9), None, *[0.5596] * 7]


def test_signatures_stand_in_rows_and_footers(out: Path) -> None:
    for table in ("summary", "bands"):
        signatures = read_parts(out, table).select("scorer", "signature").unique().rows()
        assert sorted(scorer for scorer, _ in signatures) == ["textual_difference", "tone"]
        assert all(signature.startswith(f"{scorer}|") for scorer, signature in signatures)


def statistics_of(values: Sequence[object], folder: Path) -> dict[str, Any]:
    """Summarize the changes of runs that differ from their reference in so many words."""
    texts = [None if n is None else "y " * int(str(n)) + "x" for n in values]
    log = write_log(folder / "log.parquet", {"response": texts, "reference": ["x"] * len(texts)})
    assert score(log, folder / "out", "--scorer", "textual_difference").code == 0
    summary = read_parts(folder / "out", "summary")
    return summary.row(by_predicate=pl.col("field") == "changes", named=True)


def test_statistics_of_a_few_values_by_hand(tmp_path: Path) -> None:
    row = statistics_of([4, 1, 3, None, 2], tmp_path)
    assert (row["n"], row["n_unscored"], row["mean"], row["min"], row["max"]) == (4, 1, 2.5, 1, 4)
    assert row["std"] == pytest.approx((5 / 3) ** 0.5, rel=1e-15)
    assert [row[name] for name in PERCENTILES] == [1, 1, 2, 3, 4]


def test_percentiles_are_of_the_nearest_rank(tmp_path: Path) -> None:
    row = statistics_of(range(1, 21), tmp_path)
    assert [row[name] for name in PERCENTILES] == [1, 5, 10, 15, 19]
    row = statistics_of(range(1, 22), tmp_path)
    assert [row[name] for name in PERCENTILES] == [2, 6, 11, 16, 20]


@pytest.mark.parametrize("by", [(), ("agent",), ("cost", "agent"), ("cost",)])
def test_summarizing_again_gives_the_bytes_of_a_run_with_those_keys(
    tmp_path: Path, by: tuple[str, ...]
) -> None:
    for seed in (1, 2):
        write_log(tmp_path / "log" / f"{seed}.parquet", random_runs(seed, 100))
    flags = [word for key in by for word in ("--by", key)]
    first = score(tmp_path / "log", tmp_path / "first", *flags)
    assert score(tmp_path / "log", tmp_path / "second", "--by", "agent").code == 0
    outcome = tonelog("summarize", tmp_path / "second", *flags)
    assert (outcome.code, outcome.err) == (0, "")
    expected = digests(tmp_path / "first")
    if by:
        assert digests(tmp_path / "second") == expected
        assert outcome.out.splitlines()[0] == first.out.splitlines()[1]
    else:
        assert digests(tmp_path / "second") != expected
        assert read_parts(tmp_path / "second", "summary")["grouping"].n_unique() == 2


def test_summarizing_again_without_keys_changes_nothing(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", random_runs(3, 50))
    assert score(log, tmp_path / "out", "--by", "cost").code == 0
    before = digests(tmp_path / "out")
    assert tonelog("summarize", tmp_path / "out").code == 0
    assert digests(tmp_path / "out") == before


def test_summarizing_again_takes_any_column_of_the_scored_table(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", random_runs(4, 50))
    assert score(log, tmp_path / "out").code == 0
    assert tonelog("summarize", tmp_path / "out", "--by", "tone_band").code == 0
    summary = read_parts(tmp_path / "out", "summary")
    wanted = (pl.col("grouping") == "tone_band") & (pl.col("field") == "score")
    means = dict(
        summary.filter(wanted & (pl.col("scorer") == "tone")).select("tone_band", "mean").rows()
    )
    assert means.pop(None) is None
    assert means["perfect"] == 1.0
    assert 0.7 <= means["strong"] < 1


def test_summarizing_again_goes_through_all_dates(tmp_path: Path) -> None:
    for day in ("2026-03-01", "2026-03-02"):
        log = write_log(tmp_path / f"{day}.parquet", random_runs(int(day[-1]), 20))
        assert score(log, tmp_path / "out", "--date", day).code == 0
    before = digests(tmp_path / "out")
    outcome = tonelog("summarize", tmp_path / "out", "--by", "agent")
    assert outcome.code == 0
    lines = [line for line in outcome.out.splitlines() if line.startswith("run_date=")]
    assert lines == ["run_date=2026-03-01", "run_date=2026-03-02"]
    after = digests(tmp_path / "out")
    assert set(after) == set(before)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {
        f"{table}/run_date=2026-03-0{day}/{table}.parquet"
        for table in ("summary", "bands")
        for day in (1, 2)
    }


@pytest.mark.parametrize(
    ("arguments", "where", "what"),
    [
        (["no"], "no", "is no output of tonelog"),
        (["log.parquet"], "log.parquet", "is no output of tonelog"),
        (["out", "--by", "nope"], "--by nope", "has no such column"),
        (["out", "--by", "mean"], "--by mean", "the summary has a column of this name"),
    ],
)
def test_what_cannot_be_summarized_again_is_refused_and_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], where: str, what: str
) -> None:
    monkeypatch.chdir(tmp_path)
    log = write_log(Path("log.parquet"), PAIRS)
    assert score(log, Path("out")).code == 0
    before = contents(tmp_path)
    outcome = tonelog("summarize", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    (line,) = outcome.err.splitlines()
    assert line.startswith(f"{where}: ")
    assert what in line
    assert contents(tmp_path) == before


def test_summarizing_again_keeps_to_the_journal(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet", random_runs(5, 30))
    out = tmp_path / "out"
    assert score(log, out, "--by", "agent").code == 0
    assert tonelog("summarize", out, "--by", "cost").code == 0
    assert score(log, out, "--by", "agent").code == 0
    assert score(log, tmp_path / "fresh", "--by", "agent").code == 0
    assert digests(out) == digests(tmp_path / "fresh")


def names_of(groupings: Sequence[Any]) -> Iterator[str]:
    return (grouping.name for grouping in groupings)


@pytest.mark.parametrize(
    ("by", "asked", "names"),
    [
        ([], None, ["all"]),
        (["a"], None, ["all", "a"]),
        (["a", "b"], None, ["all", "a", "b", "a+b"]),
        (["a", "b", "c"], None, ["all", "a", "b", "c", "a+b+c"]),
        (["a", "b", "c"], [["b", "a"]], ["all", "b+a"]),
        (["a", "b"], [], ["all"]),
        (["a", "b"], [["b"], [], ["b"]], ["all", "b"]),
        (["a", "a"], None, ["all", "a"]),
    ],
)
def test_groupings(by: list[str], asked: list[list[str]] | None, names: list[str]) -> None:
    assert list(names_of(find_groupings(by, asked))) == names
