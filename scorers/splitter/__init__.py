"""A splitter of texts into sentences, compiled; ``tonelog.scorers.sentences`` is its door."""
