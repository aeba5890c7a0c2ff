"""The published tables the sample study is made from, as data.

Two test series are turned into samples: the RAM-cache tables of Citrix's "Turbo Charging your IOPS with the new PVS
Cache in RAM with Disk Overflow Feature", part two (2014), and the relative results of "Reducing Shared Storage IO by
over 90% with MCS Storage Optimization" (2016). The first prints totals, IOPS and read/write ratios; the second prints
reductions only, so its baseline (420 IOPS in steady state) is invented.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """One printed row: a phase of a run. I/O and IOPS are per VM or in total; `scope` says which."""

    run: str
    phase: str
    duration_s: float
    total_io: float
    scope: str
    iops: float
    read_iops: float
    write_iops: float
    read_percent: float
    write_percent: float

    @property
    def read_io(self) -> float:
        """The reads in the printed total, from the printed read and write IOPS."""
        return self.total_io * self.read_iops / (self.read_iops + self.write_iops)

    @property
    def write_io(self) -> float:
        """The rest of the printed total."""
        return self.total_io - self.read_io


# mcs-1vm's boot is printed as "2 minutes", but 24,921 I/O at 213 IOPS took 117 s.
PUBLISHED = (
    Published("mcs-1vm", "boot", 117, 24921, "per_vm", 213, 184, 29, 86, 14),
    Published("mcs-1vm", "logon", 25, 4390, "per_vm", 175, 103, 72, 59, 41),
    Published("mcs-1vm", "steady", 2700, 22713, "per_vm", 8.5, 3, 5.5, 35, 65),
    Published("mcs-5vm", "boot", 360, 25272, "per_vm", 70, 60, 10, 86, 14),
    Published("mcs-5vm", "logon", 90, 4249, "per_vm", 48, 23, 25, 48, 52),
    Published("mcs-5vm", "steady", 2700, 20009, "per_vm", 7.5, 2, 5.5, 27, 73),
    Published("pvs-256", "boot", 210, 536, "per_vm", 2.5, 1.4, 1.1, 56, 44),
    Published("pvs-256", "logon", 180, 101, "per_vm", 0.56, 0.05, 0.51, 9, 91),
    Published("pvs-256", "steady", 2700, 290, "per_vm", 0.1, 0.001, 0.1, 1, 99),
    Published("pvs-256-bloated", "logon", 960, 4390, "per_vm", 4.56, 0.22, 4.34, 5, 95),
    Published("pvs-256-bloated", "steady", 2700, 2301, "per_vm", 0.85, 0.02, 0.83, 2, 98),
    Published("pvs-512-150vm", "boot", 480, 655, "per_vm", 1.36, 0.5, 0.86, 37, 63),
    Published("pvs-512-150vm", "logon", 1920, 1144, "per_vm", 0.59, 0.01, 0.58, 2, 98),
    Published("pvs-512-150vm", "steady", 1800, 972, "per_vm", 0.535, 0.003, 0.532, 1, 99),
    Published("xenapp-1gb", "logon", 1800, 19687, "total", 10.9, 0.1, 10.8, 1, 99),
    Published("xenapp-1gb", "steady", 2700, 16411, "total", 6, 3.7, 2.3, 61, 39),
    Published("xenapp-3gb", "logon", 1200, 1673, "total", 1.4, 0.1, 1.3, 7, 93),
    Published("xenapp-3gb", "steady", 2700, 7947, "total", 2.95, 0.05, 2.9, 2, 98),
    Published("xenapp-12gb", "logon", 2580, 18603, "total", 7.2, 0.1, 7.1, 1, 99),
    Published("xenapp-12gb", "steady", 2700, 16945, "total", 6.27, 0.02, 6.25, 1, 99),
)


def published(run: str, phase: str) -> Published | None:
    """The printed row of a run's phase; None if the tables have none."""
    return next((row for row in PUBLISHED if row.run == run and row.phase == phase), None)


@dataclass(frozen=True)
class SweepLevel:
    """IOPS summed over all VMs in one phase, by the disk. The shared part is the disk `0 C:`, the cache part is the
    temporary cache disk `1 D:`."""

    shared_read: float
    shared_write: float
    cache_read: float = 0.0
    cache_write: float = 0.0

    @property
    def read(self) -> float:
        """Read IOPS of both disks."""
        return self.shared_read + self.cache_read

    @property
    def write(self) -> float:
        """Write IOPS of both disks."""
        return self.shared_write + self.cache_write

    @property
    def total(self) -> float:
        """Read and write IOPS of both disks."""
        return self.read + self.write


SWEEP_DURATIONS = {"boot": 240.0, "logon": 1800.0, "steady": 1800.0}
SWEEP_SIZES_MB = (0, 256, 512, 1024, 4096)

# Steady state has the published reductions: 256 MB writes -39 %, read+write -7 %; 512 MB -50 %; 1 GB -77 %; 4 GB -93 %
# with the cache disk unused. Boot and logon are invented: a boot reads its image from shared storage with any cache,
# and its writes fit into the cache.
SWEEP = {
    ("boot", 0): SweepLevel(402.0, 66.0),
    ("boot", 256): SweepLevel(402.0, 0.4),
    ("boot", 512): SweepLevel(402.0, 0.4),
    ("boot", 1024): SweepLevel(402.0, 0.4),
    ("boot", 4096): SweepLevel(402.0, 0.4),
    ("logon", 0): SweepLevel(210.0, 310.0),
    ("logon", 256): SweepLevel(37.5, 0.8, 150.0, 205.0),
    ("logon", 512): SweepLevel(37.5, 0.8, 78.0, 142.0),
    ("logon", 1024): SweepLevel(37.5, 0.8, 26.0, 62.0),
    ("logon", 4096): SweepLevel(37.5, 0.8),
    ("steady", 0): SweepLevel(120.0, 300.0),
    ("steady", 256): SweepLevel(28.8, 0.6, 178.8, 182.4),
    ("steady", 512): SweepLevel(28.8, 0.6, 56.4, 124.2),
    ("steady", 1024): SweepLevel(28.8, 0.6, 9.0, 58.2),
    ("steady", 4096): SweepLevel(28.8, 0.6),
}
