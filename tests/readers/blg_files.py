"""Writes small perfmon binary logs with the layout of docs/formats/blg.md, and reads them back."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import polars as pl

from tests.builders import stored_frame
from tests.readers.perfmon_files import Result
from workbench.readers.blg import reader as blg

GUID = UUID("933f3bb3-943e-490d-9ced-3cbb14c14479").bytes_le
HOST = "\\\\W10-001"
SECOND = 10_000_000  # FILETIME ticks
START = 131_073_408_000_000_000  # 2016-05-10 08:00:00 UTC
SUMMER_TIME = 60
FREQUENCY = 2_000_000
BUFFER = 8192

COUNTER, BULK, RAW, LARGE_RAW = 0x10410400, 0x10410500, 0x00010000, 0x00010100
TIMER_INV, AVERAGE_TIMER, AVERAGE_BULK = 0x21510500, 0x30020400, 0x40020500
AVERAGE_BASE, FRACTION, FRACTION_BASE = 0x40030402, 0x20020400, 0x40030403
PRECISION, PRECISION_BASE, ELAPSED = 0x20570500, 0x40030500, 0x30240500
QUEUE_100NS, TEXT = 0x00550500, 0x00000B00


def local(second: float) -> int:
    """The FILETIME of a sample in local time: British Summer Time."""
    return START + round(second * SECOND) + SUMMER_TIME * 60 * SECOND


def systemtime(month: int, week: int) -> bytes:
    """The last or `week`-th Sunday of a month at 02:00, as a time zone stores it."""
    return struct.pack("<8H", 0, month, 0, week, 2, 0, 0, 0)


def zone(bias: int = 0) -> bytes:
    return (
        struct.pack("<i64x", bias)
        + systemtime(10, 5)
        + struct.pack("<i64x", 0)
        + systemtime(3, 5)
        + struct.pack("<i", -SUMMER_TIME)
    )


def header(
    pointer: int = 8,
    started: int = START,
    lost: tuple[int, int] = (0, 0),
    written: int = 0,
    zone_bytes: bytes | None = None,
    file_name: str = "C:\\PerfLogs\\a.blg",
) -> bytes:
    """The first buffer: the system header and the header of the trace."""
    trace = struct.pack("<IIIIqIIIIIIII", BUFFER, 0, 0, 1, 0, 0, 0, 1, written, 1, pointer, lost[0], 0)
    trace += bytes(2 * pointer) + (zone() if zone_bytes is None else zone_bytes)
    trace += bytes(-(104 + len(trace)) % 8)
    trace += struct.pack("<qqqII", 0, FREQUENCY, started, 2, lost[1])
    trace += f"logger\0{file_name}\0".encode("utf-16-le")
    event = struct.pack("<HBBHH24x", 0, 2, 0xC0, 32 + len(trace), 0) + trace
    return buffer(event, 0, kind=4)


def buffer(events: bytes, sequence: int, kind: int = 0) -> bytes:
    used = 72 + len(events)
    assert used <= BUFFER
    head = struct.pack("<IIIIqq16xIHH16x", BUFFER, used, used, 0, 0, sequence, used, 0, kind)
    return (head + events).ljust(BUFFER, b"\xff")


def events(kind: int, body: bytes, stamp: int = 0, part_bytes: int = 4000, narrow: bool = False) -> list[bytes]:
    """One message, in as many parts as it needs."""
    bodies = [body[at : at + part_bytes] for at in range(0, len(body), part_bytes)] or [b""]
    result = []
    for number, part in enumerate(bodies, 1):
        size = 48 + 24 + len(part)
        event = struct.pack("<HBBBBHIIq", size, 10 if narrow else 20, 0xC0, kind, 0, 60, 1, 2, stamp)
        event += GUID + bytes(8) + bytes(16) + struct.pack("<II", number, len(bodies)) + part
        result.append(event + bytes(-size % 8))
    return result


def log(parts: Sequence[bytes], first: bytes | None = None) -> bytes:
    """The file: the header's buffer, and the events in as many buffers as they need."""
    buffers, room = [b""], BUFFER - 72
    for event in parts:
        if len(buffers[-1]) + len(event) > room:
            buffers.append(b"")
        buffers[-1] += event
    content = b"".join(buffer(one, number) for number, one in enumerate(buffers, 1))
    return (header(written=len(buffers) + 1) if first is None else first) + content


def record(
    object_name: str,
    counter: str,
    kind: int,
    instance: str | None = None,
    form: int = 0,
    base: int = FREQUENCY,
    number: int = 0,
    parent: str | None = None,
) -> bytes:
    """One entry of the catalogue."""
    texts, places = b"", []
    for text in (HOST, object_name, instance, parent, counter):
        places.append(0xFFFFFFFF if text is None else len(texts))
        texts += b"" if text is None else (text + "\0").encode("utf-16-le")
    size = 52 + len(texts) + -(52 + len(texts)) % 8
    host_at, object_at, instance_at, parent_at, counter_at = places
    head = struct.pack(
        "<IIIIQiIIIIII", size, form, 0, kind, base, 0, host_at, object_at, instance_at, parent_at, number, counter_at
    )
    return (head + texts).ljust(size, b"\0")


def catalogue(*records: bytes) -> list[bytes]:
    return events(32, struct.pack("<HHHH", 0x06FF, 0, 8, 2) + b"".join(records))


def block(kind: int, body: bytes) -> bytes:
    return b"BL\x03" + bytes([kind]) + struct.pack("<I", 8 + len(body)) + body


def single(stamp: int, first: int, second: int, status: int = 0) -> bytes:
    return block(1, struct.pack("<IqIqqII", status, stamp, 0, first, second, 1, 0))


def many(stamp: int, items: Sequence[tuple[str, int, int]], statuses: Sequence[int] = ()) -> bytes:
    names_at, names, rows = 24 + 24 * len(items), b"", b""
    for place, (name, first, second) in enumerate(items):
        status = statuses[place] if statuses else 0
        rows += struct.pack("<IIqq", names_at + len(names), status, first, second)
        names += (name + "\0").encode("utf-16-le")
    names += bytes(-len(names) % 8)
    size = names_at + len(names)
    return block(2, struct.pack("<IIIIq", size, len(items), 0, 0, stamp) + rows + names)


def sample(stamp: int, *blocks: bytes) -> list[bytes]:
    return events(34, block(0, b"".join(blocks)), stamp)


def names_message(pairs: dict[int, str]) -> list[bytes]:
    cells = [HOST, *(cell for number, name in pairs.items() for cell in (str(number), name))]
    return events(36, ("\0".join(cells) + "\0").encode("utf-16-le"))


def objects(second: float, *objects_bytes: bytes) -> bytes:
    """A block of whole objects: PERF_DATA_BLOCK and the objects after it."""
    body = b"".join(objects_bytes)
    head = "PERF".encode("utf-16-le") + struct.pack("<IIIIIIi", 1, 1, 1, 104 + len(body), 104, len(objects_bytes), 0)
    head += bytes(16) + bytes(4)
    head += struct.pack("<qqq", round(second * FREQUENCY), FREQUENCY, START + round(second * SECOND))
    return block(5, head + struct.pack("<II", 16, 88) + HOST[2:].encode("utf-16-le").ljust(16, b"\0") + body)


def one_object(
    title: int,
    definitions: Sequence[tuple[int, int, int]],
    instances: Sequence[tuple[str, bytes]] | bytes,
    clock: tuple[int, int] = (0, 0),
    parents: Sequence[tuple[int, int]] = (),
) -> bytes:
    """A PERF_OBJECT_TYPE: definitions are title, type and offset; an instance is a name and its counter block."""
    counters = b"".join(
        struct.pack("<IIIIIiIIII", 40, name, 0, name + 1, 0, 0, 100, kind, 8 if kind & 0x100 else 4, at)
        for name, kind, at in definitions
    )
    if isinstance(instances, bytes):
        number, body = -1, instances
    else:
        number, body = len(instances), b""
        for place, (name, counter_block) in enumerate(instances):
            text = (name + "\0").encode("utf-16-le")
            length = 24 + len(text) + -(24 + len(text)) % 8
            parent = parents[place] if parents else (0, 0)
            body += struct.pack("<IIIiII", length, *parent, -1, 24, len(text)) + text.ljust(length - 24, b"\0")
            body += counter_block
    total, definition = 64 + len(counters) + len(body), 64 + len(counters)
    return (
        struct.pack(
            "<IIIIIIIIIiiIqq",
            total,
            definition,
            64,
            title,
            0,
            title + 1,
            0,
            100,
            len(definitions),
            0,
            number,
            0,
            *clock,
        )
        + counters
        + body
    )


def counter_block(layout: str, *values: int) -> bytes:
    """PERF_COUNTER_BLOCK: its length, and values packed with `layout`."""
    body = struct.pack("<" + layout, *values)
    size = 4 + len(body) + -(4 + len(body)) % 8
    return (struct.pack("<I", size) + body).ljust(size, b"\0")


def read(folder: Path, content: bytes, name: str = "a.blg") -> Result:
    """The reading of a log and its columns; the counts of kept and rejected rows must sum to those of the log."""
    source, columns = folder / name, folder / "columns.arrow"
    columns.unlink(missing_ok=True)
    source.write_bytes(content)
    reading = blg.read(source, name, columns)
    if reading.recording is None:
        assert not columns.exists()
        assert any(problem.severity == "refused" for problem in reading.problems)
        return Result(reading, {})
    frame = stored_frame(columns)
    report, width = reading.report, len(reading.recording.series)
    assert frame.columns == ["t", *(f"c{n}" for n in range(width))]
    assert frame.schema["t"] == pl.Int64
    assert (frame.height, width) == (report.rows, report.columns)
    assert report.missing_cells == sum(frame.null_count().row(0))
    assert not any(frame.select(pl.all().exclude("t").is_nan().any()).row(0))
    return Result(reading, {name: frame[name].to_list() for name in frame.columns})
