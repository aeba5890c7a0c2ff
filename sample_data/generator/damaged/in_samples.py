"""Defects of single samples and of counters."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from generator.plan import random_state

from .lab import BYTES, CPU, LATENCY, READS, TRANSFERS, Floats, Lab
from .mcsio import add_cache


def one_spike(lab: Lab) -> None:
    """One cell of 5 s has 100,000 transfers per second; the reads and writes of the same sample contradict it."""
    vm, row = lab.vms[1], lab.log.row(620.0)
    lab.log.columns[vm, TRANSFERS][row] = 100_000.0
    lab.expect_row("spike", row, vm, 1)


def counter_wraps(lab: Lab) -> None:
    """A 32-bit counter of bytes wraps between two samples."""
    vm, row = lab.vms[2], lab.log.row(480.0)
    add_counter(lab, BYTES, lambda vm, _rng: 8192.0 * lab.log.columns[vm, TRANSFERS])
    seconds = lab.log.times[row] - lab.log.times[row - 1]
    lab.log.columns[vm, BYTES][row] = (2.0**32 - 40_960.0) / seconds
    lab.expect_row("counter-wrap", row, vm, 1)


def frozen_collector(lab: Lab) -> None:
    """The collector of one VM repeats its last sample for five minutes."""
    vm, first, repeats = lab.vms[3], lab.log.row(450.0), 20
    for (name, _), values in lab.log.columns.items():
        if name == vm:
            values[first : first + repeats + 1] = values[first]
    lab.expect_row("frozen-counter", first, vm, 3 * repeats)
    lab.expect("gap", vm=vm, phase="steady")


def one_counter_frozen(lab: Lab) -> None:
    """One counter of a VM repeats its last sample for five minutes, while the others continue."""
    vm, first = lab.vms[3], lab.log.row(450.0)
    lab.log.columns[vm, READS][first : first + 21] = lab.log.columns[vm, READS][first]
    lab.expect_row("frozen-counter", first, vm)


def cpu_beyond_limit(lab: Lab) -> None:
    """A processor is busy for 4,711 % of the time."""
    vm, row = lab.vms[0], lab.log.row(540.0)
    add_counter(lab, CPU, lambda _vm, rng: 30.0 + 5.0 * rng.standard_normal(lab.log.times.size))
    lab.log.columns[vm, CPU][row] = 4711.0
    lab.expect_row("impossible-sample", row, vm, 1)


def gauge_in_wrong_unit(lab: Lab) -> None:
    """The RAM cache counter is in MB instead of bytes, and the cache disk grows."""
    add_cache(lab, 660.0, unit=2.0**20)
    lab.expect("cache-unit", vm=lab.vms[0])


def long_latency(lab: Lab) -> None:
    """A read takes 22 s on average over an interval of 15 s."""
    vm, row = lab.vms[4], lab.log.row(720.0)
    add_counter(lab, LATENCY, lambda _vm, rng: 0.006 * np.exp(0.3 * rng.standard_normal(lab.log.times.size)))
    lab.log.columns[vm, LATENCY][row] = 22.0
    lab.expect_row("long-latency", row, vm)


def impossible_figure(lab: Lab) -> None:
    """A latency longer than the age of the universe makes an impossible mean."""
    vm, row = lab.vms[1], lab.log.row(720.0)
    add_counter(lab, LATENCY, lambda _vm, rng: 0.006 * np.exp(0.3 * rng.standard_normal(lab.log.times.size)))
    lab.log.columns[vm, LATENCY][row] = 4e18
    lab.expect_row("long-latency", row, vm)
    lab.expect("impossible-value", vm=vm, phase="steady")


def sampling_slows(lab: Lab) -> None:
    """From the middle of steady state on, samples come every 60 s instead of every 5 s."""
    log, from_ = lab.log, 660.0
    slow = np.flatnonzero((log.times > from_) & ((log.times - from_) % 60.0 == 0))
    kept = np.concatenate([np.flatnonzero(log.times <= from_), slow])
    for key, values in log.columns.items():
        counts = np.concatenate([[0.0], np.cumsum(values[1:] * np.diff(log.times))])[kept]
        log.columns[key] = np.concatenate([[np.nan], np.diff(counts) / np.diff(log.times[kept])])
    log.times = log.times[kept]
    lab.expect_row("pace-changes", log.row(from_ + 1.0), "", severity="info")


def add_counter(lab: Lab, counter: str, values: Callable[[str, np.random.RandomState], Floats]) -> None:
    """Gives every VM one more counter; a rate has no value in the first row."""
    rng = random_state(f"{lab.name} {counter}")
    for vm in lab.vms:
        column = np.asarray(values(vm, rng), dtype=np.float64).copy()
        column[0] = np.nan
        lab.log.columns[vm, counter] = column
