"""The descriptions in the column store: everything read from a file except its samples, as sealed JSON.

    <root>/v1/readings/<key>.json    a `Reading`; the seal

With very many counters the `Reading` contains none of them, and lines follow that each describe some. `texts` and
`metrics` hold shared values; each of `counters` is a `Series` with the indices of its host, object, counter, VM and
metric in them (-1: none). A million counters in one piece would be in memory four times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import msgspec
import xxhash

from workbench.model.metric import Metric
from workbench.model.reading import Reading
from workbench.model.recording import Series
from workbench.study.store.own_files import UNREADABLE, seal, sealed
from workbench.study.store.temporary import replacing

# From this number of counters they are stored in lines of `_LINE` each. This limit is independent of perfmon's
# (`WIDE_FROM` of readers/perfmon/table.py), from which a file is read in another way.
WIDE = 100_000
_LINE = 20_000
_NONE = -1
# Bytes of a description read at once.
_BUFFER = 1 << 16


class _Counter(msgspec.Struct, array_like=True, forbid_unknown_fields=True, gc=False):
    """A `Series` as an array of its fields in this order; host, object, counter, VM and metric are indices."""

    column: int
    path: str
    host: int
    object: int
    instance: str
    counter: int
    vm: int
    metric: int
    own_times: bool


class _Line(msgspec.Struct):
    """Some counters, and the values that several of them share."""

    texts: list[str]
    metrics: list[Metric]
    counters: list[_Counter]


def is_wide(reading: Reading) -> bool:
    """True if a reading describes so many counters that they are stored and handed over separately."""
    return reading.recording is not None and len(reading.recording.series) >= WIDE


def write_description(file: Path, reading: Reading) -> None:
    """Writes the description of a reading to `file`. Raises OSError."""
    with replacing(file) as temporary:
        if not is_wide(reading):
            temporary.write_bytes(sealed(msgspec.json.encode(reading), file))
            return
        digest = xxhash.xxh3_64()
        with temporary.open("wb") as stream:
            for line in _lines(reading):
                digest.update(line)
                stream.write(line)
            stream.write(seal(digest, file))


def read_description(file: Path) -> Reading | None:
    """Returns the reading that a file describes. None if it has to be made again, because it is missing, damaged or
    another file's."""
    try:
        with file.open("rb", buffering=_BUFFER) as stream:
            return _read(stream, file)
    except (OSError, IndexError, *UNREADABLE):
        return None


def _lines(reading: Reading) -> Iterator[bytes]:
    """Yields the reading without its counters, then these, each line after the first preceded by a line feed."""
    recording = reading.recording
    assert recording is not None
    yield msgspec.json.encode(replace(reading, recording=replace(recording, series=())))
    for start in range(0, len(recording.series), _LINE):
        yield b"\n" + msgspec.json.encode(_line(recording.series[start : start + _LINE]))


def _line(series: Sequence[Series]) -> _Line:
    texts: dict[str, int] = {}
    metrics: dict[Metric, int] = {}

    def place(text: str) -> int:
        return texts.setdefault(text, len(texts))

    counters = [
        _Counter(
            column=one.column,
            path=one.path,
            host=place(one.host),
            object=place(one.object),
            instance=one.instance,
            counter=place(one.counter),
            vm=_NONE if one.vm is None else place(one.vm),
            metric=_NONE if one.metric is None else metrics.setdefault(one.metric, len(metrics)),
            own_times=one.own_times,
        )
        for one in series
    ]
    return _Line([*texts], [*metrics], counters)


def _read(stream: BinaryIO, file: Path) -> Reading:
    """Returns the reading, after a check that every byte is as it was written. Raises ValueError, IndexError, and
    msgspec's errors if one is not."""
    first = stream.readline()
    digest = xxhash.xxh3_64(_text(first))
    reading = msgspec.json.decode(_text(first), type=Reading)
    series: list[Series] = []
    texts: dict[str, str] = {}
    metrics: dict[Metric, Metric] = {}
    line = stream.readline()
    while line.endswith(b"\n"):
        digest.update(b"\n")
        digest.update(_text(line))
        series += _series(msgspec.json.decode(_text(line), type=_Line), texts, metrics)
        line = stream.readline()
    if b"\n" + line != seal(digest, file):
        raise ValueError("not as it was written")
    if not series or reading.recording is None:
        return reading
    return replace(reading, recording=replace(reading.recording, series=tuple(series)))


def _series(line: _Line, known: dict[str, str], meanings: dict[Metric, Metric]) -> Iterator[Series]:
    """Returns the counters of a line, sharing one object for equal texts and metrics."""
    texts = [known.setdefault(text, text) for text in line.texts]
    metrics = [meanings.setdefault(metric, metric) for metric in line.metrics]
    for one in line.counters:
        yield Series(
            column=one.column,
            path=one.path,
            host=texts[one.host],
            object=texts[one.object],
            instance=one.instance,
            counter=texts[one.counter],
            vm=None if one.vm == _NONE else texts[one.vm],
            metric=None if one.metric == _NONE else metrics[one.metric],
            own_times=one.own_times,
        )


def _text(line: bytes) -> memoryview:
    """Returns a line without its line feed."""
    return memoryview(line)[: len(line) - line.endswith(b"\n")]
