"""Which files a job reads, in which order, and what their parts are called."""

from __future__ import annotations

import hashlib
from datetime import date
from pathlib import Path

import pytest

from tonelog.jobs.errors import ConfigError, InputError
from tonelog.jobs.log.shards import Shard, input_folders, list_shards

DAY = date(2026, 3, 1)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with names of every kind, the working directory's ``runs``."""
    names = [
        "b.parquet", "a.parquet", "B.parquet", "c.pq", "_d.parquet", ".e.parquet", "notes.txt",
        "sub/f.parquet", "sub/deep/g.parquet", "_tmp/h.parquet", ".git/i.parquet",
        "2026-03-01/j.parquet", "2026/03/01/k.parquet",
    ]  # fmt: skip
    for name in names:
        path = tmp_path / "runs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path / "runs"


def paths_of(*inputs: str, day: date | None = None) -> list[str]:
    return [shard.path for shard in list_shards(inputs, day)]


@pytest.mark.usefixtures("runs")
def test_a_folder_gives_all_parquet_files_below_it_but_hidden_ones() -> None:
    assert paths_of("runs") == [
        "runs/B.parquet",
        "runs/a.parquet",
        "runs/b.parquet",
        "runs/2026/03/01/k.parquet",
        "runs/2026-03-01/j.parquet",
        "runs/sub/f.parquet",
        "runs/sub/deep/g.parquet",
    ]


@pytest.mark.usefixtures("runs")
def test_a_named_file_is_taken_whatever_its_name() -> None:
    assert paths_of("runs/c.pq") == ["runs/c.pq"]
    assert paths_of("runs/_d.parquet") == ["runs/_d.parquet"]


@pytest.mark.usefixtures("runs")
def test_a_glob_gives_its_matches_in_order_and_folders_among_them() -> None:
    assert paths_of("runs/[ab].parquet") == ["runs/a.parquet", "runs/b.parquet"]
    assert paths_of("runs/**/g.parquet") == ["runs/sub/deep/g.parquet"]
    assert paths_of("runs/s*") == ["runs/sub/f.parquet", "runs/sub/deep/g.parquet"]


def test_matches_are_sorted_however_the_folder_lists_them(runs: Path) -> None:
    names = [f"{n * 7 % 20:02}.parquet" for n in range(20)]
    for name in names:
        (runs / "sub" / "deep" / name).touch()
    wanted = [f"runs/sub/deep/{name}" for name in sorted(names)]
    assert paths_of("runs/sub/deep/[01]*") == wanted
    assert paths_of("runs/sub/deep")[:20] == wanted


@pytest.mark.usefixtures("runs")
def test_inputs_keep_their_order_and_a_file_comes_once() -> None:
    both = ["runs/b.parquet", "runs/a.parquet"]
    assert paths_of(*both) == both
    assert paths_of("runs/b.parquet", "runs/./b.parquet", "runs/[ab].parquet") == both


def test_a_link_is_followed_and_is_the_same_file(runs: Path) -> None:
    (runs.parent / "latest").symlink_to(runs / "sub")
    assert paths_of("latest") == ["latest/f.parquet", "latest/deep/g.parquet"]
    assert paths_of("runs/sub/f.parquet", "latest/f.parquet") == ["runs/sub/f.parquet"]


def test_a_loop_of_links_ends(runs: Path) -> None:
    (runs / "sub" / "up").symlink_to(runs)
    assert paths_of("runs/sub") == ["runs/sub/f.parquet", "runs/sub/deep/g.parquet"]


@pytest.mark.parametrize("name", ["a[1].parquet", "a*.parquet", "a b ü.parquet", "-o.parquet"])
def test_a_name_that_exists_is_literal(runs: Path, name: str) -> None:
    (runs / name).touch()
    assert paths_of(f"runs/{name}") == [f"runs/{name}"]


@pytest.mark.usefixtures("runs")
def test_the_date_fills_paths() -> None:
    assert paths_of("runs/{date}", day=DAY) == ["runs/2026-03-01/j.parquet"]
    assert paths_of("runs/{date:%Y/%m/%d}/*.parquet", day=DAY) == ["runs/2026/03/01/k.parquet"]


@pytest.mark.parametrize("path", ["runs/{date}", "runs/{date:%Y}"])
def test_a_path_with_a_date_needs_one(path: str) -> None:
    with pytest.raises(ConfigError) as caught:
        list_shards([path])
    assert caught.value.args == (
        path,
        "needs a date",
        "expected --date",
        "pass --date yesterday, say",
    )


@pytest.mark.parametrize("path", ["no", "no.parquet", "runs/*.csv", "empty"])
def test_an_input_without_a_file_is_refused_though_others_have_some(runs: Path, path: str) -> None:
    (runs.parent / "empty").mkdir()
    with pytest.raises(InputError) as caught:
        list_shards(["runs/a.parquet", path])
    assert caught.value.args[0] == path
    assert str(runs.parent) in caught.value.args[1]


@pytest.mark.usefixtures("runs")
def test_a_day_without_files_is_named_by_its_path() -> None:
    with pytest.raises(InputError) as caught:
        list_shards(["runs/{date}"], date(2026, 3, 2))
    assert caught.value.args[0] == "runs/2026-03-02"
    assert caught.value.args[-1] == "check the path and the date"


def test_a_part_is_named_by_the_stem_and_the_hash_of_the_path() -> None:
    for path in ("a.parquet", "runs/a.parquet", "runs/a b.ü.parquet"):
        digest = hashlib.sha256(path.encode()).hexdigest()[:8]
        stem = path.removeprefix("runs/").removesuffix(".parquet")
        assert Shard(path).part == f"{stem}-{digest}"
    assert Shard("runs/a.parquet").part != Shard("old/a.parquet").part


@pytest.mark.usefixtures("runs")
def test_folders_among_the_inputs_are_those_that_dates_and_globs_give() -> None:
    inputs = ["runs/a.parquet", "runs/{date}", "runs/s*", "runs", "no"]
    folders = [str(folder) for folder in input_folders(inputs, DAY)]
    assert folders == ["runs/2026-03-01", "runs/sub", "runs"]
