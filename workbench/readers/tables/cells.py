"""The lines of a large table as columns of text, many lines at a time.

One physical line is one row, as in every table: a stray quote costs no more than its own row. What is alike in nearly
all lines, no quotes or quotes around each cell, is split by polars; any other line by Python's csv module.
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from workbench.readers.tables.mapped_rows import quotes_fit
from workbench.readers.tables.timed import split_cells

# Lines that are split at a time: their cells take some hundred bytes each while they are text.
CHUNK = 1 << 17
_BLANK = " \t,;|\0\x1a"


def lines_of(text: str) -> pl.DataFrame:
    """The physical lines, `line` counting from 1 and `text` without its end."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return pl.DataFrame({"text": pl.Series([text]).str.split("\n").explode()}).with_row_index("line", 1)


def filled(lines: pl.DataFrame) -> pl.DataFrame:
    """The lines that hold more than separators."""
    return lines.filter(pl.col("text").str.strip_chars(_BLANK) != "")


def chunks(lines: pl.DataFrame, width: int, delimiter: str) -> Iterator[tuple[pl.DataFrame, pl.DataFrame]]:
    """For some lines at a time those that have `width` cells, with the list `cells`, and the others, with why."""
    for part in lines.iter_slices(CHUNK):
        rows = _split(part, width, delimiter)
        right = pl.col("cells").list.len() == width
        yield rows.filter(right), rows.filter(~right)


def _split(part: pl.DataFrame, width: int, delimiter: str) -> pl.DataFrame:
    text, between = pl.col("text"), f'"{delimiter}"'
    quotes = text.str.count_matches('"', literal=True)
    whole = text.str.starts_with('"') & text.str.ends_with('"') & (quotes == 2 * width)
    quoted = whole & (text.str.count_matches(between, literal=True) == width - 1)
    plain = (quotes == 0) & ~text.str.contains("\0", literal=True)
    marked = part.with_columns(pl.when(plain).then(0).when(quoted).then(1).otherwise(2).alias("how"))
    inner = text.str.strip_chars_start('"').str.strip_chars_end('"') if width < 2 else text.str.slice(1)
    made = [
        marked.filter(pl.col("how") == 0).with_columns(text.str.split(delimiter).alias("cells")),
        marked.filter(pl.col("how") == 1).with_columns(
            inner.str.head(-1).str.split(between).alias("cells") if width > 1 else pl.concat_list(inner).alias("cells")
        ),
        _by_csv(marked.filter(pl.col("how") == 2), delimiter),
    ]
    rows = pl.concat([frame.drop("how") for frame in made if frame.height]) if part.height else made[0].drop("how")
    # Blank cells at the end, as spreadsheets leave them, are no cells.
    beyond = pl.col("cells").list.slice(width).list.join("").str.strip_chars() == ""
    cut = pl.when((pl.col("cells").list.len() > width) & beyond).then(pl.col("cells").list.head(width))
    return rows.with_columns(cut.otherwise(pl.col("cells"))).sort("line")


def _by_csv(part: pl.DataFrame, delimiter: str) -> pl.DataFrame:
    """Lines with quotes around some cells; one whose quotes do not fit has no cells."""
    texts = part["text"].to_list()
    cells = [split_cells(line, delimiter) if "\0" not in line and quotes_fit(line, delimiter) else [] for line in texts]
    return part.with_columns(pl.Series("cells", cells, pl.List(pl.String)))
