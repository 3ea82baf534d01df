"""The batch job: everything that touches files, processes, time and people."""
