"""fio's terse output (--minimal, --output-format=terse), versions 3 to 5: one line of cells for each job.

    3;fio-3.19;rr;0;0;75344;37672;9418;2000;0;0;0.0;0.0;51;2321;95.98;…;1.000000%=73;…

After version, fio's version, job, group and error each direction has its cells: KiB, KiB/s, IOPS, run time in ms,
four of the submission and four of the completion in microseconds, twenty percentiles, four of the total latency, then
bandwidth (and, in version 5, IOPS) over time. Version 3 has no trims; unified_rw_reporting has one direction, or one
more. CPU, depths and the latency buckets of the whole job follow. IOPS, KiB/s and percentiles are cut to whole numbers.
A line is the document that fio's JSON of the same job would be; lines of one version that follow each other are one
result. The percentiles are of the completion, as fio lists them unless it is asked for others: the line does not say.
Versions 1 and 2 (before fio 2.0) are not read: they do not say by which fio they were written.
Source of the format: HOWTO, "Terse output"; stat.c (`show_thread_status_terse_all`, `show_ddir_status_terse`) of
axboe/fio, fio-2.16 to fio-3.42.
"""

from __future__ import annotations

import re
from typing import Any

from workbench.readers.fio.documents import IN_PART, TERSE, Document, JsonObject

_LINE = re.compile(r"(?:^|[\r>] ?)([345];fio-[^;\n]{1,60};[^\n\r]{60,20000})", re.MULTILINE)
_WHOLE = re.compile(r"\d{1,18}", re.ASCII)
_NUMBER = re.compile(r"\d{1,18}(?:\.\d{1,9})?", re.ASCII)
_SHARE = re.compile(r"\d{1,3}\.\d{1,9}%", re.ASCII)
# A percentile that was not asked for.
_UNUSED = "0%=0"
_PERCENTILE = re.compile(r"(\d{1,3}\.\d{1,9})%=(\d{1,18})", re.ASCII)
_HEAD = 5
_WIDTH = {3: 41, 4: 41, 5: 47}
# Of the cells after the directions: five of the CPU, seven of depths, then the buckets, then nine of each disk.
_DEPTHS_AT, _BUCKETS_AT, _DISKS_AT = 5, 12, 34
_DISK = 9
_STEPS = ("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000")
_USUAL = {3: ("read", "write"), 4: ("read", "write", "trim"), 5: ("read", "write", "trim")}


def find_terse(text: str) -> tuple[list[Document], list[int]]:
    """The results of the text, and the lines of jobs whose cells are not those of their version."""
    results: list[tuple[str, list[JsonObject], list[int]]] = []
    broken: list[int] = []
    for match in _LINE.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        cells = match[1].rstrip().split(";")
        entry = _entry(cells)
        if entry is None:
            broken.append(line)
            continue
        if results and _continues(results[-1], cells[1], entry, line):
            results[-1][1].append(entry)
            results[-1][2].append(line)
        else:
            results.append((cells[1], [entry], [line]))
    return [_document(*result) for result in results], broken


def _continues(result: tuple[str, list[JsonObject], list[int]], version: str, entry: JsonObject, line: int) -> bool:
    """Whether a line is a job more of the result before it: written by the same fio right below, its group as high."""
    before, jobs, lines = result
    return before == version and line - lines[-1] <= 1 and bool(entry["groupid"] >= jobs[-1]["groupid"])


def _document(version: str, jobs: list[JsonObject], lines: list[int]) -> Document:
    content: dict[str, Any] = {IN_PART: TERSE, "fio version": version, "jobs": jobs}
    return Document(lines[0], content, lines=tuple(lines))


def _entry(cells: list[str]) -> JsonObject | None:
    """The job of a line; None where its cells do not fit its version."""
    version = int(cells[0])
    width, usual = _WIDTH[version], _USUAL[version]
    at = next(
        (_HEAD + count * width for count in (len(usual), 1, len(usual) + 1) if _ends(cells, _HEAD + count * width)),
        None,
    )
    quoted = sum(cell.count('"') for cell in cells) % 2
    if at is None or quoted or not (_WHOLE.fullmatch(cells[3]) and _WHOLE.fullmatch(cells[4])):
        return None
    count = (at - _HEAD) // width
    names = ("mixed",) if count == 1 else (*usual, "mixed")[:count]
    entry: JsonObject = {"jobname": cells[2], "groupid": int(cells[3]), "error": int(cells[4]), "job options": {}}
    for index, name in enumerate(names):
        section = _section(cells[_HEAD + index * width :][:width])
        if section is None:
            return None
        entry[name] = section
    depths, shares = cells[at + _DEPTHS_AT : at + _BUCKETS_AT], cells[at + _BUCKETS_AT : at + _DISKS_AT]
    whole = len(depths) + len(shares) == _DISKS_AT - _DEPTHS_AT and all(map(_SHARE.fullmatch, depths + shares))
    if not whole or not _is_tail(cells[at + _DISKS_AT :]):
        return None
    entry["latency_us"] = _shares(_STEPS, shares[:10])
    entry["latency_ms"] = _shares((*_STEPS, "2000", ">=2000"), shares[10:])
    return entry


def _ends(cells: list[str], at: int) -> bool:
    """Whether the cells of the CPU stand here: two shares and three counts."""
    after = cells[at : at + 5]
    return len(after) == 5 and all(map(_SHARE.fullmatch, after[:2])) and all(map(_WHOLE.fullmatch, after[2:]))


def _is_tail(cells: list[str]) -> bool:
    """Whether these are the cells of disks, then those of `continue_on_error` and the description, if there are any."""
    while len(cells) >= _DISK and all(map(_WHOLE.fullmatch, cells[1 : _DISK - 1])) and _SHARE.fullmatch(cells[8]):
        cells = cells[_DISK:]
    if len(cells) > 1 and all(map(_WHOLE.fullmatch, cells[:2])):
        cells = cells[2:]
    # A description may hold semicolons: it is the rest, and begins with a word.
    return not cells or not (_WHOLE.fullmatch(cells[0]) or any(map(_SHARE.fullmatch, cells)))


def _section(cells: list[str]) -> JsonObject | None:
    """One direction in the words of fio's JSON, latencies in nanoseconds."""
    counts = [int(cell) if _WHOLE.fullmatch(cell) else None for cell in cells[:4]]
    kib, kib_s, iops, runtime = counts
    slat, clat, lat = (_statistics(cells[at : at + 4]) for at in (4, 8, 32))
    if kib is None or kib_s is None or iops is None or runtime is None or not (slat and clat and lat):
        return None
    listed = [match for cell in cells[12:32] if (match := _PERCENTILE.fullmatch(cell))]
    if len(listed) < sum(cell != _UNUSED for cell in cells[12:32]):
        return None
    percentiles = {match[1]: int(match[2]) * 1000 for match in listed}
    # Fewer than one I/O each second stands as 0: that some were done is known from what they moved.
    ios = max(iops * runtime / 1000, 1.0 if kib else 0.0)
    return {
        "io_bytes": kib * 1024,
        "io_kbytes": kib,
        "bw": kib_s,
        "iops": iops,
        "runtime": runtime,
        "total_ios": ios,
        "slat_ns": slat,
        "clat_ns": {**clat, **({"percentile": percentiles} if percentiles else {})},
        "lat_ns": lat,
    }


def _statistics(cells: list[str]) -> JsonObject | None:
    """Maximum and mean of four cells in microseconds."""
    if len(cells) < 3 or not (_NUMBER.fullmatch(cells[1]) and _NUMBER.fullmatch(cells[2])):
        return None
    return {"max": float(cells[1]) * 1000, "mean": float(cells[2]) * 1000}


def _shares(labels: tuple[str, ...], cells: list[str]) -> JsonObject:
    pairs = zip(labels, cells, strict=False)
    return {label: float(cell[:-1]) for label, cell in pairs if _SHARE.fullmatch(cell)}
