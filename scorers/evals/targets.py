"""Calls of a target, a plain or a coroutine function, on many inputs; each may fail alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from inspect import isawaitable
from typing import Any, NamedTuple

Target = Callable[[Any], str | Awaitable[str | None] | None]
"""From an input to the response's text, or None."""


class Outcome(NamedTuple):
    """What a target gave for an input: an output (which may be None), or why there is none."""

    output: str | None
    error: str | None


def call_target(target: Target, inputs: Iterable[object], concurrency: int) -> list[Outcome]:
    """Call a target on each input, at most ``concurrency`` at once; outcomes in the inputs' order.

    Works in plain code and, as in a notebook, where an event loop is running already.

    Example:
        >>> call_target(str.upper, ["yes", 7], 1)[0]
        Outcome(output='YES', error=None)
    """
    calls = _call_all(target, inputs, concurrency)
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(calls)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, calls).result()


async def _call_all(target: Target, inputs: Iterable[object], concurrency: int) -> list[Outcome]:
    """Call all in one event loop, which the clients of a coroutine function may be bound to."""
    turns = asyncio.Semaphore(concurrency)

    async def outcome(value: object) -> Outcome:
        async with turns:
            try:
                return _checked(await _call(target, value, threads))
            except Exception as error:  # noqa: BLE001 - whatever it is, it is this item's alone
                return Outcome(None, f"{type(error).__name__}: {error}")

    with ThreadPoolExecutor(concurrency) as threads:
        return await asyncio.gather(*map(outcome, inputs))


async def _call(target: Target, value: object, threads: ThreadPoolExecutor) -> object:
    """Call in a thread, as a plain function may block or run a loop of its own; await the result.

    So a function that returns an awaitable, of any kind, is served too.
    """
    loop = asyncio.get_running_loop()
    output = await loop.run_in_executor(threads, copy_context().run, _guarded, target, value)
    return await output if isawaitable(output) else output


def _guarded(target: Target, value: object) -> object:
    """Call; turn StopIteration, which asyncio cannot carry, into what a coroutine makes of it."""
    try:
        return target(value)
    except StopIteration as error:
        raise RuntimeError("target raised StopIteration") from error


def _checked(output: object) -> Outcome:
    """Refuse an output that is no text, as no scorer could read it."""
    if output is None or isinstance(output, str):
        return Outcome(output, None)
    return Outcome(
        None, f"target: gave {output!r}; expected a str or None; return the response's text"
    )
