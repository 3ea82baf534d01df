"""What a person sees: progress while a job runs, tables at its end. The one home of rich."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from .pipeline import JobReport, Watch
from .plan import Consistency, Summaries

_LINE_SECONDS: Final = 30
_MOST_GROUPS: Final = 20
_PLAIN_WIDTH: Final = 160
_SHORT: Final = 24
_WIDTHS: Final = (
    (("mean", "std", "p05", "p50", "p95"), True),
    (("mean", "std", "p05", "p50", "p95"), False),
    (("mean", "std", "p50"), False),
    (("mean",), False),
)
"""The numbers of the summary that are shown, and whether the bands are: the widest that fits."""


class Terminal(Watch):
    """Shows a job as it runs, on stderr: a bar on a terminal, else a line now and then."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, soft_wrap=True)
        self._progress: Progress | None = None
        self._task = TaskID(0)
        self._began = self._last_line = time.monotonic()
        self._n_rows = 0

    def say(self, message: str) -> None:
        """Print one line."""
        style = "red" if message.startswith("rejected") else ""
        style = "yellow" if message.startswith("warning") else style
        self._console.print(Text(printable(message), style=style))

    def begin(self, n_rows: int, n_shards: int) -> None:
        """Start the bar, or say what there is to do."""
        self._n_rows, self._began = n_rows, time.monotonic()
        self._last_line = self._began
        if not self._console.is_terminal:
            self.say(f"scoring {count(n_rows, 'row')} of {count(n_shards, 'shard')}")
            return
        self._progress = Progress(
            TextColumn("scoring"),
            BarColumn(),
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} rows"),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(compact=True, elapsed_when_finished=True),
            console=self._console,
        )
        self._task = self._progress.add_task("scoring", total=n_rows, speed="")
        self._progress.start()

    def advance(self, rows_done: int) -> None:
        """Move the bar, or print a line if the last one is long ago."""
        now = time.monotonic()
        speed = rows_done / max(now - self._began, 1e-3)
        if self._progress is not None:
            self._progress.update(self._task, completed=rows_done, speed=f"{speed:,.0f} rows/s")
        elif now - self._last_line >= _LINE_SECONDS:
            self._last_line = now
            left = (self._n_rows - rows_done) / speed if rows_done else float("nan")
            self.say(
                f"{rows_done:,} of {self._n_rows:,} rows, {speed:,.0f} rows/s, {left:,.0f} s left"
            )

    def end(self) -> None:
        """Leave the terminal as it was."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None


def show_report(report: JobReport) -> None:
    """Print what a job did, on stdout: its summary, what is unscored, where the output lies."""
    speed = report.n_rows / max(report.seconds, 1e-3)
    what = f"{count(report.n_rows, 'row')} of {count(len(report.parts), 'shard')}"
    show_line(f"{what} in {report.seconds:,.1f} s ({speed:,.0f} rows/s)")
    show_summaries(report.summaries)
    for prefix, reasons in report.unscored.items():
        if reasons:
            told = ", ".join(f"{n:,} {reason}" for reason, n in reasons.items())
            show_line(f"unscored by {prefix}: {sum(reasons.values()):,} ({told})")
    for prefix, flags in report.summaries.flags.items():
        if flags:
            shares = ", ".join(f"{share:.0%} {name}" for name, share in flags.items())
            show_line(f"of those scored by {prefix}: {shares}")
    if report.consistency:
        show_line(_consistency(report.output, report.consistency))
    if report.rejected:
        show_line(f"rejected: {count(len(report.rejected), 'shard')}")
    show_line(f"output: {report.output}")


def show_summaries(summaries: Summaries) -> None:
    """Print the summary of the scores, a line per group and scorer, with each band's share.

    A narrow terminal is shown fewer columns, whole.
    """
    rows = [row for row in summaries.rows if row["field"] == "score"]
    groups = list(dict.fromkeys(_group(row, summaries) for row in rows))
    shown = set(groups[:_MOST_GROUPS])
    rows = [row for row in rows if _group(row, summaries) in shown]
    console = _console()
    for numbers, with_bands in _WIDTHS:
        table = _summary_table(rows, summaries, numbers, with_bands=with_bands)
        unbounded = console.options.update(max_width=1000)
        if console.measure(table, options=unbounded).minimum <= console.width:
            break
    console.print(table)
    if len(groups) > _MOST_GROUPS:
        show_line(f"and {count(len(groups) - _MOST_GROUPS, 'more group')} in the summary table")


def show_rows(rows: Iterable[Mapping[str, Any]], title: str) -> None:
    """Print rows as a table, one column per key; long cells are folded."""
    rows = list(rows)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in rows[0] if rows else ():
        is_short = all(len(_cell(row[name])) <= _SHORT for row in rows)
        table.add_column(Text(printable(name)), overflow="fold", no_wrap=is_short)
    for row in rows:
        table.add_row(*(Text(_cell(value)) for value in row.values()))
    show_line(title)
    _console().print(table)


def show_line(text: str) -> None:
    """Print one line of a result as it is, however long; control characters escaped."""
    _console().print(Text(printable(text)), soft_wrap=True)


def printable(text: str) -> str:
    r"""Escape control characters, which could act on the terminal.

    Example:
        >>> printable("a\x1b[2Jb")
        'a\\x1b[2Jb'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def count(n: int, noun: str) -> str:
    """Say a number of things.

    Example:
        >>> count(1, "shard"), count(2000, "row")
        ('1 shard', '2,000 rows')
    """
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


def _consistency(output: Path, consistency: Consistency) -> str:
    mean = consistency.mean_similarity
    told = "no two responses to compare" if mean is None else f"mean similarity {mean:.4f}"
    (where,) = (output / file for file in consistency.files)
    return f"consistency: {count(consistency.n_groups, 'group')}, {told}: {where}"


def _console() -> Console:
    """Make the console of results: stdout, wide and plain unless it is a terminal."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(width=_PLAIN_WIDTH, highlight=False)


def _summary_table(
    rows: Iterable[Mapping[str, Any]],
    summaries: Summaries,
    numbers: Iterable[str],
    *,
    with_bands: bool,
) -> Table:
    bands: dict[tuple[str, str], dict[str, float | None]] = {}
    for share in summaries.bands if with_bands else ():
        place = _group(share, summaries), share["scorer"]
        bands.setdefault(place, {})[share["band"]] = share["share"]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("group", overflow="fold")
    table.add_column("scorer", no_wrap=True)
    for name in ("runs", "unscored", *numbers, *next(iter(bands.values()), {})):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        group = _group(row, summaries)
        shares = bands.get((group, row["scorer"]), {}).values()
        cells = (
            group,
            row["scorer"],
            f"{row['n'] + row['n_unscored']:,}",
            f"{row['n_unscored']:,}",
            *(_cell(row[name]) for name in numbers),
            *(f"{share or 0:.0%}" for share in shares),
        )
        table.add_row(*map(Text, cells))
    return table


def _group(row: Mapping[str, Any], summaries: Summaries) -> str:
    """Name a row's group by its keys: ``agent=billing model=heron``."""
    keys = summaries.keys[row["grouping"]]
    shown = ("(null)" if row[key] is None else row[key] for key in keys)
    return printable(" ".join(f"{k}={v}" for k, v in zip(keys, shown, strict=True))) or "all"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else printable(str(value))
