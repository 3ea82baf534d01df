"""AFINN's sentiment, compiled: what Mastra's evals ship."""
