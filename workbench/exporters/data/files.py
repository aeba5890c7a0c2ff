"""Data files: `.csv` that any spreadsheet opens, and `.parquet` that describes its columns.

Column names contain the unit, `MCS · VM-01 [IOPS]`. A CSV has no comment line, because spreadsheets would read it as
data. Its last column is the version of the method. In Parquet this version is in the key-value metadata of the file
under `vdi-workbench`, as JSON.

The numbers of a figure become one table: a row for each x or category, a column for each series. No sample is left out:
where the window draws only extremes, the table has every sample.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from workbench import __version__
from workbench.answers.common.document import METHOD_KEY, csv_cell, to_csv
from workbench.charts.figure import Axis, Band, Bars, Figure, FloatArray, Heatmap, Line, Mark, Panel, Points
from workbench.exporters.data.samples import MEANINGS, SCHEMA, Count, sample_frame
from workbench.exporters.job import DocumentPart, ExportJob, Written
from workbench.exporters.names import file_names
from workbench.exporters.safe_file import EmptyExportError, alone, write_safely
from workbench.measures.significance.method import METHOD

# Excel's limit for the rows of a file.
_MOST_ROWS = 1_048_576
META = "vdi-workbench"


def write_chart_data(job: ExportJob) -> Written:
    """Write the numbers behind the chart of each part, one file each: the visible part, sample by sample. If a part
    states its data or has no chart, a table is written."""
    left_out: list[str] = []
    made = [(part, alone(part.name, partial(_table_of, part), left_out.append)) for part in job.parts]
    tables = {part.name: table for part, table in made if table is not None}
    if not tables:
        reason = " ".join(left_out) or "no selected page has a chart or a table."
        raise EmptyExportError(f"{job.path.name} was not written: {reason}")
    places = file_names(job.path, [part for part, table in made if table is not None])
    for path, part in places.items():
        frame, about, infinite = tables[part.name]
        if infinite:
            left_out.append(f"{part.name}: {infinite:,} infinite values are left empty.")
        _write_frame(path, frame, about)
        left_out += too_long(path, frame.height)
    sentence = f"{job.path.name}: {frame.height:,} rows of {part.name}"
    return Written(f"Wrote {sentence if len(places) == 1 else f'{len(places)} files'}.", tuple(places), tuple(left_out))


def write_samples(job: ExportJob) -> Written:
    """Write every sample of every run."""
    if not any(run.recordings for study in job.studies for run in study.runs):
        raise EmptyExportError(f"{job.path.name} was not written: no run has samples.")
    count = Count()
    if job.path.suffix.lower() == ".parquet":
        write_safely(job.path, partial(_sink_parquet, job, count), lambda path: _check_parquet(count.rows, path))
    else:
        write_safely(job.path, partial(_sink_csv, job, count), _check_csv)
    left_out = too_long(job.path, count.rows)
    if count.infinite:
        left_out.append(f"{count.infinite:,} infinite values are left empty.")
    return Written(
        f"Wrote {job.path.name}: {count.rows:,} samples of {count.counters:,} counters.", (job.path,), tuple(left_out)
    )


def too_long(path: Path, rows: int) -> list[str]:
    """The warning if Excel will not show all of a file."""
    if path.suffix.lower() != ".csv" or rows < _MOST_ROWS:
        return []
    return [f"{path.name} has {rows:,} rows; Excel shows the first {_MOST_ROWS - 1:,}. Parquet has no such limit."]


def _table_of(part: DocumentPart) -> tuple[pl.DataFrame, Mapping[str, object], int] | None:
    content = part.content
    about: dict[str, object] = {
        "program": f"VDI Workbench {__version__}",
        "method": METHOD,
        "part": part.name,
        "question": content.question,
        "caption": content.caption,
        "definitions": content.definitions,
    }
    if content.data is None and content.figure is not None:
        data = chart_data(content.figure, part.span)
        if data.frame.width:
            return data.frame, {**about, "units": data.units}, data.infinite
    table = next((table for table in (content.data, *content.tables) if table is not None), None)
    if table is None:
        return None
    names: list[str] = []
    for column in table.columns:
        name = f"{column.title} [{column.unit}]" if column.unit else column.title
        names.append(name if name not in names else f"{name} #{names.count(name) + 1}")
    columns = {
        name: _values([row[at].value for row in table.rows], numeric=column.numeric)
        for at, (name, column) in enumerate(zip(names, table.columns, strict=True))
    }
    return pl.DataFrame(columns), about, 0


def _values(values: Sequence[object], numeric: bool) -> pl.Series:
    if numeric and all(value is None or isinstance(value, int | float) for value in values):
        return pl.Series(values, dtype=pl.Float64, strict=False).fill_nan(None)
    return pl.Series([None if value is None else str(value) for value in values], dtype=pl.String)


def _write_frame(target: Path, frame: pl.DataFrame, about: Mapping[str, object]) -> None:
    if target.suffix.lower() == ".parquet":
        meta = {META: json.dumps(about, ensure_ascii=False)}
        write_safely(
            target, lambda path: frame.write_parquet(path, metadata=meta), partial(_check_parquet, frame.height)
        )
        return
    safe = frame.rename({name: str(csv_cell(name)) for name in frame.columns})
    text = to_csv(safe.rows(named=True)) if frame.height else ",".join([*safe.columns, METHOD_KEY]) + "\n"

    def write(path: Path) -> None:
        path.write_text(text, encoding="utf-8-sig", newline="")

    write_safely(target, write, _check_csv)


def _sink_parquet(job: ExportJob, count: Count, path: Path) -> None:
    about = {"program": f"VDI Workbench {__version__}", "method": METHOD, "columns": MEANINGS}
    sample_frame(job.studies, count).sink_parquet(path, metadata={META: json.dumps(about, ensure_ascii=False)})


def _sink_csv(job: ExportJob, count: Count, path: Path) -> None:
    words = [name for name, kind in SCHEMA.items() if kind == pl.String]
    # Few different texts repeat in many rows, so each is made safe once.
    safe = sample_frame(job.studies, count).with_columns(pl.col(words).map_batches(_safe, return_dtype=pl.String))
    safe = safe.with_columns(pl.lit(METHOD).alias(METHOD_KEY))
    safe.sink_csv(path, include_bom=True, datetime_format="%Y-%m-%dT%H:%M:%S%.3fZ", check_extension=False)


def _safe(words: pl.Series) -> pl.Series:
    unlike = words.unique().drop_nulls().to_list()
    return words.replace({word: csv_cell(word) for word in unlike if csv_cell(word) != word})


def _check_parquet(rows: int, path: Path) -> None:
    height = int(pl.scan_parquet(path, glob=False).select(pl.len()).collect().item())
    if height != rows:
        raise OSError(f"the file on disk holds {height:,} of {rows:,} rows")


def _check_csv(path: Path) -> None:
    if not path.stat().st_size:
        raise OSError("the new file is empty")


Span = tuple[float, float]


@dataclass(frozen=True, eq=False)
class ChartData:
    """The table of a figure. `frame` has the x columns first. `units` are by column name. `infinite` counts numbers
    that were left empty."""

    frame: pl.DataFrame
    units: dict[str, str]
    infinite: int = 0


@dataclass(frozen=True, eq=False)
class _Column:
    axis: Axis
    name: str
    unit: str
    x: FloatArray
    values: FloatArray | tuple[str, ...]


@dataclass
class _Names:
    """Column names with their units, each unique."""

    seen: Counter[str] = field(default_factory=Counter)

    def unlike(self, name: str, unit: str) -> str:
        """Text like `IOPS [1/s]`, with a number after the name from the second one on."""
        self.seen[f"{name} [{unit}]"] += 1
        number = self.seen[f"{name} [{unit}]"]
        counted = name if number == 1 else f"{name} #{number}"
        return f"{counted} [{unit}]" if unit else counted


def chart_data(figure: Figure, span: Span | None = None) -> ChartData:
    """The table of a figure. `span` keeps the rows with x inside it (axes of categories keep all)."""
    titles: dict[int, str] = {}
    for panel in figure.panels:
        # A panel below another one of its column does not repeat its subject.
        titles.setdefault(panel.column, panel.title)
    columns = [
        column
        for panel in figure.panels
        for mark in panel.marks
        for column in _of_mark(panel, panel.title or titles[panel.column], mark)
    ]
    blocks = [_block(axis, members) for axis, members in _by_axis(columns)]
    names = _Names()
    axes = [names.unlike(*axis_words(axis)) for axis, _ in blocks]
    frames: list[pl.DataFrame] = []
    units: dict[str, str] = {}
    infinite = 0
    for (axis, (keys, members)), key in zip(blocks, axes, strict=True):
        units[key] = axis_words(axis)[1]
        frame: dict[str, object] = {key: keys}
        for column, values in members:
            name = names.unlike(column.name, column.unit)
            units[name] = column.unit
            if isinstance(values, np.ndarray):
                infinite += int(np.isinf(values).sum())
                frame[name] = pl.Series(np.where(np.isfinite(values), values, np.nan)).fill_nan(None)
            else:
                frame[name] = values
        made = pl.DataFrame(frame)
        if span is not None and not axis.categories:
            made = made.filter(pl.col(key).is_between(*span))
        frames.append(made)
    if not frames:
        return ChartData(pl.DataFrame(), {})
    whole = pl.concat(frames, how="diagonal") if len(frames) > 1 else frames[0]
    return ChartData(whole.select(*axes, pl.exclude(axes)), units, infinite)


def axis_words(axis: Axis) -> tuple[str, str]:
    """The name of an x column and its unit; a clock counts seconds of the day."""
    if axis.categories:
        return axis.label or "category", ""
    name = axis.label
    if name.startswith(("Time ", "Active ")):
        # As in files of earlier versions.
        name = name[:1].lower() + name[1:]
    return name or "x", "s of the day" if axis.unit == "clock" else axis.unit


def _by_axis(columns: Iterable[_Column]) -> list[tuple[Axis, list[_Column]]]:
    """The columns grouped by the meaning of x: panels side by side share x unless their axes differ."""
    by_axis: dict[tuple[str, str, tuple[str, ...]], tuple[Axis, list[_Column]]] = {}
    for column in columns:
        axis = column.axis
        by_axis.setdefault((axis.label, axis.unit, axis.names), (axis, []))[1].append(column)
    return list(by_axis.values())


def _block(
    axis: Axis, columns: list[_Column]
) -> tuple[Axis, tuple[object, list[tuple[_Column, FloatArray | list[str | None]]]]]:
    """The columns for one x: a row for each x, several if one series has several values there."""
    counted = [(column, column.x, _occurrence(column.x)) for column in columns]
    pairs = np.concatenate([np.stack((x, nth)) for _, x, nth in counted], axis=1)
    rows = np.unique(pairs[:, np.isfinite(pairs[0])], axis=1)
    places = {(x, nth): row for row, (x, nth) in enumerate(rows.T.tolist())}
    filled = [(column, _placed(column, x, nth, places, rows.shape[1])) for column, x, nth in counted]
    keys: object = rows[0]
    if axis.categories:
        names = axis.names
        keys = [names[round(x)] if 0 <= round(x) < len(names) else f"{x:g}" for x in rows[0].tolist()]
    return axis, (keys, filled)


def _occurrence(x: FloatArray) -> FloatArray:
    """The number of earlier occurrences of each x."""
    order = np.argsort(x, kind="stable")
    ordered = x[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if x.size else np.empty(0, dtype=np.int64)
    lengths = np.diff(np.r_[starts, x.size])
    nth = np.empty(x.size)
    nth[order] = np.arange(x.size) - np.repeat(starts, lengths)
    return nth


def _placed(
    column: _Column, x: FloatArray, nth: FloatArray, places: dict[tuple[float, float], int], rows: int
) -> FloatArray | list[str | None]:
    at = [places.get(pair, -1) for pair in zip(x.tolist(), nth.tolist(), strict=True)]
    if isinstance(column.values, np.ndarray):
        values = np.full(rows, np.nan)
        kept = np.array(at, dtype=np.int64)
        values[kept[kept >= 0]] = column.values[kept >= 0]
        return values
    texts: list[str | None] = [None] * rows
    for index, text in zip(at, column.values, strict=True):
        if index >= 0:
            texts[index] = text
    return texts


def _of_mark(panel: Panel, title: str, mark: Mark) -> list[_Column]:
    unit = panel.y.unit

    def column(name: str, x: FloatArray, values: FloatArray | tuple[str, ...], of: str = unit) -> _Column:
        head = "" if not title or name.startswith(title) else f"{title} · "
        return _Column(panel.x, f"{head}{name}" or panel.y.label, of, x, values)

    if isinstance(mark, Line):
        return [column(mark.name, mark.x, mark.y)]
    if isinstance(mark, Band):
        low, high = (column(f"{mark.name}, low", mark.x, mark.low), column(f"{mark.name}, high", mark.x, mark.high))
        return [low, high]
    if isinstance(mark, Heatmap):
        middle = (mark.edges[:-1] + mark.edges[1:]) / 2
        return [column(row, middle, mark.values[at], mark.unit) for at, row in enumerate(mark.rows)]
    if isinstance(mark, Points):
        dots = column(mark.name, mark.x, mark.y)
        return [column(f"{mark.name}, which", mark.x, mark.names, ""), dots] if mark.names else [dots]
    return _of_bars(mark, column)


def _of_bars(mark: Bars, column: object) -> list[_Column]:
    assert callable(column)
    x = np.arange(mark.values.size, dtype=np.float64)
    columns = [column(mark.name, x, mark.values)]
    for end, values in (("low", mark.low), ("high", mark.high)):
        if values.size:
            columns.append(column(f"{mark.name}, {end}", x, values))
    return columns
