"""Signals: a job ends at once, its published parts are whole, and nothing else is left."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pyarrow.parquet as pq
import pytest

from tests.jobs.logs import TONELOG, digests, many_runs, spawn_tonelog, write_log
from tonelog.jobs.output.manifest import TEMPORARY


def start_job(log: Path, out: Path) -> subprocess.Popen[str]:
    """Start a job in a session of its own, as a terminal or cron does."""
    return subprocess.Popen(
        [TONELOG, "score", str(log), "-o", str(out), "--sentences", "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
    )


def wait_until(is_so: Callable[[], object], seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if is_so():
            return True
        time.sleep(0.01)
    return False


def unfinished(out: Path) -> list[Path]:
    return [path for path in out.rglob(".*") if path.name.endswith(TEMPORARY)]


@pytest.fixture(scope="module")
def small_shards(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a log of so many shards that a job is always in the middle of one."""
    folder = tmp_path_factory.mktemp("signals") / "log"
    for n in range(60):
        write_log(folder / f"{n}.parquet", many_runs(60))
    return folder


@pytest.mark.parametrize(
    ("first", "then", "code"),
    [
        (signal.SIGINT, None, 130),
        (signal.SIGTERM, None, 143),
        (signal.SIGTERM, signal.SIGTERM, 143),
    ],
)
def test_a_signal_ends_a_job_at_once_and_leaves_whole_parts_only(
    small_shards: Path,
    tmp_path: Path,
    first: signal.Signals,
    then: signal.Signals | None,
    code: int,
) -> None:
    out = tmp_path / "out"
    job = start_job(small_shards, out)
    assert wait_until(lambda: len(list((out / "scored").glob("*.parquet"))) > 1)
    children = psutil.Process(job.pid).children(recursive=True)
    assert len(children) >= 2
    began = time.monotonic()
    job.send_signal(first)
    if then is not None:
        time.sleep(0.02)
        job.send_signal(then)
    printed, said = job.communicate(timeout=30)
    assert time.monotonic() - began < 5
    assert job.returncode == code
    assert printed == ""
    assert "Traceback" not in said
    word = {130: "interrupted", 143: "terminated"}[code]
    assert re.fullmatch(f"{word}; .*run again.*", said.splitlines()[-1])
    assert wait_until(lambda: not any(child.is_running() for child in children), seconds=3)
    assert unfinished(out) == []
    parts = list((out / "scored").iterdir())
    assert 0 < len(parts) < 60
    assert all(pq.read_metadata(part).num_rows == 60 for part in parts)
    assert not (out / "summary").exists()


@pytest.mark.slow
def test_a_job_that_was_interrupted_finishes_when_run_again(
    small_shards: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    job = start_job(small_shards, out)
    assert wait_until(lambda: list((out / "scored").glob("*.parquet")))
    job.send_signal(signal.SIGTERM)
    job.communicate(timeout=30)
    arguments = ("--sentences", "--workers", 2)
    assert spawn_tonelog("score", small_shards, "-o", out, *arguments).code == 0
    assert spawn_tonelog("score", small_shards, "-o", tmp_path / "new", *arguments).code == 0
    assert digests(out) == digests(tmp_path / "new")


@pytest.mark.parametrize("delay", [0.0, 0.1, 0.2, 0.3])
def test_ctrl_c_while_workers_start_shows_no_traceback(
    small_shards: Path, tmp_path: Path, delay: float
) -> None:
    job = start_job(small_shards, tmp_path / "out")
    # Two workers and multiprocessing's own tracker, of which none has begun to work.
    assert wait_until(lambda: len(psutil.Process(job.pid).children()) >= 3)
    time.sleep(delay)
    os.killpg(job.pid, signal.SIGINT)
    printed, said = job.communicate(timeout=30)
    assert (job.returncode, printed) == (130, "")
    assert "Traceback" not in said
