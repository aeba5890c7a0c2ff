"""The texts that the columns of names of a long table hold: machines, disks, counters."""

from __future__ import annotations

from workbench.readers.tables.cells import block_of, rows_of
from workbench.readers.tables.long import holds_words
from workbench.readers.tables.timed import TimedCsv, decode

# A column with more texts than this holds notes, or machines: no counters.
_MOST = 300
Kinds = dict[int, tuple[str, ...]]


def kinds_of(data: bytes, table: TimedCsv) -> Kinds:
    """The texts of each column of words in the order of the file, by its place; columns of very many are left out."""
    words = [index for index in range(len(table.names)) if index != table.time_column and holds_words(table, index)]
    kinds: dict[int, dict[str, None]] = {index: {} for index in words}
    block = block_of(decode(data, whole=False)[0]).below(table.line)
    rows, _ = rows_of(block, len(table.names), table.delimiter)
    for index, texts in kinds.items():
        cells = rows[f"c{index}"].str.strip_chars()
        texts.update(dict.fromkeys(cells.unique(maintain_order=True).to_list()))
    return {index: tuple(text for text in texts if text) for index, texts in kinds.items() if len(texts) <= _MOST}
