"""SQLIO's text output (v1.5.SG), several runs in one file, and the one-line summaries that scripts make of it.

Source: files of two testers and the tool's own help text [F]. A run begins with `sqlio v1.5.SG` and ends with
`IOs/sec:`, `MBs/sec:` (2^20 bytes). With `-LS` or `-LP` it also has latencies and a histogram. Latencies are whole
milliseconds (cut, so 0 means less than 1 ms); the histogram has whole percents up to `24+` ms. The histogram is kept,
but no percentile can be computed exactly from it. Without `multiple I/Os per thread` each thread has one outstanding
I/O. SQLIO states no time.

Scripts cut the output down to lines such as `-t 2 -o 16, 35946.30 iops, 280.83 MB/sec, 0 ms` or `Run 1 = 36027.40 IOPs,
281.46 MB/sec, 0 ms`, with the same values and units. They do not state the direction: it is `total`, unless the line
has `-kR` or `-kW`. A line `Average = …` repeats the runs and is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem
from workbench.model.reading import Reader, Reading
from workbench.readers.common import latency_buckets
from workbench.readers.common.row_problems import acted, numbered, place_words
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures, LoadedText
from workbench.readers.text.numbers import WRITTEN

LABEL = "sqlio"
_NUMBERS = re.compile(
    r"(?:^[ \t]*(?:IOs/sec|MBs/sec|Avg_Latency\(ms\)):[ \t]*|[,=][ \t]{1,9})"
    rf"(?P<n>{WRITTEN})(?=[ \t]*$|[ ](?:iops|MB/sec|ms)\b)",
    re.MULTILINE | re.IGNORECASE,
)
_MEASURED = re.compile(r"^[ \t]*IOs/sec:[ \t]*\d", re.MULTILINE)
_BEGINS = re.compile(r"\s*sqlio v(\S{1,40})\s*", re.IGNORECASE)
_THREADS = re.compile(r"\s*([0-9]{1,9}) threads? (reading|writing) for [0-9]+ secs (?:from|to) (?:file|files) (.+)")
_ASKED = re.compile(r"\s*using ([0-9]{1,9})KB (random|sequential) IOs\s*")
_DEPTH = re.compile(r"\s*enabling multiple I/Os per thread with ([0-9]{1,9}) outstanding\s*")
_OUTSTANDING = "enabling multiple I/Os"
_FIGURE = re.compile(r"\s*(IOs/sec|MBs/sec|Avg_Latency\(ms\)):\s*+(\S*)\s*")
_HIGHEST = re.compile(r"\s*Max_Latency\(ms\):\s*([0-9]{1,9})\s*")
# Possessive: numbers without a blank between them could be split in too many ways to try.
_BUCKETS = re.compile(r"(ms|%):((?: *+\d{1,4}+\+?+){1,64}) *", re.ASCII)
_SWEEP = re.compile(
    r"\s*(?P<asked>(?:-\w[^,=]{0,200}?,)|(?:Run +[0-9]{1,9} *=)|(?:Average *=))\s*(?P<iops>[0-9][0-9.]*) iops,"
    r"\s*(?P<mb>[0-9][0-9.]*) MB/sec,\s*(?P<ms>[0-9][0-9.]*) ms\s*",
    re.IGNORECASE,
)
_OPTION = re.compile(r"-([kfbto])\s?([^\s,=]+)")
# A line with the words of a value that no pattern above matches.
_SUSPECT = re.compile(
    r"\d iops\b|\d MB/sec|^\s*(?:IOs/sec|MBs/sec|Avg_Latency|ms: \s*\S|%: \s*\S|using \d+KB "
    r"|enabling multiple I/Os |\S+ threads? (?:reading|writing) for )",
    re.IGNORECASE,
)


@dataclass(slots=True)
class _Run:
    """One run while it is parsed: its settings, and its values as text with their lines. `cut` is the line of a value
    that the end of the file cuts off."""

    line: int
    version: str | None
    threads: int | None = None
    op: Op = Op.TOTAL
    file: str | None = None
    block_bytes: int | None = None
    pattern: str | None = None
    depth: int | None = 1
    figures: dict[str, tuple[int, str]] = field(default_factory=dict)
    highest_ms: float | None = None
    cut: int | None = None
    buckets: dict[str, list[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Line:
    """A summary line: its number, its settings, and its three values as text."""

    line: int
    asked: str
    iops: str
    mb: str
    ms: str


def identify(head: bytes, _name: str) -> float:
    """Returns 0.9 for SQLIO's output, 0.7 for a file that begins with summary lines."""
    text = bt.head_text(head)
    lines = text[:4000].split("\n")
    # With its value: a script that writes such files has the same words within its strings.
    if _MEASURED.search(text) and ("CUMULATIVE DATA" in text or "sqlio v" in text):
        return 0.9
    if any(_BEGINS.fullmatch(line) for line in lines):
        return 0.6
    return 0.7 if any(_SWEEP.fullmatch(line) for line in lines) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns a row per run and per summary line. The file is not imported if there is neither."""
    told = bt.load_report(path, name, LABEL, _NUMBERS)
    return told if isinstance(told, Reading) else _reading(*told, name)


READER = Reader(LABEL, identify, read, by_name=True)


def _reading(loaded: LoadedText, problems: list[Problem], name: str) -> Reading:
    rows: list[Benchmark] = []
    averages = [0]
    rejected = 0
    damaged: list[int] = []
    for part in _parts(loaded):
        if isinstance(part, int):
            damaged.append(part)
            continue
        if isinstance(part, _Line) and part.asked.lower().startswith("average"):
            averages.append(part.line)
            continue
        if isinstance(part, _Run) and "IOs/sec" in part.figures:
            problems.extend((*_cut(part, name), *_shares_problem(part, name)))
        outcome = _run_row(part, name) if isinstance(part, _Run) else _line_row(part, name)
        if isinstance(outcome, Problem):
            rejected += 1
            problems.append(outcome)
        else:
            rows.append(outcome)
            if isinstance(part, _Line):
                problems.extend(_option_problems(part, name))
    problems.extend(_damaged(damaged, name))
    rejected += len(damaged)
    if not rows:
        message = problems[0].message if problems else "The file contains no SQLIO run."
        line = problems[0].line if problems else None
        broken = bool(problems) and problems[0].code in ("row-damaged", "not-a-number")
        advice = "copy the file again, or repeat the run" if broken else "repeat the run, and let it finish"
        return bt.refused(LABEL, name, "no-results", message, advice, line, loaded.encoding, rejected)
    problems.extend([*_notes(rows, averages[1:], name), *bt.open_end(loaded, name, problems)])
    return bt.reading_of(LABEL, name, loaded.encoding, rows, problems, rejected)


def _damaged(lines: list[int], name: str) -> Iterator[Problem]:
    if lines:
        where = place_words(len(lines), f"line {lines[0]:,}")
        message = f"{numbered(len(lines), 'line')} of SQLIO results cannot be read ({where})."
        action = acted("line rejected; copy the file again", len(lines))
        yield bt.warning(name, "row-damaged", message, action, line=lines[0])


def _parts(loaded: LoadedText) -> Iterator[_Run | _Line | int]:
    """Returns the runs and summary lines of the file, and the number of each line with unreadable values."""
    run: _Run | None = None
    open_line = loaded.open_line
    for index, line in enumerate(loaded.text.split("\n"), start=1):
        if (begins := _BEGINS.fullmatch(line)) is not None:
            if run is not None:
                yield run
            run = _Run(index, begins[1])
        elif (sweep := _SWEEP.fullmatch(line)) is not None:
            yield _Line(index, sweep["asked"], sweep["iops"], sweep["mb"], sweep["ms"])
        elif run is not None and index == open_line and _FIGURE.fullmatch(line):
            # More lines follow each value: a number at the end of the file may lack digits.
            run.cut = index
        elif run is not None and _take(run, line, index):
            continue
        elif run is None and line.strip() == "CUMULATIVE DATA:":
            run = _Run(index, None)
        elif _SUSPECT.search(line) and index != open_line:
            yield index
    if run is not None:
        yield run


def _take(run: _Run, line: str, index: int) -> bool:
    """Adds the content of a line to the run. Returns False if the line holds nothing known."""
    if (threads := _THREADS.fullmatch(line)) is not None:
        run.threads, run.file = int(threads[1]), threads[3].strip() or None
        run.op = Op.READ if threads[2] == "reading" else Op.WRITE
    elif (match := _ASKED.fullmatch(line)) is not None:
        run.block_bytes, run.pattern = int(match[1]) * 1024, match[2]
    elif (depth := _DEPTH.fullmatch(line)) is not None:
        run.depth = int(depth[1])
    elif (figure := _FIGURE.fullmatch(line)) is not None:
        run.figures.setdefault(figure[1], (index, figure[2]))
    elif (highest := _HIGHEST.fullmatch(line)) is not None:
        run.highest_ms = float(highest[1])
    elif (buckets := _BUCKETS.fullmatch(line)) is not None:
        run.buckets.setdefault(buckets[1], buckets[2].split())
    else:
        if line.strip().startswith(_OUTSTANDING):
            run.depth = None
        return False
    return True


def _cut(run: _Run, name: str) -> Iterator[Problem]:
    """Returns the problem of a run that ends before all its values were printed: MB/s are always expected, shares if
    there are buckets."""
    if run.cut is not None or "MBs/sec" not in run.figures or len(run.buckets) == 1:
        message = f"The SQLIO run that starts at line {run.line} ends before its results are complete."
        action = "the values before the end were imported; copy the file again"
        yield bt.warning(name, "truncated", message, action, line=run.cut or run.line)


def _shares_problem(run: _Run, name: str) -> Iterator[Problem]:
    """Returns the problem of a histogram whose two lines exist but do not match."""
    if len(run.buckets) == 2 and any(map(int, filter(str.isdigit, run.buckets["%"]))) and not _histogram(run):
        message = f"The histogram of the SQLIO run that starts at line {run.line} cannot be read."
        yield bt.warning(
            name,
            "not-a-number",
            message,
            "histogram ignored, results of the run kept; copy the file again",
            line=run.line,
        )


def _histogram(run: _Run) -> latency_buckets.Histogram:
    return latency_buckets.sqlio(run.buckets.get("ms", []), run.buckets.get("%", []), run.highest_ms)


def _run_row(run: _Run, name: str) -> Benchmark | Problem:
    if "IOs/sec" not in run.figures:
        message = f"The SQLIO run that starts at line {run.line} has no results."
        return bt.warning(name, "no-results", message, "run rejected; repeat the run, and let it finish", line=run.line)
    values: dict[str, float | None] = {}
    for key, (line, text) in run.figures.items():
        values[key] = bt.number(text)
        if values[key] is None:
            message = f"'{key}' of an SQLIO run is '{text[:40]}', which is not a number."
            return bt.warning(name, "not-a-number", message, "run rejected; check it in the file", line=line)
    mb = values.get("MBs/sec")
    figures = Figures(values["IOs/sec"], None if mb is None else mb * bt.MIB, values.get("Avg_Latency(ms)"))
    shared = Benchmark(
        path=name,
        tool=LABEL,
        op=run.op,
        tool_version=run.version,
        test=bt.file_stem(name),
        job=run.file,
        block_bytes=run.block_bytes,
        # A run pasted without its first lines does not state its settings.
        queue_depth=run.depth if run.block_bytes is not None else None,
        threads=run.threads,
        read_percent={Op.READ: 100.0, Op.WRITE: 0.0}.get(run.op),
        pattern=run.pattern,
        histogram=_histogram(run),
        line=run.figures["IOs/sec"][0],
    )
    return bt.with_figures(shared, run.op, figures)


def _line_row(line: _Line, name: str) -> Benchmark | Problem:
    iops, mb, ms = bt.number(line.iops), bt.number(line.mb), bt.number(line.ms)
    if iops is None or mb is None or ms is None:
        message = "A line of SQLIO results contains a cell that is not a number."
        return bt.warning(name, "not-a-number", message, "line rejected; check it in the file", line=line.line)
    options = dict(_OPTION.findall(line.asked))
    op = {"R": Op.READ, "W": Op.WRITE}.get(options.get("k", ""), Op.TOTAL)
    block = bt.whole(options.get("b"))
    shared = Benchmark(
        path=name,
        tool=LABEL,
        op=op,
        test=bt.file_stem(name),
        block_bytes=block * 1024 if block else None,
        queue_depth=bt.whole(options.get("o")),
        threads=bt.whole(options.get("t")),
        read_percent={Op.READ: 100.0, Op.WRITE: 0.0}.get(op),
        pattern=options.get("f") if options.get("f") in ("random", "sequential") else None,
        line=line.line,
    )
    return bt.with_figures(shared, op, Figures(iops, mb * bt.MIB, ms))


def _option_problems(line: _Line, name: str) -> list[Problem]:
    """Returns problems for options of a summary line with unreadable numbers."""
    options = dict(_OPTION.findall(line.asked))
    wrong = [f"-{key}" for key in ("b", "o", "t") if key in options and bt.whole(options[key]) is None]
    return bt.left_empty(name, "A line of SQLIO results", wrong, line.line)


def _notes(rows: list[Benchmark], averages: list[int], name: str) -> Iterator[Problem]:
    if any(row.latency_mean_ms == 0 for row in rows):
        message = "SQLIO rounds latencies down to whole milliseconds: 0 ms means less than 1 ms."
        yield bt.info(name, "whole-milliseconds", message, "latencies imported as printed")
    if averages:
        message = "The file also contains a row with the mean of the runs."
        action = "row ignored, so each run counts once"
        yield bt.info(name, "averages", message, action, line=averages[0])
