"""A study of a thousand small runs for the benchmarks of the window with many runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.builders import perfmon_csv

CONFIGURATIONS, REPEATS, SAMPLES, STEP_S = 40, 25, 240, 15.0
# The mean values of the desktops of a configuration, and the variation of the samples of a counter.
COUNTERS = {
    r"PhysicalDisk(_Total)\Disk Reads/sec": 6.0,
    r"PhysicalDisk(_Total)\Disk Writes/sec": 12.0,
    r"PhysicalDisk(_Total)\Disk Read Bytes/sec": 200_000.0,
    r"PhysicalDisk(_Total)\Disk Write Bytes/sec": 150_000.0,
    r"PhysicalDisk(_Total)\Avg. Disk sec/Write": 0.002,
    r"Processor(_Total)\% Processor Time": 9.0,
}
_RUN = """configuration = "{label}"
provisioning = "{provisioning}"
session_type = "vdi"
vms = {vms}
users = {vms}
{cache}
[[phases]]
name = "boot"
start = 2016-05-10T09:00:00+01:00
end = 2016-05-10T09:10:00+01:00

[[phases]]
name = "logon"
start = 2016-05-10T09:10:00+01:00
end = 2016-05-10T09:25:00+01:00

[[phases]]
name = "steady"
start = 2016-05-10T09:25:00+01:00
end = 2016-05-10T09:59:00+01:00
"""


def write_runs(
    folder: Path, configurations: int = CONFIGURATIONS, repeats: int = REPEATS, vms: int | None = None
) -> int:
    """Writes that many runs of every configuration, each of that many VMs (None: 2 to 4) with an hour of samples;
    returns the runs."""
    for configuration in range(configurations):
        for repeat in range(repeats):
            run_folder = folder / f"cfg-{configuration + 1:02d}-r{repeat + 1:02d}"
            _write_run(run_folder, configuration, repeat, vms or 2 + configuration % 3)
    return configurations * repeats


def _write_run(folder: Path, configuration: int, repeat: int, vms: int) -> None:
    rng = np.random.default_rng([2016, configuration, repeat])
    folder.mkdir(parents=True)
    (folder / "run.toml").write_text(_manifest(configuration, vms))
    for vm in range(1, vms + 1):
        name = f"W10-{vm:03d}"
        # At most 70 % of the mean: repeats differ by far less than configurations do.
        load = (1 + configuration / CONFIGURATIONS) * rng.uniform(0.9, 1.1)
        columns = {
            rf"\\{name}\{counter}": np.round(mean * load * rng.gamma(4.0, 0.25, SAMPLES), 6).tolist()
            for counter, mean in COUNTERS.items()
        }
        perfmon_csv(folder / "guest" / f"{name}.csv", columns, step_s=STEP_S)


def _manifest(configuration: int, vms: int) -> str:
    cached = configuration % 2 == 1
    cache = f'write_cache = "device-ram-overflow"\nram_cache_mb = {64 * (configuration + 1)}\n'
    return _RUN.format(
        label=f"Build {configuration + 1:02d}",
        provisioning="PVS" if cached else "MCS",
        vms=vms,
        cache=cache if cached else ("baseline = true\n" if configuration == 0 else ""),
    )
