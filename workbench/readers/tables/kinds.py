"""The texts that the columns of names of a long table hold: machines, disks, counters."""

from __future__ import annotations

import polars as pl

from workbench.readers.tables.cells import chunks, filled, lines_of
from workbench.readers.tables.long import holds_words
from workbench.readers.tables.timed import TimedCsv, decode

# A column with more texts than this holds notes, or machines: no counters.
_MOST = 300
Kinds = dict[int, tuple[str, ...]]


def kinds_of(data: bytes, table: TimedCsv) -> Kinds:
    """The texts of each column of words in the order of the file, by its place; columns of very many are left out."""
    words = [index for index in range(len(table.names)) if index != table.time_column and holds_words(table, index)]
    kinds: dict[int, dict[str, None]] = {index: {} for index in words}
    lines = filled(lines_of(decode(data, whole=False)[0])).filter(pl.col("line") > table.line)
    for right, _ in chunks(lines, len(table.names), table.delimiter):
        for index, texts in kinds.items():
            if len(texts) <= _MOST:
                cells = right.select(pl.col("cells").list.get(index).str.strip_chars()).to_series()
                texts.update(dict.fromkeys(cells.unique(maintain_order=True).to_list()))
    return {index: tuple(text for text in texts if text) for index, texts in kinds.items() if len(texts) <= _MOST}
