"""The runs of the damaged study: the defect of each, and how VDI Workbench reacts, in words for the user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import in_folders, in_samples, in_time
from .lab import Lab

CLEAN = "clean"


@dataclass(frozen=True)
class Case:
    """Runs of one configuration; `damage` is applied to the runs numbered in `damaged_runs`."""

    name: str
    damage: Callable[[Lab], None] | None
    broken: str
    reaction: str
    runs: int = 1
    damaged_runs: tuple[int, ...] = (1, 2, 3)
    step: float = 15.0


CASES = (
    Case(
        "day-and-month-swapped",
        in_folders.day_and_month_swapped,
        "run.toml states 8 March 2016, but the samples are from 3 August 2016",
        "The values are empty. A message shows both days.",
    ),
    Case(CLEAN, None, "no defect (control and baseline)", "The values are shown.", runs=3),
    Case(
        "vm-restarts",
        in_time.vm_restarts,
        "a VM registers twice during boot",
        "Boot contains the first start. The phases do not move.",
    ),
    Case(
        "vm-never-registers",
        in_time.vm_never_registers,
        "a VM starts, but never registers",
        "Boot ends with the last VM that registers.",
    ),
    Case(
        "vm-straggles",
        in_time.vm_straggles,
        "a VM registers seven minutes after all others",
        "The VM is ignored when the end of boot is determined.",
    ),
    Case(
        "session-leaves-early",
        in_time.session_leaves_early,
        "one session logs off halfway through steady state",
        "Steady state ends with the first logoff of the other sessions.",
    ),
    Case(
        "session-comes-back",
        in_time.session_comes_back,
        "a user logs off in steady state and logs on again",
        "The first logon and the last logoff are used.",
    ),
    Case(
        "logon-end-not-recorded",
        in_time.logon_end_not_recorded,
        "events.csv has no `logon_end`",
        "The logon phase ends with `apps_started`. *Logons* shows that logon times are unknown.",
    ),
    Case(
        "phases-overlap",
        in_time.phases_overlap,
        "in run.toml, the logon phase ends a minute after steady state begins",
        "The I/O of that minute is counted in both phases.",
    ),
    Case(
        "wild-cell",
        in_time.wild_cell,
        "no file states the phases, and one cell is 5,000 IOPS",
        "Phase detection ignores the cell. The values include it.",
    ),
    Case("drift", in_time.drift, "the I/O doubles during steady state", "The phase is marked, but not shortened."),
    Case(
        "step-at-overflow",
        in_time.step_at_overflow,
        "the RAM cache is full halfway through steady state, and the I/O doubles",
        "A message shows the overflow as the cause.",
    ),
    Case(
        "one-spike",
        in_samples.one_spike,
        "one 5-second sample has 100,000 transfers per second",
        "The sample is ignored, because reads and writes contradict it.",
        step=5.0,
    ),
    Case(
        "counter-wraps",
        in_samples.counter_wraps,
        "a 32-bit counter of bytes starts again at 0",
        "The sample is ignored.",
    ),
    Case(
        "frozen-collector",
        in_samples.frozen_collector,
        "every rate of a VM repeats its value for five minutes",
        "The first sample is kept. The other samples are ignored, which leaves a gap.",
    ),
    Case(
        "one-counter-frozen",
        in_samples.one_counter_frozen,
        "one counter of a VM repeats its value for five minutes",
        "The samples are kept, because the other counters change.",
    ),
    Case("cpu-beyond-limit", in_samples.cpu_beyond_limit, "a processor load is 4,711 %", "The sample is ignored."),
    Case(
        "gauge-in-wrong-unit",
        in_samples.gauge_in_wrong_unit,
        "the RAM cache counter is in MB instead of bytes",
        "The samples are kept. A message advises against quoting their values.",
    ),
    Case(
        "long-latency",
        in_samples.long_latency,
        "a read takes 22 s in an interval of 15 s",
        "The sample is kept, because it may be a real stall.",
    ),
    Case(
        "impossible-figure",
        in_samples.impossible_figure,
        "one latency is 4 × 10¹⁸ s",
        "A message shows the sample and advises against quoting values of the phase.",
    ),
    Case(
        "sampling-slows",
        in_samples.sampling_slows,
        "from the middle of steady state, samples come every 60 s instead of every 5 s",
        "No gap is reported. Each sample is weighted by its own interval.",
        step=5.0,
    ),
    Case(
        "host-log-beside-vms",
        in_folders.host_log_beside_vms,
        "the host log is in the folder `host`; run.toml does not state the number of VMs",
        "The log belongs to the host and is not counted as a VM.",
    ),
    Case(
        "launcher-among-vms",
        in_folders.launcher_among_vms,
        "the launcher log is among the VM logs; run.toml states five VMs",
        "The launcher is not counted as a VM.",
    ),
    Case(
        "database-server-among-vms",
        in_folders.database_server_among_vms,
        "a database server log is among the VM logs; run.toml does not state the number of VMs",
        "The server is counted as a VM. A message shows how to exclude it in run.toml.",
    ),
    Case(
        "two-names-of-one-machine",
        in_folders.two_names_of_one_machine,
        "the disk counters of a VM have the short machine name, and the processor counters have the full name",
        "The machine is counted once.",
    ),
    Case(
        "two-days-in-one-folder",
        in_folders.two_days_in_one_folder,
        "the folder also contains a log from the day before",
        "The run is not included in any mean. A message lists the files that belong together.",
    ),
    Case(
        "other-hosts-in-one-folder",
        in_folders.other_hosts_in_one_folder,
        "the folder also contains a log of other VMs from an hour later",
        "The run is not included in any mean. A message lists the files that belong together.",
    ),
    Case(
        "collector-dies",
        in_folders.collector_dies,
        "in all three runs, the collector stops in the middle of steady state",
        "Totals and IOPS are lower bounds.",
        runs=3,
    ),
    Case(
        "vm-missing",
        in_folders.vm_missing,
        "in the second of three runs, one VM was not recorded",
        "Values per VM are means of the four recorded VMs.",
        runs=3,
        damaged_runs=(2,),
    ),
    Case(
        "unknown-file-only",
        in_folders.unknown_file_only,
        "the only recording has an unsupported format (`guest/recording.etl`)",
        "The run has no values. A message shows a supported format.",
    ),
)

INTRODUCTION = """\
# The damaged study

This folder shows how VDI Workbench reacts to damaged results. The study contains small runs with one defect each. All
data is invented. `sample_data/generate.py` writes complete runs and then adds the defects.

The import report lists every defect with its location. `expected.csv` contains the same list for automated tests
and is written by the generator, not by VDI Workbench.
"""
OPEN_ALONE = "This study has defects on purpose. Open it by itself: it is ignored when a folder above it is opened.\n"
