"""Clean XML and JSON documents in which every figure identifies its row and column."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.pollution.judge import Grid, GridRow, TrueRow, Truth, Value
from tests.readers.fio_results import direction, job, result
from workbench.model.benchmark import Benchmark
from workbench.model.reading import Reading
from workbench.readers.registry import recognise
from workbench.study.store.column_store import empty_file, not_recognised

ROWS = 3
FIGURES = ("iops", "mb_per_s", "latency_mean_ms", "latency_p50_ms", "latency_p95_ms", "latency_p99_ms")

Rows = tuple[tuple[Value | None, ...], ...]


@dataclass(frozen=True, slots=True)
class Document:
    """A clean document, its rows, and the token of the attacked figure: row, column, key, text."""

    name: str
    file: str
    text: str
    names: tuple[str, ...]
    rows: Rows
    row: int
    column: int
    key: str
    token: str


@dataclass(eq=False)
class Attack:
    """A document under attack. `lost`: the attacked figure is gone; `told`: the value that may be read if a problem
    reports it; `blank`: the value is missing, which needs no problem; `tell`: a problem must be reported."""

    document: Document
    data: bytes
    lost: bool = False
    told: Value | None = None
    tell: bool = False
    blank: bool = False

    def replace_token(self, text: str) -> None:
        """Returns the document with another text instead of the attacked figure."""
        old = f'"{self.document.key}": {self.document.token}'.encode()
        if self.document.file.endswith(".xml"):
            old = f"<{self.document.key}>{self.document.token}</{self.document.key}>".encode()
        assert self.data.count(old) == 1, (self.document.name, old, self.data.count(old))
        self.data = self.data.replace(old, old.replace(self.document.token.encode(), text.encode()))
        self.lost = True

    def truth(self, known: frozenset[tuple[str, int | None]]) -> Truth:
        """Returns what may be read."""
        rows = []
        for number, row in enumerate(self.document.rows):
            hit = number == self.document.row and self.lost
            cells = tuple(None if hit and place == self.document.column else cell for place, cell in enumerate(row))
            blank = frozenset(place for place, cell in enumerate(row) if cell is None or (hit and self.blank))
            told = {self.document.column: self.told} if hit and self.told is not None else {}
            rows.append(TrueRow(None, 0.0, cells, blank, told))
        return Truth(self.document.file, self.document.names, tuple(rows), None, known, tell=self.tell, counted=False)


def read_document(data: bytes, file: str, folder: Path) -> tuple[Reading, Grid | None]:
    """Returns the reading of a document, and its rows as a grid."""
    path = folder / file
    path.write_bytes(data)
    reader = recognise(data[:65_536], file)
    unknown = not_recognised if data else empty_file
    reading = unknown(file) if reader is None else reader.read(path, file, folder / "columns")
    if reading.benchmarks:
        rows = tuple(GridRow(0.0, (str(one.op), one.job, *_figures(one))) for one in reading.benchmarks)
        return reading, Grid(("op", "job", *FIGURES), rows, None)
    if reading.measurements:
        rows = tuple(GridRow(0.0, (one.label, one.session, one.value)) for one in reading.measurements)
        return reading, Grid(("label", "session", "value"), rows, None)
    assert reading.recording is None
    return reading, None


def _figures(one: Benchmark) -> tuple[float | None, ...]:
    values = (getattr(one, name) for name in FIGURES)
    return tuple(None if value is None else float(value) for value in values)


def _fio() -> Document:
    def with_mean(figures: dict[str, Any], mean: float) -> dict[str, Any]:
        # The mean shown is that of the total latency; the completion latency is slightly shorter.
        ends = {"min": mean / 2, "max": mean * 4}
        shares = {f"{place}.000000": mean * times for place, times in ((50, 1), (95, 1.5), (99, 2))}
        completion = {**figures["clat_ns"], **ends, "mean": mean - 1e3, "percentile": shares}
        return figures | {"clat_ns": completion, "lat_ns": {**figures["lat_ns"], **ends, "mean": mean}}

    jobs = [
        job(f"j{row}", read=with_mean(direction(1000 * row + 1), (1000 * row + 3) * 1e6)) for row in range(1, ROWS + 1)
    ]
    rows: Rows = tuple(
        ("read", f"j{row}", iops := 1000.0 * row + 1, iops * 4096 / 1e6, mean := iops + 2, mean, 1.5 * mean, 2 * mean)
        for row in range(1, ROWS + 1)
    )
    return Document(
        "fio", "fio.json", json.dumps(result(*jobs), indent=1), ("op", "job", *FIGURES), rows, 1, 2, "iops", "2001.0"
    )


def _vdi_benchmark() -> Document:
    results = [
        {"op": "read", "job": f"j{row}", **{name: 1000 * row + place for place, name in enumerate(FIGURES)}}
        for row in range(1, ROWS + 1)
    ]
    rows: Rows = tuple(("read", f"j{row}", *(1000.0 * row + place for place in range(6))) for row in range(1, ROWS + 1))
    content = {"schema": "vdi-benchmark/1", "tool": "labtool", "results": results}
    return Document(
        "vdi-benchmark",
        "lab.json",
        json.dumps(content, indent=1),
        ("op", "job", *FIGURES),
        rows,
        1,
        4,
        "latency_mean_ms",
        "2002",
    )


def _neutral() -> Document:
    content = [{"name": f"j{row} read", "unit": "IOPS", "value": 1000 * row + 1} for row in range(1, ROWS + 1)]
    rows: Rows = tuple(("read", f"j{row} read", 1000.0 * row + 1, *[None] * 5) for row in range(1, ROWS + 1))
    return Document(
        "neutral-json",
        "bench.json",
        json.dumps(content, indent=1),
        ("op", "job", *FIGURES),
        rows,
        1,
        2,
        "value",
        "2001",
    )


def _login_enterprise() -> Document:
    items = [
        {
            "measurementId": f"m{row}",
            "userSessionId": f"s{row}",
            "testRunId": "r1",
            "duration": 1000.25 * row,
            "timestamp": "2016-05-10T08:00:00Z",
            "properties": [],
        }
        for row in range(1, ROWS + 1)
    ]
    rows = tuple((f"m{row}", f"s{row}", 1000.25 * row) for row in range(1, ROWS + 1))
    content = {"items": items, "totalCount": ROWS, "offset": 0}
    return Document(
        "login-enterprise",
        "measurements.json",
        json.dumps(content, indent=1),
        ("label", "session", "value"),
        rows,
        1,
        2,
        "duration",
        "2000.5",
    )


def _diskspd() -> Document:
    spans: list[str] = []
    rows: list[tuple[Value | None, ...]] = []
    for row in range(1, ROWS + 1):
        reads, writes = 1000 * row + 1, 1000 * row + 2
        means = {"Read": 1000.0 * row + 3, "Write": 1000.0 * row + 4, "Total": 1000.0 * row + 5}
        latency = "".join(f"<Average{op}Milliseconds>{mean}</Average{op}Milliseconds>\n" for op, mean in means.items())
        spans.append(
            "<TimeSpan>\n<TestTimeSeconds>10.00</TestTimeSeconds>\n<ThreadCount>1</ThreadCount>\n"
            f"<Latency>\n{latency}</Latency>\n<Thread><Id>0</Id><Target><Path>t{row}</Path>\n"
            f"<ReadBytes>{reads * 81920}</ReadBytes>\n<ReadCount>{reads * 10}</ReadCount>\n"
            f"<WriteBytes>{writes * 81920}</WriteBytes>\n<WriteCount>{writes * 10}</WriteCount>\n"
            "</Target></Thread>\n</TimeSpan>\n"
        )
        for op, count in (("Read", reads), ("Write", writes), ("Total", reads + writes)):
            rows.append((op.lower(), f"t{row}", float(count), count * 8192 / 1e6, means[op], None, None, None))
    text = (
        "<Results>\n<System>\n<ComputerName>vm-01</ComputerName>\n<Tool><Version>2.1</Version></Tool>\n</System>\n"
        + "".join(spans)
        + "</Results>\n"
    )
    return Document(
        "diskspd-xml",
        "diskspd.xml",
        text,
        ("op", "job", *FIGURES),
        tuple(rows),
        3,
        4,
        "AverageReadMilliseconds",
        "2003.0",
    )


XML = (_diskspd(),)
JSON = (_fio(), _login_enterprise(), _neutral(), _vdi_benchmark())
