"""The mark of what follows no input of the workbook: its head says that it is as exported."""

from __future__ import annotations

MARK = "as exported"
# What the numbers of a chart say of themselves above their head.
PLAIN = f"plain numbers and sentences are {MARK}"
# What a sheet of sentences says below its title, before the mark.
SENTENCES = "Sentences and their numbers"
# What the sheet of a page says below its title.
PAGE_LEGEND = (
    f"Sentences are {MARK}, and so are the numbers of tables and charts whose head says so; all others are formulas."
)


def exported(head: str) -> str:
    """`Verdict, as exported`."""
    return f"{head}, {MARK}" if head else MARK.capitalize()
