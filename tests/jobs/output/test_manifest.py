"""The output folder: whose it is, what lies in it, and what goes when a run replaces another."""

from __future__ import annotations

import hashlib
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.jobs.logs import PAIRS, contents, digests, read_parts, score, tonelog, write_log
from tonelog.jobs.errors import ConfigError
from tonelog.jobs.log.shards import Shard
from tonelog.jobs.output.manifest import (
    TEMPORARY,
    OutputTree,
    append_journal,
    check_output,
    read_journal,
    read_manifests,
    remove_stale,
    remove_temporary,
    write_manifest,
)

DAY = date(2026, 3, 1)
DATED = "run_date=2026-03-01"


def manifest_of(out: Path, partition: str = "") -> dict[str, Any]:
    manifest: dict[str, Any] = json.loads(
        (out / "_manifest" / partition / "manifest.json").read_text()
    )
    return manifest


def test_where_files_lie_with_and_without_a_date() -> None:
    plain, dated = OutputTree(Path("out")), OutputTree(Path("out"), DAY)
    assert plain.file("scored", "a-1") == Path("out/scored/a-1.parquet")
    assert dated.file("scored", "a-1") == Path(f"out/scored/{DATED}/a-1.parquet")
    assert plain.manifest == Path("out/_manifest/manifest.json")
    assert dated.partials == Path(f"out/_manifest/{DATED}/partials")
    assert dated.relative(dated.file("bands", "bands")) == f"bands/{DATED}/bands.parquet"


def test_a_run_writes_exactly_what_the_journal_lists_and_its_manifest(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log" / "a.parquet")
    out = tmp_path / "out"
    assert score(log, out, "--sentences").code == 0
    part = Shard(str(log)).part
    journal = {entry["file"]: entry["sha256"] for entry in read_journal(out)}
    assert set(journal) == {
        f"scored/{part}.parquet",
        f"sentences/{part}.parquet",
        f"_manifest/partials/{part}.moments.parquet",
        f"_manifest/partials/{part}.counts.parquet",
        "summary/summary.parquet",
        "bands/bands.parquet",
    }
    files = contents(out)
    assert set(files) == {*journal, "_manifest/journal.jsonl", "_manifest/manifest.json"}
    for name, digest in journal.items():
        assert hashlib.sha256(files[name]).hexdigest() == digest
    assert {entry["run_date"] for entry in read_journal(out)} == {None}


def test_a_dated_run_keeps_to_its_partition(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log" / "a.parquet")
    out = tmp_path / "out"
    assert score(log, out, "--sentences", "--date", "2026-03-01").code == 0
    first = contents(out)
    folders = {str(Path(name).parent) for name in first}
    assert folders == {
        "_manifest",
        f"_manifest/{DATED}",
        f"_manifest/{DATED}/partials",
        *(f"{table}/{DATED}" for table in ("scored", "sentences", "summary", "bands")),
    }
    assert score(log, out, "--date", "2026-03-02").code == 0
    second = contents(out)
    assert {name: second[name] for name in first if name != "_manifest/journal.jsonl"} == {
        name: content for name, content in first.items() if name != "_manifest/journal.jsonl"
    }
    assert {entry["run_date"] for entry in read_journal(out)} == {"2026-03-01", "2026-03-02"}
    (scored,) = (out / "scored" / DATED).iterdir()
    assert "run_date" not in read_parts(out, f"scored/{DATED}").columns
    assert scored.suffix == ".parquet"


def test_the_manifest_accounts_for_every_row(tmp_path: Path) -> None:
    write_log(tmp_path / "log" / "a.parquet")
    write_log(tmp_path / "log" / "b.parquet", {"response": ["x"] * 3, "reference": ["x"] * 3})
    (tmp_path / "log" / "c.parquet").write_bytes(b"no Parquet")
    out = tmp_path / "out"
    assert score(tmp_path / "log", out).code == 4
    manifest = manifest_of(out)
    assert manifest["rows"] == 8 == read_parts(out).height
    assert [part["n_rows"] for part in manifest["parts"]] == [5, 3]
    assert [part["shard"] for part in manifest["parts"]] == [
        str(tmp_path / "log" / name) for name in ("a.parquet", "b.parquet")
    ]
    assert manifest["unscored"] == {
        "tone": {"reference_null": 1, "response_blank": 1, "response_null": 1},
        "textual_difference": {"reference_null": 1, "response_null": 1},
    }
    (path, reason), *others = manifest["rejected"].items()
    assert others == []
    assert path == str(tmp_path / "log" / "c.parquet")
    assert reason.startswith(f"{path}: cannot be read (")


def test_the_manifest_tells_what_made_the_numbers(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert score(write_log(tmp_path / "log.parquet"), out).code == 0
    manifest = manifest_of(out)
    signatures = {spec["prefix"]: spec["signature"] for spec in manifest["plan"]["scorers"]}
    assert set(signatures) == {"tone", "textual_difference"}
    summary = dict(read_parts(out, "summary").select("scorer", "signature").unique().rows())
    assert summary == signatures
    assert {"polars", "pyarrow", "vaderSentiment", "rapidfuzz"} <= set(manifest["packages"])
    assert manifest["notes"] == [
        "response: column 'response', by its name",
        "reference: column 'reference', by its name",
    ]


def test_a_rerun_gives_the_same_bytes(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.parquet"), tmp_path / "out"
    assert score(log, out, "--sentences").code == 0
    first = digests(out)
    assert score(log, out, "--sentences").code == 0
    assert digests(out) == first


def test_a_rerun_drops_the_parts_of_inputs_that_are_no_longer_given(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_log(tmp_path / "log" / f"{name}.parquet")
    out = tmp_path / "out"
    assert score(tmp_path / "log", out, "--sentences").code == 0
    assert len(list((out / "scored").iterdir())) == 2
    assert score(tmp_path / "log" / "a.parquet", out).code == 0
    (part,) = (out / "scored").iterdir()
    assert part.stem.startswith("a-")
    assert len(list((out / "_manifest" / "partials").iterdir())) == 2
    assert list((out / "sentences").iterdir()) == []


def test_a_rerun_leaves_what_the_journal_does_not_list(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.parquet"), tmp_path / "out"
    assert score(log, out).code == 0
    strangers = [out / "scored" / "mine.parquet", out / "notes.txt", out / "views" / "a.sql"]
    for stranger in strangers:
        stranger.parent.mkdir(exist_ok=True)
        stranger.write_text("mine")
    assert score(log, out).code == 0
    assert [stranger.read_text() for stranger in strangers] == ["mine"] * 3


def test_a_rerun_of_one_date_leaves_the_parts_of_another(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_log(tmp_path / "log" / f"{name}.parquet")
    out = tmp_path / "out"
    for day in ("2026-03-01", "2026-03-02"):
        assert score(tmp_path / "log", out, "--date", day).code == 0
    assert score(tmp_path / "log" / "b.parquet", out, "--date", "2026-03-02").code == 0
    numbers = [len(list((out / "scored" / f"run_date=2026-03-0{day}").iterdir())) for day in (1, 2)]
    assert numbers == [2, 1]


def test_a_run_that_fails_leaves_the_old_output(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.parquet"), tmp_path / "out"
    assert score(log, out).code == 0
    before = digests(out)
    log.write_bytes(b"no Parquet")
    assert score(log, out).code == 3
    assert digests(out) == before


def test_half_a_line_of_the_journal_is_passed_over(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.parquet"), tmp_path / "out"
    assert score(log, out).code == 0
    journal = out / "_manifest" / "journal.jsonl"
    n_lines = len(list(read_journal(out)))
    with journal.open("a") as lines:
        lines.write('{"run_date": null, "fi')
    assert len(list(read_journal(out))) == n_lines


def test_a_run_after_one_that_left_half_a_line_in_the_journal_goes_well(tmp_path: Path) -> None:
    log, out = write_log(tmp_path / "log.parquet"), tmp_path / "out"
    assert score(log, out).code == 0
    with (out / "_manifest" / "journal.jsonl").open("a") as lines:
        lines.write('{"run_date": null, "fi')
    assert score(log, out).code == 0
    assert score(log, out).code == 0
    assert tonelog("summarize", out).code == 0


def test_no_entry_is_lost_after_half_a_line(tmp_path: Path) -> None:
    tree = OutputTree(tmp_path)
    append_journal(tree, {"scored/a.parquet": "0"})
    with (tmp_path / "_manifest" / "journal.jsonl").open("a") as lines:
        lines.write('{"run_date": null, "fi')
    append_journal(tree, {"scored/b.parquet": "1"})
    files = [entry["file"] for entry in read_journal(tmp_path)]
    assert files == ["scored/a.parquet", "scored/b.parquet"]


def test_a_folder_of_another_is_refused_and_an_empty_one_is_taken(tmp_path: Path) -> None:
    tree = OutputTree(tmp_path / "out")
    check_output(tree, [], [])
    tree.root.mkdir()
    check_output(tree, [], [])
    (tree.root / ".hidden").touch()
    with pytest.raises(ConfigError, match="is not empty, and no output of tonelog"):
        check_output(tree, [], [])


@pytest.mark.parametrize(("first", "second", "kind"), [(None, DAY, "without"), (DAY, None, "with")])
def test_runs_with_and_without_a_date_do_not_mix(
    tmp_path: Path, first: date | None, second: date | None, kind: str
) -> None:
    append_journal(OutputTree(tmp_path, first), {"scored/a.parquet": "0"})
    check_output(OutputTree(tmp_path, first), [], [])
    with pytest.raises(ConfigError) as caught:
        check_output(OutputTree(tmp_path, second), [], [])
    assert caught.value.args[1] == f"holds runs {kind} --date"


@pytest.mark.parametrize(
    ("out", "folders"),
    [
        ("log/out", ["log"]),
        ("log", ["log"]),
        ("log/sub/out", ["other", "log"]),
        ("link/out", ["log"]),
        ("log/out", ["link"]),
        ("log/../log/out", ["./log/"]),
    ],
)
def test_an_output_inside_an_input_folder_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, out: str, folders: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("log", "other"):
        write_log(Path(name) / "a.parquet")
    Path("link").symlink_to("log")
    with pytest.raises(ConfigError, match="lies inside the input"):
        check_output(OutputTree(Path(out)), [], [Path(folder) for folder in folders])


def test_a_shard_inside_the_output_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "out" / "log" / "a.parquet"
    with pytest.raises(ConfigError) as caught:
        check_output(OutputTree(tmp_path / "out"), [Shard(str(path))], [])
    assert caught.value.args[0] == str(path)


def test_a_neighbor_of_the_input_is_no_part_of_it(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log" / "a.parquet")
    for name in ("log-scored", "lo"):
        check_output(OutputTree(tmp_path / name), [Shard(str(log))], [tmp_path / "log"])
    check_output(OutputTree(tmp_path / "log" / "out"), [Shard(str(log))], [])


def test_only_unfinished_files_of_ours_are_removed(tmp_path: Path) -> None:
    keep = [tmp_path / "scored" / name for name in (".a.parquet", f"a{TEMPORARY}", "a.parquet")]
    ours = [tmp_path / f".a.parquet{TEMPORARY}", tmp_path / "scored" / f".b{TEMPORARY}"]
    for path in (*keep, *ours):
        path.parent.mkdir(exist_ok=True)
        path.touch()
    remove_temporary(OutputTree(tmp_path))
    assert sorted(contents(tmp_path)) == sorted(str(path.relative_to(tmp_path)) for path in keep)


def test_stale_files_are_those_of_the_partition_that_are_not_current(tmp_path: Path) -> None:
    for tree, name in ((OutputTree(tmp_path, DAY), "old"), (OutputTree(tmp_path, DAY), "new")):
        append_journal(tree, {f"scored/{name}": "0"})
    append_journal(OutputTree(tmp_path, date(2026, 3, 2)), {"scored/other": "0"})
    (tmp_path / "scored").mkdir()
    for name in ("old", "new", "other", "unlisted"):
        (tmp_path / "scored" / name).touch()
    remove_stale(OutputTree(tmp_path, DAY), ["scored/new"])
    remaining = sorted(path.name for path in (tmp_path / "scored").iterdir())
    assert remaining == ["new", "other", "unlisted"]


def test_manifests_come_by_their_dates(tmp_path: Path) -> None:
    days = [date(2026, 3, 2), date(2026, 3, 1)]
    for day in days:
        tree = OutputTree(tmp_path, day)
        append_journal(tree, {})
        write_manifest(tree, {"day": str(day), "text": "ä"})
    assert read_manifests(tmp_path) == {
        OutputTree(tmp_path, day): {"day": str(day), "text": "ä"} for day in sorted(days)
    }
    assert list(read_manifests(tmp_path)) == [OutputTree(tmp_path, day) for day in sorted(days)]


def test_a_folder_in_which_no_run_has_ended_has_nothing_to_summarize(tmp_path: Path) -> None:
    append_journal(OutputTree(tmp_path), {})
    outcome = tonelog("summarize", tmp_path)
    assert outcome.code in {2, 3}
    assert outcome.err.startswith(f"{tmp_path}: ")


def test_the_manifest_is_text_that_people_can_read(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert score(write_log(tmp_path / "ä.parquet", PAIRS), out, "--date", "2026-03-01").code == 0
    text = (out / "_manifest" / DATED / "manifest.json").read_text(encoding="utf-8")
    assert text.count("\n") > 50
    manifest = manifest_of(out, DATED)
    assert manifest["rows"] == 5
    assert manifest["parts"][0]["shard"] == str(tmp_path / "ä.parquet")
