"""VmCache: the cache gauges of one machine over a run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from workbench.measures.caches.gauges import Fill, Level

SizeFrom = Literal["counter", "configuration"]


@dataclass(frozen=True, eq=False)
class VmCache:
    """One VM's cache over a run. MB are 2^20 bytes, moments seconds since 1970 UTC; None is not available.

    `ram_low_mb` is the lower bound of an estimated peak. `overflowed` None: no counter shows it; `overflow_start`
    is None then and where it never did. `restarts` counts how often the cache was emptied.
    """

    vm: str
    size_mb: float | None = None
    size_from: SizeFrom | None = None
    ram_end_mb: float | None = None
    ram_peak_mb: float | None = None
    ram_low_mb: float | None = None
    estimate: bool = False
    filling: Fill | None = None
    full_at: float | None = None
    time_to_full_s: float | None = None
    overflowed: bool | None = None
    overflow_start: float | None = None
    disk_end_mb: float | None = None
    disk_peak_mb: float | None = None
    disk_size_mb: float | None = None
    disk_level: Level | None = None
    first: float | None = None
    last: float | None = None
    emptied: tuple[float, ...] = ()

    @property
    def restarts(self) -> int:
        """How often the cache was emptied."""
        return len(self.emptied)

    @property
    def ram_percent(self) -> float | None:
        """Peak RAM used in percent of the size; an upper bound for an estimate."""
        return None if self.ram_peak_mb is None or not self.size_mb else 100 * self.ram_peak_mb / self.size_mb
