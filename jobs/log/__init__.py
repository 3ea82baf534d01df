"""What comes in: shards, their rows, and what their columns mean."""
