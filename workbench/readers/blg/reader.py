r"""Windows Performance Monitor's binary logs (.blg), on any system.

A binary log is an event trace (see `blg.container`). Its events hold a catalogue of counters (see `blg.catalogue`) and
raw samples (see `blg.samples`, `blg.objects`). The documented formula of each counter type turns raw values into the
values that perfmon shows (see `blg.cook`). Three forms are read: single counters (`\Memory\Available Bytes`), one
counter of many instances (`\Processor(*)\% Processor Time`), and whole objects (`\Process(*)\*`). The evidence is a
64-bit log of 2013 and a 32-bit log of 2007.

The layout was worked out from the bytes of those two logs and from public documentation. The numbers have NOT been
compared with relog, Windows' own converter; the import report of every log says so. docs/formats/blg.md lists the open
questions.

Times are local, as in perfmon's text logs; units are those of perfmon. One file becomes one recording, and rows in =
rows kept + rows rejected. The import report also lists lost, skipped and doubtful data.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import numpy as np

from workbench.file_replace import delete_file
from workbench.model.problem import Severity, few_named
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.readers.blg import container
from workbench.readers.blg.catalogue import CatalogueEntry, Names, parse_catalogue, parse_names
from workbench.readers.blg.container import (
    Buffers,
    Damage,
    EventMessage,
    LogHeader,
    is_plausible,
    to_unix_microseconds,
    utc_offset,
)
from workbench.readers.blg.cook import TYPES, type_name
from workbench.readers.blg.samples import Columns, RawCounter, RawSample, SampleReader, TooManyCountersError
from workbench.readers.blg.table import BlgTable, TooManyCellsError
from workbench.readers.common.below_zero import Below, take_out
from workbench.readers.common.recorded import recorded
from workbench.readers.common.row_problems import Problems, acted, counting, numbered, place_words, quoted
from workbench.readers.perfmon.series import describe, note_language
from workbench.readers.text.timestamps import TimeStep, shifted, steps_back

LABEL = "blg"
_ENDING = ".blg"


@dataclass(slots=True)
class _Found:
    """The content of the messages read so far. `rejected` holds the offsets of unreadable samples."""

    columns: Columns = field(default_factory=Columns)
    names: Names = field(default_factory=dict)
    readers: dict[tuple[CatalogueEntry, ...], SampleReader] = field(default_factory=dict)
    current: SampleReader | None = None
    rejected: list[int] = field(default_factory=list)
    early: int = 0
    bad_catalogues: list[int] = field(default_factory=list)
    bad_names: int = 0


class _RefusedError(Exception):
    """The log holds no usable data."""

    def __init__(self, code: str, message: str, action: str) -> None:
        super().__init__(message)
        self.code, self.message, self.action = code, message, action


def identify(head: bytes, name: str) -> float:
    """Returns 1.0 for an event trace that holds perfmon's events or whose original or current name ends in `.blg`;
    otherwise 0.

    The first buffer of a trace holds only its header, and usually there is nothing more to check.
    """
    header = container.parse_header(head)
    if header is None:
        return 0.0
    ends = name.casefold().endswith(_ENDING) or header.file_name.casefold().endswith(_ENDING)
    return 1.0 if ends or container.PROVIDER in head else 0.0


def read(path: Path, name: str, columns: Path) -> Reading:
    """Returns the recording of one log and writes its samples to `columns`; see `workbench.model.reading.Reader`."""
    problems = Problems(name)
    before = path.stat()
    collected, damage = _Found(), Damage()
    try:
        with path.open("rb") as stream:
            reading = _read(stream, before.st_size, name, columns, collected, damage, problems)
    except _RefusedError as refused:
        problems.add(Severity.REFUSED, refused.code, refused.message, refused.action)
        return _without_samples(name, problems, _lost(collected, damage))
    after = path.stat()
    if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
        delete_file(columns)
        problems.add(
            Severity.REFUSED,
            "changed-while-read",
            "The file changed while it was read.",
            "file not imported; open it again after the recording has ended",
        )
        return _without_samples(name, problems, reading.report.rows + reading.report.rejected_rows)
    return reading


READER = Reader(LABEL, identify, read)


def _read(
    stream: BinaryIO, size: int, name: str, columns: Path, collected: _Found, damage: Damage, problems: Problems
) -> Reading:
    header = container.parse_header(stream.read(1 << 16))
    if header is None:
        raise _RefusedError(
            "no-event-trace",
            "The file does not begin with an event trace header.",
            "file not imported; copy it again, or run 'relog in.blg -f csv -o out.csv' on Windows",
        )
    buffers = container.find_buffers(stream, size, header.buffer_size, damage)
    # The name starts like that of the columns, so its owner is recognisable.
    with tempfile.TemporaryDirectory("", f"{columns.name}.", columns.parent, ignore_cleanup_errors=True) as folder:
        table = BlgTable(collected.columns, Path(folder))
        try:
            for message in container.messages(stream, buffers, damage):
                _take(message, collected, table)
        except (TooManyCountersError, TooManyCellsError):
            rows = len(table.stamps)
            collected.rejected += [0] * rows
            raise _RefusedError(
                "too-large",
                f"The log has {len(collected.columns.counters):,} counters in {rows:,} samples, "
                "too many for one table.",
                "file not imported; convert it with relog and choose fewer counters: 'relog in.blg -c …'",
            ) from None
        note_container(header, buffers, damage, problems)
        note_messages(collected.bad_catalogues, collected.bad_names, problems)
        note_samples(collected.rejected, collected.early, damage, problems)
        if not table.stamps or not collected.columns.counters:
            collected.rejected += [0] * len(table.stamps)
            raise _empty(collected, damage)
        return _written(table, header, name, columns, collected, damage, problems)


def _take(message: EventMessage, collected: _Found, table: BlgTable) -> None:
    """Adds the content of one message to `collected` or `table`."""
    if message.kind == container.NAMES:
        collected.bad_names += not parse_names(message.body, collected.names)
    elif message.kind == container.CATALOGUE:
        entries = parse_catalogue(message.body)
        if entries is None:
            collected.bad_catalogues.append(message.place)
            collected.current = None  # the following samples belong to an unknown catalogue
            return
        if entries not in collected.readers:
            collected.readers[entries] = SampleReader(entries, collected.names, collected.columns)
        collected.current = collected.readers[entries]
    elif message.kind == container.SAMPLE:
        sample = _sample(message, collected)
        if sample is not None:
            table.add(sample)


def _sample(message: EventMessage, collected: _Found) -> RawSample | None:
    if collected.current is None:
        collected.early += 1
        return None
    sample = collected.current.read(message.stamp, message.body) if is_plausible(message.stamp) else None
    if sample is None:
        collected.rejected.append(message.place)
    return sample


def _lost(collected: _Found, damage: Damage) -> int:
    """Returns the samples that are in the file, whole or in part, but could not be read."""
    return len(collected.rejected) + collected.early + len(damage.incomplete.get(container.SAMPLE, ()))


def _empty(collected: _Found, damage: Damage) -> _RefusedError:
    convert = "file not imported; convert it on Windows with 'relog in.blg -f csv -o out.csv'"
    if collected.bad_catalogues or container.CATALOGUE in damage.incomplete:
        return _RefusedError("bad-catalogue", "The counter list of the log cannot be read.", convert)
    if not collected.readers and not _lost(collected, damage):
        return _RefusedError(
            "no-counters",
            "The file is a Windows event trace, but contains no performance counters in a known format.",
            "file not imported; open a log of performance counters",
        )
    if not collected.readers:
        return _RefusedError("no-catalogue", "The counter list of the log is missing.", convert)
    return _RefusedError("no-rows", "The log contains no readable sample.", convert)


def _written(
    table: BlgTable, header: LogHeader, name: str, columns: Path, collected: _Found, damage: Damage, problems: Problems
) -> Reading:
    offset, source = utc_offset(header.zone, table.stamps[0], header.started)
    note_clock(offset, source, problems)
    times = np.array([to_unix_microseconds(stamp) for stamp in table.stamps], np.int64)
    steps = steps_back(times)
    note_steps(steps, problems)
    times = shifted(times, steps)
    missing, below_zero = table.write(times, columns)
    counters = collected.columns.counters
    note_counters(counters, tuple(collected.readers.values()), problems)
    note_cooked(counters, table.back, table.idle_over, problems)
    series = describe([counter.path for counter in counters])
    note_language(series, False, None, problems)
    missing += note_below_zero(take_out(columns, below_zero, series), counters, problems)
    rejected = _lost(collected, damage)
    return recorded(name, LABEL, times, series, offset, missing, rejected, problems.all())


def _without_samples(name: str, problems: Problems, rows: int) -> Reading:
    report = FileReport(path=name, reader=LABEL, recognised=True, rejected_rows=rows)
    return Reading(report, problems.all())


_LISTED = 3
_CONVERT = "convert the log on Windows with 'relog in.blg -f csv -o out.csv'"
_KINDS = {
    container.CATALOGUE: "catalogue",
    container.SAMPLE: "sample",
    container.NAMES: "list of names",
    container.SUMMARY: "summary",
}


def note_container(header: LogHeader, buffers: Buffers, damage: Damage, problems: Problems) -> None:
    """Notes events that Windows lost while recording, and parts of the file that cannot be read."""
    if header.events_lost or header.buffers_lost:
        problems.warn(
            "lost-while-recording",
            f"Windows lost {numbered(header.events_lost, 'event')} and {numbered(header.buffers_lost, 'buffer')} "
            "during the recording.",
            "rates next to gaps are means over the gaps; next time, record fewer counters or less often",
        )
    if header.buffers_written > buffers.found or buffers.gaps:
        number = max(header.buffers_written - buffers.found, buffers.gaps)
        problems.warn(
            "buffers-missing",
            f"{counting(number, 'buffer', 'is', 'are')} missing from the log, "
            "so rates next to gaps are means over the gaps.",
            "other buffers imported; copy the file again",
        )
    if buffers.reordered:
        problems.info(
            "buffers-reordered",
            "The buffers are not in the order in which they were written. This is normal for a circular log.",
            "buffers imported in the order of their sequence numbers",
        )
    if damage.cut_buffers:
        problems.warn(
            "truncated",
            f"The file ends inside the buffer that begins at byte {damage.cut_buffers[0]:,}.",
            "file imported up to this point; copy the file again",
        )
    if damage.bad_buffers:
        number, places = len(damage.bad_buffers), _places(damage.bad_buffers)
        message = f"{numbered(number, 'buffer')} of the log cannot be read ({places})."
        problems.warn("bad-buffer", message, acted("buffer rejected; copy the file again", number))
    if damage.unread_bytes:
        problems.warn(
            "bad-event",
            f"{counting(damage.unread_bytes, 'byte', 'is', 'are')} not part of a valid event "
            f"({place_words(damage.unread_bytes, f'byte {damage.unread_from or 0:,}')}).",
            "the rest of each damaged buffer was ignored; copy the file again",
        )


def note_messages(bad_catalogues: Sequence[int], bad_names: int, problems: Problems) -> None:
    """Notes catalogues and lists of names that could not be read."""
    if bad_catalogues:
        lists = numbered(len(bad_catalogues), "counter list")
        message = f"{lists} of the log cannot be read ({_places(bad_catalogues)})."
        problems.warn("bad-catalogue", message, "later samples rejected; copy the file again")
    if bad_names:
        problems.warn(
            "bad-names",
            f"{numbered(bad_names, 'list')} of counter names {'is' if bad_names == 1 else 'are'} incomplete.",
            "counters without a name are shown with their number; copy the file again",
        )


def note_samples(rejected: Sequence[int], early: int, damage: Damage, problems: Problems) -> None:
    """Notes unreadable samples, and other incomplete messages."""
    if rejected:
        has = counting(len(rejected), "sample", "has", "have")
        problems.warn(
            "bad-sample",
            f"{has} the wrong size, unknown counters or an invalid date ({_places(rejected)}).",
            acted("sample rejected; copy the file again", len(rejected)),
        )
    if early:
        come, their = ("sample comes", "its") if early == 1 else ("samples come", "their")
        message = f"{early:,} {come} before the first counter list, so {their} counters are unknown."
        advice = "copy the file again, because it may be damaged"
        problems.warn("sample-without-catalogue", message, acted(f"sample rejected; {advice}", early))
    for kind, places in sorted(damage.incomplete.items()):
        problems.warn(
            "incomplete-message",
            f"{numbered(len(places), 'record')} of type '{_KINDS.get(kind, str(kind))}' "
            f"{'is' if len(places) == 1 else 'are'} incomplete ({_places(places)}).",
            acted("record rejected; copy the file again", len(places)),
        )


def note_clock(offset: int | None, source: str, problems: Problems) -> None:
    """Notes a time zone that is unknown or guessed."""
    if offset is None:
        problems.warn(
            "time-zone-unknown",
            "The header contains no UTC offset.",
            'timestamps are shown as in the file; use Run › Time zone… or set time_zone = "+01:00" in run.toml',
        )
    elif source == "dates":
        problems.info(
            "time-zone-by-dates",
            "The start time of the log does not fit its time zone.",
            f"UTC offset of {offset:+d} minutes used, according to the summer time dates of the zone",
        )
    elif source == "utc":
        problems.info(
            "times-in-utc", "The timestamps are in UTC, not in the time zone of the log.", "timestamps treated as UTC"
        )


def note_steps(steps: Sequence[TimeStep], problems: Problems) -> None:
    """Notes each place where the clock goes back."""
    for step in steps:
        if step.summer_time_ends:
            problems.warn(
                "summer-time-end",
                f"At sample {step.index + 1:,}, the clock went back by about an hour: the end of summer time.",
                "one hour added to this and all later timestamps; check the timeline",
            )
        else:
            back = f"{-step.seconds:,.3f}".rstrip("0").rstrip(".")
            problems.warn(
                "clock-back",
                f"At sample {step.index + 1:,}, the clock went back by {back} seconds.",
                "samples kept in the order of the file; check the time synchronisation of the machine",
            )


def note_counters(counters: Sequence[RawCounter], readers: Sequence[SampleReader], problems: Problems) -> None:
    """Notes counters of a type without a formula, blocks of an unknown form, and numbers without a name."""
    unread: dict[int, list[str]] = {}
    for counter in counters:
        if counter.kind not in TYPES or not counter.known:
            unread.setdefault(counter.kind, []).append(counter.path)
    for kind, paths in unread.items():
        have = counting(len(paths), "counter", "has", "have")
        message = f"{have} the unsupported type {type_name(kind)}: {few_named(quoted(paths), 1)}."
        problems.warn("counter-type", message, "values left empty; " + _CONVERT)
    for reader in readers:
        for number, count in sorted(reader.unknown.items()):
            entry = reader.entries[number]
            problems.warn(
                "unknown-block",
                f"{numbered(count, 'sample')} of '{entry.own_path()}' {'has' if count == 1 else 'have'} "
                "an unknown format or the wrong size.",
                "values left empty; " + _CONVERT,
            )
    unnamed = sorted(set().union(*(reader.unnamed for reader in readers)))
    if unnamed:
        number, first = len(unnamed), f"number {unnamed[0]}"
        message = f"1 object or counter has no name in the log ({first})."
        if number > 1:
            message = f"{number:,} objects or counters have no name in the log (first: {first})."
        problems.warn(
            "counter-names-missing",
            message,
            "number shown as the name; convert the log with relog on the machine that recorded it",
        )


def note_cooked(
    counters: Sequence[RawCounter], resets: Mapping[int, int], idle_over: Mapping[int, int], problems: Problems
) -> None:
    """Notes that this program computed the values, and which cells were changed or left empty."""
    problems.info(
        "cooked-here",
        "The values were calculated from raw counts, but not checked with relog.",
        "values imported; before publishing, compare them with 'relog in.blg -f csv -o out.csv'",
    )
    if resets:
        paths, number = [counters[index].path for index in sorted(resets)], sum(resets.values())
        problems.warn(
            "counter-back",
            f"{counting(number, 'value', 'is', 'are')} negative, probably after a counter reset: {_named(paths)}.",
            acted("cell left empty; check whether the VM restarted", number),
        )
    if idle_over:
        paths, number = [counters[index].path for index in sorted(idle_over)], sum(idle_over.values())
        problems.info(
            "idle-over",
            f"In {numbered(number, 'sample')}, the idle time is up to two clock ticks longer than the sample interval: "
            f"{_named(paths)}.",
            "busy time set to 0 %",
        )


def note_below_zero(below_zero: Sequence[Below], counters: Sequence[RawCounter], problems: Problems) -> int:
    """Notes values below zero that were left empty. Returns their number."""
    number = sum(below.number for below in below_zero)
    if below_zero:
        paths = [counters[below.column].path for below in below_zero]
        alone = "1 value is below the minimum of its counter:"
        first = alone if number == 1 else f"{number:,} values are below the minimum of their counters, the first:"
        problems.warn(
            "negative-rate",
            f"{first} {below_zero[0].value:g} in sample {below_zero[0].row + 1:,} of {_named(paths)}.",
            "treated as missing; check the counter",
        )
    return number


def _named(paths: Sequence[str]) -> str:
    return few_named([f"'{path}'" for path in paths], 2)


def _places(places: Sequence[int]) -> str:
    shown = "; ".join(f"{index:,}" for index in places[:_LISTED])
    return f"at byte{'s' * (len(places) > 1)} {shown}" + (" …" if len(places) > _LISTED else "")
