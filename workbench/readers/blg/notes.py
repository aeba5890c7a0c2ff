"""What the import report says of a perfmon binary log: what was lost, what was skipped, and what is in doubt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workbench.readers.blg import container
from workbench.readers.blg.container import Buffers, Damage, LogHeader
from workbench.readers.blg.cook import TYPES, type_name
from workbench.readers.blg.samples import RawCounter, SampleReader
from workbench.readers.common.below_zero import Below
from workbench.readers.common.row_problems import Problems
from workbench.readers.text.timestamps import Step

_LISTED = 3
_CONVERT = "compare with 'relog in.blg -f csv -o out.csv' on Windows"
_KINDS = {
    container.CATALOGUE: "catalogue",
    container.SAMPLE: "sample",
    container.NAMES: "list of names",
    container.SUMMARY: "summary",
}


def note_container(header: LogHeader, buffers: Buffers, damage: Damage, problems: Problems) -> None:
    """Notes what Windows lost while it recorded, and the parts of the file that cannot be read."""
    if header.events_lost or header.buffers_lost:
        problems.warn(
            "lost-while-recording",
            f"Windows lost {header.events_lost:,} events and {header.buffers_lost:,} buffers while it recorded.",
            "what is there was read; a rate spans the gap",
        )
    if header.buffers_written > buffers.found or buffers.gaps:
        number = max(header.buffers_written - buffers.found, buffers.gaps)
        problems.warn(
            "buffers-missing",
            f"{number:,} of the log's buffers are not in the file.",
            "what is there was read; a rate spans the gap; copy the file again",
        )
    if buffers.reordered:
        problems.info(
            "buffers-reordered",
            "The buffers are not in the order they were written, as in a circular log.",
            "read in the order of their sequence numbers",
        )
    if damage.cut_buffers:
        problems.warn(
            "truncated",
            f"The file ends inside the buffer that begins at byte {damage.cut_buffers[0]:,}.",
            "read up to there; copy the file again",
        )
    if damage.bad_buffers:
        problems.warn("bad-buffer", f"No readable buffer at {_places(damage.bad_buffers)}.", "buffer rejected")
    if damage.unread_bytes:
        problems.warn(
            "bad-event",
            f"{damage.unread_bytes:,} bytes could not be read as events, the first at byte "
            f"{damage.unread_from or 0:,}.",
            "ignored up to the end of their buffers",
        )


def note_messages(bad_catalogues: Sequence[int], bad_names: int, problems: Problems) -> None:
    """Notes catalogues and lists of names that could not be read."""
    if bad_catalogues:
        problems.warn(
            "bad-catalogue",
            f"The catalogue of counters at {_places(bad_catalogues)} cannot be read.",
            "later samples rejected",
        )
    if bad_names:
        problems.warn(
            "bad-names",
            f"{bad_names:,} lists of counter names cannot be read in full.",
            "counters without a name are called by their number",
        )


def note_samples(rejected: Sequence[int], early: int, damage: Damage, problems: Problems) -> None:
    """Notes samples that could not be read, and other messages that are not whole."""
    if rejected:
        problems.warn(
            "bad-sample",
            f"{len(rejected):,} samples do not fit their own sizes, the catalogue or any date, at {_places(rejected)}.",
            "samples rejected",
        )
    if early:
        problems.warn(
            "sample-without-catalogue", f"{early:,} samples have no catalogue before them.", "samples rejected"
        )
    for kind, places in sorted(damage.incomplete.items()):
        problems.warn(
            "incomplete-message",
            f"Parts of {len(places):,} messages of type '{_KINDS.get(kind, str(kind))}' are missing, "
            f"at {_places(places)}.",
            "messages rejected",
        )


def note_clock(offset: int | None, source: str, problems: Problems) -> None:
    """Notes an unknown time zone, or one that rests on a guess."""
    if offset is None:
        problems.warn(
            "time-zone-unknown",
            "The header does not state how far the log's clock is from UTC.",
            'times shown as the file has them; set time_zone = "+01:00" in run.toml, or Run > Time zone in the window',
        )
    elif source == "dates":
        problems.info(
            "time-zone-by-dates",
            "The start of the log contradicts its time zone.",
            f"{offset:+d} minutes from UTC used, by the zone's summer time dates",
        )
    elif source == "utc":
        problems.info("times-in-utc", "The samples are stamped in UTC, not in the log's time zone.", "read as UTC")


def note_steps(steps: Sequence[Step], problems: Problems) -> None:
    """Notes each place where the clock goes back."""
    for step in steps:
        if step.summer_time_ends:
            problems.warn(
                "summer-time-end",
                f"At sample {step.index + 1:,} the clock goes back by about an hour: the end of summer time.",
                "one hour added to this and all later times, so UTC stays right",
            )
        else:
            problems.warn(
                "clock-back",
                f"At sample {step.index + 1:,} the clock goes back by {-step.seconds:,.3f} seconds.",
                "samples kept in the file's order",
            )


def note_counters(counters: Sequence[RawCounter], readers: Sequence[SampleReader], problems: Problems) -> None:
    """Notes counters of a type without a formula, blocks of an unknown form, and numbers without a name."""
    unread: dict[int, list[str]] = {}
    for counter in counters:
        if counter.kind not in TYPES or not counter.known:
            unread.setdefault(counter.kind, []).append(counter.path)
    for kind, paths in unread.items():
        problems.warn(
            "counter-type",
            f"Counters of the type {type_name(kind)} cannot be computed: {_named(paths)}.",
            "left empty; " + _CONVERT,
        )
    for reader in readers:
        for number, count in sorted(reader.unknown.items()):
            entry = reader.entries[number]
            problems.warn(
                "unknown-block",
                f"In {count:,} samples the values of '{entry.own_path()}' are in a form that is not known or "
                "do not fit their size.",
                "left empty; " + _CONVERT,
            )
    unnamed = sorted(set().union(*(reader.unnamed for reader in readers)))
    if unnamed:
        problems.warn(
            "counter-names-missing",
            f"The log has no names for {len(unnamed):,} objects or counters, such as number {unnamed[0]}.",
            "called by their number",
        )


def note_cooked(
    counters: Sequence[RawCounter], resets: Mapping[int, int], idle_over: Mapping[int, int], problems: Problems
) -> None:
    """Notes that the figures are this program's own, and the cells that were not taken as computed."""
    problems.info(
        "cooked-here",
        "The log contains raw counts; the values were calculated from public documentation "
        "and not checked against relog.",
        "read; " + _CONVERT + " before you publish values",
    )
    if resets:
        paths = [counters[index].path for index in sorted(resets)]
        problems.warn(
            "counter-back",
            f"{sum(resets.values()):,} values would be negative, as if the counter had been set back: {_named(paths)}.",
            "cells left empty",
        )
    if idle_over:
        paths = [counters[index].path for index in sorted(idle_over)]
        problems.info(
            "idle-over",
            f"In {sum(idle_over.values()):,} samples idle time exceeds the interval by no more than two ticks "
            f"of the clock: {_named(paths)}.",
            "read as 0 %",
        )


def note_below_zero(below_zero: Sequence[Below], counters: Sequence[RawCounter], problems: Problems) -> int:
    """Notes values below zero that were left empty; returns how many they are."""
    number = sum(below.number for below in below_zero)
    if below_zero:
        paths = [counters[below.column].path for below in below_zero]
        problems.warn(
            "negative-rate",
            f"{number:,} values are less than their counter can be, the first {below_zero[0].value:g} in sample "
            f"{below_zero[0].row + 1:,}: {_named(paths)}.",
            "cells left empty: they count as missing",
        )
    return number


def _named(paths: Sequence[str]) -> str:
    shown = ", ".join(f"'{path}'" for path in paths[:_LISTED])
    more = len(paths) - _LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


def _places(places: Sequence[int]) -> str:
    shown = ", ".join(f"{index:,}" for index in places[:_LISTED])
    return f"byte {shown}" + (" …" if len(places) > _LISTED else "")
