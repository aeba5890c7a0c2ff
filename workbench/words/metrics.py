"""How quantities are named and shown: words, unit on screen, and the factor from the canonical unit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON, STEADY

MB = 2**20


@dataclass(frozen=True, slots=True)
class Shown:
    """`name` on axes and choosers, `unit` beside it, `factor` from the canonical unit; `figure` is the
    PhaseFigures field that answers the same question, where there is one."""

    name: str
    unit: str
    factor: float = 1.0
    figure: str | None = None

    @property
    def within(self) -> str:
        """The name in the middle of a sentence: `read latency per VM`, but `IOPS per VM`."""
        return self.name if self.name[:2].isupper() else self.name[:1].lower() + self.name[1:]


SHOWN: dict[Quantity, Shown] = {
    Quantity.IOPS: Shown("IOPS per VM", "IOPS", 1.0, "iops_per_vm"),
    Quantity.READ_IOPS: Shown("Read IOPS per VM", "IOPS", 1.0, "read_iops_per_vm"),
    Quantity.WRITE_IOPS: Shown("Write IOPS per VM", "IOPS", 1.0, "write_iops_per_vm"),
    Quantity.READ_LATENCY: Shown("Read latency per VM", "ms", 1e3, "read_latency_ms"),
    Quantity.WRITE_LATENCY: Shown("Write latency per VM", "ms", 1e3, "write_latency_ms"),
    Quantity.CPU: Shown("CPU per VM", "%", 1.0, "cpu_percent"),
    Quantity.CACHE_RAM_USED: Shown("Cache RAM used per VM", "MB", 1 / MB, "cache_ram_used_mb_end"),
    Quantity.CACHE_DISK_USED: Shown("Cache disk used per VM", "MB", 1 / MB, "cache_disk_used_mb_end"),
}

# What the per-VM page offers to choose from.
PER_VM_METRICS = (
    Quantity.IOPS,
    Quantity.READ_IOPS,
    Quantity.WRITE_IOPS,
    Quantity.READ_LATENCY,
    Quantity.WRITE_LATENCY,
    Quantity.CPU,
)

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
}


def quantity_words(quantity: Quantity) -> str:
    """The quantity in the middle of a sentence: `read latency`, `CPU`."""
    return _QUANTITY_WORDS.get(quantity) or quantity.value.replace("_", " ")


PHASE_WORDS = {BOOT: "boot", LOGON: "logon", STEADY: "steady state"}


def evidence_words(evidence: str) -> str:
    """The evidence of a phase as it reads beside it."""
    return "detected" if evidence == "activity" else evidence


def phase_words(name: str) -> str:
    """The phase as it reads in a sentence."""
    return PHASE_WORDS.get(name, name)


def phase_called(wanted: str, names: Sequence[str]) -> str | None:
    """The phase that somebody means, in any case of letters, as the files or as the tables call it; None: none."""
    if wanted in names:
        return wanted
    asked = wanted.strip().casefold()
    alike = (name for name in names if asked in (name.casefold(), phase_words(name).casefold()))
    return next(alike, None)
