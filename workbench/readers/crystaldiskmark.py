"""CrystalDiskMark's text (*Save*, *Copy*), versions 3 to 8, several results in one file.

    [Read]                                                                          7 and 8
    SEQ    1MiB (Q=  8, T= 1):   531.458 MB/s [    506.8 IOPS] < 15726.77 us>
    Random Read 4KiB (Q= 32,T= 1) :   384.970 MB/s [  93986.8 IOPS]               5 and 6
    Random Read 4KB (QD=32) :     0.819 MB/s [   199.8 IOPS]                     3 and 4

MB are 10^6 bytes, as each file says. Sizes count in 1024: a 4 KB block is 4,096 bytes in every version. The latency in
7 and 8 is a mean. Before 7, sequential tests state no block size and no IOPS: both stay empty. A skipped test is shown
as 0.000 MB/s and gives no row. The lines below `[Mix] Read 70%/Write 30%` (7 and 8) are reads and writes together. The
date is local time without its zone: rows have no start. Source: files of three testers of 8.0.1 in
soerenmetje/CrystalDiskMark-Parser (c14f53a2); texts of 3.0, 5.2, 6.0, 7.0 and 8.0 on public pages; for 4 KB = 4,096
bytes in 3.0: `OnEditCopy` of its source, DiskMarkDlg.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.model.benchmark import Benchmark, Op
from workbench.model.problem import Problem
from workbench.model.reading import Reader, Reading
from workbench.readers.common.row_problems import counting
from workbench.readers.text import documents as bt
from workbench.readers.text.documents import Figures, LoadedText
from workbench.readers.text.numbers import WRITTEN

LABEL = "crystaldiskmark"
_NUMBERS = re.compile(rf"(?<=[:\[< ])(?P<n>{WRITTEN})(?= (?:MB/s|IOPS\]|us>))")
_BEGINS = re.compile(r"CrystalDiskMark (\d{1,3}\.\d{1,3}[\w.]{0,10}) .{0,60}\(C\) .{0,20}hiyohiyo")
_SECTION = re.compile(r"\[(Read|Write|Mix)\](?: Read (\d{1,3})%/Write (\d{1,3})%)?")
_MEASURED = re.compile(
    r" *(\d{1,9}\.\d{1,3}) MB/s(?: *\[ *(\d{1,12}\.\d) IOPS\])?(?: *< *(\d{1,12}\.\d{1,2}) us>)?", re.ASCII
)
_NEW = re.compile(r" *(SEQ|RND|Sequential|Random) +(\d{1,6} ?[KM]i?B) +\(Q= *(\d{1,6}), ?T= *(\d{1,6})\) ?:", re.ASCII)
_OLD = re.compile(
    r" *(Sequential|Random) (Read|Write)(?: (\d{1,6}Ki?B))?"
    r"(?: \((?:QD= *(\d{1,6})|(?:Q= *(\d{1,6}), ?)?T= *(\d{1,6}))\))? *:",
    re.ASCII,
)
# A line with the words or the values of a test that no pattern above matches.
_SUSPECT = re.compile(r"\W*(?:SEQ|RND|Sequential|Random)(?![a-z])|.{0,200}(?:\d MB/s|IOPS\]|\(Q= )")
_TEST = re.compile(r" *Test ?: (\d{1,6} [KMGT]i?B)(?:.{0,100}?\((x\d{1,3})\))?", re.ASCII)
_OPS = {"Read": Op.READ, "Write": Op.WRITE}


@dataclass(frozen=True, slots=True)
class _Result:
    """One result: its version, the size and passes of its test, and its rows."""

    version: str
    rows: tuple[Benchmark, ...] = ()
    test: str = ""


def identify(head: bytes, _name: str) -> float:
    """Returns 0.9 if CrystalDiskMark's header is present, with its maker."""
    return 0.9 if _BEGINS.search(bt.head_text(head)) else 0.0


def read(path: Path, name: str, _columns: Path) -> Reading:
    """Returns a row for each test that ran. The file is not imported if none ran."""
    told = bt.load_report(path, name, LABEL, _NUMBERS)
    return told if isinstance(told, Reading) else _reading(*told, name)


READER = Reader(LABEL, identify, read, by_name=True)


def _reading(loaded: LoadedText, problems: list[Problem], name: str) -> Reading:
    results = _results(loaded, name, problems)
    rows = [
        replace(row, run=run, job=f"{row.job}, {result.test}" if result.test else row.job)
        for run, result in enumerate(results, start=1)
        for row in result.rows
    ]
    rejected = sum(problem.code == "row-width" for problem in problems)
    if not rows:
        message = "The CrystalDiskMark file contains no results."
        return bt.refused(
            LABEL, name, "no-results", message, "run the tests and save the result again", 1, loaded.encoding
        )
    is_read = rows[-1].line == loaded.open_line or _TEST.match(loaded.text.rpartition("\n")[2])
    problems.extend(bt.open_end(loaded, name, problems) if is_read else [])
    return bt.reading_of(LABEL, name, loaded.encoding, rows, problems, rejected)


def _results(loaded: LoadedText, name: str, problems: list[Problem]) -> list[_Result]:
    results: list[_Result] = []
    section, reads, idle, uncounted = "", None, 0, list[int]()
    for number, line in enumerate(loaded.text.split("\n"), start=1):
        if begins := _BEGINS.search(line):
            results.append(_Result(begins[1]))
            section = ""
        elif not results:
            continue
        elif match := _SECTION.match(line):
            section, reads = match[1], bt.number(match[2])
        elif match := _TEST.match(line):
            results[-1] = replace(results[-1], test=" ".join(filter(None, match.groups())))
            uncounted += [] if match[2] else [number]
        elif "MB/s" in line and (test := _NEW.match(line) or _OLD.match(line)):
            row = _row(test, line, section, reads)
            if row is None:
                message = f"Line {number} of the result is damaged or incomplete: '{line.strip()[:60]}'."
                problems.append(
                    bt.warning(name, "row-width", message, "line rejected; check it in the file", line=number)
                )
            elif not row.mb_per_s:
                idle += 1
            else:
                shared = replace(row, path=name, tool_version=results[-1].version, test=bt.file_stem(name), line=number)
                results[-1] = replace(results[-1], rows=(*results[-1].rows, shared))
        elif _SUSPECT.match(line):
            message = f"Line {number} of the result does not describe a readable test: '{line.strip()[:60]}'."
            problems.append(bt.warning(name, "row-width", message, "line rejected; check it in the file", line=number))
    problems.extend(_left_out(name, idle))
    for result in results:
        if result.rows and not result.test:
            message = "The line with the test size is missing or damaged in a result."
            problems.append(
                bt.warning(
                    name,
                    "row-damaged",
                    message,
                    "test size left empty; check it in the file",
                    line=result.rows[-1].line,
                )
            )
    for number in uncounted:
        message = f"Line {number} contains the test size, but not the number of runs, such as '(x5)'."
        problems.append(bt.warning(name, "row-damaged", message, "test size imported", line=number))
    return results


def _row(test: re.Match[str], line: str, section: str, reads: float | None) -> Benchmark | None:
    """Returns the row of a line, or None if it has no valid values or does not state if it read or wrote. `reads` is
    the read share of mixed tests in percent."""
    measured = _MEASURED.fullmatch(line[test.end() :].rstrip())
    if test.re is _NEW:
        kind, size, depth, threads = test.groups()
        word = section
    else:
        kind, word, size, *depths, threads = test.groups()
        depth = depths[0] or depths[1]
    # Every version states the size of random tests, and the queue depth of each test with IOPS.
    is_whole = (size or kind != "Random") and measured is not None and (depth or threads or not measured[2])
    if measured is None or word not in ("Read", "Write", "Mix") or not is_whole:
        return None
    pattern = "sequential" if kind.upper().startswith("SEQ") else "random"
    op = _OPS.get(word, Op.MIXED)
    latency = bt.number(measured[3])
    figures = Figures(
        iops=bt.number(measured[2]), mb_per_s=bt.number(measured[1]), mean_ms=latency / 1000 if latency else None
    )
    queue = "".join(f"{letter}{count}" for letter, count in (("Q", depth), ("T", threads)) if count)
    shared = Benchmark(
        path="",
        tool="CrystalDiskMark",
        op=op,
        job=" ".join(filter(None, ("SEQ" if pattern == "sequential" else "RND", size, queue))),
        block_bytes=bt.size_bytes(size) if size else None,
        queue_depth=bt.whole(depth),
        threads=bt.whole(threads),
        read_percent={Op.READ: 100.0, Op.WRITE: 0.0}.get(op, reads),
        pattern=pattern,
    )
    return bt.with_figures(shared, op, figures)


def _left_out(name: str, idle: int) -> Iterator[Problem]:
    if idle:
        message = f"{counting(idle, 'test', 'was', 'were')} not run (0.000 MB/s)."
        yield bt.info(name, "not-run", message, "excluded from the results")
