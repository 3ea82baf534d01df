"""Calls of a target: kinds of functions, failures, order, and how many at once."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextvars import ContextVar
from functools import partial
from typing import Any

import pytest

from tonelog.scorers.evals.targets import Outcome, Target, call_target


def upper(text: str) -> str:
    """Answer in upper case."""
    return text.upper()


async def upper_later(text: str) -> str:
    """Answer in upper case, later."""
    await asyncio.sleep(0)
    return text.upper()


class Agent:
    """An agent that is called, and one that is asked."""

    async def __call__(self, text: str) -> str:
        """Answer."""
        return await upper_later(text)

    async def generate(self, text: str) -> str:
        """Answer."""
        return await upper_later(text)


class Gauge:
    """Counts how many are at work, and the most there were."""

    def __init__(self) -> None:
        self.lock, self.now, self.most = threading.Lock(), 0, 0

    def __enter__(self) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)

    def __exit__(self, *_: object) -> None:
        with self.lock:
            self.now -= 1


KINDS: dict[str, Target] = {
    "function": upper,
    "coroutine function": upper_later,
    "partial": partial(upper_later),
    "lambda that gives a coroutine": lambda text: upper_later(f"{text}"),
    "async callable": Agent(),
    "method": Agent().generate,
    "function with a loop of its own": lambda text: asyncio.run(upper_later(text)),
}


@pytest.mark.parametrize("concurrency", [1, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_any_kind_of_function_is_a_target(kind: str, concurrency: int) -> None:
    expected = [Outcome(text, None) for text in "ABCDEFG"]
    assert call_target(KINDS[kind], "abcdefg", concurrency) == expected


@pytest.mark.parametrize("target", [upper, upper_later])
def test_a_loop_may_be_running_already(target: Target) -> None:
    async def notebook() -> list[Outcome]:
        return call_target(target, "ab", 2)

    assert asyncio.run(notebook()) == [Outcome("A", None), Outcome("B", None)]


def fail(text: str) -> str:
    """Fail on some texts."""
    if text == "b":
        raise TimeoutError("too slow")
    if text == "c":
        empty: Iterator[str] = iter(())
        return next(empty)
    return text


async def fail_later(text: str) -> str:
    """Fail on some texts, later."""
    await asyncio.sleep(0)
    return fail(text)


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize(("target", "stopped"), [(fail, "target"), (fail_later, "coroutine")])
def test_a_failure_is_that_of_one_input(target: Target, stopped: str, concurrency: int) -> None:
    assert call_target(target, "abcd", concurrency) == [
        Outcome("a", None),
        Outcome(None, "TimeoutError: too slow"),
        Outcome(None, f"RuntimeError: {stopped} raised StopIteration"),
        Outcome("d", None),
    ]


def test_output_that_is_no_text_is_an_error() -> None:
    answers: dict[str, Any] = {"a": {"text": "A"}, "b": None, "c": ""}
    assert call_target(answers.get, "abc", 1) == [
        Outcome(
            None,
            "target: gave {'text': 'A'}; expected a str or None; return the response's text",
        ),
        Outcome(None, None),
        Outcome("", None),
    ]


def test_concurrency_is_reached_and_not_passed() -> None:
    for concurrency in (1, 3):
        gauge, meeting = Gauge(), threading.Barrier(concurrency)

        def target(text: str, gauge: Gauge = gauge, meeting: Any = meeting) -> str:  # noqa: ANN401
            with gauge:
                # Breaks, and so fails the input, unless as many calls as may be are at work.
                meeting.wait(timeout=20)
            return text

        outcomes = call_target(target, "abcdef", concurrency)
        assert [outcome.output for outcome in outcomes] == list("abcdef")
        assert gauge.most == concurrency


def test_concurrency_of_coroutines_is_reached_and_not_passed() -> None:
    for concurrency in (1, 3):
        gauge = Gauge()

        async def target(text: str, gauge: Gauge = gauge) -> str:
            with gauge:
                await asyncio.sleep(0.01)
            return text

        call_target(target, "abcdef", concurrency)
        assert gauge.most == concurrency


def test_order_is_that_of_the_inputs_and_not_of_the_answers() -> None:
    def slow_first(number: float) -> str:
        time.sleep(0.05 / number)
        return str(number)

    found = call_target(slow_first, [1, 2, 3, 4], 4)
    assert [outcome.output for outcome in found] == ["1", "2", "3", "4"]


def test_one_at_a_time_begins_in_order() -> None:
    begun: list[str] = []
    call_target(begun.append, "abcdef", 1)
    assert begun == list("abcdef")


def test_coroutines_share_one_loop_and_functions_the_context() -> None:
    loops: list[object] = []

    async def note(_: object) -> None:
        await asyncio.sleep(0)
        loops.append(asyncio.get_running_loop())

    call_target(note, "abc", 2)
    assert loops == [loops[0]] * 3
    tenant = ContextVar("tenant", default="none")
    tenant.set("billing")
    assert call_target(lambda _: tenant.get(), "a", 1) == [Outcome("billing", None)]
