"""All metrics of the phase table, each declared once: name, unit, computation, and kind of change.

`MEASURES` is the source of many lists, all in this order: the phase table, JSON, CSV, the tables and choosers of window
and command line, Compare, the columns of the workbook, the explanations, and the table in docs/answers/overview.md. A
new metric is one entry. Primary metrics answer the question of a phase: total I/O per VM during boot and logon, IOPS
per VM in steady state.
"""

from __future__ import annotations

from functools import partial

from workbench.measures.measure import Measure, Tables
from workbench.measures.rules import (
    Counted,
    HighestReading,
    LastReading,
    MeanLatency,
    MeanOverTime,
    Overflow,
    Peak,
    Percentile,
    PercentileOfLatency,
    SampleShare,
    Stated,
    Total,
    measured_percent,
    measured_vms,
    per_second,
    per_user,
    per_vm,
)
from workbench.measures.statistics import Direction
from workbench.model.metric import Quantity
from workbench.model.phase import BOOT, LOGON, STEADY

DURATION = "duration_s"
_NO_CONSOLE = Tables.SCREEN | Tables.WORKBOOK
_IOPS, _READS, _WRITES = Quantity.IOPS, Quantity.READ_IOPS, Quantity.WRITE_IOPS
_READ_LATENCY, _WRITE_LATENCY = Quantity.READ_LATENCY, Quantity.WRITE_LATENCY
_RAM, _DISK = Quantity.CACHE_RAM_USED, Quantity.CACHE_DISK_USED
_SUM = "IOPS × seconds of the sample within the phase, summed over the samples of all VMs"
_SUM_READS, _SUM_WRITES = (_SUM.replace("IOPS", f"{half} IOPS") for half in ("read", "write"))
_OVER_READS, _OVER_WRITES = (
    f"(sample latency × its {half}s, summed over the samples of all VMs) ÷ (sum of {half}s) × 1000 (s to ms)"
    for half in ("read", "write")
)
_INSIDE = "weighted by duration; only samples at least half inside the phase"
_P95 = f"95th percentile of IOPS, {_INSIDE}"
_P95_READS, _P95_WRITES = (
    f"95th percentile of {half} latency × 1000 (s to ms) over samples with {half}s, {_INSIDE}"
    for half in ("read", "write")
)
_LAST = "last sample per VM, mean over VMs, ÷ 2^20 (bytes to MB)"
_HIGHEST = "highest sample of any VM in the phase ÷ 2^20 (bytes to MB)"
_stated = partial(Measure, section="Measured")
_iops = partial(Measure, unit="IOPS", section="I/O")
_share = partial(Measure, unit="%", section="I/O")
_latency = partial(Measure, unit="ms", section="Latency", tables=_NO_CONSOLE)
_cache = partial(Measure, unit="MB", section="Cache")
_of_sessions = partial(Measure, section="Sessions", change="ratio", optional=True, quiet=True, tables=_NO_CONSOLE)
_MEAN = "mean over the measured time of the phase, then over VMs"
_TO_MS = "× 1000 (s to ms)"
_OF_USERS = "mean over sessions and measured time of each VM, then over VMs"
_IN_MS = f"{_OF_USERS}, {_TO_MS}"
_AZURE = "estimated by Azure for TCP or UDP"
# Session metrics: key, name, quantity, computation, unit, good direction, factor of the trace.
_FELT: tuple[tuple[str, str, Quantity, str, str, Direction, float], ...] = (
    ("round_trip_ms", "Round-trip time", Quantity.ROUND_TRIP, f"{_IN_MS}; measured over TCP", "ms", "lower", 1e3),
    ("round_trip_udp_ms", "Round-trip time (UDP)", Quantity.ROUND_TRIP_UDP, _IN_MS, "ms", "lower", 1e3),
    ("bandwidth_mbit_s", "Bandwidth", Quantity.BANDWIDTH, f"{_OF_USERS}; measured over TCP", "Mbit/s", "higher", 1.0),
    ("bandwidth_udp_mbit_s", "Bandwidth (UDP)", Quantity.BANDWIDTH_UDP, _OF_USERS, "Mbit/s", "higher", 1.0),
    (
        "round_trip_azure_ms",
        "Round-trip time (Azure)",
        Quantity.ROUND_TRIP_AVD,
        f"{_IN_MS}; {_AZURE}",
        "ms",
        "lower",
        1e3,
    ),
    (
        "bandwidth_azure_mbit_s",
        "Bandwidth (Azure)",
        Quantity.BANDWIDTH_AVD,
        f"{_OF_USERS}; {_AZURE}",
        "Mbit/s",
        "higher",
        1.0,
    ),
    ("packet_loss_percent", "Packet loss", Quantity.PACKET_LOSS, _OF_USERS, "%", "lower", 1.0),
    ("frames_per_s", "Frames sent", Quantity.FRAMES, _OF_USERS, "1/s", "higher", 1.0),
    ("skipped_client_per_s", "Frames skipped (slow client)", Quantity.SKIPPED_CLIENT, _OF_USERS, "1/s", "lower", 1.0),
    (
        "skipped_network_per_s",
        "Frames skipped (slow network)",
        Quantity.SKIPPED_NETWORK,
        _OF_USERS,
        "1/s",
        "lower",
        1.0,
    ),
    ("skipped_server_per_s", "Frames skipped (slow server)", Quantity.SKIPPED_SERVER, _OF_USERS, "1/s", "lower", 1.0),
    ("encoding_ms", "Encoding time of a frame", Quantity.ENCODING, _IN_MS, "ms", "lower", 1e3),
)
_DECLARED = (
    _stated(
        "vms",
        "VMs",
        Counted(_IOPS, measured_vms),
        "number of VMs with samples in the phase, otherwise the number stated for the run",
        unit="",
        tables=Tables.CONSOLE | Tables.WORKBOOK,
    ),
    _stated(
        "users",
        "Users",
        Stated(lambda samples: samples.run.users),
        "number stated in run.toml, otherwise guessed from the run",
        unit="",
        tables=Tables.WORKBOOK,
    ),
    _stated(
        DURATION,
        "Duration",
        Stated(lambda samples: samples.phase.duration_s),
        "end of the phase − start of the phase",
        unit="s",
        change="ratio",
        about="Length of the phase",
    ),
    _iops(
        "total_io_per_vm",
        "Total I/O per VM",
        Total(_IOPS, (per_vm,)),
        f"({_SUM}) ÷ measured VMs",
        "{total_io}/{vms}",
        unit="I/O",
        change="ratio",
        primary=(BOOT, LOGON),
        spread=True,
        about="Reads and writes per VM during the phase",
    ),
    _stated(
        "total_io",
        "Total I/O",
        Total(_IOPS),
        _SUM,
        unit="I/O",
        about="Reads and writes of all VMs during the phase",
        tables=_NO_CONSOLE,
    ),
    _iops(
        "iops_per_vm",
        "IOPS per VM",
        Total(_IOPS, (per_second, per_vm)),
        f"({_SUM}) ÷ phase duration (s) ÷ measured VMs",
        "{iops}/{vms}",
        change="ratio",
        primary=(STEADY,),
        trace=_IOPS,
        spread=True,
        about="Mean IOPS per VM during the phase",
    ),
    _iops(
        "iops",
        "Total IOPS",
        Total(_IOPS, (per_second,)),
        f"({_SUM}) ÷ phase duration (s)",
        "{total_io}/{duration_s}",
        about="IOPS summed over all VMs, mean over the phase",
        change="ratio",
        rds_only=True,
        spread=True,
    ),
    _iops(
        "iops_per_user",
        "IOPS per user",
        Total(_IOPS, (per_second, per_user)),
        f"({_SUM}) ÷ phase duration (s) ÷ users of the measured VMs",
        "{iops}/{users}",
        change="ratio",
        rds_only=True,
        tables=_NO_CONSOLE,
        about="Mean IOPS per user during the phase",
    ),
    _iops(
        "read_iops",
        "Total read IOPS",
        Total(_READS, (per_second,)),
        f"({_SUM_READS}) ÷ phase duration (s)",
        "{reads}/{duration_s}",
        about="Read IOPS summed over all VMs, mean over the phase",
        tables=Tables.NONE,
    ),
    _iops(
        "write_iops",
        "Total write IOPS",
        Total(_WRITES, (per_second,)),
        f"({_SUM_WRITES}) ÷ phase duration (s)",
        "{writes}/{duration_s}",
        about="Write IOPS summed over all VMs, mean over the phase",
        tables=Tables.NONE,
    ),
    _iops(
        "read_iops_per_vm",
        "Read IOPS per VM",
        Total(_READS, (per_second, per_vm)),
        f"({_SUM_READS}) ÷ phase duration (s) ÷ measured VMs",
        "{reads}/{duration_s}/{vms}",
        change="ratio",
        trace=_READS,
        spread=True,
        about="Mean read IOPS per VM during the phase",
    ),
    _iops(
        "write_iops_per_vm",
        "Write IOPS per VM",
        Total(_WRITES, (per_second, per_vm)),
        f"({_SUM_WRITES}) ÷ phase duration (s) ÷ measured VMs",
        "{writes}/{duration_s}/{vms}",
        change="ratio",
        trace=_WRITES,
        spread=True,
        about="Mean write IOPS per VM during the phase",
    ),
    _share(
        "read_percent",
        "Share of reads",
        SampleShare(_READS),
        "100 × total reads ÷ (total reads + total writes); totals over all VMs with both counters",
        "100*{reads}/({reads}+{writes})",
        change="points",
        better="none",
        about="Reads as a percentage of all I/O",
    ),
    _share(
        "write_percent",
        "Share of writes",
        SampleShare(_WRITES),
        "100 × total writes ÷ (total reads + total writes); totals over all VMs with both counters",
        "100*{writes}/({reads}+{writes})",
        tables=_NO_CONSOLE,
        about="Writes as a percentage of all I/O",
    ),
    _iops(
        "p95_iops_per_vm",
        "p95 of IOPS per VM",
        Percentile(_IOPS, 95),
        _P95,
        change="ratio",
        about="IOPS per VM that 95 % of the samples do not exceed",
    ),
    _iops(
        "peak_iops_per_vm",
        "Peak IOPS of a VM",
        Peak(_IOPS),
        "highest IOPS sample of any VM in the phase",
        change="ratio",
    ),
    _latency(
        "read_latency_ms",
        "Read latency",
        MeanLatency(_READ_LATENCY, _READS),
        _OVER_READS,
        change="ratio",
        trace=_READ_LATENCY,
        factor=1e3,
        about="Mean read latency of all VMs, weighted by reads",
    ),
    _latency(
        "read_latency_p95_ms",
        "p95 of read latency",
        PercentileOfLatency(_READ_LATENCY, _READS),
        _P95_READS,
        optional=True,
        about="Read latency that 95 % of the samples do not exceed",
    ),
    _latency(
        "write_latency_ms",
        "Write latency",
        MeanLatency(_WRITE_LATENCY, _WRITES),
        _OVER_WRITES,
        change="ratio",
        trace=_WRITE_LATENCY,
        factor=1e3,
        about="Mean write latency of all VMs, weighted by writes",
    ),
    _latency(
        "write_latency_p95_ms",
        "p95 of write latency",
        PercentileOfLatency(_WRITE_LATENCY, _WRITES),
        _P95_WRITES,
        optional=True,
        about="Write latency that 95 % of the samples do not exceed",
    ),
    _cache(
        "cache_ram_used_mb_end",
        "Cache RAM used at end",
        LastReading(_RAM),
        _LAST,
        change="ratio",
        better="none",
        about="Mean cache RAM use per VM at phase end",
    ),
    _cache(
        "cache_ram_used_mb_peak",
        "Cache RAM used at peak",
        HighestReading(_RAM),
        _HIGHEST,
        optional=True,
        tables=_NO_CONSOLE,
        about="Highest use of cache RAM by any VM",
    ),
    _cache(
        "cache_ram_used_percent",
        "Share of cache RAM used at peak",
        HighestReading(_RAM, of_size=True),
        "100 × highest sample of any VM in the phase ÷ size of the RAM cache",
        "100*{cache_ram_used_mb_peak}/{ram_cache_mb}",
        unit="%",
        optional=True,
        tables=_NO_CONSOLE,
        about="Highest use of cache RAM by any VM, as a percentage of the cache size",
    ),
    _cache(
        "cache_disk_used_mb_end",
        "Cache disk used at end",
        LastReading(_DISK),
        _LAST,
        change="ratio",
        about="Mean cache disk use per VM at phase end",
    ),
    _cache(
        "cache_disk_used_mb_peak",
        "Cache disk used at peak",
        HighestReading(_DISK),
        _HIGHEST,
        optional=True,
        tables=_NO_CONSOLE,
        about="Highest use of the cache disk by any VM",
    ),
    _cache(
        "overflow_start",
        "Overflow start",
        Overflow(_DISK),
        "first time at which the cache disk use of any VM exceeds its earlier minimum by more than 1 MB",
        unit="UTC",
        optional=True,
        moment=True,
        tables=_NO_CONSOLE,
    ),
    Measure(
        "cpu_percent",
        "CPU",
        MeanOverTime(Quantity.CPU),
        _MEAN,
        unit="%",
        section="CPU",
        change="points",
        trace=Quantity.CPU,
        tables=_NO_CONSOLE,
        about="Mean CPU usage of all VMs",
    ),
    Measure(
        "cpu_utility_percent",
        "CPU utility",
        MeanOverTime(Quantity.CPU_UTILITY),
        _MEAN,
        unit="%",
        section="CPU",
        change="points",
        trace=Quantity.CPU_UTILITY,
        optional=True,
        quiet=True,
        tables=_NO_CONSOLE,
        about="Mean CPU utility of all VMs, above 100 % if faster than the nominal frequency",
    ),
    _of_sessions(
        "input_delay_ms",
        "Input delay",
        MeanOverTime(Quantity.INPUT_DELAY),
        f"longest delay of any session per sample, {_MEAN}, {_TO_MS}",
        unit="ms",
        trace=Quantity.INPUT_DELAY,
        factor=1e3,
        about="Mean input delay of all VMs",
    ),
    _of_sessions(
        "input_delay_p95_ms",
        "p95 of input delay",
        Percentile(Quantity.INPUT_DELAY, 95),
        f"95th percentile of input delay {_TO_MS}, {_INSIDE}",
        unit="ms",
        about="Input delay that 95 % of the samples do not exceed",
    ),
    *(
        _of_sessions(
            key,
            name,
            MeanOverTime(quantity),
            words,
            unit=unit,
            better=better,
            trace=quantity,
            factor=factor,
            about=f"{name}, mean of all VMs",
        )
        for key, name, quantity, words, unit, better, factor in _FELT
    ),
    Measure(
        "power_w",
        "CPU power consumption",
        Total(Quantity.POWER, (per_second,)),
        "(W × seconds of the sample within the phase, summed over the samples of all machines) ÷ phase duration (s)",
        unit="W",
        section="Power",
        change="ratio",
        trace=Quantity.POWER,
        optional=True,
        quiet=True,
        tables=_NO_CONSOLE,
        about="CPU power consumption summed over all machines, mean over the phase",
    ),
    Measure(
        "watts_per_user",
        "Power per user",
        Total(Quantity.POWER, (per_second, per_user)),
        "CPU power consumption ÷ users of the measured machines",
        "{power_w}/{users}",
        unit="W",
        section="Power",
        change="ratio",
        optional=True,
        quiet=True,
        tables=_NO_CONSOLE,
        about="Mean CPU power consumption per user",
    ),
    _stated(
        "measured_percent",
        "Measured",
        Counted(_IOPS, measured_percent),
        "100 × seconds of the phase with samples ÷ phase duration (s), mean over VMs",
        unit="%",
        tables=Tables.CONSOLE,
        about="Share of the phase with samples",
    ),
)
MEASURES: dict[str, Measure] = {measure.key: measure for measure in _DECLARED}
