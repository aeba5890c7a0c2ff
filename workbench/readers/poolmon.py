"""poolmon: the content of the RAM cache of PVS, from snapshots of the kernel's memory pools (tag VhdR, nonpaged).

Any text of poolmon is read: the screen redirected into a file, `poolmon /n FILE`, and many snapshots appended to one
log. Three numbers per snapshot are kept, in bytes: the nonpaged bytes of VhdR (the RAM cache) and of VhdL (other data
of the driver), and the whole nonpaged pool (`Pool N`). The time of a snapshot is the one written next to it, otherwise
the one in the file's name, otherwise the file's own time, with a warning. The machine is the one named in the text
(`Computer: …`), otherwise the file's name, otherwise its folder.

Sources: Microsoft, "PoolMon Display" and "PoolMon Startup Command"
(learn.microsoft.com/windows-hardware/drivers/devtest/poolmon-display, …/poolmon-startup-command); Citrix, "Analyzing
PVS RAM Cache with Overflow"
(docs.citrix.com/en-us/advanced-concepts/implementation-guides/digging-into-pvs-with-poolmon-and-wpa.html).

A row as poolmon writes it, on the screen and with `/n` into a file; the numbers in parentheses may be absent:

    Tag  Type     Allocs            Frees            Diff   Bytes       Per Alloc
    VhdR Nonp      51234 (   0)      1234 (   0)    50000 204800000 (     0)   4096

A script that keeps only the output of `findstr VhdR` leaves rows without headers: each row of VhdR is then a snapshot.

poolmon writes no time, but a script may write one between snapshots. These forms are read: dates with numbers (`Tue
05/10/2016  9:00:01.23`, ISO-8601, also date and time on separate lines, as `date /t` and `time /t` write them) and
PowerShell's `Tuesday, May 10, 2016 9:00:01 AM`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from workbench.model.reading import Reader, Reading
from workbench.model.recording import DateOrder, FileReport
from workbench.readers.common.row_problems import Problems, numbered
from workbench.readers.login.metrics import Sample, recording_of
from workbench.readers.text.documents import LoadedText, head_text, load, refused
from workbench.readers.text.timestamps import (
    DAY,
    SECOND,
    STATED_ORDERS,
    Order,
    Stamps,
    decide_order,
    guess_order,
    iso,
    parse_texts,
    to_microseconds,
)

LABEL = "poolmon"
OBJECT = "PoolMon"
_MACHINE = re.compile(
    r"\b(?:computer|host|machine)\s?(?:name)?\s{0,4}[:=]\s{0,8}([A-Za-z0-9][A-Za-z0-9.-]{0,62})", re.IGNORECASE
)
_TOOL = re.compile(
    r"(?<![a-z])(?:pool(?:mon|snap|tags?)?|snap(?:shots?)?|vhd[rl]|ram|cache|log)(?![a-z])", re.IGNORECASE
)
# Folders for one part of a run that are not machines.
_PARTS = frozenset(
    ("guest", "guests", "vm", "vms", "logs", "log", "results", "raw", "data", "poolmon", "poolsnap", "perf")
)


def identify(head: bytes, _name: str) -> float:
    """Returns 1.0 for a text with the headers of poolmon's columns, or with rows of the tags of PVS."""
    return 1.0 if is_poolmon(head_text(head)) else 0.0


def read(path: Path, name: str, columns: Path, order: str = "") -> Reading:
    """Returns every snapshot that lists VhdR and has a known time, and a problem for each other one; `order` (mdy, dmy,
    ymd) decides ambiguous dates."""
    loaded = load(path, name, LABEL)
    if isinstance(loaded, Reading):
        return loaded
    listed, behind = snapshots(loaded.text)
    problems = Problems(name)
    try:
        times, offset = _times(listed, behind, path, name, STATED_ORDERS.get(order), problems)
    except UndecidedError as undecided:
        if (guess := undecided.guess) is not None:
            reading = read(path, name, columns, guess.order)
            recording = reading.recording
            return reading if recording is None else replace(reading, recording=replace(recording, dates=guess))
        message = f"The dates of the snapshots, such as '{undecided}', may have the month first or the day first."
        advice = 'set date_order = "mdy" or "dmy" in run.toml'
        return refused(LABEL, name, "ambiguous-date", message, advice, encoding=loaded.encoding, rejected=len(listed))
    machine = _machine(loaded.text, path, name)
    if not machine:
        problems.warn(
            "machine-not-named",
            "The text, file name and folder name do not contain the machine name.",
            "imported without a machine name; put it into the file name, as in 'W10-001 poolmon.txt'",
        )
    samples: list[Sample] = []
    rejected = 0
    for snapshot, time in zip(listed, times, strict=True):
        for line in snapshot.damaged:
            message = f"Line {line:,}: the numbers in this row contradict each other."
            problems.warn("row-damaged", message, "row rejected; check it in the file", line)
        if CACHE in snapshot.bytes and time is not None:
            samples += _samples(snapshot, time, machine)
        else:
            rejected += 1
            _leave_out(snapshot, time, problems)
    problems.tell_open_end(loaded.open_line)
    return _reading(name, columns, loaded, samples, offset, rejected, problems)


def _reading(
    name: str,
    columns: Path,
    loaded: LoadedText,
    samples: list[Sample],
    offset: int | None,
    rejected: int,
    problems: Problems,
) -> Reading:
    recording = recording_of(samples, columns, offset, problems)
    report = FileReport(name, LABEL, recognised=True, encoding=loaded.encoding, rejected_rows=rejected)
    if recording is None:
        return Reading(report, problems.all())
    cells = recording.rows * len(recording.series)
    report = replace(
        report,
        rows=recording.rows,
        columns=len(recording.series),
        hosts=recording.hosts,
        first=iso(recording.first_us, offset),
        last=iso(recording.last_us, offset),
        utc_offset_minutes=offset,
        cells=cells,
        missing_cells=max(0, cells - len(samples)),
        # Two snapshots with one time are one row.
        rejected_rows=rejected + sum(CACHE in sample.name for sample in samples) - recording.rows,
    )
    return Reading(report, problems.all(), recording)


def _samples(snapshot: Snapshot, time: int, machine: str) -> list[Sample]:
    at = time / SECOND
    cells = [(f"{tag} Nonpaged Bytes", snapshot.bytes[tag]) for tag in (CACHE, DRIVER) if tag in snapshot.bytes]
    if snapshot.pool is not None:
        cells.append(("Pool N Bytes", snapshot.pool))
    return [Sample(at, machine, f"{OBJECT}: {counter}", "", "", "", float(value)) for counter, value in cells]


def _leave_out(snapshot: Snapshot, time: int | None, problems: Problems) -> None:
    if CACHE not in snapshot.bytes:
        problems.info(
            "no-pvs-tag",
            f"The snapshot on line {snapshot.line:,} ({numbered(snapshot.rows, 'tag')}) does not contain {CACHE}, "
            "the tag of the PVS RAM cache.",
            "snapshot ignored",
            snapshot.line,
        )
    elif time is None:
        problems.warn(
            "snapshot-without-time",
            f"The snapshot on line {snapshot.line:,} has no time, and the file contains several snapshots.",
            "snapshot ignored; let the script write the date and time before each snapshot",
            snapshot.line,
        )


def _times(
    listed: Sequence[Snapshot], behind: str, path: Path, name: str, stated: Order | None, problems: Problems
) -> tuple[list[int | None], int | None]:
    """Returns the time of each snapshot and the offset of these times in minutes, None if they are local."""
    times = moments([*(snapshot.before for snapshot in listed), behind], stated)
    # A script may write the time after each snapshot.
    written = times[1:] if times[0] is None and times[-1] is not None else times[:-1]
    if any(time is not None for time in written) or not listed:
        return written, None
    if len(listed) > 1:
        return [None] * len(listed), None
    if (moment := moment_in_name(PurePosixPath(name).name)) is not None:
        problems.info(
            "time-from-name", "The time of the snapshot is taken from the file name.", "time treated as local time"
        )
        return [moment], None
    problems.warn(
        "time-from-file",
        "Neither the file nor its name contains a time.",
        "modification time used instead, which copying may change; let the script write the time before the snapshot",
    )
    return [path.stat().st_mtime_ns // 1000], 0


def _machine(text: str, path: Path, name: str) -> str:
    if stated := _MACHINE.search(text):
        return stated[1]
    shown = PurePosixPath(name)
    # The text between the date, the tool's name and a running number.
    parts = _TOOL.sub("\0", without_moment(shown.stem)).split("\0")
    own = [re.sub(r"_\d{1,4}$", "", part).strip(" _.-") for part in parts if re.search("[A-Za-z]", part)]
    if own:
        return own[0]
    folder = shown.parent.name or (path.parent.name if path.name == shown.name else "")
    return "" if folder.casefold() in _PARTS else folder


READER = Reader(LABEL, identify, read, by_place=True, read_dated=read)


# The RAM cache, and other data of the driver.
CACHE, DRIVER = "VhdR", "VhdL"
_CHANGE = r"(?:\(\s{0,12}-?\d{1,20}\))?"
_ROW = re.compile(
    rf"\s{{0,4}}(?P<tag>\S.{{2}}\S)\s{{1,4}}Nonp\s{{1,20}}(?P<allocs>\d{{1,20}})\s{{0,20}}{_CHANGE}\s{{1,20}}(?P<frees>\d{{1,20}})\s{{0,20}}"
    rf"{_CHANGE}\s{{1,20}}(?P<diff>-?\d{{1,20}})\s{{1,20}}(?P<bytes>\d{{1,18}})\s{{0,20}}{_CHANGE}\s{{1,20}}\d{{1,20}}(?:\s{{1,20}}[^\s\d(\"].{{0,200}})?",
    re.ASCII,
)
_ANY_ROW = re.compile(r"\s{0,4}\S.{0,3}\s{1,4}(?:Nonp|Paged)\s{1,20}\d")
_COLUMNS = re.compile(r"Tag\s{1,8}Type\s{1,12}Allocs\s{1,20}(?:\(.{0,12}\)\s{0,20})?Frees\s")
_BEGIN = re.compile(r"\s{0,4}Memory:\s{0,12}\d{1,15}K\s{1,12}Avail:")
_QUIET = re.compile(r"\s{0,4}(?:Commit:|System pool information|Total\s)|\s{0,400}\Z")
_POOL = re.compile(r"Pool N:\s{0,12}(\d{1,15})K", re.ASCII)
_ROW_OF_CACHE = re.compile(r"^\s{0,4}Vhd[RL]\s{1,4}Nonp\s{1,20}\d", re.M)


@dataclass
class Snapshot:
    """One snapshot: its first line, its nonpaged bytes by tag (only those of PVS), and the whole nonpaged pool in
    bytes. `before` is the text between the previous snapshot and this one."""

    line: int
    before: str
    bytes: dict[str, int] = field(default_factory=dict)
    pool: int | None = None
    rows: int = 0
    columns: bool = False
    damaged: list[int] = field(default_factory=list)


def is_poolmon(text: str) -> bool:
    """True if a text holds the headers of poolmon's columns, or rows of the tags of PVS."""
    return _COLUMNS.search(text) is not None or _ROW_OF_CACHE.search(text) is not None


def snapshots(text: str) -> tuple[list[Snapshot], str]:
    """Returns the snapshots in order, and the text after the last one."""
    listed: list[Snapshot] = []
    between: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        heads, row, pool = _COLUMNS.search(line), _ROW.fullmatch(line.rstrip()), _POOL.search(line)
        # The line with the pools is the second line of a snapshot; the first may be damaged.
        begins = _BEGIN.match(line) or (pool and listed and listed[-1].pool is not None)
        if begins or (heads and (not listed or listed[-1].columns)) or (row and _stands_alone(listed, row["tag"])):
            listed.append(Snapshot(number, "\n".join(between)))
            between = []
        last = listed[-1] if listed else None
        if row or _ANY_ROW.match(line):
            _count(last, row, line, number)
        elif heads and last:
            last.columns = True
        elif last and pool:
            last.pool = 1024 * int(pool[1])
        elif not begins and not _QUIET.match(line):
            between.append(line)
    return listed, "\n".join(between)


def _stands_alone(listed: list[Snapshot], tag: str) -> bool:
    """True if a row begins a snapshot without headers."""
    return not listed or tag in listed[-1].bytes


def _count(snapshot: Snapshot | None, row: re.Match[str] | None, line: str, number: int) -> None:
    if snapshot is None:
        return
    snapshot.rows += 1
    if line.lstrip()[:4] not in (CACHE, DRIVER) or "Nonp" not in line:
        return
    # An extra or missing number would be in another column, so these three are checked together.
    if row and int(row["allocs"]) - int(row["frees"]) == int(row["diff"]):
        snapshot.bytes[row["tag"]] = int(row["bytes"])
    else:
        snapshot.damaged.append(number)


_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = r"(?P<time>\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,6})?\d{0,3})?)(?P<half>\s?[AaPp]\.?[Mm]\b)?"
_NUMBERS = re.compile(
    rf"(?:\b(?P<day>{'|'.join(_DAYS)})[a-z]{{0,6}},?\s{{1,3}})?"
    rf"(?<![\d.:])(?P<date>\d{{1,4}}(?P<mark>[/.-])\d{{1,2}}(?P=mark)\d{{1,4}})[^\d]{{1,60}}{_CLOCK}",
    re.I,
)
_WORDS = re.compile(
    rf"\b(?P<month>{'|'.join(_MONTHS)})[a-z]{{0,6}}\s{{1,3}}(?P<of_month>\d{{1,2}}),\s{{1,3}}(?P<year>\d{{4}})"
    rf"[^\d]{{1,20}}{_CLOCK}",
    re.I,
)
_IN_NAME = re.compile(
    r"(?<!\d)(20\d{2})[-_.]?([01]\d)[-_.]?([0-3]\d)[-_T. ]{0,3}([0-2]\d)[-_.:h]?([0-5]\d)(?:[-_.:m]?([0-5]\d))?(?!\d)"
)


class UndecidedError(Exception):
    """Dates that fit both orders of day and month; the text is one of them. `guess` is set if all dates are of one
    day."""

    def __init__(self, text: str, guess: DateOrder | None) -> None:
        super().__init__(text)
        self.guess = guess


def moment_in_name(name: str) -> int | None:
    """Returns the date and time in a file's name as microseconds since 1970, as a clock showed them; None without
    one."""
    match = _IN_NAME.search(name)
    if match is None:
        return None
    year, month, day, hour, minute, second = (part or "00" for part in match.groups())
    stamps = parse_texts([f"{year}-{month}-{day} {hour}:{minute}:{second}"])
    times, valid = to_microseconds(stamps, Order.YEAR_FIRST)
    return int(times[0]) if valid[0] else None


def without_moment(name: str) -> str:
    """Returns a file's name with a NUL in place of its date and time."""
    return _IN_NAME.sub("\0", name)


def moments(texts: Sequence[str], stated: Order | None) -> list[int | None]:
    """Returns the time in each text, in microseconds since 1970 as the clock showed it; None if there is none. `stated`
    is the order of day and month that the run states. Raises UndecidedError."""
    written = [_stamp(text) for text in texts]
    known = [stamp for stamp in written if stamp is not None]
    stamps = parse_texts([stamp for stamp, _ in known])
    order = decide_order(stamps, trusted=False) or _by_weekday([day for _, day in known], stamps) or stated
    if order is None:
        raise UndecidedError(known[0][0], guess_order(stamps, ""))
    times, valid = to_microseconds(stamps, order)
    values = iter([int(time) if ok else None for time, ok in zip(times, valid, strict=True)])
    return [None if stamp is None else next(values) for stamp in written]


def _stamp(text: str) -> tuple[str, str] | None:
    """Returns date and time as numbers, and the weekday if it is next to them; the last of several."""
    stamps = [(match.start(), _in_numbers(match)) for match in _NUMBERS.finditer(text)]
    stamps += [(match.start(), _in_words(match)) for match in _WORDS.finditer(text)]
    return max(stamps)[1] if stamps else None


def _in_numbers(match: re.Match[str]) -> tuple[str, str]:
    return f"{match['date']} {_clock(match)}", (match["day"] or "").lower()


def _in_words(match: re.Match[str]) -> tuple[str, str]:
    month = _MONTHS.index(match["month"].lower()) + 1
    return f"{match['year']}-{month:02}-{int(match['of_month']):02} {_clock(match)}", ""


def _clock(match: re.Match[str]) -> str:
    time = match["time"]
    seventh = re.search(r"[.,]\d{6}", time)
    return (time[: seventh.end()] if seventh else time) + (match["half"] or "").replace(".", "")


def _by_weekday(days: Sequence[str], stamps: Stamps) -> Order | None:
    """Returns the order in which every named weekday fits its date."""
    if not any(days):
        return None
    fits = [order for order in (Order.MONTH_FIRST, Order.DAY_FIRST) if _fit(days, stamps, order)]
    return fits[0] if len(fits) == 1 else None


def _fit(days: Sequence[str], stamps: Stamps, order: Order) -> bool:
    times, valid = to_microseconds(stamps, order)
    # 1 January 1970 was a Thursday.
    return all(
        ok and _DAYS[(int(time) // DAY + 3) % 7] == day for day, time, ok in zip(days, times, valid, strict=True) if day
    )
