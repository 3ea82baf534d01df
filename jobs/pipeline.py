"""A whole job: config to shards to scored parts to summaries."""

from __future__ import annotations

import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

from .config import JobConfig
from .errors import ConfigError, InputError, JobError, WorkerError
from .log.shards import Shard, input_folders, list_shards
from .output.manifest import (
    OutputTree,
    append_journal,
    check_output,
    remove_stale,
    remove_temporary,
    write_manifest,
)
from .plan import Consistency, Part, Plan, Preparation, Summaries
from .workers import Workers, cores

_PREPARE: Final = "tonelog.jobs.prepare:prepare"
_SCORE: Final = "tonelog.jobs.part:run_part"
_IMPORTS: Final = "tonelog.jobs.part"
_WARM_UP: Final = "tonelog.jobs.score:warm_up"
_KERNELS: Final = (("sentences",), ("sentiment",), ("similarity",))
_SUMMARIZE: Final = "tonelog.jobs.output.summary:summarize_parts"
_COMPARE: Final = "tonelog.jobs.output.consistency:compare_runs"
_PATIENCE_SECONDS: Final = 3.0
_PACKAGES: Final = ("polars", "pyarrow", "vaderSentiment", "rapidfuzz", "numba", "numpy")


class Watch:
    """Whoever looks on while a job runs; this one without a word."""

    def say(self, message: str) -> None:
        """Hear of a choice, a warning or a rejected shard."""

    def begin(self, n_rows: int, n_shards: int) -> None:
        """Hear how much there is to do."""

    def advance(self, rows_done: int) -> None:
        """Hear how much is done, a few times a second."""

    def end(self) -> None:
        """Hear that no more will be done, be it by an error."""


@dataclass(frozen=True)
class JobReport:
    """What a job did.

    Attributes:
        output: the output folder.
        scored: the folder of this run's parts.
        plan: what was decided.
        parts: what became of the shards that were scored, in their order.
        rejected: shards that were not, with the reason.
        summaries: what the summary and bands tables say.
        warnings: what a reader should know before trusting the numbers.
        seconds: wall time.
        exit_code: 0, or 4 if a shard was rejected.
        consistency: what the consistency table holds; None if there is none.
    """

    output: Path
    scored: Path
    plan: Plan
    parts: tuple[Part, ...]
    rejected: dict[str, str]
    summaries: Summaries
    warnings: tuple[str, ...]
    seconds: float
    exit_code: int
    consistency: Consistency | None = None

    @property
    def n_rows(self) -> int:
        """Rows read, all of them scored or unscored."""
        return sum(part.n_rows for part in self.parts)

    @property
    def unscored(self) -> dict[str, dict[str, int]]:
        """Runs without a score, by scorer and reason."""
        totals = {spec.prefix: Counter[str]() for spec in self.plan.scorers}
        for part in self.parts:
            for prefix, reasons in part.unscored.items():
                totals[prefix].update(reasons)
        return {prefix: dict(sorted(reasons.items())) for prefix, reasons in totals.items()}


def run_job(config: JobConfig, watch: Watch | None = None) -> JobReport:
    """Score a log and summarize it.

    Args:
        config: what to do; see ``load_config``.
        watch: is told of choices, progress and warnings.

    Raises:
        ConfigError: the config asks for what cannot be; nothing is written.
        InputError: there is nothing to read, no shard can be read, or one is rejected under
            ``strict``: the summaries of the last run stay.
    """
    began = time.monotonic()
    watch = watch or Watch()
    tree, shards = claim_output(config)
    try:
        processes, threads = _share_work(config, len(shards))
        with Workers(processes, len(shards), threads, _IMPORTS) as workers:
            preparation = workers.call(_PREPARE, config, shards)
            rejected = {s.path: s.rejected for s in preparation.surveys if s.rejected is not None}
            for line in (*preparation.notes, *map("rejected: {}".format, rejected.values())):
                watch.say(line)
            _fail_if_strict(config, rejected)
            _begin_journal(tree)
            _warm_up(workers, watch)
            parts = _score(workers, preparation, rejected, tree, watch)
            _fail_if_strict(config, rejected)
            stems = [part.stem for part in parts]
            summaries = workers.call(_SUMMARIZE, tree, preparation.plan, stems)
            consistency = _compare(workers, tree, preparation.plan, parts)
    finally:
        watch.end()
        remove_temporary(tree)
    tables = summaries.files | (consistency.files if consistency else {})
    append_journal(tree, tables)
    remove_stale(tree, [*tables, *(file for part in parts for file in part.files)])
    warnings = (*_warnings(parts, consistency), *summaries.warnings)
    for warning in warnings:
        watch.say(f"warning: {warning}")
    report = JobReport(
        output=tree.root,
        scored=tree.folder("scored"),
        plan=preparation.plan,
        parts=tuple(parts),
        rejected=rejected,
        summaries=summaries,
        warnings=warnings,
        seconds=time.monotonic() - began,
        exit_code=4 if rejected else 0,
        consistency=consistency,
    )
    write_manifest(tree, _manifest(report, preparation.notes))
    return report


def claim_output(config: JobConfig) -> tuple[OutputTree, list[Shard]]:
    """Find the partition that a job may write, and the shards that it reads, or refuse it.

    Raises:
        ConfigError: there is no input or output, or the output is not ours to write.
        InputError: an input gives no file.
    """
    if not config.input.paths:
        raise ConfigError("INPUT", "nothing to read", "expected a path", "see tonelog score --help")
    if config.output.path is None:
        raise ConfigError("output.path", "no output folder", "expected one", "pass -o FOLDER")
    shards = list_shards(config.input.paths, config.date)
    tree = OutputTree(Path(config.output.path), config.date)
    check_output(tree, shards, input_folders(config.input.paths, config.date))
    return tree, shards


def _begin_journal(tree: OutputTree) -> None:
    """Make the output folder ours before anything else is written."""
    try:
        append_journal(tree, {})
    except OSError as error:
        reason = f"cannot be written ({error.strerror})"
        raise ConfigError(str(tree.root), reason, "expected a folder", "pass -o") from None


def _share_work(config: JobConfig, n_shards: int) -> tuple[int, int]:
    """Choose processes and the threads of each: with few shards, a shard has several threads."""
    n_workers = cores() if config.run.workers is None else config.run.workers
    processes = min(n_workers, n_shards)
    return processes, n_workers // processes if processes else 1


def _warm_up(workers: Workers, watch: Watch) -> None:
    """Compile the kernels, each by one worker for all, and say so if that takes its time."""
    message = "compiling the kernels: once after an installation, for up to a minute"
    waiting = threading.Timer(_PATIENCE_SECONDS, watch.say, [message])
    waiting.start()
    try:
        for _, result in workers.map(_WARM_UP, _KERNELS, lambda: None):
            result()
    finally:
        waiting.cancel()


def _score(
    workers: Workers,
    preparation: Preparation,
    rejected: dict[str, str],
    tree: OutputTree,
    watch: Watch,
) -> list[Part]:
    """Score all shards side by side: the parts in the shards' order; adds to who was rejected."""
    todo = [Shard(s.path) for s in preparation.surveys if s.rejected is None]
    parts: dict[int, Part] = {}
    watch.begin(sum(s.n_rows for s in preparation.surveys), len(todo))
    tasks = [(slot, shard, preparation.plan, tree) for slot, shard in enumerate(todo)]
    for slot, result in workers.map(_SCORE, tasks, lambda: watch.advance(workers.rows_done)):
        try:
            parts[slot] = result()
        except Exception as error:  # noqa: BLE001 - one bad shard does not take the night
            rejected[todo[slot].path] = _reason(error, todo[slot])
            watch.say(f"rejected: {rejected[todo[slot].path]}")
            if not isinstance(error, (JobError, OSError)):
                for line in "".join(traceback.format_exception(error)).splitlines():
                    watch.say(line)
        else:
            append_journal(tree, parts[slot].files)
    if not parts:
        first = next(iter(rejected.values()))
        raise InputError("input", f"no shard could be scored, the first since {first}")
    return [parts[slot] for slot in sorted(parts)]


def _fail_if_strict(config: JobConfig, rejected: dict[str, str]) -> None:
    if config.run.strict and rejected:
        first = next(iter(rejected.values()))
        what = f"{len(rejected)} of the shards rejected, the first since {first}"
        raise InputError("--strict", what, "expected none", "mend or leave them out")


def _compare(
    workers: Workers, tree: OutputTree, plan: Plan, parts: Sequence[Part]
) -> Consistency | None:
    """Compare the runs that share a key, if the job asks for it."""
    if not plan.columns.keys:
        return None
    sources = [(part.shard, part.stem) for part in parts]
    n_rows = sum(part.n_rows for part in parts)
    consistency: Consistency = workers.call(_COMPARE, tree, plan, sources, n_rows)
    return consistency


def _reason(error: Exception, shard: Shard) -> str:
    """Say in one line why a shard is rejected."""
    if isinstance(error, WorkerError):
        return str(WorkerError(shard.path, *error.args[1:]))
    if isinstance(error, JobError):
        return str(error)
    if isinstance(error, OSError):
        return f"{shard.path}: its part cannot be written ({error})"
    return f"{shard.path}: failed; {type(error).__name__}: {error}"


def _warnings(parts: Sequence[Part], consistency: Consistency | None) -> Iterator[str]:
    if not any(part.n_rows for part in parts):
        yield "the log has no rows: the tables are empty"
    if lost := sum(part.n_times_lost for part in parts):
        yield f"{lost} values of the time column are no timestamp, date or ISO 8601 text: now null"
    if consistency and (lost := consistency.n_without_key):
        yield f"{lost} runs are in no group of the consistency table: a key of theirs is null"


def _manifest(report: JobReport, notes: Sequence[str]) -> dict[str, object]:
    """Record a run: what was read, what was written, by which signature."""
    return {
        "tonelog": version("tonelog"),
        "plan": asdict(report.plan),
        "parts": [asdict(part) for part in report.parts],
        "rejected": report.rejected,
        "rows": report.n_rows,
        "unscored": report.unscored,
        "summaries": report.summaries.files,
        "consistency": asdict(report.consistency) if report.consistency else None,
        "notes": list(notes),
        "warnings": list(report.warnings),
        "packages": {name: version(name) for name in _PACKAGES},
    }
