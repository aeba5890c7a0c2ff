"""Data files: `.csv` that a spreadsheet opens as it is, and `.parquet` that says what its columns mean.

Column names carry their unit, `MCS · VM-01 [IOPS]`; a CSV has no line of comments, which spreadsheets take for data.
Its last column states the version of the method.
In Parquet the same stands in the file's key-value metadata under `vdi-workbench`, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import polars as pl

from workbench import __version__
from workbench.answers.common.document import METHOD_KEY, csv_cell, to_csv
from workbench.exporters.alone import alone
from workbench.exporters.data.chart_data import chart_data
from workbench.exporters.data.samples import MEANINGS, SCHEMA, Count, sample_frame
from workbench.exporters.job import ExportJob, Part, Written
from workbench.exporters.names import file_names
from workbench.exporters.safe_file import EmptyExportError, write_safely
from workbench.measures.judging.method import METHOD

# Excel opens no more rows of a file.
_MOST_ROWS = 1_048_576
META = "vdi-workbench"


def write_chart_data(job: ExportJob) -> Written:
    """The numbers behind the chart of each part, in a file each: what is visible, sample by sample. Of a part
    that states its data, or has no chart, a table."""
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
    """Every sample of every run."""
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
    """What to say where Excel will not show all of a file."""
    if path.suffix.lower() != ".csv" or rows < _MOST_ROWS:
        return []
    return [f"{path.name} has {rows:,} rows; Excel shows the first {_MOST_ROWS - 1:,}. Parquet has no such limit."]


def _table_of(part: Part) -> tuple[pl.DataFrame, Mapping[str, object], int] | None:
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
    # Few words repeat in many rows: each is made safe once.
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
