"""Example configs, to copy and change."""
