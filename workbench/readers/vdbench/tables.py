"""The tables of vdbench's reports: rows of named cells, and the results made of them.

A flatfile has one line of column names (`tod Run Interval reqrate rate MB/sec …`, or `date` in CSV) for all runs. A
summary or totals report has two lines of names, one above the other (`i/o` over `rate`), and before each run a line
`Starting RD=name; …; For loops: threads=2`. Reports of file system workloads have other names: requested operations,
then reads and writes, each with its rate and response time (`Read_rate` in the flatfile).

`total` has the values of the run. If `read%` shows that both directions ran, there are also `read` and `write`: IOPS by
that share, latencies from `read_resp` and `write_resp`, MB/s if every I/O had one size. With one direction there is
only the row of that direction. A file system workload states each direction separately; its other operations (create,
mkdir, …) are not storage I/O.

A run of a curve (`iorate=curve`) is named after its run definition: first the run at full speed, then `name_(10%)` at
that percentage of its rate (Vdbench Users Guide 5.04.07, *iorate=curve*).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures
from workbench.readers.text.rows import split_row

_TIME_OF_DAY = re.compile(r"\d{1,2}:\d{2}:\d{2}(?:\.\d{1,6})?")
_INTERVAL = re.compile(r"\d{1,9}$|avg_\d")
_RUN = re.compile(r"Starting RD=([^;<]{1,200})")
_LOOP = re.compile(r"\b(threads|xfersize)=([^\s;,<]{0,60})")
# The rest of a line that starts a run and lost its words, or its loops.
_LOST_START = re.compile(r"\d:\d{2}\.\d{1,6}\b.{0,200}(?:\bRD=[^;]{1,200};|; (?:I/O rate:|elapsed=|For loops:))")
_LOST_LOOPS = re.compile(r"For loops:(?!\s*(?:None|\w{1,40}=))")
_NUMBER = re.compile(r"[0-9][0-9.,]{0,30}|n/a")
# The two lines of names of a report, one above the other, with the names of the flatfile. In a file system workload
# these are the first names, with any following operations. 5.04.06 prints `.Interval.`, 5.04.07 `..Interval..`.
_FILE_SYSTEM = re.compile(r"\.{1,9}Interval\.{1,9}\s{1,9}\.{1,9}ReqstdOps")
_FILE_SYSTEM_NAMES = (
    ("rate", "rate"),
    ("resp", "resp"),
    ("total", "cpu_total"),
    ("sys", "cpu_sys"),
    ("pct", "read%"),
    ("rate", "read_rate"),
    ("resp", "read_resp"),
    ("rate", "write_rate"),
    ("resp", "write_resp"),
    ("read", "mb_read"),
    ("write", "mb_write"),
    ("total", "MB/sec"),
    ("size", "xfersize"),
)
# Reports of 5.04.08 have no blank between time of day and interval if both are long.
_JOINED = re.compile(r"(\d{1,2}:\d{2}:\d{2}\.\d{3})(avg_\d{1,9}-\d{1,9})")
_NAMES = {
    "i/o rate": "rate",
    "MB/sec 1024**2": "MB/sec",
    "bytes i/o": "bytes/io",
    "read pct": "read%",
    "resp time": "resp",
    "read resp": "read_resp",
    "write resp": "write_resp",
}


@dataclass(frozen=True, slots=True)
class VdbenchRow:
    """One row: its line, its run, its interval (`3`, `avg_2-60`), its cells by column, and its time of day.

    A row with a wrong number of cells has none, because they cannot be assigned to columns.
    """

    line: int
    run: str
    interval: str
    cells: dict[str, str]
    time: str = ""


def flatfile_header(line: str) -> list[str] | None:
    """Returns the column names of a flatfile, or None if the line does not hold them."""
    if "MB/sec" not in line or ("rate" not in line and "Rate" not in line):
        return None
    names = _split(line, "," in line)
    lower = [name.lower() for name in names]
    if lower[0] not in ("tod", "date") or not {"interval", "resp", "rate"} <= set(lower):
        return None
    if "read_rate" not in lower:
        return names
    return ["MB/sec" if name == "mb/sec" else name for name in lower]


def flatfile_rows(lines: Sequence[str]) -> Iterator[VdbenchRow]:
    """Returns the rows below the line of names."""
    header: list[str] | None = None
    is_csv = False
    for line, content in enumerate(lines, start=1):
        if content.startswith("*") or not content.strip():
            continue
        if (names := flatfile_header(content)) is not None:
            header, is_csv = names, "," in content
            continue
        if header is None:
            continue
        whole = split_row(content, ",") if is_csv else None if '"' in content else content.split()
        cells = whole or _split(content.replace('"', " "), is_csv)
        if not cells[0][:1].isdigit() and not _is_like_a_row(cells, header):
            continue
        if whole is None or len(cells) != len(header):
            yield VdbenchRow(line, "", "", {})
            continue
        named = dict(zip(header, cells, strict=True))
        lowered = {name.lower(): value for name, value in named.items()}
        yield VdbenchRow(line, lowered.get("run", ""), lowered["interval"], named, cells[0])


def report_rows(lines: Sequence[str]) -> Iterator[VdbenchRow]:
    """Returns the rows of a summary or totals report, with threads and transfer size of their run definition."""
    run, loops, names = "", dict[str, str](), list[str]()
    is_known = True
    for line, content in enumerate(lines, start=1):
        starting = _RUN.search(content)
        if (starting and _LOST_LOOPS.search(content)) or (not starting and _LOST_START.search(content)):
            # The run of the rows below is unknown.
            is_known = False
            yield VdbenchRow(line, "", "", {})
        elif starting is not None:
            run, loops, is_known = starting[1].strip(), dict(_LOOP.findall(content)), True
        elif " interval " in content or _FILE_SYSTEM.search(content):
            below = lines[line] if line < len(lines) else ""
            names = [] if '"' in content + below else _report_names(content, below) or names
        else:
            cells = _JOINED.sub(r"\1 \2", content, count=1).split()
            if len(cells) < 2 or not _TIME_OF_DAY.fullmatch(cells[0]) or not _INTERVAL.match(cells[1]):
                if _is_like_a_row(cells, names):
                    yield VdbenchRow(line, run, "", {})
                continue
            if len(cells) != len(names) + 2 or not is_known:
                yield VdbenchRow(line, run, "", {})
            else:
                yield VdbenchRow(line, run, cells[1], {**loops, **dict(zip(names, cells[2:], strict=True))}, cells[0])


def _report_names(upper: str, lower: str) -> list[str] | None:
    above, below = upper.partition(" interval ")[2].split(), lower.split()
    if _FILE_SYSTEM.search(upper):
        known = len(_FILE_SYSTEM_NAMES)
        matches = below[:known] == [printed for printed, _ in _FILE_SYSTEM_NAMES]
        return [*(name for _, name in _FILE_SYSTEM_NAMES), *below[known:]] if matches else None
    if not above or len(above) != len(below):
        return None
    both = [f"{upper} {other}" for upper, other in zip(above, below, strict=True)]
    return [_NAMES.get(name, name) for name in both]


def _is_like_a_row(cells: Sequence[str], names: Sequence[str]) -> bool:
    """True if most of the columns have a number: then the line is a row that lost its time or its interval."""
    return len(names) > 0 and 2 * sum(_NUMBER.fullmatch(cell.strip('"')) is not None for cell in cells) > len(names)


def _split(line: str, is_csv: bool) -> list[str]:
    if not is_csv:
        return line.split() or [""]
    try:
        return [cell.strip() for cell in next(csv.reader([line]), [""])] or [""]
    except csv.Error:  # a cell longer than the csv module accepts
        return [cell.strip() for cell in line.split(",")]


TOOL = "vdbench"
_CURVE = re.compile(r"(?s)(.{1,400})_\((\d{1,4})%\)", re.ASCII)
_VERSION = re.compile(r"vdbench(\d[\w.]{0,20})")
# A mean this close to the requested size is the size of every I/O: the last I/O of a file may be shorter.
_SAME_SIZE = 0.01
# Percentage points by which a random mix may miss the requested share of reads.
_SHARE_SLACK = 5.0


def results_of(row: VdbenchRow, name: str) -> list[Benchmark] | Problem:
    """Returns the results of an average row, or the reason why it has none."""
    if "read_rate" in row.cells:
        return _file_system(row, name)
    rate, resp = bt.number(row.cells.get("rate")), bt.number(row.cells.get("resp"))
    if rate is None:
        message = f"The 'avg' row of the vdbench run “{row.run}” contains no rate."
        return bt.warning(name, "not-a-number", message, "run rejected; check it in the file", line=row.line)
    if rate == 0:
        return _without_io(row, name)
    mb = bt.number(row.cells.get("MB/sec"))
    share = bt.number(row.cells.get("read%"))
    total = Figures(rate, None if mb is None else mb * bt.MIB, resp)
    shared = _shared(row, share, name)
    if share is None or share > 100:
        return [bt.with_figures(shared, Op.TOTAL, total)]
    if share in (0.0, 100.0):
        return [bt.with_figures(shared, Op.READ if share else Op.WRITE, total)]
    # The size of every I/O if one size was requested and the mean equals it.
    sizes, mean = _count(row, "xfersize"), _count(row, "bytes/io")
    size = sizes if sizes and sizes == mean else None
    figures = {
        op: _direction(row, rate * part / 100, f"{op}_resp", size)
        for op, part in (("read", share), ("write", 100 - share))
    }
    return bt.direction_rows(shared, figures["read"], figures["write"], total)


def _direction(row: VdbenchRow, iops: float, latency: str, size: int | None) -> Figures:
    mb = None if size is None else iops * size / 1e6
    return Figures(iops, mb, bt.number(row.cells.get(latency)))


def _file_system(row: VdbenchRow, name: str) -> list[Benchmark] | Problem:
    """Returns reads and writes of a file system workload, which states each with its own rate."""
    figures: dict[str, Figures | None] = {}
    for op in ("read", "write"):
        rate, mb = bt.number(row.cells.get(f"{op}_rate")), bt.number(row.cells.get(f"mb_{op}"))
        if rate is None:
            message = f"The 'avg' row of the vdbench run “{row.run}” contains no {op} rate."
            return bt.warning(name, "not-a-number", message, "run rejected; check it in the file", line=row.line)
        resp = bt.number(row.cells.get(f"{op}_resp"))
        figures[op] = Figures(rate, None if mb is None else mb * bt.MIB, resp) if rate else None
    read, write = figures["read"], figures["write"]
    if read is None and write is None:
        return _without_io(row, name)
    share = bt.share_of_reads(None, (read and read.iops) or 0.0, (write and write.iops) or 0.0)
    return bt.direction_rows(_shared(row, share, name), read, write, _sum(read, write))


def _sum(read: Figures | None, write: Figures | None) -> Figures | None:
    """Returns both directions together, the latency weighted by their rates."""
    if read is None or write is None or read.iops is None or write.iops is None:
        return None
    iops = read.iops + write.iops
    known = read.mean_ms is not None and write.mean_ms is not None
    weighted = (read.iops * (read.mean_ms or 0.0) + write.iops * (write.mean_ms or 0.0)) / iops
    mb = None if read.mb_per_s is None or write.mb_per_s is None else read.mb_per_s + write.mb_per_s
    return Figures(iops, mb, weighted if known else None)


def _without_io(row: VdbenchRow, name: str) -> Problem:
    what = (
        "did no I/O"
        if "read_rate" not in row.cells
        else "neither read nor wrote data: its file operations are not storage I/O"
    )
    return bt.warning(
        name,
        "no-io",
        f"The vdbench run “{row.run}” {what}.",
        "excluded from the results; repeat the run with storage I/O",
        line=row.line,
    )


def with_curves(rows: Sequence[Benchmark]) -> list[Benchmark]:
    """Returns the rows with the name of their load curve and the requested percentage of the full rate."""
    points = {row.job: match for row in rows if row.job and (match := _CURVE.fullmatch(row.job))}
    names = {match[1] for match in points.values()}
    return [_on_curve(row, points.get(row.job or ""), names) for row in rows]


def _on_curve(row: Benchmark, point: re.Match[str] | None, names: set[str]) -> Benchmark:
    if point is not None:
        return replace(row, curve=point[1], load_percent=float(point[2]))
    return replace(row, curve=row.job) if row.job in names else row


def _shared(row: VdbenchRow, share: float | None, name: str) -> Benchmark:
    stated = bt.number(row.cells.get("rdpct"))
    seek = bt.number(row.cells.get("seekpct"))
    version = _VERSION.fullmatch(row.cells.get("version", ""))
    return Benchmark(
        path=name,
        tool=TOOL,
        op=Op.TOTAL,
        tool_version=version[1] if version else None,
        test=bt.file_stem(name),
        job=row.run or None,
        block_bytes=_block(row),
        threads=_count(row, "threads"),
        read_percent=share if stated is None or _differs(stated, share) else stated,
        pattern={0.0: "sequential", 100.0: "random"}.get(seek) if seek is not None else None,
        line=row.line,
    )


def _differs(stated: float, share: float | None) -> bool:
    """True if the requested share differs from the actual one: with several workloads the flatfile states the share of
    the first one."""
    return stated > 100 or (share is not None and abs(stated - share) > _SHARE_SLACK)


def _block(row: VdbenchRow) -> int | None:
    """Returns the I/O size: the requested one if the mean agrees (for a mix of sizes the flatfile states the first)."""
    sizes, mean = _count(row, "xfersize"), _count(row, "bytes/io")
    if sizes is None or mean is None:
        return sizes if "bytes/io" not in row.cells and "read_rate" not in row.cells else _likely_block(mean or sizes)
    return sizes if abs(sizes - mean) <= _SAME_SIZE * sizes else _likely_block(mean)


def _count(row: VdbenchRow, key: str) -> int | None:
    value = bt.number(row.cells.get(key))
    if value is not None:
        return int(value) if value == int(value) else None
    text = row.cells.get(key)
    return bt.size_bytes(text) if text else None


def unknown_counts(row: VdbenchRow) -> list[str]:
    """Returns which of threads and sizes hold something that is not a count."""
    texts = ((key, row.cells.get(key, "").strip()) for key in ("threads", "xfersize", "bytes/io"))
    return [key for key, text in texts if text.lower() not in ("", "n/a") and _count(row, key) is None]


def _likely_block(mean: int | None) -> int | None:
    """Returns the I/O size. A mean that is a whole number of sectors was the size of every I/O; any other mean comes
    from a mix."""
    return mean if mean and mean % 512 == 0 else None
