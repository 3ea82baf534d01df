"""What can go wrong with a job, each with its exit code and in one shape."""

from __future__ import annotations

from typing import ClassVar


class JobError(Exception):
    """A job cannot go on.

    Args:
        where: the file, option or key that it is about.
        clauses: what is wrong; what was expected; what to do.

    Example:
        >>> str(ConfigError("nightly.toml", "unknown key 'ouput'", "did you mean 'output'?"))
        "nightly.toml: unknown key 'ouput'; did you mean 'output'?"
    """

    exit_code: ClassVar[int] = 70

    def __init__(self, where: str, *clauses: str) -> None:
        super().__init__(where, *clauses)

    def __str__(self) -> str:
        where, *clauses = self.args
        return f"{where}: {'; '.join(clauses)}"


class ConfigError(JobError):
    """The job asks for something that cannot be: an option, a key, a column, an output folder."""

    exit_code = 2


class WorkerError(JobError):
    """A worker did not bring its task to an end."""


class InputError(JobError):
    """There is nothing to read, or a shard that cannot be read."""

    exit_code = 3
