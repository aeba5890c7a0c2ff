"""The rules of plausibility with their limits, as data: the code checks them, and the table in the docs lists them.

A sample is left out (its cell is empty from then on) only if a rule is certain. Every case is a problem that names
file, counter, line or time. Limits are in the canonical unit of each quantity.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.model.metric import Quantity
from workbench.model.recording import Series

RATES = frozenset(
    (
        Quantity.IOPS,
        Quantity.READ_IOPS,
        Quantity.WRITE_IOPS,
        Quantity.THROUGHPUT,
        Quantity.READ_THROUGHPUT,
        Quantity.WRITE_THROUGHPUT,
    )
)
OPERATIONS = frozenset((Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS))
BYTES = RATES - OPERATIONS
LATENCIES = frozenset((Quantity.LATENCY, Quantity.READ_LATENCY, Quantity.WRITE_LATENCY))
PROCESSORS = frozenset((Quantity.CPU, Quantity.CPU_PRIVILEGED, Quantity.CPU_INTERRUPT))

# No machine, disk or array has more than this.
MOST: dict[Quantity, float] = (
    dict.fromkeys(OPERATIONS, 1e8)
    | dict.fromkeys(BYTES, 1e13)
    | dict.fromkeys((quantity for quantity in Quantity if quantity.startswith(("cache", "memory", "pool"))), 2.0**50)
    | {Quantity.IO_SIZE: 2.0**30, Quantity.QUEUE_DEPTH: 1e6, Quantity.ACTIVE_SESSIONS: 1e5, Quantity.PACKET_LOSS: 100.0}
    # The fastest processors run at about four times their nominal frequency.
    | {Quantity.CPU_UTILITY: 500.0}
)
# Percent that a processor counter can show, by its object; 100 means one whole virtual processor or host.
CPU_MOST = {
    "processor": 110.0,
    "processor information": 110.0,
    "physical cpu": 110.0,
    "hyper-v hypervisor virtual processor": 110.0,
}
# esxtop's groups and counters of other tools add up processors: at most 256 of them.
CPU_SUMMED = 25_600.0

# All I/O of a VM and its reads and writes together differ at most by this share: hosts count a few commands more.
IO_APART = 0.2
# A cache that is full may be a little over its size.
CACHE_MOST_PERCENT = 110.0

# The possible benchmark values, by their field of `Benchmark`. A latency above a day is a damaged number.
_LATENCY_MS = (0.0, 86_400_000.0)
FIGURES: dict[str, tuple[float, float]] = {
    "iops": (0.0, MOST[Quantity.IOPS]),
    "mb_per_s": (0.0, MOST[Quantity.THROUGHPUT] / 1e6),
    "latency_mean_ms": _LATENCY_MS,
    "latency_p50_ms": _LATENCY_MS,
    "latency_p95_ms": _LATENCY_MS,
    "latency_p99_ms": _LATENCY_MS,
    "block_bytes": (1.0, MOST[Quantity.IO_SIZE]),
    "queue_depth": (0.0, MOST[Quantity.QUEUE_DEPTH]),
    "threads": (0.0, MOST[Quantity.QUEUE_DEPTH]),
    "read_percent": (0.0, 100.0),
}
# A mean is at least 5 % of the 95th percentile, because 5 % of the I/Os took that long (Markov's inequality). Tools
# round percentiles to their buckets.
MEAN_SLACK, MEAN_SLACK_MS = 1.05, 0.01

# A spike: at most this many neighbouring samples, this many times higher than any other sample of their counter …
SPIKE_WIDTH, SPIKE_TIMES, SURE_TIMES = 2, 20.0, 100.0
# … and above this value, because small machines can jump: operations and bytes per second.
SPIKE_FROM = dict.fromkeys(OPERATIONS, 1e4) | dict.fromkeys(BYTES, 1e9)
# A spike this many times higher again is left out without other evidence.
SURE_FROM = 5.0
# Spikes are at most this share of a counter's samples (at least one). They are not searched in fewer samples than this.
SPIKE_SHARE, SPIKE_SAMPLES = 0.05, 12
# More spikes than this in a counter may be a recurring load.
SURE_NUMBER = 3
# A disk operation moves at least and at most this many bytes.
LEAST_BYTES, MOST_BYTES = 100.0, 2.0**27
# If reads plus writes differ from transfers by more than this share, one of them is wrong.
DISAGREE = 0.5
# A 32-bit counter that wrapped shows slightly less than 2^32, divided by the seconds of the interval.
WRAP, WRAP_NEAR = 2.0**32, 0.99

# A collector that stood still: a rate repeats a value at least this often, and chance makes that rarer than this
# probability.
FROZEN_SAMPLES, FROZEN_CHANCE = 12, 1e-6

# A latency of exactly 0 next to at least this many I/Os in a phase was not measured.
ZERO_LATENCY_IOS = 100

# If a RAM cache counter is below this share of the cache's size while the cache disk grows, it uses another unit.
WRONG_UNIT_SHARE = 0.001

# Captures of the same machines this many seconds apart are not one run if they are on different days, or if this gap is
# longer than either of them. Collectors that start one after the other overlap within the allowance.
APART_S, ALLOWANCE_S = 6 * 3600.0, 60.0

# Largest share of machines that may differ from the others: more of them are a separate kind of desktop.
UNLIKE_SHARE = 0.1
# A host measures the I/O of all its desktops: with at least this many machines, one has this share of all I/O in each
# of the phases.
HOST_MACHINES, HOST_PHASES, HOST_SHARE = 4, 2, (0.4, 0.67)


@dataclass(frozen=True, slots=True)
class PlausibilityRule:
    """A rule as the docs list it: its problem's code, what it checks, its limit, and when samples are left out."""

    code: str
    looks_at: str
    limit: str
    left_out: str


def most(series: Series) -> float:
    """Returns the highest possible value of a counter, in the canonical unit; infinite if there is no limit."""
    if series.metric is None:
        return float("inf")
    if series.metric.quantity in PROCESSORS:
        return CPU_MOST.get(series.object.casefold(), CPU_SUMMED)
    return MOST.get(series.metric.quantity, float("inf"))


RULES = (
    PlausibilityRule(
        "impossible-sample",
        "every counter with a known meaning",
        f"more than {MOST[Quantity.IOPS]:,.0f} operations/s, {MOST[Quantity.THROUGHPUT] / 1e12:.0f} TB/s, "
        f"{CPU_MOST['processor']:.0f} % of a processor ({CPU_SUMMED:,.0f} % where processors are added up, as esxtop "
        f"does), {MOST[Quantity.CPU_UTILITY]:.0f} % of CPU utility, {MOST[Quantity.MEMORY] / 2**40:,.0f} TiB of memory "
        "or cache, 1 GiB per operation, "
        f"{MOST[Quantity.QUEUE_DEPTH]:,.0f} outstanding operations, {MOST[Quantity.ACTIVE_SESSIONS]:,.0f} sessions or "
        f"{MOST[Quantity.PACKET_LOSS]:.0f} % of packets lost",
        "always",
    ),
    PlausibilityRule(
        "counter-wrap",
        "operations and bytes per second",
        f"value × interval is 2^32, or up to {100 - 100 * WRAP_NEAR:.0f} % less, and the sample is a spike by "
        f"{SURE_TIMES:.0f} times",
        "always",
    ),
    PlausibilityRule(
        "spike",
        "operations and bytes per second, a counter compared with itself",
        f"at most {SPIKE_WIDTH} samples next to each other and {100 * SPIKE_SHARE:.0f} % of all, "
        f"{SPIKE_TIMES:.0f} times as high as any other sample of the counter, and above "
        f"{SPIKE_FROM[Quantity.IOPS]:,.0f} operations/s or {SPIKE_FROM[Quantity.THROUGHPUT] / 1e9:.0f} GB/s",
        f"another counter of the same disk contradicts it (transfers are not reads + writes; less than "
        f"{LEAST_BYTES:.0f} bytes or more than {MOST_BYTES / 2**20:.0f} MiB per operation), or none confirms it, the "
        f"counter has at most {SURE_NUMBER} such samples, and it is {SURE_TIMES:.0f} times as high and above "
        f"{SURE_FROM * SPIKE_FROM[Quantity.IOPS]:,.0f} operations/s or "
        f"{SURE_FROM * SPIKE_FROM[Quantity.THROUGHPUT] / 1e9:.0f} GB/s",
    ),
    PlausibilityRule(
        "frozen-counter",
        "operations and bytes per second; idle zeros and gauges may repeat",
        f"the same value at least {FROZEN_SAMPLES} times in a row, although the other samples of the counter make "
        f"this less likely than 1 in {1 / FROZEN_CHANCE:,.0f}",
        "no rate of the machine in this file changes over the same rows; all samples except the first are then removed",
    ),
    PlausibilityRule(
        "impossible-figure",
        "values of a benchmark row",
        f"below 0, or more than {FIGURES['iops'][1]:,.0f} IOPS, {FIGURES['mb_per_s'][1]:,.0f} MB/s, 24 hours of "
        f"latency, 1 GiB per operation, {FIGURES['queue_depth'][1]:,.0f} outstanding operations or threads, or 100 % "
        "of reads",
        "always: the value is left empty, the other values of the row are kept",
    ),
    PlausibilityRule(
        "latency-contradiction",
        "latencies of a benchmark row",
        "p50, p95 and p99 are not in ascending order; or the mean is less than 50 % of p50, 5 % of p95 or 1 % of p99, "
        "which the percentile rules out; for fio also: a mean below its minimum or above its maximum, or a completion "
        "that takes longer than the total",
        "always: these latencies stay empty, IOPS and MB/s are kept",
    ),
    PlausibilityRule("long-latency", "latencies", "longer than the sample interval", "never: it may be a real stall"),
    PlausibilityRule(
        "zero-latency",
        "read and write latency of a phase",
        f"exactly 0 in all samples, with {ZERO_LATENCY_IOS} or more reads or writes",
        "never: the value is left empty",
    ),
    PlausibilityRule(
        "io-contradiction",
        "transfers of the VMs in a phase, compared with their reads and writes over the same time",
        f"they differ by more than {100 * IO_APART:.0f} %",
        "never",
    ),
    PlausibilityRule(
        "cache-over-size",
        "RAM cache used in a phase, if it is measured",
        f"above {CACHE_MOST_PERCENT:.0f} % of its size",
        "never",
    ),
    PlausibilityRule(
        "cache-unit",
        "RAM cache used, compared with the size of the cache",
        f"never above {100 * WRONG_UNIT_SHARE:.1f} % of the size while the cache disk grows",
        "never",
    ),
    PlausibilityRule(
        "pace-changes",
        "the times of a file",
        "samples that come more than 3 times slower than usual, 3 or more in a row: each sample covers its own "
        "interval, so there is no gap",
        "never",
    ),
    PlausibilityRule(
        "runs-mixed",
        "the recordings of a folder that have a clock",
        f"they never overlap in time, even with a tolerance of {ALLOWANCE_S:.0f} s, also not through other recordings. "
        f"They share no machine, or are {APART_S / 3600:.0f} hours apart and either of different days or further apart "
        f"than each lasts. Without rates of machines: they are {APART_S / 3600:.0f} hours apart from all others. Or "
        "the file names of one machine contain different configurations or run numbers. A phase in run.toml that spans "
        "these recordings makes them one run",
        "the run is excluded from averages, with the reason; VDI Workbench can split it into runs or include it",
    ),
    PlausibilityRule(
        "phase-not-measured",
        "phases, compared with recordings",
        "no phase of the run has a sample; both days are shown, with a possibly wrong date order or time zone",
        "never: the values stay empty",
    ),
    PlausibilityRule(
        "run-without-data",
        "the files of a run",
        "the run has no samples and no sessions, only files of unknown formats (they are listed)",
        "never: nothing was measured",
    ),
    PlausibilityRule(
        "impossible-value",
        "values of a phase",
        "above 10^15; the highest sample is shown with counter, machine, time and file",
        "never: the value stays empty if it is not a number",
    ),
    PlausibilityRule(
        "machine-two-names",
        "names of machines",
        "a short name and the same name with a domain are one machine if only one domain has this name",
        "never: the machine is counted once; if several domains have this name, you decide",
    ),
    PlausibilityRule(
        "machine-no-desktop",
        "machines with disk counters",
        "hosts (counters of virtual machines, or a file in a folder called `host`), machines listed in "
        "`leave_out` of run.toml, and machines unlike the others if run.toml states as many VMs as there are others",
        "always: the machine counts for the host",
    ),
    PlausibilityRule(
        "machine-unlike",
        "machines with disk counters",
        f"at most {100 * UNLIKE_SHARE:.0f} % of them, or one: with a name unlike all others, not named by any "
        f"event, or named like launchers and servers; or one of {HOST_MACHINES} or more machines has "
        f"{100 * HOST_SHARE[0]:.0f} to "
        f"{100 * HOST_SHARE[1]:.0f} % of all I/O in each of {HOST_PHASES} or more phases, "
        "as if it were the host of the other machines",
        "never: run.toml decides (`leave_out`, `vms`), or the user",
    ),
)
