"""Supervisor and workers: spawned processes that live for the whole job, one task at a time.

The supervisor imports neither polars nor pyarrow: it starts fast, handles signals and dead workers
at once, and knows a task only by the name of its function (``module:function``).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from importlib import import_module
from multiprocessing import resource_tracker
from multiprocessing.sharedctypes import RawArray
from typing import Any, Final, Self, cast

from pebble import ProcessExpired, ProcessPool

from .errors import ConfigError, WorkerError

_POLL_SECONDS: Final = 0.2
_rows_done: Any = None
_threads = 1


class Workers:
    """Runs tasks in n processes; in the calling one for n = 0.

    Args:
        n: processes.
        n_slots: how many tasks report progress, each a number of rows in a slot of its own.
        threads: of each process.
        imports: a module that each process imports while it has nothing else to do.
    """

    def __init__(self, n: int, n_slots: int, threads: int = 1, imports: str | None = None) -> None:
        # One writer for each slot and no lock: a worker that dies cannot hold up the others.
        self._rows = RawArray("q", max(n_slots, 1))
        self._pool: ProcessPool | None = None
        self._unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        if n == 0:
            _start(self._rows, None, None)
        else:
            self._pool = ProcessPool(
                max_workers=n,
                initializer=_start,
                initargs=(self._rows, threads, imports),
                context=multiprocessing.get_context("spawn"),
            )
            # Ctrl-C reaches all processes of a terminal; the supervisor alone ends the job. Its
            # threads, and the workers that they spawn, take over the signals blocked here.
            resource_tracker.ensure_running()  # which unblocks them, were it to start later
            self._unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            _ = self._pool.active

    @property
    def rows_done(self) -> int:
        """Rows that the tasks have reported so far."""
        return sum(self._rows)

    def call(self, function: str, *args: object) -> Any:  # noqa: ANN401 - what the function gives
        """Run one task and wait for what it returns.

        Raises:
            WorkerError: the worker died; or whatever the task raised.
            ConfigError: no worker could start.
        """
        if self._pool is None:
            return _run(function, args)
        return _result(self._pool.schedule(_run, args=(function, args)), function)

    def map(
        self, function: str, tasks: Iterable[tuple[Any, ...]], poll: Callable[[], None]
    ) -> Iterator[tuple[int, Callable[[], Any]]]:
        """Run tasks side by side; give each one's number and result as it ends.

        Args:
            function: what to run, ``module:function``.
            tasks: the arguments of each.
            poll: called a few times a second while tasks run, and after each.

        Yields:
            The task's number, and a function that returns its result or raises what it raised.
        """
        if self._pool is None:
            for number, args in enumerate(tasks):
                yield number, partial(_run, function, args)
                poll()
            return
        numbers: dict[Future[Any], int] = {
            self._pool.schedule(_run, args=(function, args)): number
            for number, args in enumerate(tasks)
        }
        pending = set(numbers)
        while pending:
            done, pending = wait(pending, _POLL_SECONDS, FIRST_COMPLETED)
            poll()
            for future in done:
                yield numbers[future], partial(_result, future, function)

    def __enter__(self) -> Self:
        try:
            # A Ctrl-C that came while the workers started is raised here.
            signal.pthread_sigmask(signal.SIG_SETMASK, self._unblocked)
        except BaseException:
            self._end(stop=True)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._end(stop=kind is not None)

    def _end(self, *, stop: bool) -> None:
        if self._pool is not None:
            end: Callable[[], None] = self._pool.stop if stop else self._pool.close
            end()
            self._pool.join()


def cores() -> int:
    """Count the cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def heavy(function: str) -> Callable[..., Any]:
    """Import ``module:function`` at the moment of its use, with all that it needs."""
    module, _, name = function.partition(":")
    return cast("Callable[..., Any]", getattr(import_module(module), name))


def report_rows(slot: int, rows: int) -> None:
    """Tell the supervisor, from a task, how many rows are done."""
    _rows_done[slot] = rows


def task_threads() -> int:
    """Tell a task how many threads it may use."""
    return _threads


def _start(rows: Any, threads: int | None, imports: str | None) -> None:  # noqa: ANN401 - an array
    """Prepare a process for tasks: before polars is imported, which reads its settings once."""
    global _rows_done, _threads  # noqa: PLW0603 - one per process, set before its first task
    _rows_done = rows
    if threads is not None:
        _threads = threads
        os.environ.setdefault("POLARS_MAX_THREADS", str(threads))
        os.environ.setdefault("OMP_NUM_THREADS", str(threads))
    if imports is not None:
        # Whatever keeps it from being imported is told by the first task that needs it.
        with suppress(Exception):
            import_module(imports)


def _run(function: str, args: tuple[Any, ...]) -> Any:  # noqa: ANN401 - as in call
    try:
        return heavy(function)(*args)
    except (Exception, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as panic:
        # A panic in polars' engine is no Exception, and would end the supervisor.
        message = f"{type(panic).__name__}: {panic}"
        raise RuntimeError(message) from panic


def _result(future: Future[Any], function: str) -> Any:  # noqa: ANN401 - as in call
    try:
        return future.result()
    except ProcessExpired as error:
        reason = f"its worker died (exit code {error.exitcode})"
        raise WorkerError(function, reason, "expected an end", "see if memory ran out") from None
    except BrokenProcessPool:
        # A spawned process imports the script that it comes from, and so starts the job again.
        raise ConfigError(
            "workers",
            "no worker could start",
            "expected a script to call run_job under if __name__ == '__main__'",
            "guard the call, or set workers = 0",
        ) from None
