"""The batch job: everything that touches files, processes, time and people."""

from .config import JobConfig, load_config
from .errors import ConfigError, InputError, JobError
from .pipeline import JobReport, Watch, run_job

__all__ = [
    "ConfigError",
    "InputError",
    "JobConfig",
    "JobError",
    "JobReport",
    "Watch",
    "load_config",
    "run_job",
]
