"""A dry run: everything is decided, a few rows are scored, nothing is written."""

from __future__ import annotations

from typing import Final

from ..config import JobConfig
from ..console import count, show_line, show_rows
from ..log.columns import type_name
from ..log.shards import Shard
from ..part import preview_rows
from ..pipeline import claim_output
from ..plan import Preparation
from ..prepare import prepare

_ROWS: Final = 3


def show_preview(config: JobConfig) -> None:
    """Print what a job would read and write, its first rows scored.

    Raises:
        ConfigError: the job would be refused.
        InputError: the job would find nothing to read.
    """
    tree, shards = claim_output(config)
    preparation = prepare(config, shards)
    plan = preparation.plan
    for line in _lines(preparation):
        show_line(line)
    whole = next((s.path for s in preparation.surveys if s.rejected is None), None)
    if whole is not None:
        scored = preview_rows(Shard(whole), plan, _ROWS)
        where = tree.folder("scored")
        show_line(f"would write to {where}, {count(scored.width, 'column')}:")
        for name, dtype in scored.schema.items():
            show_line(f"  {name}  {type_name(dtype)}")
        names = [f"{s.prefix}_{field}" for s in plan.scorers for field in ("score", "unscored")]
        show_rows(scored.select("run_id", *names).to_dicts(), f"first rows of {whole}")


def _lines(preparation: Preparation) -> list[str]:
    plan, columns = preparation.plan, preparation.plan.columns
    keys = [name for name, _ in columns.keys]
    rejected = [survey.rejected for survey in preparation.surveys if survey.rejected]
    accepted = [survey.n_rows for survey in preparation.surveys if survey.rejected is None]
    return [
        *preparation.notes,
        *(f"rejected: {reason}" for reason in rejected),
        f"would read {count(sum(accepted), 'row')} of {count(len(accepted), 'shard')}",
        f"response: {columns.response!r}",
        f"reference: {', '.join(map(repr, columns.references)) or 'none'}",
        f"run_id: {columns.id!r}" if columns.id else "run_id: the shard and the row",
        *([f"time: {columns.time!r}"] if columns.time else []),
        f"summary by: {', '.join(grouping.name for grouping in plan.groupings)}",
        *([f"consistency by: {', '.join(keys)}"] if keys else []),
        *(f"{spec.prefix}: {spec.signature}" for spec in plan.scorers),
    ]
