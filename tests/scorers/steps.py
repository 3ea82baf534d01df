"""Steps of kernels, callable from tests: a step has no door for Python, and calling one crashes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def entry(step: Function) -> Function:
    """Make a kernel of a step."""

    def call(*args: Any) -> Any:  # noqa: ANN401 - whatever the step takes and gives
        return step(*args)

    return cast("Function", njit(call))
