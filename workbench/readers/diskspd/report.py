"""The parts of a DiskSpd text report: the settings, and the tables of each result.

Console windows wrap at 80 columns. If the head of a table is cut, its lines are joined again at that width.

Some reports print the command line without the input parameters (`-Rtext` of a part); the settings are then read from
it. Options and defaults: DiskSpd's usage text in `CmdLineParser/CmdLineParser.cpp` and `Common/Common.h`
(github.com/microsoft/diskspd, commit c361eed6): blocks of 64 KiB, 2 outstanding I/Os per thread and target, 1 thread
per target, reads only, sequential. `-O` sets the I/Os of a thread, `-F` the total number of threads. The content of a
profile (`-X`) is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from workbench.readers.common.row_problems import numbered
from workbench.readers.text.documents import number, size_bytes, whole

_HEADER = re.compile(r"thread \|\s+bytes\s+\|")
_SECTION = re.compile(r"(Total|Read|Write) IO")
_TIMESPAN = re.compile(r"timespan:\s+([0-9]{1,9})")
_RESULT = re.compile(r"Results for timespan ([0-9]{1,9}):")
_RATIO = re.compile(r"performing mix test \(read/write ratio: ([0-9]{1,3})/([0-9]{1,3})\)")
_OUTSTANDING = re.compile(r"number of outstanding I/O operations(?: per thread)?: ([0-9]{1,9})")
_BLOCK = re.compile(r"block size: ?(.+)")
# The unit of a number, and the function that reads it.
_NUMBERS: dict[str, Callable[[str], object]] = {
    "number of outstanding I/O": _OUTSTANDING.fullmatch,
    "performing mix test": _RATIO.fullmatch,
    "block size": lambda line: (match := _BLOCK.match(line)) and size_bytes(match[1]),
}
_PERCENTILES = re.compile(r"%-ile \|")
_INTERRUPTED = "The test was interrupted before the measurements began"
_MAX_PIECES = 8
# A heading or the fence of a code block: the following text belongs to another test.
_NOTE = re.compile(r"```|#{1,6} ")


@dataclass(frozen=True, slots=True)
class Target:
    """The settings for one file or disk. `outstanding` is per thread."""

    path: str
    block_bytes: int | None = None
    outstanding: int | None = None
    read_percent: float | None = None
    pattern: str | None = None


@dataclass(frozen=True, slots=True)
class DiskSpdTable:
    """One of the tables Total, Read, Write: its columns and the cells of its `total:` line. The cells are None if the
    line is cut off, or if their number differs from the header's columns (without thread and file)."""

    line: int
    columns: tuple[str, ...]
    total: tuple[str, ...] | None = None
    file: str | None = None

    def cell(self, column: str) -> str | None:
        """Returns the cell of the total under a column, or None if there is none."""
        if self.total is None or column not in self.columns:
            return None
        index = self.columns.index(column) - 1
        return self.total[index] if 0 <= index < len(self.total) else None


@dataclass(slots=True)
class DiskSpdResult:
    """The results of one time span, as text. `line` is their first line. `faults` are numbered lines whose cells do not
    match the columns above them. `unread` names the settings that cannot be read."""

    line: int
    targets: tuple[Target, ...] = ()
    host: str | None = None
    started: str | None = None
    seconds: float | None = None
    threads: int | None = None
    interrupted: bool = False
    tables: dict[str, DiskSpdTable] = field(default_factory=dict)
    percentiles: dict[str, dict[str, str]] = field(default_factory=dict)
    faults: list[tuple[int, str]] = field(default_factory=list)
    unread: tuple[str, ...] = ()

    @property
    def file(self) -> str | None:
        """Returns the file in the table's first row, for tables pasted without their parameters."""
        table = self.tables.get("Total")
        return table.file if table else None

    def percentile(self, percent: str, op: str) -> str | None:
        """Returns the text of a percentile (`99th`) of a direction."""
        return self.percentiles.get(percent, {}).get(op)


@dataclass(slots=True)
class _Asked:
    """Input parameters and system information of the next results."""

    spans: dict[str, list[Target]] = field(default_factory=dict)
    span: str = ""
    host: str | None = None
    started: str | None = None
    command: str = ""
    unread: tuple[str, ...] = ()


def results(text: str) -> Iterator[DiskSpdResult]:
    """Yields every result of the text, in order. Never raises."""
    settings = _Asked()
    result: DiskSpdResult | None = None
    lines = _unwrapped(text.split("\n"))
    index = 0
    while index < len(lines):
        number_, line = lines[index]
        stripped = line.strip()
        index += 1
        if stripped == "Input parameters:":
            if result is not None:
                yield result
            result, settings = None, _Asked()
        elif (match := _RESULT.match(stripped)) is not None:
            if result is not None:
                yield result
            result = _begin(number_, match[1], settings)
        elif (section := _SECTION.fullmatch(stripped)) is not None:
            if result is None or section[1] in result.tables:
                if result is not None:
                    yield result
                result = DiskSpdResult(number_)
            table, index = _table(lines, index, number_, result.faults)
            if table is not None:
                result.tables[section[1]] = table
        elif result is None:
            _take_parameter(settings, stripped)
        elif _PERCENTILES.match(stripped):
            result.percentiles, index = _percentile_table(lines, index, stripped, result.faults)
        elif _NOTE.match(stripped) and "Total" in result.tables:
            yield result
            result, settings = None, _Asked()
        elif result.tables:
            _take_parameter(settings, stripped)
        else:
            _take_result_line(result, stripped)
    if result is not None:
        yield result


def _begin(line: int, span: str, settings: _Asked) -> DiskSpdResult:
    targets = tuple(settings.spans.get(span, ()))
    # The report states one start for all time spans: it is the start of the first one.
    started = settings.started if span == "1" else None
    command = None if settings.spans else command_of(settings.command)
    if command is None:
        return DiskSpdResult(line, targets, settings.host, started, unread=settings.unread)
    each = (command.block_bytes, command.outstanding, command.read_percent, command.pattern)
    targets = tuple(Target(path, *each) for path in command.paths)
    return DiskSpdResult(line, targets, settings.host, started, threads=command.threads, unread=settings.unread)


def _take_result_line(result: DiskSpdResult, line: str) -> None:
    key, _, value = line.partition(":")
    value = value.strip()
    if line.startswith(_INTERRUPTED):
        result.interrupted = True
    elif key == "actual test time":
        result.seconds = number(value.removesuffix("s"))
    elif key == "thread count":
        result.threads = whole(value)
        if result.threads is None:
            result.unread += (key,)


def _take_parameter(settings: _Asked, line: str) -> None:
    key, _, value = line.partition(":")
    value = value.strip()
    if key == "Command Line":
        settings.command = value
    elif (match := _TIMESPAN.match(line)) is not None:
        settings.span = match[1]
        settings.spans[settings.span] = []
    elif key == "computer name":
        settings.host = value or None
    elif key == "start time":
        settings.started = value or None
    elif key == "path" and settings.span:
        settings.spans[settings.span].append(Target(value.strip("'")))
    elif settings.span and settings.spans[settings.span]:
        settings.unread += tuple(
            words for words, known in _NUMBERS.items() if line.startswith(words) and not known(line)
        )
        settings.spans[settings.span][-1] = _with_parameter(settings.spans[settings.span][-1], line)


def _with_parameter(target: Target, line: str) -> Target:
    if (match := _BLOCK.match(line)) is not None:
        return replace(target, block_bytes=size_bytes(match[1]))
    if (match := _OUTSTANDING.fullmatch(line)) is not None:
        return replace(target, outstanding=whole(match[1]))
    if (match := _RATIO.fullmatch(line)) is not None:
        return replace(target, read_percent=float(match[1]))
    if line in ("performing read test", "performing write test"):
        return replace(target, read_percent=100.0 if "read" in line else 0.0)
    if line.startswith("using random I/O"):
        return replace(target, pattern="random")
    if line.startswith(("using sequential I/O", "using interlocked sequential I/O")):
        return replace(target, pattern="sequential")
    return target


def _table(
    lines: list[tuple[int, str]], index: int, line: int, faults: list[tuple[int, str]]
) -> tuple[DiskSpdTable | None, int]:
    """Returns the table whose title precedes `index`, and the end of its text. None if no table follows."""
    if index >= len(lines) or not _HEADER.match(lines[index][1].strip()):
        return None, index
    columns = tuple(cell.strip() for cell in lines[index][1].split("|"))
    index += 1
    file: str | None = None
    while index < len(lines):
        text = lines[index][1].strip()
        if text.startswith("total:"):
            cells = tuple(cell.strip() for cell in text.removeprefix("total:").split("|"))
            width = len([name for name in columns[1:] if name != "file"])
            if len(cells) != width and index < len(lines) - 1:
                faults.append(
                    (lines[index][0], f"the totals row has {numbered(len(cells), 'cell')}, but the header has {width}")
                )
            return DiskSpdTable(line, columns, cells if len(cells) == width else None, file), index + 1
        if text and not text.startswith("-") and text.count("|") < 2:
            break
        if file is None and text.count("|") == len(columns) - 1:
            file = re.sub(r" \(\d+(?:[KMGT]i?)?B\)$", "", text.rsplit("|", 1)[1].strip()) or None
        index += 1
    return DiskSpdTable(line, columns, None, file), index


def _percentile_table(
    lines: list[tuple[int, str]], index: int, header: str, faults: list[tuple[int, str]]
) -> tuple[dict[str, dict[str, str]], int]:
    """Returns `50th`, `95th`, … by direction, as text. With several targets the last table covers all of them."""
    ops = [cell.strip().removesuffix(" (ms)") for cell in header.split("|")[1:]]
    listed: dict[str, dict[str, str]] = {}
    while index < len(lines):
        cells = [cell.strip() for cell in lines[index][1].split("|")]
        if len(cells) == 1 and cells[0] and set(cells[0]) != {"-"}:
            break
        if len(cells) > 1 and index == len(lines) - 1 and cells[0] != "max":
            break  # no line end: its numbers may lack digits
        quoted = '"' in lines[index][1]
        if len(cells) == len(ops) + 1 and not quoted:
            listed[cells[0]] = dict(zip(ops, cells[1:], strict=True))
        elif len(cells) > 1:
            listed[cells[0].strip('"')] = {}
            what = (
                "contains a quotation mark"
                if quoted
                else f"has {numbered(len(cells) - 1, 'cell')}, but the header has {len(ops)}"
            )
            faults.append((lines[index][0], f"a percentile row {what}"))
        elif not cells[0] and listed:
            break
        index += 1
    return listed, index


def _unwrapped(lines: list[str]) -> list[tuple[int, str]]:
    """Returns the lines with their numbers. Lines cut by a console window are joined again."""
    width = next((len(line) for line in lines if _HEADER.match(line.strip()) and "file" not in line), 0)
    joined: list[tuple[int, str]] = []
    pieces = 0
    for line_number, line in enumerate(lines, start=1):
        if 0 < pieces <= _MAX_PIECES:
            joined[-1] = (joined[-1][0], joined[-1][1] + line)
        else:
            joined.append((line_number, line))
            pieces = 0
        pieces = pieces + 1 if width and len(line) >= width else 0
    return joined


DEFAULT_BLOCK, DEFAULT_OUTSTANDING, DEFAULT_THREADS = 64 * 1024, 2, 1
_WORD = re.compile(r'"([^"]*)"|(\S+)')
_RANDOM_SHARE = re.compile(r"s(\d{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class DiskSpdCommand:
    """The settings for each target: bytes, outstanding I/Os per thread, total threads, percent of reads."""

    paths: tuple[str, ...]
    block_bytes: int | None
    outstanding: int | None
    threads: int | None
    read_percent: float | None
    pattern: str | None


def command_of(line: str) -> DiskSpdCommand | None:
    """Returns the settings in a command line, or None if it is empty or names a profile. An unreadable option leaves
    only its own value unknown."""
    words = [match[1] if match[1] is not None else match[2] for match in _WORD.finditer(line)][1:]
    options = {word[1:2]: word[2:] for word in words if word[:1] in "-/" and word[1:2]}
    paths = tuple(word for word in words if word[:1] not in "-/")
    if not paths or "X" in options:
        return None
    writes = whole(options.get("w") or "0")
    per_target = _count(options, "t", DEFAULT_THREADS)
    in_all = None if per_target is None else per_target * len(paths)
    return DiskSpdCommand(
        paths,
        size_bytes(options["b"]) if "b" in options else DEFAULT_BLOCK,
        _count(options, "O" if "O" in options else "o", DEFAULT_OUTSTANDING),
        _count(options, "F", 0) if "F" in options else in_all,
        100.0 - writes if writes is not None and writes <= 100 else None,
        _pattern(options.get("r")),
    )


def _count(options: dict[str, str], name: str, default: int) -> int | None:
    return whole(options[name]) if name in options else default


def _pattern(random: str | None) -> str | None:
    """Returns the pattern: `-r`, with an alignment or a distribution, is random; `-rs50` mixes both; without it the I/O
    is sequential."""
    if random is None:
        return "sequential"
    share = _RANDOM_SHARE.match(random)
    return None if share and share[1] != "100" else "random"
