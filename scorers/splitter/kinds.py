"""Kinds of lines, and what several lines are together."""

from __future__ import annotations

from typing import Final

# Kinds of lines. BLANK also stands for the beginning of the text.
BLANK: Final = 0
PLAIN: Final = 1
FENCE: Final = 2
# One sentence, whatever it holds: a heading, a row of a table, a line of JSON.
UNIT: Final = 3
# An item of a list: an indented line may belong to it.
ITEM: Final = 4
# A line of a quotation, a log, a signature: it may hold sentences, none of which leaves it.
BLOCK: Final = 5
# ``Key: value``: only a long one may be wrapped.
KEY: Final = 6
# A line of - or =: a rule, or what underlines a heading.
RULE: Final = 7

# In bytes: no bracket at the beginning of a line, greeting or prompt is longer.
LONGEST_LABEL: Final = 40

# What some lines are together, until a blank line.
SIGNING: Final = 1
SIGNED: Final = 2
OUTPUT: Final = 3
TRACE: Final = 4
JSON: Final = 5
TABLE: Final = 6
