"""The test kit: every file as text, the plan of the runs, the load of the storage test. This module writes nothing to
disk.

It includes the README.txt of the kit: the programs to start, their machines and order, and how to copy the files back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from workbench.answers.common.names import ASSUMED_DESKTOPS
from workbench.answers.prepare.collections import data_collection_rule
from workbench.answers.prepare.kit import collectors
from workbench.answers.prepare.kit.mix import Mix, assumed_mix, diskspd_script, fio_job, mixes_of
from workbench.answers.prepare.kit.runs import (
    PLANNED,
    PlannedRuns,
    manifest_text,
    plan_rows,
    plan_text,
    planned_runs,
    run_folder,
)
from workbench.answers.prepare.questions import QUESTIONS, Extra, Place, Question, counters_of
from workbench.measures.configurations import Group
from workbench.model.metric import OF_SESSIONS, Quantity
from workbench.model.run import Provisioning
from workbench.readers.common.counters import Collected
from workbench.words.metrics import in_phase
from workbench.words.numbers import plural

SHORTEST_S, LONGEST_S = 1, 3600
# Counters that every question needs implicitly: sessions distinguish VDI from RDS; the processors of a host name its
# VMs, which the paths of their disks may not do.
_BESIDE = {Place.GUEST: Quantity.ACTIVE_SESSIONS, Place.HOST: Quantity.CPU}
# Load of the Hyper-V host itself, in addition to its VMs: only for people, because no answer reads it.
_HOST_CPU = (
    r"\Hyper-V Hypervisor Logical Processor(_Total)\% Total Run Time",
    r"\Hyper-V Hypervisor Root Virtual Processor(_Total)\% Total Run Time",
)
# The processor use of desktops at their current frequency, and the processors' power if Windows has that meter: no
# question needs them.
_GUEST_CPU = (r"\Processor Information(_Total)\% Processor Utility", r"\Energy Meter(*)\Power")


@dataclass(frozen=True, slots=True)
class KitChoices:
    """The purpose of a kit: keys of questions (none: all), names of configurations (none: those of the study), seconds
    between samples (None: as the questions need), runs of each configuration (None: as planned), the change to show and
    the margin as shares, and the desktops of the storage test (None: `ASSUMED_DESKTOPS`)."""

    questions: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ()
    interval_s: int | None = None
    runs: int | None = None
    detect: float = 0.05
    margin: float = 0.05
    desktops: int | None = None

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions in the order of the full list."""
        return tuple(question for key, question in QUESTIONS.items() if key in self.questions or not self.questions)

    @property
    def sample_s(self) -> int:
        """Seconds between two samples: the chosen ones, otherwise the shortest that a question needs."""
        return self.interval_s or int(min(question.interval_s for question in self.asked))

    @property
    def refused(self) -> str:
        """A sentence with the questions that samples this far apart cannot answer, so no kit is made; empty if all are
        answered."""
        late = [question for question in self.asked if self.sample_s > question.interval_s]
        named = ", ".join(f"{question.key} ({question.interval_s:g} s)" for question in late)
        return named and f"With one sample every {self.sample_s} s, these questions cannot be answered: {named}."


@dataclass(frozen=True, slots=True)
class KitFile:
    """A file of the kit: its path with `/`, its text with plain line feeds, its purpose in a line, and the machine that
    uses it (empty: the person who runs the test). Files for Windows are written with Windows line ends."""

    path: str
    text: str
    about: str
    place: str = ""

    @property
    def content(self) -> bytes:
        """The bytes of the file."""
        windows = self.path.endswith((".cmd", ".ps1", ".txt", ".xml"))
        return (self.text.replace("\n", "\r\n") if windows else self.text).encode()


@dataclass(frozen=True, eq=False)
class Kit:
    """The files to write, and the inputs behind them."""

    choices: KitChoices
    files: tuple[KitFile, ...]
    planned: PlannedRuns
    mixes: tuple[Mix, ...]


def make_kit(choices: KitChoices, groups: Sequence[Group] = ()) -> Kit:
    """The kit for these choices. `groups` are the configurations of a study, for the plan and the load of its baseline
    (none: both are assumed)."""
    planned = planned_runs(groups, choices.configurations, choices.runs, choices.detect, choices.margin)
    base = planned.base
    mixes = _mixes(choices, base) if _needs(choices, Extra.STORAGE_TEST) else ()
    files = [
        *_counters(choices, frozenset(configuration.provisioning for configuration in planned.configurations)),
        *_events(choices),
        *_runs(planned),
        *(file for mix in mixes for file in _storage(mix)),
    ]
    text = readme(choices.asked, choices.sample_s, {file.path: file.about for file in files}, planned, mixes)
    first = KitFile("README.txt", text, "start here: what to run on which machine, in which order")
    return Kit(choices, (first, *files), planned, mixes)


def _mixes(choices: KitChoices, base: Group | None) -> tuple[Mix, ...]:
    """The load of the baseline's phases, otherwise the assumed one."""
    desktops = ASSUMED_DESKTOPS if choices.desktops is None else choices.desktops
    mixes = (() if base is None else mixes_of(base, desktops)) or (assumed_mix(desktops),)
    return tuple(replace(mix, assumed_desktops=choices.desktops is None) for mix in mixes)


def kit_counters(
    questions: Sequence[Question], place: Place, provisionings: frozenset[Provisioning] = frozenset(Provisioning)
) -> tuple[Collected, ...]:
    """The counters of every alternative of the needs of the questions on such a machine, each once, if desktops have
    one of these provisioning types; with `other`, any provisioning type."""
    every = Provisioning.OTHER in provisionings
    needs = [
        need
        for question in questions
        for need in question.needs
        if place in need.places and (every or need.only & provisionings)
    ]
    wanted = dict.fromkeys(
        counter for need in needs for parts in need.alternatives for counter in counters_of(parts, place, need.only)
    )
    beside = counters_of((_BESIDE[place],), place) if needs and place in _BESIDE else ()
    return tuple(
        counter
        for counter in dict.fromkeys((*wanted, *beside))
        if every or counter.desktops is None or counter.desktops in provisionings
    )


def _needs(choices: KitChoices, fact: Extra) -> bool:
    return any(fact in parts for question in choices.asked for need in question.needs for parts in need.alternatives)


def _counters(choices: KitChoices, provisionings: frozenset[Provisioning]) -> Iterator[KitFile]:
    interval = choices.sample_s
    guest, host, server = (
        kit_counters(choices.asked, place, provisionings) for place in (Place.GUEST, Place.HOST, Place.PVS_SERVER)
    )
    asks_cpu = any(question.key == "cpu" for question in choices.asked)
    yield from _perfmon(Place.GUEST, "guest", (*guest, *_also(guest, _GUEST_CPU if asks_cpu else ())), interval)
    if collectors.counter_paths(guest):
        text = collectors.remote_script(interval)
        yield KitFile("guest/remote.cmd", text, "logs counters of desktops remotely, without an agent", Place.GUEST)
        text = data_collection_rule(guest, interval)
        about = "data collection rule with the counters that AVD Insights lacks"
        yield KitFile("azure/data-collection-rule.json", text, about, Place.GUEST)
    if any(counter.tool == "poolmon" for counter in guest):
        text = collectors.poolmon_script(interval)
        yield KitFile(
            "guest/poolmon.cmd",
            text,
            "PVS: logs the size of the RAM cache (pool tag VhdR) about every minute",
            Place.GUEST,
        )
    yield from _perfmon(Place.HOST, "hyper-v", (*host, *_also(host, _HOST_CPU if asks_cpu else ())), interval)
    if any(counter.tool == "esxtop" for counter in host):
        rc, script = collectors.esxtop_rc(host, interval), collectors.esxtop_script(interval)
        yield KitFile("esxi/esxtop60rc", rc, "ESXi: settings of esxtop (not verified on a host)", Place.HOST)
        yield KitFile("esxi/esxtop.sh", script, "ESXi: logs counters with esxtop in batch mode", Place.HOST)
    yield from _perfmon(Place.PVS_SERVER, "pvs-server", server, interval)


def _also(counters: Sequence[Collected], paths: Sequence[str]) -> tuple[Collected, ...]:
    """Counters with these paths, otherwise like the first perfmon counter."""
    like = next((counter for counter in counters if counter.tool == "perfmon"), None)
    return () if like is None else tuple(replace(like, name=path) for path in paths)


def _perfmon(place: Place, name: str, counters: Sequence[Collected], interval_s: int) -> Iterator[KitFile]:
    """The files for a kind of Windows machine, in a folder with that name; none if it has no counters to log."""
    if not collectors.counter_paths(counters):
        return
    guest = place is Place.GUEST
    # Sessions begin after the log.
    binary = not guest or any("(*)" in counter.name and counter.quantity in OF_SESSIONS for counter in counters)
    texts = {
        f"{name}.xml": (
            collectors.collector_set(name, counters, interval_s, binary),
            f"data collector set: {len(collectors.counter_paths(counters))} counters every {interval_s} s",
        ),
        "counters.txt": (collectors.counter_list(counters), "the same counters for typeperf -cf"),
        "install.cmd": (
            collectors.install_script(name, at_start=guest),
            "imports the collector set" + (" and starts it with Windows" if guest else ""),
        ),
        "uninstall.cmd": (
            collectors.uninstall_script(name, at_start=guest),
            "removes the collector set" + (" and its autostart" if guest else ""),
        ),
        "start.cmd": (collectors.start_script(name), "starts the collector set"),
        "stop.cmd": (collectors.stop_script(name), "stops the collector set and moves the log to the given folder"),
        "typeperf.cmd": (collectors.typeperf_script(interval_s), "logs counters without a data collector set"),
    }
    for file, (text, about) in texts.items():
        yield KitFile(f"{name}/{file}", text, about, place)


def _events(choices: KitChoices) -> Iterator[KitFile]:
    if not _needs(choices, Extra.LOGONS) and not any(question.phases for question in choices.asked):
        return
    yield KitFile("events/add-event.ps1", collectors.ADD_EVENT_PS1, "writes an event into events.csv", Place.LAUNCHER)
    about = "writes an event into events.csv, without PowerShell"
    yield KitFile("events/add-event.cmd", collectors.ADD_EVENT_CMD, about, Place.LAUNCHER)
    about = "part of the users' logon script: records the start and end of each logon"
    yield KitFile("events/logon-end.ps1", collectors.LOGON_END_PS1, about, Place.GUEST)


def _runs(planned: PlannedRuns) -> Iterator[KitFile]:
    yield KitFile("run-plan.txt", plan_text(planned), "number of runs, with the reason")
    yield KitFile("run-plan.csv", plan_rows(planned), "runs in their planned order, with their folders")
    for index, configuration in enumerate(planned.order):
        folder = run_folder(planned, index)
        text = manifest_text(configuration, baseline=configuration.name == planned.baseline)
        yield KitFile(f"{folder}/run.toml", text, f"run {index + 1}: {configuration.name}")


def _storage(mix: Mix) -> Iterator[KitFile]:
    origins = {value.origin for value in mix.values}
    load = "load" if origins == {"assumed"} else "part of the load" if "assumed" in origins else ""
    assumed = " and ".join(filter(None, ("number" * mix.assumed_desktops, load)))
    about = f"simulates {plural(mix.desktops, 'desktop')} {in_phase(mix.phase)}"
    about += f" ({assumed} assumed)" if assumed else ""
    yield KitFile(f"storage/fio-{mix.phase}.fio", fio_job(mix), f"fio job: {about}", Place.STORAGE)
    text = diskspd_script(mix)
    yield KitFile(f"storage/diskspd-{mix.phase}.cmd", text, f"DiskSpd script: {about}", Place.STORAGE)


def readme(
    questions: Sequence[Question],
    sample_s: int,
    files: Mapping[str, str],
    planned: PlannedRuns,
    mixes: Sequence[Mix] = (),
) -> str:
    """The text with only the steps that the files need. `files` are their paths with their purpose, `sample_s` the
    seconds between two samples, `mixes` the loads of the storage test."""
    steps = [text for start, text in _STEPS if any(path.startswith(start) for path in files)]
    if any(
        Extra.RESPONSES in parts for question in questions for need in question.needs for parts in need.alternatives
    ):
        steps.insert(-1, _RESPONSES)
    lines = [
        "Test kit of VDI Workbench",
        "",
        "Questions that this test answers:",
        *(f"- {question.text}" for question in questions),
        "",
        f"{len(planned.order)} runs ({planned.runs} of each configuration), one sample every {sample_s} s.",
        *_assumed(mixes),
        "",
        "Do these steps in order:",
    ]
    for number, text in enumerate(steps, start=1):
        head, *rest = text.split("\n")
        lines += [f"{number}. {head}", *(f"   {line}" for line in rest)]
    others = {path: about for path, about in files.items() if not path.startswith(f"{PLANNED}/")}
    listed = others | {f"{PLANNED}/…/run.toml": "properties of each planned run"}
    width = max(map(len, listed))
    lines += ["", "Files in the kit:", *(f"{path.ljust(width)}  {about}" for path, about in listed.items())]
    return "\n".join(lines) + "\n"


def _assumed(mixes: Sequence[Mix]) -> list[str]:
    """The values of the storage test that were neither stated nor measured; empty if there are none."""
    words = [f"- {mix.desktop_words}: set your number with --desktops N" for mix in mixes[:1] if mix.assumed_desktops]
    words += [
        f"- {value.name} {in_phase(mix.phase)}: {value.value:g} {value.unit}".rstrip() + f" ({value.source})"
        for mix in mixes
        for value in mix.values
        if value.origin == "assumed"
    ]
    return ["", "Assumed values of the storage test (not measured):", *words] if words else []


_RESPONSES = """VSImax needs a load generator: start the sessions with Login VSI or Login Enterprise.
Put the result files of the load generator into load-generator in the folder of the run."""
# The steps, by the beginning of the paths of their files.
_STEPS = (
    (
        "",
        """Read run-plan.txt. It lists the runs in their order. Each run has a folder in planned-runs with a run.toml.
Enter the VMs, users and workload in each run.toml. Synchronise the clocks of all machines with one time server.""",
    ),
    (
        "guest/",
        """Desktops: copy the folder guest into the master image and run install.cmd there as administrator.
Each desktop then logs the counters from the start of Windows. Before you reset or shut down the desktops, run
stop.cmd FOLDER in each desktop. It moves the log of this run to FOLDER on a share. Use a new FOLDER for each run.
start.cmd starts the next log without a restart. After the test, remove the set from the image with uninstall.cmd.""",
    ),
    (
        "guest/remote",
        """Desktops that lose all files at a restart: if you cannot change their image, run guest\\remote.cmd FILE on
another machine. It logs the desktops whose names FILE contains. It does not record the boot or sessions that begin
later. Hosts, the load generator and Azure Monitor can also measure these desktops without an agent.""",
    ),
    (
        "azure/",
        """Azure Virtual Desktop: AVD Insights does not log Disk Reads/sec, Writes/sec or Transfers/sec, so IOPS are
missing. Add the data source of azure/data-collection-rule.json to the data collection rule of AVD Insights. After the
run, export the table Perf.""",
    ),
    (
        "guest/poolmon",
        """PVS with a cache in RAM: run guest\\poolmon.cmd FOLDER as administrator in each desktop.
Without poolmon, the RAM used by the cache is only estimated.""",
    ),
    (
        "hyper-v/",
        """Hyper-V hosts: run install.cmd as administrator, start.cmd before each run, and stop.cmd FOLDER
after each run.""",
    ),
    (
        "esxi/",
        """ESXi hosts: copy the folder esxi to each host. For each run, start sh esxtop.sh SECONDS on each host.
SECONDS is the length of the run.""",
    ),
    (
        "pvs-server/",
        """PVS servers: run install.cmd as administrator, start.cmd before each run, and stop.cmd FOLDER after each
run. Add the names of servers to leave_out in each run.toml, because servers are not desktops.""",
    ),
    (
        "events/",
        """Events: copy the folder events to a share. Desktops and the launcher need write access to the share.
Launcher: call add-event.ps1 power_on VM when it starts a desktop, and add-event.ps1 run_end at the end of the test.
Logon script of the users: call logon-end.ps1 on its last line. logon-end.ps1 writes logon_start and logon_end:
powershell -NoProfile -ExecutionPolicy Bypass -File \\\\SERVER\\SHARE\\events\\logon-end.ps1
Broker: call add-event.ps1 registered VM when a desktop is registered, and add-event.ps1 logoff VM USER when a
session ends.
Boot lasts from the first power_on to the last registered. Logon lasts from the first logon_start to the last
logon_end. Steady state then lasts until the first logoff. After each run, move events-*.csv into the run folder.""",
    ),
    (
        "storage/",
        """Storage: shut down all desktops, then run fio or DiskSpd on the storage under test:
fio --output-format=json --output=fio-steady.json fio-steady.fio, or diskspd-steady.cmd FOLDER
Each test has five steps: the IOPS of the desktops, twice these IOPS, and three steps at full speed with increasing
I/Os in flight. The storage is at its limit when more I/Os in flight add no IOPS. The head of each file lists the
values of the load. Put the results into results/storage.""",
    ),
    (
        "",
        """After each run, put the logs into the folder of the run: logs of desktops into guest, logs of hosts into
host, and events-*.csv next to run.toml. You can keep the file names: files are recognised by their content. Then move
the folder of the run from planned-runs to results.
When all runs are there, open the folder results: vdi-workbench results, or vdiwb findings results.""",
    ),
)
