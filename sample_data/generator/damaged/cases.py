"""The runs of the damaged study: what is broken in each, and how the program reacts, in the reader's words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from . import in_folders, in_samples, in_time
from .lab import Lab

CLEAN = "clean"


@dataclass(frozen=True)
class Case:
    """Runs of one configuration; `damage` is done to the replicates named in `damaged_runs`."""

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
        "run.toml states the phases for 8 March, the samples are of 3 August",
        "leaves the figures empty, names both days and asks whether day and month were read in the wrong order",
    ),
    Case(CLEAN, None, "nothing: the control, and the baseline", "shows its figures", runs=3),
    Case(
        "vm-restarts",
        in_time.vm_restarts,
        "a VM registers, starts again and registers once more during boot",
        "boot holds its first start; no edge moves",
    ),
    Case(
        "vm-never-registers",
        in_time.vm_never_registers,
        "a VM starts, and neither registers nor takes a session",
        "boot ends with the last VM that registers",
    ),
    Case(
        "vm-straggles",
        in_time.vm_straggles,
        "a VM registers seven minutes after all others",
        "leaves it aside for the edges of boot",
    ),
    Case(
        "session-leaves-early",
        in_time.session_leaves_early,
        "a session logs off halfway through steady state",
        "steady state ends with the first log-off of the others",
    ),
    Case(
        "session-comes-back",
        in_time.session_comes_back,
        "a user logs off in steady state, and on again",
        "the first logon counts, and the last log-off",
    ),
    Case(
        "logon-end-not-recorded",
        in_time.logon_end_not_recorded,
        "events.csv has no `logon_end`",
        "phases rest on `apps_started`; the page Logons says that no logon time is known, and what to add",
    ),
    Case(
        "phases-overlap",
        in_time.phases_overlap,
        "run.toml lets the logon end a minute after steady state begins",
        "shows both as stated, and says that the I/O of that minute counts in both",
    ),
    Case(
        "wild-cell",
        in_time.wild_cell,
        "nothing states the phases, and one cell of steady state is 5,000 IOPS",
        "detects the phases without that cell, and counts it in the figures",
    ),
    Case("drift", in_time.drift, "the I/O of steady state doubles from beginning to end", "marks it; nothing is cut"),
    Case(
        "step-at-overflow",
        in_time.step_at_overflow,
        "the RAM cache is full halfway through steady state, and the I/O doubles",
        "names the step as the overflow",
    ),
    Case(
        "one-spike",
        in_samples.one_spike,
        "one cell of 5 s has 100,000 transfers a second",
        "leaves that one sample out: the reads and writes beside it deny it",
        step=5.0,
    ),
    Case("counter-wraps", in_samples.counter_wraps, "a 32-bit counter of bytes wraps", "leaves that one sample out"),
    Case(
        "frozen-collector",
        in_samples.frozen_collector,
        "every rate of a VM repeats its value for five minutes",
        "leaves all of these samples but the first out, which makes a gap",
    ),
    Case(
        "one-counter-frozen",
        in_samples.one_counter_frozen,
        "one counter of a VM repeats its value for five minutes, the others go on",
        "keeps the samples: nothing decides it",
    ),
    Case("cpu-beyond-limit", in_samples.cpu_beyond_limit, "a processor is at 4,711 %", "leaves that one sample out"),
    Case(
        "gauge-in-wrong-unit",
        in_samples.gauge_in_wrong_unit,
        "the RAM cache of every VM counts MB instead of bytes, while its disk grows",
        "keeps the readings, and says not to quote them",
    ),
    Case(
        "long-latency",
        in_samples.long_latency,
        "a read takes 22 s in an interval of 15 s",
        "keeps it: it may be a real stall",
    ),
    Case(
        "impossible-figure",
        in_samples.impossible_figure,
        "a latency of 4 × 10¹⁸ s",
        "names the highest reading, and says not to quote the phase",
    ),
    Case(
        "sampling-slows",
        in_samples.sampling_slows,
        "from the middle of steady state on, samples come every 60 s instead of every 5 s",
        "each sample counts for its own interval: no gap, the figures hold",
        step=5.0,
    ),
    Case(
        "host-log-beside-vms",
        in_folders.host_log_beside_vms,
        "the host's own log lies beside those of its VMs, in the folder `host`; run.toml states no number of VMs",
        "counts it for the host, not as a VM",
    ),
    Case(
        "launcher-among-vms",
        in_folders.launcher_among_vms,
        "the launcher's log lies among those of the VMs; run.toml states five VMs",
        "leaves it out of the VMs",
    ),
    Case(
        "database-server-among-vms",
        in_folders.database_server_among_vms,
        "a database server's log lies among those of the VMs; run.toml states no number of VMs",
        "sums it with the others, and names the line for run.toml that leaves it out",
    ),
    Case(
        "two-names-of-one-machine",
        in_folders.two_names_of_one_machine,
        "a VM's disk is recorded under its short name, its processor under its full name",
        "counts it once",
    ),
    Case(
        "two-days-in-one-folder",
        in_folders.two_days_in_one_folder,
        "the log of the day before lies in the folder",
        "keeps the run out of averages, and says which files belong together",
    ),
    Case(
        "other-hosts-in-one-folder",
        in_folders.other_hosts_in_one_folder,
        "the log of other VMs, an hour later, lies in the folder",
        "keeps the run out of averages, and says which files belong together",
    ),
    Case(
        "collector-dies",
        in_folders.collector_dies,
        "in all three runs the collector ends in the middle of steady state",
        "totals and IOPS are lower bounds",
        runs=3,
    ),
    Case(
        "vm-missing",
        in_folders.vm_missing,
        "in the second of three runs one VM was not recorded",
        "figures per VM are over the four that were",
        runs=3,
        damaged_runs=(2,),
    ),
    Case(
        "unknown-file-only",
        in_folders.unknown_file_only,
        "the only recording is a file of a format that is not read, `guest/recording.etl`",
        "makes no figures, and says in which format to save it",
    ),
)

INTRODUCTION = """\
# The damaged study

Small runs that were whole until one defect was done to each, by `sample_data/generate.py`. Open this folder to see how
the program reacts: the import report lists what it says, with file and line or with VM and time. Everything here is
made up. `expected.csv` is the same list for a test: it is written from what was broken, not from what the program says.
"""
OPEN_ALONE = (
    "This study is opened on its own: it is broken on purpose, and left out when a folder above it is opened.\n"
)
