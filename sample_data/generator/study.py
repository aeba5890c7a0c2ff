"""Writes whole studies: the sample study, and the 150-VM study on demand."""

from __future__ import annotations

import shutil
from pathlib import Path

from . import block_sweep, builds, fio, limits, login_vsi, runs, side_files, storage_tools, sweep, truth
from .counters import sample
from .damaged.study import write_all as write_damaged
from .perfmon_file import write_run
from .plan import RunPlan, random_state

STUDIES = (runs.WINDOWS_7, runs.XENAPP, sweep.STUDY, fio.STUDY, login_vsi.STUDY, builds.STUDY)


def write_sample_data(out: Path) -> None:
    """Rewrites the sample study's own run folders and `truth.csv` in `out`; leaves everything else unchanged."""
    plans = [runs.plan_of(lab) for lab in runs.LABS] + sweep.plans() + builds.plans()
    rows: list[truth.Row] = []
    for plan in plans:
        folder = out / plan.study / plan.name
        shutil.rmtree(folder, ignore_errors=True)
        rows += write_plan(folder, plan)
    limits.write(out / sweep.STUDY)
    fio.write_all(out / fio.STUDY)
    storage_tools.write_all(out / fio.STUDY)
    login_vsi.write_all(out / login_vsi.STUDY)
    write_damaged(out / "damaged")
    block_sweep.write_all(out / block_sweep.STUDY)
    truth.write(out / "truth.csv", rows + truth.sweep_rows() + builds.truth_rows())


def write_vsphere(out: Path) -> None:
    """Writes the published 150-VM and 300-user runs on vSphere, about 10 MB."""
    rows: list[truth.Row] = []
    for lab in runs.VSPHERE_LABS:
        plan = runs.plan_of(lab)
        rows += write_plan(out / plan.name, plan)
    truth.write(out / "truth.csv", rows)


def write_plan(folder: Path, plan: RunPlan) -> list[truth.Row]:
    """Writes one run; returns its true values."""
    machines = sample(plan, random_state(plan.name))
    write_run(folder / "guest", plan.zero, plan.shape, machines)
    side_files.write_manifest(folder / "run.toml", plan)
    side_files.write_events(folder / "events.csv", plan)
    return truth.rows_of(plan, machines)
