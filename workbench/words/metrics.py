"""Names of quantities, phases and their evidence in sentences, and the units in which counters are shown.

The unit comes from the meaning of a counter if it is known, otherwise from its name. Perfmon names contain the unit in
words: `% Processor Time`, `Disk Reads/sec`, `Avg. Disk sec/Read`, `Available MBytes` (Microsoft: Performance Counters
Reference). A counter without a unit is shown as it was recorded. MB/s are 10^6 bytes per second, as in the whole
program; MB of memory and cache are 2^20 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from workbench.model.metric import Quantity, Vantage
from workbench.model.phase import PHASE_WORDS, STEADY, Phase
from workbench.model.problem import all_named
from workbench.model.recording import Series
from workbench.words.numbers import THIN

MB = 2**20
# The measuring points in a sentence.
MEASURED_AT: dict[str, str] = {
    Vantage.GUEST: "in the guest",
    Vantage.HOST: "on the host",
    Vantage.ARRAY: "on the array",
}
# The name of a quantity in a sentence, if it differs from the quantity's own name.
_QUANTITY_WORDS = {
    Quantity.IOPS: "IOPS",
    Quantity.READ_IOPS: "read IOPS",
    Quantity.WRITE_IOPS: "write IOPS",
    Quantity.CACHE_RAM_USED: "cache RAM",
    Quantity.CACHE_RAM_SIZE: "size of the RAM cache",
    Quantity.CACHE_DISK_USED: "cache disk",
    Quantity.POOL_NONPAGED: "nonpaged pool (estimate)",
    Quantity.CPU: "CPU",
    Quantity.CPU_UTILITY: "CPU utility",
    Quantity.ROUND_TRIP: "round-trip time",
    Quantity.ROUND_TRIP_UDP: "round-trip time (UDP)",
    Quantity.BANDWIDTH_UDP: "bandwidth (UDP)",
    Quantity.ROUND_TRIP_AVD: "round-trip time (Azure)",
    Quantity.BANDWIDTH_AVD: "bandwidth (Azure)",
    Quantity.FRAMES: "frames per second",
    Quantity.SKIPPED_CLIENT: "frames skipped (slow client)",
    Quantity.SKIPPED_NETWORK: "frames skipped (slow network)",
    Quantity.SKIPPED_SERVER: "frames skipped (slow server)",
}


def quantity_words(quantity: Quantity) -> str:
    """The name of a quantity in the middle of a sentence: `read latency`, `CPU`."""
    return _QUANTITY_WORDS.get(quantity) or quantity.value.replace("_", " ")


_WRITTEN = {
    "iops": "IOPS",
    "io": "I/O",
    "mb": "MB",
    "gib": "GB",
    "vm": "VM",
    "vms": "VMs",
    "cpu": "CPU",
    "ram": "RAM",
    "eux": "EUX",
    "shared": "shared storage",
}

# Names of metrics whose key has its unit in the middle or lacks a word.
_NAMES = {
    "ram_cache_mb": "RAM cache (MB)",
    "cache_ram_used_mb_peak": "Cache RAM used at peak (MB)",
    "cache_ram_used_mb_end": "Cache RAM used at end (MB)",
    "cache_ram_used_percent": "Share of cache RAM used at peak (%)",
    "fill_rate_mb_per_min": "Fill rate (MB/min)",
    "time_to_full_s": "Time until the cache is full (s)",
    "overflow_start_s": "Time until the overflow (s)",
    "cache_disk_used_mb_peak": "Cache disk used at peak (MB)",
    "cache_disk_used_mb_peak_highest": "Peak cache disk use of any VM (MB)",
    "cache_disk_used_mb_end": "Cache disk used at end (MB)",
    "cache_disk_levels_off_s": "Time until cache disk use levels off (s)",
    "cache_disk_levels_off_mb": "Cache disk use when it levels off (MB)",
    "cache_disk_growth_at_end_mb_per_min": "Cache disk growth at end (MB/min)",
    "trend_s_per_100_logons": "Trend (s per 100 logons)",
    "mb_per_s": "Throughput (MB/s)",
    "latency_mean_ms": "Mean latency (ms)",
    "latency_p50_ms": "Median latency (ms)",
    "latency_p95_ms": "95th percentile of latency (ms)",
    "latency_p99_ms": "99th percentile of latency (ms)",
    "logon_s_min": "Shortest logon time (s)",
    "logon_s_mean": "Mean logon time (s)",
    "logon_s_p50": "Median logon time (s)",
    "logon_s_p95": "95th percentile of logon time (s)",
    "logon_s_max": "Longest logon time (s)",
    "app_start_s_min": "Shortest application start time (s)",
    "app_start_s_mean": "Mean application start time (s)",
    "app_start_s_p50": "Median application start time (s)",
    "app_start_s_p95": "95th percentile of application start time (s)",
    "app_start_s_max": "Longest application start time (s)",
}


def figure_words(key: str) -> str:
    """The name of an answer's metric, with its unit, or the words of its key: `Shared storage IOPS per VM`."""
    if key in _NAMES:
        return _NAMES[key]
    words = " ".join(_WRITTEN.get(part, part) for part in key.split("_"))
    return words[:1].upper() + words[1:]


def evidence_words(evidence: str) -> str:
    """The evidence of a phase in words."""
    return "detected" if evidence == "activity" else evidence


def evidence_of(phase: Phase) -> str:
    """The evidence of a phase with its quality: `events`, `events (doubtful)`, `detected ±8 s` (the less
    certain edge)."""
    within = [seconds for seconds in (phase.start_within_s, phase.end_within_s) if seconds is not None]
    edges = f" ±{max(within):.0f}{THIN}s" if within else ""
    return f"{evidence_words(phase.evidence)}{edges}{' (doubtful)' if phase.doubt else ''}"


_FROM = {"events": "from recorded events", "sessions": "from recorded sessions", "run.toml": "from run.toml"}


def known_from(phase: Phase) -> str:
    """The evidence of a phase after its name and a colon: `from recorded events`, `detected ±8 s`."""
    words = evidence_words(phase.evidence)
    return _FROM.get(words, words) + evidence_of(phase).removeprefix(words)


def rule_of(phase: Phase) -> str:
    """The rule of a phase for its tooltip, with the reason for any doubt."""
    rule = phase.rule or phase.evidence
    return f"{rule}; doubtful: {phase.doubt}" if phase.doubt else rule


def phase_words(name: str) -> str:
    """The name of a phase in a sentence."""
    return PHASE_WORDS.get(name, name)


def in_phase(*names: str) -> str:
    """Text like `in steady state`, `during boot and logon`: the phases in a sentence."""
    words = all_named([phase_words(name) for name in names])
    return f"in {words}" if names == (STEADY,) else f"during {words}"


def in_no_phase(*names: str) -> str:
    """Text like `during boot or logon`: the phases after a negation."""
    text = in_phase(*names)
    return " or ".join(text.rsplit(" and ", 1)) if len(names) > 1 else text


def is_or_are(quantity: str) -> str:
    """`are` for numbers of IOPS, otherwise `is`."""
    return "are" if re.match(r"(?:(?:read|write|total) )*IOPS\b", quantity, re.IGNORECASE) else "is"


def phase_called(text: str, names: Sequence[str]) -> str | None:
    """The phase with this name, as in the files or in the tables; letter case is ignored. None if there is none."""
    if text in names:
        return text
    folded = text.strip().casefold()
    alike = (name for name in names if folded in (name.casefold(), phase_words(name).casefold()))
    return next(alike, None)


@dataclass(frozen=True, slots=True)
class CounterUnit:
    """The display of a counter. `quantity` is the axis name, `unit` is shown next to it, and a sample times `factor` is
    the displayed number."""

    quantity: str
    unit: str = ""
    factor: float = 1.0

    @property
    def panel(self) -> str:
        """The panel key. Counters with one unit share a panel; a counter without a unit shares it with counters of the
        same name."""
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
    """The unit in which a counter is shown. A counter without a unit is shown under its own name."""
    if series.metric is not None:
        quantity = series.metric.quantity
        known_unit = _BY_QUANTITY.get(quantity) or _BY_UNIT.get(quantity.unit)
        return known_unit or CounterUnit(quantity.value.replace("_", " ").capitalize())
    by_name = (unit for pattern, unit in _BY_NAME if pattern.search(series.counter))
    return next(by_name, CounterUnit(series.counter))
