"""Defects of the files in a run's folder: machines, days, and missing or unreadable files."""

from __future__ import annotations

from datetime import datetime

from generator.plan import random_state

from .lab import BOOT, CPU, LOGON, STEADY, Lab, Log, disks

NAMES, EDGES = ("boot", "logon", "steady"), (BOOT, LOGON, STEADY)
LAUNCHER, SERVER, HOST = "LAUNCHER01", "SQL01", "HV-HOST-07"


def host_log_beside_vms(lab: Lab) -> None:
    """The host's own log is in the folder `host` and contains as much I/O as all desktops. Only the folder shows that
    it is the host's.
    """
    _add_machine(lab, HOST, "host", level=len(lab.vms))
    del lab.manifest["vms"]
    lab.expect("inferred-vms", "info")
    lab.expect("machine-no-desktop", "info", vm=HOST)


def launcher_among_vms(lab: Lab) -> None:
    """The launcher's log is among those of the desktops; run.toml states the number of desktops."""
    _add_machine(lab, LAUNCHER, "guest")
    lab.expect("machine-no-desktop", "info", vm=LAUNCHER)


def database_server_among_vms(lab: Lab) -> None:
    """A database server's log is among those of the desktops, and run.toml does not state the number of desktops."""
    _add_machine(lab, SERVER, "guest", level=3.0)
    del lab.manifest["vms"]
    lab.expect("machine-unlike", vm=SERVER)
    lab.expect("inferred-vms", "info")


def two_names_of_one_machine(lab: Lab) -> None:
    """One machine's processor was collected under its full name, its disk under the short one."""
    vm = lab.vms[1]
    full = f"{vm}.lab.example"
    rng = random_state(f"{lab.name} {CPU}")
    cpu = 30.0 + 5.0 * rng.standard_normal(lab.log.times.size)
    lab.logs.append(Log(f"guest/{full}.csv", lab.log.times, {(full, CPU): cpu}))
    lab.expect("machine-two-names", "info", vm=full)


def two_days_in_one_folder(lab: Lab) -> None:
    """The log of the day before is in the folder too."""
    day = 86_400.0
    rng = random_state(f"{lab.name} the day before")
    lab.logs.append(Log("guest/DataCollector00.csv", lab.log.times - day, disks(rng, lab.vms, lab.log.times)))
    lab.expect("runs-mixed", moment=lab.at(float(lab.log.times[0]))[:10])
    lab.expect("runs-mixed", moment=lab.at(float(lab.log.times[0]) - day)[:10])


def other_hosts_in_one_folder(lab: Lab) -> None:
    """The log of other desktops, recorded an hour later, is in the folder too."""
    rng = random_state(f"{lab.name} an hour later")
    others = [vm.replace("W10", "W7") for vm in lab.vms]
    lab.logs.append(Log("guest/DataCollector02.csv", lab.log.times + 3600.0, disks(rng, others, lab.log.times)))
    lab.expect("runs-mixed", moment=lab.at(float(lab.log.times[0]))[:10])


def collector_dies(lab: Lab) -> None:
    """Every VM's collector ends in the middle of steady state."""
    rows = lab.log.row(sum(STEADY) / 2.0) + 1
    lab.log.times = lab.log.times[:rows]
    lab.log.columns = {key: values[:rows] for key, values in lab.log.columns.items()}
    lab.expect("gap", vm=lab.vms[0], phase="steady")


def vm_missing(lab: Lab) -> None:
    """One VM was not recorded."""
    gone = lab.vms[4]
    lab.log.columns = {key: values for key, values in lab.log.columns.items() if key[0] != gone}
    for phase in NAMES:
        lab.expect("vms-missing", phase=phase)


def day_and_month_swapped(lab: Lab) -> None:
    """The phases are stated for 8 March, the samples are of 3 August."""
    assert (lab.zero.month, lab.zero.day) == (8, 3)
    read_so = datetime(lab.zero.year, 3, 8, lab.zero.hour, lab.zero.minute)
    away = (read_so - lab.zero).total_seconds()
    lab.phases = [(name, away + start, away + end) for name, (start, end) in zip(NAMES, EDGES, strict=True)]
    lab.events = []
    lab.expect("phase-not-measured", moment="3 August 2016")
    lab.expect("phase-not-measured", moment="8 March 2016")


def unknown_file_only(lab: Lab) -> None:
    """The only recording is a file of a format that is not read."""
    lab.logs, lab.events = [], []
    name = "guest/recording.etl"
    lab.other_files[name] = b"\x00\x02\x00\x00ETL trace, saved by mistake\x00" * 20
    lab.expect("run-without-data")
    lab.expect("not-recognised", "info", file=name)
    lab.expect("no-iops")


def _add_machine(lab: Lab, name: str, folder: str, level: float = 1.0) -> None:
    rng = random_state(f"{lab.name} {name}")
    lab.logs.append(Log(f"{folder}/{name}.csv", lab.log.times, disks(rng, [name], lab.log.times, level)))
