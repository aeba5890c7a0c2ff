"""GO-EUC chart data: the JSON behind the charts of published studies.

    {"title": …, "subTitle": …, "series": [{"serie": "Office 2016", "data": [{"x": "00:00:30", "y": 7.749}, …]}],
     "labels": […], "unit": ""}

In a chart over time, `x` is HH:MM:SS since the start of the test: it becomes a recording with an unknown date. In a
comparison, `x` is a name (Reads/sec): its bars become measurements. Each serie is another configuration of the study,
averaged over hosts and runs, so no counter gets a metric and no values are added up. The unit is the chart's own word.
Numbers may be text (`"y": "44.07"`); an empty text is a missing value. One bar of a serie may have an empty `x`: its
name is the title. Line charts also exist without `series`:

    {"title": …, "data": [{"x": "CVAD 2112", "y": [5.4, 5.8, …]}, …], "labels": ["00:00:00", "00:00:30", …]}

Source: the 111 chart files that the site publishes with its articles (github.com/pvdnborn/go-euc-website, assets/data,
commit bc057dd0).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from math import isfinite, nan
from pathlib import Path
from typing import Any

from workbench.model.problem import Severity
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.model.session import Measurement, MeasurementKind
from workbench.readers.common.row_problems import Problems, numbered
from workbench.readers.login.metrics import Sample, recording_of
from workbench.readers.text.documents import RUN_BYTES, load_bytes, refused
from workbench.readers.text.encodings import decode_text
from workbench.readers.text.json import Broken, JsonObject, number_of, read_documents, shown, text_of
from workbench.readers.text.numbers import ADVICE, POINT, Evidence, Notation, Seen

LABEL = "go-euc"
_OPENS_SERIES = re.compile(r'"series"\s*:\s*\[\s*\{\s*"serie"\s*:')
_OPENS_LINES = re.compile(r'"data"\s*:\s*\[\s*\{\s*"x"\s*:\s*"[^"]{0,200}"\s*,\s*"y"\s*:\s*\[')
_NUMBER = re.compile(r"[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?", re.ASCII)
_SINCE_START = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d)", re.ASCII)
_SHOWN = 60


@dataclass(eq=False)
class _Points:
    """Usable points: serie, x, seconds since the start (None: x is a name), y (NaN: missing)."""

    problems: Problems
    found: list[tuple[str, str, float | None, float]] = field(default_factory=list)
    missing: int = 0
    rejected: int = 0
    notation: Notation = field(default_factory=Notation)

    def reject(self, serie: str, what: str, action: str = "point rejected; check it in the file") -> None:
        """Notes an unusable point or an unusable serie."""
        self.rejected += 1
        self.problems.warn("point-rejected", f"Series '{serie[:_SHOWN]}' has {what}.", action)


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 if a list of series begins with `serie`, less if the words occur in another order."""
    text, _ = decode_text(head)
    if _OPENS_SERIES.search(text):
        return 1.0
    if '"title"' in text and _OPENS_LINES.search(text):
        return 0.9
    return 0.8 if all(f'"{word}"' in text for word in ("series", "serie", "data", "x", "y")) else 0.0


def read(path: Path, name: str, columns: Path) -> Reading:
    """Returns a recording of relative time, or the bars of a comparison."""
    data = load_bytes(path, name, LABEL, RUN_BYTES)
    if isinstance(data, Reading):
        return data
    problems = Problems(name)
    documents = read_documents(data, problems)
    chart = next(
        (document for document in documents.found if isinstance(document, dict) and _series_of(document)), None
    )
    if chart is None:
        fault = documents.fault or Broken("no-series", "it contains no chart with series", 1)
        message = f"The file cannot be read as a chart: {fault.reason}."
        return refused(LABEL, name, fault.code, message, "download the file again", fault.line, rejected=1)
    if len(documents.found) > 1:
        problems.warn(
            "several-documents",
            f"The file contains {len(documents.found)} JSON documents.",
            "only the first chart was imported; save each chart to a separate file",
        )
    evidence = Evidence()
    for text in _texts(chart):
        evidence.add(text)
    notation = evidence.decided()
    if isinstance(notation, Seen):
        return refused(LABEL, name, "ambiguous-number", notation.question, ADVICE, 1, rejected=1)
    evidence.tell(notation, problems)
    points = _points(chart, _Points(problems, notation=notation))
    if not points.found:
        problems.add(
            Severity.REFUSED, "no-points", "The chart contains no usable point.", "file not imported; download it again"
        )
        report = FileReport(
            path=name, reader=LABEL, recognised=True, encoding=documents.encoding, rejected_rows=points.rejected
        )
        return Reading(report, problems.all())
    timed = any(seconds is not None for _, _, seconds, _ in points.found)
    reading = _over_time if timed else _comparison
    return reading(chart, points, columns, name, documents.encoding)


READER = Reader(LABEL, identify, read)


def _over_time(chart: JsonObject, points: _Points, columns: Path, name: str, encoding: str) -> Reading:
    title, unit, problems = text_of(chart, "title") or "chart", text_of(chart, "unit"), points.problems
    for serie, x, seconds, _ in points.found:
        if seconds is None:
            points.reject(serie, f"the invalid time '{x[:_SHOWN]}'")
    samples = [
        Sample(seconds, "", title.replace(":", " "), serie, "GO-EUC chart", unit, y)
        for serie, _, seconds, y in points.found
        if seconds is not None
    ]
    recording = recording_of(samples, columns, None, problems, machine=False)
    if recording is not None:
        recording = replace(recording, relative=True)
    last = max((seconds, x) for _, x, seconds, _ in points.found if seconds is not None)[1]
    problems.info(
        "date-unknown",
        f"The chart contains no date: its times count from the start of the test, up to {last}.",
        "chart imported with these times",
    )
    _tell(problems, chart, {serie for serie, *_ in points.found}, "lines over time")
    rows = recording.rows if recording else 0
    series = len(recording.series) if recording else 0
    report = FileReport(
        path=name,
        reader=LABEL,
        recognised=True,
        rows=rows,
        columns=series,
        encoding=encoding,
        cells=rows * series,
        missing_cells=_empty_cells(samples, rows * series),
        rejected_rows=points.rejected,
    )
    return Reading(report, problems.all(), recording)


def _comparison(chart: JsonObject, points: _Points, _columns: Path, name: str, encoding: str) -> Reading:
    unit, problems = text_of(chart, "unit"), points.problems
    bars = tuple(
        Measurement(None, MeasurementKind.CHART, x, y, unit, group=serie) for serie, x, _, y in points.found if y == y
    )
    names, series = {x for _, x, *_ in points.found}, {serie for serie, *_ in points.found}
    _tell(problems, chart, series, "bars")
    report = FileReport(
        path=name,
        reader=LABEL,
        recognised=True,
        rows=len(names),
        columns=len(series),
        encoding=encoding,
        cells=len(points.found),
        missing_cells=points.missing,
        rejected_rows=points.rejected,
    )
    return Reading(report, problems.all(), measurements=bars)


def _texts(chart: JsonObject) -> Iterator[str]:
    """Yields the values that are written as text: one notation applies to all of them."""
    for chart_series in _series_of(chart):
        data = chart_series.get("data") if isinstance(chart_series, dict) else None
        for point in data if isinstance(data, list) else ():
            if isinstance(point, dict) and isinstance(text := point.get("y"), str):
                yield text.strip()


def _points(chart: JsonObject, points: _Points) -> _Points:
    nameless = text_of(chart, "title") or "value"
    for index, chart_series in enumerate(_series_of(chart)):
        data = chart_series.get("data") if isinstance(chart_series, dict) else None
        serie = (text_of(chart_series, "serie") if isinstance(chart_series, dict) else "") or f"series {index + 1}"
        if not isinstance(data, list):
            points.reject(serie, "no list of points", "series rejected; check it in the file")
            continue
        for number, point in enumerate(data):
            _take(points, serie, point, nameless, f"series[{index}].data[{number}]")
    return points


def _take(points: _Points, serie: str, point: Any, nameless: str, place: str) -> None:
    x = point.get("x") if isinstance(point, dict) else None
    if not isinstance(x, str | int | float):
        points.reject(serie, f"a point without x ({place})")
        return
    x = text_of(point, "x").strip() or nameless
    y = _number_at(point, points.notation)
    if y is None:
        points.missing += 1
        if point.get("y") not in (None, ""):
            spot = f"at {x}" if _SINCE_START.fullmatch(x) else f"for '{x[:_SHOWN]}'"
            where = f"Series '{serie[:_SHOWN]}' has an invalid value {spot} ({place})"
            message = f"{where}: {shown(point['y'], _SHOWN)}."
            points.problems.warn("not-a-number", message, "value left empty; check it in the file")
    match = _SINCE_START.fullmatch(x)
    seconds = None if match is None else float(int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3]))
    points.found.append((serie, x, seconds, nan if y is None else y))


def _number_at(point: JsonObject, notation: Notation) -> float | None:
    """Returns the number of a point, also if it is written as text; None for any other text."""
    text = point.get("y")
    if not isinstance(text, str):
        return number_of(point, "y")
    number = notation.number(text)
    if number is None and notation.decimal == POINT and _NUMBER.fullmatch(text.strip()):
        number = float(text)
    return number if number is not None and isfinite(number) else None


def _series_of(chart: JsonObject) -> list[Any]:
    """Returns the series of a chart. Without `series` these are its lines: lists of values at the positions of the
    chart's labels."""
    series, data, labels = chart.get("series"), chart.get("data"), chart.get("labels")
    if isinstance(series, list):
        return series
    if not isinstance(data, list) or not isinstance(labels, list):
        return []
    return [_line_series(line, labels) for line in data]


def _line_series(line: Any, labels: list[Any]) -> Any:
    values = line.get("y") if isinstance(line, dict) else None
    if not isinstance(values, list):
        return line
    # A value without a label counts as a point without x, a label without a value as a missing sample.
    points = [{"x": label, "y": value} for label, value in zip_longest(labels, values)]
    return {"serie": text_of(line, "x"), "data": points}


def _empty_cells(samples: list[Sample], cells: int) -> int:
    held = {(sample.instance, sample.at) for sample in samples if sample.value == sample.value}
    return cells - len(held)


def _tell(problems: Problems, chart: JsonObject, series: set[str], how: str) -> None:
    title = text_of(chart, "title") or "without title"
    problems.info(
        "contents",
        f"The chart '{title[:_SHOWN]}' contains {numbered(len(series), 'configuration')}, drawn as {how}.",
        "imported as a configuration, not as a VM"
        if len(series) == 1
        else "each imported as a configuration, not as a VM; their values are not added up",
    )
