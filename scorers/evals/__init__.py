"""The calls of Mastra's evals, by this project's batch path."""
