"""Print what tonelog costs: ``python -m tests.benchmarks [--small] [SECTION...]``."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

from tests.benchmarks.sizes import FULL, SMALL
from tests.benchmarks.tables import machine, print_table

SECTIONS: Final = (
    *("ratios", "sentiment", "sentences", "difference", "growth", "originals"),
    *("startup", "job", "layouts", "memory"),
)


@click.command()
@click.argument("sections", nargs=-1, type=click.Choice(SECTIONS))
@click.option("--small", is_flag=True, help="A quick run, for a first look.")
@click.option("--rows", type=int, help="Rows of the log that the whole job scores.")
@click.option("--memory-rows", type=int, help="Rows of the smallest log of the section memory.")
@click.option("--files", type=int, help="How many tiny files.")
@click.option("--groups", type=int, help="How many tiny row groups.")
def main(sections: Sequence[str], *, small: bool, **sizes: int | None) -> None:
    """Measure all sections or some, one table each."""
    given = {name: value for name, value in sizes.items() if value is not None}
    size = dataclasses.replace(SMALL if small else FULL, **given)
    print(machine(), size, sep="\n")
    for name in sections or SECTIONS:
        section = import_module(f"tests.benchmarks.{name}")
        print_table(section.TITLE, section.measured(size))


if __name__ == "__main__":
    main()
