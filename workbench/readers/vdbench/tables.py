"""The tables of vdbench's reports as rows of named cells.

A flatfile has one line of column names (`tod Run Interval reqrate rate MB/sec …`, or `date` in CSV) for all
runs. A summary or totals report has two lines of names that stand one above the other (`i/o` over `rate`), and
before each run a line `Starting RD=name; …; For loops: threads=2`. Reports of file system workloads have names of their
own: operations asked for, then reads and writes, each with its rate and response time (`Read_rate` in the flatfile).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from workbench.readers.text.rows import split_row

_TIME_OF_DAY = re.compile(r"\d{1,2}:\d{2}:\d{2}(?:\.\d{1,6})?")
_INTERVAL = re.compile(r"\d{1,9}$|avg_\d")
_RUN = re.compile(r"Starting RD=([^;<]{1,200})")
_LOOP = re.compile(r"\b(threads|xfersize)=([^\s;,<]{0,60})")
# What is left of a line that starts a run and lost its words, or its loops.
_LOST_START = re.compile(r"\d:\d{2}\.\d{1,6}\b.{0,200}(?:\bRD=[^;]{1,200};|; (?:I/O rate:|elapsed=|For loops:))")
_LOST_LOOPS = re.compile(r"For loops:(?!\s*(?:None|\w{1,40}=))")
_NUMBER = re.compile(r"[0-9][0-9.,]{0,30}|n/a")
# The two lines of names of a report, one above the other, in the words of the flatfile.
# Of a file system workload the first names are these, whatever operations follow.
# 5.04.06 prints `.Interval.`, 5.04.07 `..Interval..`.
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
# Reports of 5.04.08 leave no blank between time of day and interval where both are long.
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
class Row:
    """One row: the line it stands on, its run, its interval (`3`, `avg_2-60`), its cells by column, and its time
    of day.

    A row of a wrong number of cells has none: they cannot be separated.
    """

    line: int
    run: str
    interval: str
    cells: dict[str, str]
    time: str = ""


def flatfile_header(line: str) -> list[str] | None:
    """The names of a flatfile's columns, None where the line is none."""
    if "MB/sec" not in line or ("rate" not in line and "Rate" not in line):
        return None
    names = _split(line, "," in line)
    lower = [name.lower() for name in names]
    if lower[0] not in ("tod", "date") or not {"interval", "resp", "rate"} <= set(lower):
        return None
    if "read_rate" not in lower:
        return names
    return ["MB/sec" if name == "mb/sec" else name for name in lower]


def flatfile_rows(lines: Sequence[str]) -> Iterator[Row]:
    """The rows below the line of names."""
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
            yield Row(line, "", "", {})
            continue
        named = dict(zip(header, cells, strict=True))
        lowered = {name.lower(): value for name, value in named.items()}
        yield Row(line, lowered.get("run", ""), lowered["interval"], named, cells[0])


def report_rows(lines: Sequence[str]) -> Iterator[Row]:
    """The rows of a summary or totals report, with threads and transfer size of their run definition."""
    run, loops, names = "", dict[str, str](), list[str]()
    is_known = True
    for line, content in enumerate(lines, start=1):
        starting = _RUN.search(content)
        if (starting and _LOST_LOOPS.search(content)) or (not starting and _LOST_START.search(content)):
            # Which run the rows below belong to is not known.
            is_known = False
            yield Row(line, "", "", {})
        elif starting is not None:
            run, loops, is_known = starting[1].strip(), dict(_LOOP.findall(content)), True
        elif " interval " in content or _FILE_SYSTEM.search(content):
            below = lines[line] if line < len(lines) else ""
            names = [] if '"' in content + below else _report_names(content, below) or names
        else:
            cells = _JOINED.sub(r"\1 \2", content, count=1).split()
            if len(cells) < 2 or not _TIME_OF_DAY.fullmatch(cells[0]) or not _INTERVAL.match(cells[1]):
                if _is_like_a_row(cells, names):
                    yield Row(line, run, "", {})
                continue
            if len(cells) != len(names) + 2 or not is_known:
                yield Row(line, run, "", {})
            else:
                yield Row(line, run, cells[1], {**loops, **dict(zip(names, cells[2:], strict=True))}, cells[0])


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
    """Whether most of the columns have a number, so that a line is a row that lost its time or its interval."""
    return len(names) > 0 and 2 * sum(_NUMBER.fullmatch(cell.strip('"')) is not None for cell in cells) > len(names)


def _split(line: str, is_csv: bool) -> list[str]:
    if not is_csv:
        return line.split() or [""]
    try:
        return [cell.strip() for cell in next(csv.reader([line]), [""])] or [""]
    except csv.Error:  # a cell longer than the csv module takes
        return [cell.strip() for cell in line.split(",")]
