"""DiskSpd's totals as a script lists them in one CSV: a row for each test and VM.

`PROFILE,OIO,VM_Name,TBytes,RBytes,WBytes,TIOS,RIOS,WIOS,TBW,RBW,WBW,TIOPS,RIOPS,WIOPS,TLAT,RLAT,WLAT`: T the total, R
reads, W writes; bandwidths in MiB/s and mean latencies in milliseconds, as DiskSpd prints them. A real file:
github.com/vineethac/vsphere_diskspd_windows, `CSV_to_Logstash`, commit 391917b6. `OIO` is what the tester called the
outstanding I/Os. A direction without I/O has no row; the file states no time.
"""

from __future__ import annotations

import csv
from pathlib import Path

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem
from workbench.model.reading import Reader, Reading
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures

LABEL = "diskspd-summary"
_NAMES = ("profile", "oio", "vm_name")
_FIGURES = tuple(f"{side}{kind}" for side in "trw" for kind in ("iops", "bw", "lat"))
_MIB = 1.048576


def identify(head: bytes, _name: str) -> float:
    """1.0 where the first line names these columns."""
    names = _cells(bt.head_text(head).partition("\n")[0].lower())
    return 1.0 if {*_NAMES, *_FIGURES} <= set(names) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """The rows of each test and VM; a line that cannot be read is rejected with a Problem."""
    loaded = bt.load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    first, *lines = loaded.text.split("\n")
    header = _cells(first.lower())
    rows: list[Benchmark] = []
    problems: list[Problem] = []
    rejected = 0
    for number, line in enumerate(lines, 2):
        cells = _cells(line)
        if not line.strip() or _cells(line.lower()) == header:
            continue
        found = _rows(dict(zip(header, cells, strict=False)), name, number) if len(cells) == len(header) else []
        rows += found
        if not found:
            rejected += 1
            code, what = "cell-count", f"has {len(cells)} cells where the header has {len(header)}"
            if len(cells) == len(header):
                code, what = "no-io", "holds no IOPS above 0"
            problems.append(bt.warning(name, code, f"Line {number} {what}.", "line left out", number))
    if not rows:
        message = problems[0].message if problems else "The table has a header and no rows."
        return bt.refused(LABEL, name, "no-rows", message, "repeat the test", 1, loaded.encoding, rejected)
    return bt.reading_of(LABEL, name, loaded.encoding, rows, problems, rejected, len(header), ",")


READER = Reader(LABEL, identify, read, by_name=True)


def _rows(cells: dict[str, str], name: str, line: int) -> list[Benchmark]:
    total, read, write = (_figures(cells, side) for side in "trw")
    depth = bt.whole(cells["oio"])
    shared = Benchmark(
        path=name,
        tool="diskspd",
        op=Op.TOTAL,
        test=bt.file_stem(name),
        job=cells["profile"].strip() or None,
        host=cells["vm_name"].strip() or None,
        queue_depth=depth if depth else None,
        read_percent=bt.share_of_reads(None, (read and read.iops) or 0.0, (write and write.iops) or 0.0),
        line=line,
    )
    return bt.direction_rows(shared, read, write, total if read and write else None)


def _figures(cells: dict[str, str], side: str) -> Figures | None:
    iops, rate, latency = (bt.number(cells[f"{side}{kind}"]) for kind in ("iops", "bw", "lat"))
    return Figures(iops, None if rate is None else rate * _MIB, latency or None) if iops else None


def _cells(line: str) -> list[str]:
    try:
        return [cell.strip() for cell in next(csv.reader([line]), [])]
    except csv.Error:  # a cell longer than the csv module takes
        return []
