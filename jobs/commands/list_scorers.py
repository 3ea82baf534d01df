"""What is installed: scorers with their options and columns."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any, cast

from ...scorers.base import score_columns
from ...scorers.registry import scorer_class, scorer_classes
from ..console import show_line
from ..log.columns import type_name


def list_scorers() -> None:
    """Print every scorer: what it is, its options with their defaults, its columns."""
    for name, place in scorer_classes().items():
        kind = scorer_class(name)
        summary = (inspect.getdoc(kind) or "").partition("\n")[0]
        show_line(f"{name}  {summary} ({place})")
        for option in dataclasses.fields(cast("Any", kind)):
            show_line(f"  option {option.name} = {option.default!r}")
        for column, dtype in score_columns(kind).items():
            show_line(f"  column {name}_{column}  {type_name(dtype)}")
