"""The command line. The one home of click."""

from __future__ import annotations

import dataclasses
import signal
import sys
import traceback
from pathlib import Path
from typing import Any, NoReturn

import click

from .config import JobConfig, load_config, parse_date
from .console import Terminal, printable, show_report
from .errors import JobError
from .pipeline import run_job
from .workers import heavy

_EPILOG = """\b
Exit codes:
  0  done, unscored rows included
  2  usage, config, or a column that no shard has
  3  no input, no readable shard, or a rejected shard under --strict
  4  done, but some shards were rejected
  70 a bug, with its traceback
  130, 143  interrupted
"""


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, epilog=_EPILOG)
@click.version_option(package_name="tonelog", message="%(package)s %(version)s")
def cli() -> None:
    """Score logs of agent runs: tone and textual difference, Parquet to Parquet."""


@cli.command(epilog=_EPILOG, short_help="Score shards of Parquet and summarize them.")
@click.argument("inputs", metavar="[INPUT]...", nargs=-1)
@click.option("-o", "--output", metavar="OUT", help="Output folder.")
@click.option("--config", metavar="FILE", help="TOML file; flags beat it.")
@click.option(
    "--date",
    metavar="DAY",
    help="YYYY-MM-DD, today or yesterday (UTC): names the "
    "run_date partition and fills {date} in paths.",
)
@click.option("--response", metavar="COLUMN", help="The agent's text.")
@click.option(
    "--reference",
    metavar="COLUMN",
    multiple=True,
    help="What it is compared with; repeat it for several references.",
)
@click.option("--id", metavar="COLUMN", help="Becomes run_id.")
@click.option("--time", metavar="COLUMN", help="Becomes a timestamp in UTC.")
@click.option("--by", metavar="COLUMN", multiple=True, help="Key of the summary; repeatable.")
@click.option(
    "--scorer",
    metavar="NAME",
    multiple=True,
    help="Run this scorer only; repeatable. Default: tone, textual_difference.",
)
@click.option(
    "--keep",
    metavar="COLUMN",
    multiple=True,
    help="Keep this input column; repeatable. Default: all scalar columns. "
    "--set 'output.keep=[]' keeps id, time and keys only.",
)
@click.option("--sentences", is_flag=True, help="Also write one row per sentence.")
@click.option(
    "--workers",
    type=click.IntRange(0),
    metavar="N",
    help="Cores to use; 0 runs in this one process. Default: all.",
)
@click.option(
    "--set",
    "settings",
    metavar="SECTION.KEY=VALUE",
    multiple=True,
    help="Set any key of the config, as in --set scorers.tone.scale=100.",
)
@click.option("--strict", is_flag=True, help="Exit 3 if a shard is rejected.")
@click.option("--dry-run", is_flag=True, help="Say what would happen; write nothing.")
def score(inputs: tuple[str, ...], *, dry_run: bool, **options: Any) -> int:  # noqa: ANN401
    """Score shards (files, folders, globs of Parquet) and summarize them.

    \b
    tonelog score runs.parquet -o scored
    tonelog score 'runs/*.parquet' --response answer --reference truth --by agent -o scored
    tonelog score --config nightly.toml --date yesterday
    """
    config = _config(inputs, options)
    if dry_run:
        heavy("tonelog.jobs.commands.dry_run:show_preview")(config)
        return 0
    report = run_job(config, Terminal())
    show_report(report)
    return report.exit_code


@cli.command(short_help="Score sample logs of two nights.")
@click.argument("folder", metavar="[DIR]", default="tonelog-demo")
def demo(folder: str) -> int:
    """Write sample logs of two nights, score them, show the summary and the worst runs.

    \b
    tonelog demo
    tonelog demo /tmp/demo
    """
    heavy("tonelog.jobs.commands.demo:run_demo")(Path(folder), Terminal())
    return 0


@cli.command(short_help="Make the summaries again, by other keys.")
@click.argument("output", metavar="OUT")
@click.option(
    "--by",
    metavar="COLUMN",
    multiple=True,
    help="Key of the summary; repeatable. Default: the keys of the run.",
)
def summarize(output: str, by: tuple[str, ...]) -> int:
    """Make the summaries again from the scored parts, by other keys if you like.

    \b
    tonelog summarize scored --by model --by agent
    """
    heavy("tonelog.jobs.commands.resummarize:resummarize")(Path(output), by)
    return 0


@cli.command("list", short_help="List the scorers that are installed.")
@click.argument("what", metavar="scorers", type=click.Choice(["scorers"]))
def list_(what: str) -> int:
    """List the scorers that are installed, with their options and columns.

    \b
    tonelog list scorers
    """
    heavy(f"tonelog.jobs.commands.list_scorers:list_{what}")()
    return 0


class _TerminatedError(KeyboardInterrupt):
    """SIGTERM came: unwinds like Ctrl-C."""


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    signal.signal(signal.SIGTERM, _terminated)
    sys.exit(_exit_code())


def _exit_code() -> int:
    """Run a command; turn what it raises into a line and an exit code."""
    try:
        return cli.main(standalone_mode=False) or 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        # click turns what it takes for Ctrl-C into its own exception.
        if isinstance(error.__cause__ or error, _TerminatedError):
            click.echo("terminated; what is written is whole; run again", err=True)
            return 128 + signal.SIGTERM
        click.echo("interrupted; what is written is whole; run again", err=True)
        return 128 + signal.SIGINT
    except JobError as error:
        click.echo(printable(str(error)), err=True)
        return error.exit_code
    except Exception:  # noqa: BLE001 - a bug: its traceback is all there is to show
        traceback.print_exc()
        return 70


def _terminated(*_: object) -> NoReturn:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise _TerminatedError


def _config(inputs: tuple[str, ...], options: dict[str, Any]) -> JobConfig:
    """Make the job's config from file, settings and flags."""
    given = {
        name: value
        for name, value in options.items()
        if value not in (None, ()) and value is not False
    }
    places = {
        "output": ("output", "path"),
        "keep": ("output", "keep"),
        "sentences": ("output", "sentences"),
        "response": ("source", "response"),
        "reference": ("source", "reference"),
        "id": ("source", "id"),
        "time": ("source", "time"),
        "by": ("summary", "by"),
        "workers": ("run", "workers"),
        "strict": ("run", "strict"),
    }
    flags: dict[str, dict[str, object]] = {"input": {"paths": inputs}} if inputs else {}
    for name, (section, key) in places.items():
        if name in given:
            flags.setdefault(section, {})[key] = given[name]
    config = load_config(
        given.get("config"),
        settings=given.get("settings", ()),
        flags=flags,
        day=parse_date(given["date"]) if "date" in given else None,
    )
    scorers = {name: config.scorers.get(name, {}) for name in given.get("scorer", config.scorers)}
    return dataclasses.replace(config, scorers=scorers)
