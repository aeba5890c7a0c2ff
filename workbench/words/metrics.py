"""How quantities, phases and their evidence are named in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON, STEADY

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


def phase_called(text: str, names: Sequence[str]) -> str | None:
    """The phase that somebody means, in any case of letters, as the files or as the tables call it; None: none."""
    if text in names:
        return text
    folded = text.strip().casefold()
    alike = (name for name in names if folded in (name.casefold(), phase_words(name).casefold()))
    return next(alike, None)
