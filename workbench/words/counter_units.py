"""The unit a counter is shown in: from its meaning where that is known, else from its name.

Perfmon's names say their unit in words: `% Processor Time`, `Disk Reads/sec`, `Avg. Disk sec/Read`, `Available
MBytes` (Microsoft: Performance Counters Reference). What says none is shown as it was written, without a unit. MB/s
are 10^6 bytes per second, as everywhere in the program; MB of memory and cache are 2^20 bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from workbench.model.metric import UNITS, Quantity
from workbench.model.recording import Series
from workbench.words.metrics import MB


@dataclass(frozen=True, slots=True)
class CounterUnit:
    """`quantity` is what the axis is called, `unit` stands beside it, `factor` makes the shown number of that in
    the samples."""

    quantity: str
    unit: str = ""
    factor: float = 1.0

    @property
    def panel(self) -> str:
        """Counters of one unit share a panel; one without a unit stands with its namesakes."""
        return self.unit or f" {self.quantity}"


_RATE = CounterUnit("Rate", "1/s")
_BY_QUANTITY = {
    **dict.fromkeys((Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS), CounterUnit("Storage I/O", "IOPS")),
    **dict.fromkeys((Quantity.CPU, Quantity.CPU_PRIVILEGED, Quantity.CPU_INTERRUPT), CounterUnit("CPU", "%")),
    **dict.fromkeys(
        (Quantity.FRAMES, Quantity.SKIPPED_CLIENT, Quantity.SKIPPED_NETWORK, Quantity.SKIPPED_SERVER),
        CounterUnit("Frames", "1/s"),
    ),
    Quantity.CPU_UTILITY: CounterUnit("CPU", "%"),
    Quantity.PACKET_LOSS: CounterUnit("Packet loss", "%"),
    Quantity.IO_SIZE: CounterUnit("I/O size", "KB", 1 / 1024),
}
_BY_UNIT = {
    "s": CounterUnit("Latency", "ms", 1e3),
    "B/s": CounterUnit("Throughput", "MB/s", 1e-6),
    "B": CounterUnit("Memory and cache", "MB", 1 / MB),
    "Mbit/s": CounterUnit("Bandwidth", "Mbit/s"),
    "W": CounterUnit("Power", "W"),
}
_BY_NAME = (
    (re.compile(r"\[(assumed )?ns\b"), CounterUnit("Latency", "ms", 1e-6)),
    (re.compile(r"\[µs\]"), CounterUnit("Latency", "ms", 1e-3)),
    (re.compile(r"\[KiB/s\]"), CounterUnit("Throughput", "MB/s", 1024e-6)),
    (re.compile(r"\[1/s\]"), CounterUnit("Storage I/O", "IOPS")),
    (re.compile(r"^%|\bpercent\b|%$", re.IGNORECASE), CounterUnit("Share", "%")),
    (re.compile(r"\bbytes(/sec|/s| per sec)", re.IGNORECASE), CounterUnit("Throughput", "MB/s", 1e-6)),
    (re.compile(r"\bsec/", re.IGNORECASE), CounterUnit("Latency", "ms", 1e3)),
    (re.compile(r"(/sec|/s| per sec(ond)?)\b", re.IGNORECASE), _RATE),
    (re.compile(r"\bmbytes\b", re.IGNORECASE), CounterUnit("Memory and cache", "MB")),
    (re.compile(r"\bkbytes\b", re.IGNORECASE), CounterUnit("Memory and cache", "MB", 1 / 1024)),
    (re.compile(r"\bbytes/", re.IGNORECASE), CounterUnit("I/O size", "KB", 1 / 1024)),
    (re.compile(r"\bbytes\b", re.IGNORECASE), CounterUnit("Memory and cache", "MB", 1 / MB)),
)


def unit_of(series: Series) -> CounterUnit:
    """What a counter is shown in; a counter without a unit goes by its own name."""
    if series.metric is not None:
        quantity = series.metric.quantity
        known_unit = _BY_QUANTITY.get(quantity) or _BY_UNIT.get(UNITS[quantity])
        return known_unit or CounterUnit(quantity.value.replace("_", " ").capitalize())
    by_name = (unit for pattern, unit in _BY_NAME if pattern.search(series.counter))
    return next(by_name, CounterUnit(series.counter))
