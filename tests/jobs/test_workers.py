"""Workers: tasks by name, side by side, and a pool that outlives the death of one."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.jobs.logs import contents, read_parts, score, tonelog, write_log
from tonelog.jobs import pipeline
from tonelog.jobs.config import load_config
from tonelog.jobs.errors import JobError
from tonelog.jobs.log.shards import Shard
from tonelog.jobs.pipeline import JobReport, Watch, run_job
from tonelog.jobs.workers import Workers, cores, heavy, report_rows

TASKS = "tests.jobs.tasks"


def nothing() -> None:
    """Stand in for a poll that nobody needs."""


def results_of(workers: Workers, function: str, tasks: list[tuple[Any, ...]]) -> dict[int, Any]:
    """Run tasks; give each one's result, or what it raised."""
    results = {}
    for number, result in workers.map(function, tasks, nothing):
        try:
            results[number] = result()
        except BaseException as error:  # noqa: BLE001 - whatever comes
            results[number] = error
    return results


def test_a_function_is_found_by_its_name_at_the_moment_of_use() -> None:
    assert heavy("math:hypot")(3, 4) == 5
    with pytest.raises(ModuleNotFoundError):
        heavy("no.such.module:f")


def test_without_workers_tasksrun_here_in_their_order() -> None:
    with Workers(0, 2) as workers:
        assert workers.call(f"{TASKS}:settings")[0] == os.getpid()
        polled: list[int] = []
        tasks = [(slot, rows) for slot, rows in enumerate((3, 4))]
        results = [
            (number, result())
            for number, result in workers.map(
                f"{TASKS}:report", tasks, lambda: polled.append(workers.rows_done)
            )
        ]
    assert results == [(0, 0), (1, 1)]
    assert polled == [3, 7]


def test_without_workers_an_error_is_the_tasksown() -> None:
    with Workers(0, 1) as workers:
        with pytest.raises(ValueError, match="a bug"):
            workers.call(f"{TASKS}:fail", "a bug")
        assert isinstance(results_of(workers, f"{TASKS}:fail", [("a bug",)])[0], ValueError)


def test_two_workers_live_for_the_whole_job_and_share_the_cores() -> None:
    with Workers(2, 6) as workers:
        settings = results_of(workers, f"{TASKS}:settings", [()] * 20)
        assert len(settings) == 20
        assert os.getpid() not in {pid for pid, _ in settings.values()}
        assert 1 <= len({pid for pid, _ in settings.values()}) <= 2
        threads = os.environ.get("POLARS_MAX_THREADS", str(max(1, cores() // 2)))
        assert {count for _, count in settings.values()} == {threads}

        polled: list[int] = []
        tasks = [(slot, 10 * slot) for slot in range(6)]
        found = workers.map(f"{TASKS}:report", tasks, lambda: polled.append(workers.rows_done))
        assert sorted((number, result()) for number, result in found) == [(n, n) for n in range(6)]
        assert polled == sorted(polled)
        assert polled[-1] == workers.rows_done == 150


def test_workers_import_before_their_first_task() -> None:
    for imports, expected in ((None, False), ("tests.growth", True)):
        with Workers(1, 1, imports=imports) as workers:
            assert workers.call(f"{TASKS}:has_imported", "tests.growth") is expected


@pytest.mark.parametrize("imports", ["no.such.module", "tests.jobs.broken_module"])
def test_what_cannot_be_imported_is_told_by_the_task_that_needs_it(imports: str) -> None:
    with Workers(1, 1, imports=imports) as workers:
        assert workers.call("math:hypot", 3, 4) == 5
        with pytest.raises((ModuleNotFoundError, ValueError)):
            workers.call(f"{imports}:f")


def test_a_worker_that_dies_is_reported_and_the_pool_goes_on() -> None:
    with Workers(1, 1) as workers:
        with pytest.raises(JobError, match=r"its worker died \(exit code 9\)"):
            workers.call("os:_exit", 9)
        assert workers.call("math:hypot", 3, 4) == 5
        tasks = [(3, 4), (5, 12)]
        assert results_of(workers, "math:hypot", tasks) == {0: 5, 1: 13}


def test_an_error_of_a_task_comes_back_as_it_was() -> None:
    with Workers(1, 1) as workers:
        results = results_of(workers, f"{TASKS}:fail", [("one",), ("two",)])
        assert [(type(error), str(error)) for _, error in sorted(results.items())] == [
            (ValueError, "one"),
            (ValueError, "two"),
        ]


def test_leaving_ends_all_workers_after_an_error_and_without_one() -> None:
    with Workers(1, 1) as workers:
        (pid, _) = workers.call(f"{TASKS}:settings")
        assert psutil.pid_exists(pid)
    assert not is_running(pid)

    def leave_in_the_middle() -> int:
        with Workers(1, 1) as workers:
            (pid, _) = workers.call(f"{TASKS}:settings")
            next(iter(workers.map("time:sleep", [(0,), (100,)], nothing)))
            pids.append(pid)
            raise KeyboardInterrupt

    pids: list[int] = []
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        leave_in_the_middle()
    assert time.monotonic() - began < 10
    assert not is_running(pids[0])


def is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_rows_are_reported_by_slot() -> None:
    with Workers(0, 3) as workers:
        for slot, rows in ((0, 5), (2, 7), (0, 6)):
            report_rows(slot, rows)
        assert workers.rows_done == 13


def run_odd_job(
    folder: Path, names: list[str], monkeypatch: pytest.MonkeyPatch, workers: int
) -> tuple[JobReport, list[str]]:
    """Score shards of these names, some of which are not what a worker expects."""
    for name in names:
        write_log(folder / "log" / f"{name}.parquet")
    monkeypatch.setattr(pipeline, "_SCORE", f"{TASKS}:odd_part")
    said: list[str] = []

    class Listener(Watch):
        def say(self, message: str) -> None:
            said.append(message)

    config = load_config(
        flags={
            "input": {"paths": [str(folder / "log")]},
            "output": {"path": str(folder / "out")},
            "run": {"workers": workers},
        }
    )
    return run_job(config, Listener()), said


@pytest.mark.parametrize("bad", ["dies", "panics"])
def test_a_shard_on_which_its_worker_breaks_is_rejected_by_name_and_the_others_are_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: str
) -> None:
    report, said = run_odd_job(tmp_path, ["a", bad, "z"], monkeypatch, workers=1)
    path = str(tmp_path / "log" / f"{bad}.parquet")
    assert report.exit_code == 4
    assert list(report.rejected) == [path]
    assert [part.shard for part in report.parts] == [
        str(tmp_path / "log" / f"{name}.parquet") for name in ("a", "z")
    ]
    assert read_parts(tmp_path / "out").height == 10
    (line,) = (line for line in said if line.startswith("rejected: "))
    assert path in line


@pytest.mark.parametrize("bad", ["fails", "panics"])
def test_without_workers_a_bug_in_one_shard_rejects_that_one_with_its_traceback(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: str
) -> None:
    report, said = run_odd_job(tmp_path, ["a", bad], monkeypatch, workers=0)
    path = str(tmp_path / "log" / f"{bad}.parquet")
    assert report.exit_code == 4
    assert list(report.rejected) == [path]
    reason = report.rejected[path]
    assert reason.startswith(f"{path}: ")
    assert {"fails": "ValueError: a bug", "panics": "PanicError: a panic"}[bad] in reason
    assert f"rejected: {reason}" in said
    assert "Traceback (most recent call last):" in "\n".join(said)


def test_zero_workers_on_the_command_line_start_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        message = "a pool was started"
        raise AssertionError(message)

    monkeypatch.setattr("tonelog.jobs.workers.ProcessPool", refuse)
    log = write_log(tmp_path / "log.parquet")
    assert score(log, tmp_path / "setting").code == 0
    assert tonelog("score", log, "-o", tmp_path / "flag", "--workers", "0").code == 0


def test_a_part_is_named_by_its_shard_alone(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.parquet")
    assert score(log, tmp_path / "out").code == 0
    assert f"scored/{Shard(str(log)).part}.parquet" in contents(tmp_path / "out")
