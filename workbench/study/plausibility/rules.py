"""The rules of plausibility with their limits, as data: the code checks them, and the docs list them.

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
# The highest percentage that a processor counter can show, by its object; 100 means one whole virtual processor or
# host.
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
    """A rule as the docs list it: its problem's code, the check, its limit, and the condition for leaving out
    samples.
    """

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
        "all counters with a known meaning",
        "The sample is above the maximum of its metric:\n"
        f"  - {MOST[Quantity.IOPS]:,.0f} operations per second\n"
        f"  - {MOST[Quantity.THROUGHPUT] / 1e12:.0f} TB per second\n"
        f"  - {CPU_MOST['processor']:.0f} % processor time ({CPU_SUMMED:,.0f} % if the counter adds up processors, as "
        "in esxtop)\n"
        f"  - {MOST[Quantity.CPU_UTILITY]:.0f} % CPU utility\n"
        f"  - {MOST[Quantity.MEMORY] / 2**40:,.0f} TiB of memory or cache\n"
        "  - 1 GB per I/O operation\n"
        f"  - {MOST[Quantity.QUEUE_DEPTH]:,.0f} outstanding I/O operations\n"
        f"  - {MOST[Quantity.ACTIVE_SESSIONS]:,.0f} sessions\n"
        f"  - {MOST[Quantity.PACKET_LOSS]:.0f} % packet loss",
        "The sample is always excluded.",
    ),
    PlausibilityRule(
        "counter-wrap",
        "rates (operations or bytes per second)",
        f"Rate × sample interval is 2^32, or up to {100 - 100 * WRAP_NEAR:.0f} % less. Also, the sample is at least "
        f"{SURE_TIMES:.0f} times as high as any other sample of the counter.",
        "The sample is always excluded.",
    ),
    PlausibilityRule(
        "spike",
        "rates (operations or bytes per second)",
        f"The sample is at least {SPIKE_TIMES:.0f} times as high as any other sample of the counter, and above "
        f"{SPIKE_FROM[Quantity.IOPS]:,.0f} operations/s or {SPIKE_FROM[Quantity.THROUGHPUT] / 1e9:.0f} GB/s. The rule "
        f"applies to at most {SPIKE_WIDTH} adjacent samples, and to at most {100 * SPIKE_SHARE:.0f} % of the samples.",
        "The sample is excluded in two cases. In all other cases, the sample is kept.\n"
        "  1. Another counter of the same disk contradicts the sample. For example, reads plus writes differ from the "
        f"transfers, or the mean size of an operation is below {LEAST_BYTES:.0f} bytes or above "
        f"{MOST_BYTES / 2**20:.0f} MiB.\n"
        "  2. No other counter confirms the sample, and the counter has at most "
        f"{SURE_NUMBER} spikes. Also, the sample is at least {SURE_TIMES:.0f} times as high as any other sample, and "
        f"above {SURE_FROM * SPIKE_FROM[Quantity.IOPS]:,.0f} operations/s or "
        f"{SURE_FROM * SPIKE_FROM[Quantity.THROUGHPUT] / 1e9:.0f} GB/s.",
    ),
    PlausibilityRule(
        "frozen-counter",
        "rates (operations or bytes per second)",
        f"A value other than 0 is repeated at least {FROZEN_SAMPLES} times in a row. Based on the other samples of "
        f"the counter, the probability of such a repetition by chance is below 1 in {1 / FROZEN_CHANCE:,.0f}.",
        "All repeated samples except the first are excluded if all rates of the machine in this file are constant in "
        "the same rows. If only some rates are constant, the samples are kept.",
    ),
    PlausibilityRule(
        "impossible-figure",
        "values of a benchmark row",
        f"The value is below 0 or above its maximum: {FIGURES['iops'][1]:,.0f} IOPS, "
        f"{FIGURES['mb_per_s'][1]:,.0f} MB/s, 24 hours of latency, 1 GB per operation, "
        f"{FIGURES['queue_depth'][1]:,.0f} outstanding operations or threads, or a read share of 100 %.",
        "The value is always excluded. The other values of the row are kept.",
    ),
    PlausibilityRule(
        "latency-contradiction",
        "latencies of a benchmark row",
        "One of these contradictions is found:\n"
        "  - The percentiles p50, p95 and p99 are not in ascending order.\n"
        "  - The mean latency is below 50 % of p50, 5 % of p95 or 1 % of p99, which is impossible.\n"
        "  - In a fio result, the mean is below the minimum or above the maximum.\n"
        "  - In a fio result, the completion latency is longer than the total latency.",
        "The latencies of the row are always excluded. IOPS and MB/s of the row are kept.",
    ),
    PlausibilityRule(
        "long-latency",
        "latency counters",
        "The latency is longer than the sample interval.",
        "The sample is kept, because the disk may have stalled. The message shows whether the latency is longer "
        "than the whole recording, which is implausible.",
    ),
    PlausibilityRule(
        "zero-latency",
        "read and write latency of a phase",
        f"The latency is exactly 0 in all samples, although the phase has {ZERO_LATENCY_IOS} or more reads or writes.",
        "The samples are kept, but the latency of the phase is empty.",
    ),
    PlausibilityRule(
        "io-contradiction",
        "transfers, reads and writes of the VMs in a phase",
        f"The transfers differ from reads plus writes by more than {100 * IO_APART:.0f} %.",
        "The samples are kept.",
    ),
    PlausibilityRule(
        "cache-over-size",
        "measured use of the RAM cache in a phase",
        f"The cache use is above {CACHE_MOST_PERCENT:.0f} % of the cache size.",
        "The samples are kept.",
    ),
    PlausibilityRule(
        "cache-unit",
        "use and size of the RAM cache",
        f"The cache use never exceeds {100 * WRONG_UNIT_SHARE:.1f} % of the cache size, although the cache disk grows.",
        "The samples are kept.",
    ),
    PlausibilityRule(
        "pace-changes",
        "timestamps of a file",
        "At least 3 consecutive sample intervals are more than 3 times as long as usual.",
        "The samples are kept, because each sample covers its whole interval.",
    ),
    PlausibilityRule(
        "runs-mixed",
        "recordings with date and time in one folder",
        f"The folder contains parts that do not overlap in time, even with a tolerance of {ALLOWANCE_S:.0f} s. Also, "
        "one of these conditions is true:\n"
        "  - The parts have no machine in common.\n"
        f"  - The parts are at least {APART_S / 3600:.0f} hours apart. In addition, they are on different days, or the "
        "gap between them is longer than each part.\n"
        "  - The file names of one machine contain different configurations or run numbers.\n\n"
        f"  A recording without rates of machines must be at least {APART_S / 3600:.0f} hours apart from all other "
        "recordings. The rule does not apply to parts within one phase stated in run.toml.",
        "The samples are kept, but means do not include the run. VDI Workbench can split the folder into runs.",
    ),
    PlausibilityRule(
        "phase-not-measured",
        "phases and recordings of a run",
        "No phase of the run has a sample. The import report shows the dates of the phases and of the samples. If "
        "the date order or the time zone may be wrong, the report shows this too.",
        "The values of the phases are empty.",
    ),
    PlausibilityRule(
        "run-without-data",
        "files of a run",
        "All files of the run have unknown formats, so the run has no samples or sessions. The import report lists "
        "these files.",
        "The run has no values.",
    ),
    PlausibilityRule(
        "impossible-value",
        "values of a phase",
        "The value is above 10^15 or is not a number. The import report shows the highest sample with its counter, "
        "machine, time and file.",
        "The samples are kept. A value that is not a number is left empty.",
    ),
    PlausibilityRule(
        "machine-two-names",
        "names of machines",
        "A machine has a short name in one file, and the same name with a domain in another file.",
        "The samples are kept, and the machine counts once. If several domains have a machine with this name, "
        "you can exclude one of these machines.",
    ),
    PlausibilityRule(
        "machine-no-desktop",
        "machines with disk counters",
        "One of these conditions is true:\n"
        "  - The machine is a host: it has counters of virtual machines, or its file is in a folder named `host`.\n"
        "  - `leave_out` in run.toml lists the machine.\n"
        "  - The machine differs from the other machines, and run.toml states as many VMs as there are other machines.",
        "The machine is not treated as a VM. Its counters are shown as host counters.",
    ),
    PlausibilityRule(
        "machine-unlike",
        "machines with disk counters",
        "One of these conditions is true:\n"
        "  - No event mentions the machine, or its name differs from all other names. This applies to one machine, or "
        f"to at most {100 * UNLIKE_SHARE:.0f} % of the machines.\n"
        "  - The name looks like the name of a launcher or server.\n"
        f"  - Like a host, the machine has {100 * HOST_SHARE[0]:.0f} to {100 * HOST_SHARE[1]:.0f} % of all I/O in "
        f"every phase. The run has at least {HOST_PHASES} phases and {HOST_MACHINES} machines.",
        "The machine is treated as a VM until you exclude it in the window, or with `leave_out` or `vms` in run.toml.",
    ),
)
