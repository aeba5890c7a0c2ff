"""How quantities, phases and their evidence are named in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON, STEADY, Phase
from workbench.words.numbers import THIN

MB = 2**20


# What a quantity is called in a sentence, where its own name does not say it.
_QUANTITY_WORDS = {
    Quantity.IOPS: "IOPS",
    Quantity.READ_IOPS: "read IOPS",
    Quantity.WRITE_IOPS: "write IOPS",
    Quantity.CACHE_RAM_USED: "cache RAM",
    Quantity.CACHE_RAM_SIZE: "size of the RAM cache",
    Quantity.CACHE_DISK_USED: "cache disk",
    Quantity.POOL_NONPAGED: "nonpaged pool (an estimate)",
    Quantity.CPU: "CPU",
    Quantity.CPU_UTILITY: "CPU utility",
    Quantity.ROUND_TRIP: "round-trip time",
    Quantity.ROUND_TRIP_UDP: "round-trip time (UDP)",
    Quantity.BANDWIDTH_UDP: "bandwidth (UDP)",
    Quantity.FRAMES: "frames per second",
    Quantity.SKIPPED_CLIENT: "frames skipped for the client",
    Quantity.SKIPPED_NETWORK: "frames skipped for the network",
    Quantity.SKIPPED_SERVER: "frames skipped for the server",
}


def quantity_words(quantity: Quantity) -> str:
    """The quantity in the middle of a sentence: `read latency`, `CPU`."""
    return _QUANTITY_WORDS.get(quantity) or quantity.value.replace("_", " ")


PHASE_WORDS = {BOOT: "boot", LOGON: "logon", STEADY: "steady state"}


_WRITTEN = {"iops": "IOPS", "io": "I/O", "mb": "MB", "vm": "VM", "vms": "VMs", "cpu": "CPU", "ram": "RAM", "eux": "EUX"}


def figure_words(key: str) -> str:
    """A figure of an answer by its key: `Cache disk growth at end MB per min`."""
    words = " ".join(_WRITTEN.get(part, part) for part in key.split("_"))
    return words[:1].upper() + words[1:]


def evidence_words(evidence: str) -> str:
    """The evidence of a phase as it reads beside it."""
    return "detected" if evidence == "activity" else evidence


def evidence_of(phase: Phase) -> str:
    """The same of a phase: `events`, `events (doubtful)`, `detected ±8 s` (the edge that is less sure)."""
    within = [seconds for seconds in (phase.start_within_s, phase.end_within_s) if seconds is not None]
    edges = f" ±{max(within):.0f}{THIN}s" if within else ""
    return f"{evidence_words(phase.evidence)}{edges}{' (doubtful)' if phase.doubt else ''}"


def rule_of(phase: Phase) -> str:
    """The rule of a phase as the tip beside it, with what makes it doubtful."""
    rule = phase.rule or phase.evidence
    return f"{rule}; doubtful: {phase.doubt}" if phase.doubt else rule


def phase_words(name: str) -> str:
    """The phase as it reads in a sentence."""
    return PHASE_WORDS.get(name, name)


def phase_called(text: str, names: Sequence[str]) -> str | None:
    """The phase that somebody means, in any case of letters, as the files or as the tables call it; None: none."""
    if text in names:
        return text
    folded = text.strip().casefold()
    alike = (name for name in names if folded in (name.casefold(), phase_words(name).casefold()))
    return next(alike, None)
