"""A sweep over cache sizes with caches simulated block by block: desktops that write little, for twenty minutes.

All data are invented. Each run has its own writes, so runs differ as they do in a lab.
"""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

from .block_cache import MB, STEP_S, Ints, Truth, cached, workload
from .counters import INSTANCE, Column, VmSamples
from .load import Floats
from .perfmon_file import write_run
from .plan import FileShape, PhasePlan, RunPlan
from .runs import BST
from .side_files import write_manifest

STUDY = "simulated-cache-sweep"
SKIP = "Simulated, of no lab: left out when a folder above it is opened. Open this folder itself to see it.\n"
SIZES_MB = (0, 32, 64, 128, 384)
RUNS, VMS, STEPS, LOAD = 3, ("KIOSK-1", "KIOSK-2"), 80, 4.0
# Steps in which the machines boot, users log on, and users work; `workload` writes fast in the first two.
PHASES = (("boot", 0, 8), ("logon", 8, 25), ("steady", 25, STEPS))
READS = 12.0  # of the image, per second and VM
SHAPE = FileShape(digits=6)


def seed(size_mb: int, number: int) -> int:
    """The seed of the writes of a run."""
    return 100 * SIZES_MB.index(size_mb) + number


def write_all(out: Path) -> None:
    """Rewrites the study."""
    shutil.rmtree(out, ignore_errors=True)
    for size in SIZES_MB:
        for number in range(1, RUNS + 1):
            plan = _plan(size, number)
            folder = out / plan.name
            write_run(folder / "guest", plan.zero, plan.shape, _machines(plan, seed(size, number)))
            write_manifest(folder / "run.toml", plan)
    (out / ".vdi-skip").write_text(SKIP, encoding="utf-8", newline="\n")


def _plan(size_mb: int, number: int) -> RunPlan:
    manifest: dict[str, str | int | bool] = {"configuration": "MCS", "provisioning": "MCS"}
    if size_mb:
        label = f"MCSIO {size_mb} MB"
        manifest = {"configuration": label, "provisioning": "MCSIO", "write_cache": "device-ram-overflow"}
    manifest |= {"ram_cache_mb": size_mb, "session_type": "vdi", "vms": len(VMS), "users": len(VMS)}
    manifest |= {"workload": "simulated, see README.md", "time_zone": "Europe/London"}
    if not size_mb:
        manifest["baseline"] = True
    first = datetime(2016, 9, 5, 9, 0, tzinfo=BST)
    return RunPlan(
        study=STUDY,
        name=f"mcsio-{size_mb}-r{number}" if size_mb else f"mcs-r{number}",
        manifest=manifest,
        zero=first + timedelta(days=SIZES_MB.index(size_mb), hours=number - 1),
        vm_names=VMS,
        boots=(),
        sessions=(),
        phases=tuple(PhasePlan(name, STEP_S * start, STEP_S * end, {}) for name, start, end in PHASES),
        log_start=0.0,
        log_end=STEP_S * STEPS,
        run_end=STEP_S * STEPS,
        interval_s=STEP_S,
        disks=("C", "D") if size_mb else ("C",),
        ram_cache_mb=size_mb,
        states_phases=True,
        shape=SHAPE,
    )


def _machines(plan: RunPlan, run_seed: int) -> list[VmSamples]:
    stamps = np.arange(STEPS + 1, dtype=np.int64) * round(1000 * STEP_S)
    return [VmSamples(vm, stamps, tuple(_columns(plan, run_seed, number))) for number, vm in enumerate(plan.vm_names)]


def _columns(plan: RunPlan, run_seed: int, vm: int) -> list[Column]:
    writes = workload(run_seed, vm, STEPS, LOAD)
    reads = np.random.RandomState([run_seed, vm, 1]).poisson(READS * STEP_S, STEPS)
    nothing = np.zeros(STEPS, dtype=np.int64)
    if not plan.ram_cache_mb:
        asked = np.array([blocks.size for blocks in writes])
        return [*_disk(INSTANCE["C"], reads, asked), *_disk("_Total", reads, asked)]
    truth = cached(writes, plan.ram_cache_mb)
    return [
        *_disk(INSTANCE["C"], reads, nothing),
        *_disk(INSTANCE["D"], nothing, truth.written),
        *_disk("_Total", reads, truth.written),
        *_gauges(plan, truth),
    ]


def _disk(instance: str, reads: Ints, writes: Ints) -> list[Column]:
    names = (("Disk Reads/sec", reads), ("Disk Writes/sec", writes), ("Disk Transfers/sec", reads + writes))
    return [Column("PhysicalDisk", instance, name, _rates(counts), SHAPE.digits) for name, counts in names]


def _gauges(plan: RunPlan, truth: Truth) -> list[Column]:
    name, size = "Citrix MCS Storage Driver", np.full(STEPS, plan.ram_cache_mb * MB, dtype=np.int64)
    gauges = {
        "Cache memory used": np.concatenate([[0], truth.ram]),
        "Cache memory target size": np.concatenate([size[:1], size]),
        "Cache disk used": np.concatenate([[0], truth.disk]),
    }
    return [Column(name, "", counter, values.astype(np.float64), 12) for counter, values in gauges.items()]


def _rates(counts: Ints) -> Floats:
    """Counts per step as rates; the first row is blank."""
    return np.concatenate([[np.nan], counts / STEP_S])
