"""The test kit: every file of it as text, the plan of the runs, the load of the storage test. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from workbench.answers.common.names import ASSUMED_DESKTOPS
from workbench.answers.prepare.collections import data_collection_rule
from workbench.answers.prepare.kit import collectors, event_scripts, storage_jobs
from workbench.answers.prepare.kit.mix import Mix, assumed_mix, mixes_of
from workbench.answers.prepare.kit.readme import readme
from workbench.answers.prepare.kit.runs import Planned, manifest_text, plan_rows, plan_text, planned_runs, run_folder
from workbench.answers.prepare.questions import QUESTIONS, Fact, Place, Question, counters_of
from workbench.measures.configurations import Group
from workbench.model.metric import OF_SESSIONS, Quantity
from workbench.model.run import Provisioning
from workbench.readers.common.collected import Collected

SHORTEST_S, LONGEST_S = 1, 3600
# What any question needs of a log without saying so: sessions tell VDI from RDS, and the processors of a host name its
# VMs, which the paths of their disks may not.
_BESIDE = {Place.GUEST: Quantity.ACTIVE_SESSIONS, Place.HOST: Quantity.CPU}
# How busy a Hyper-V host is itself, beside its VMs: for the eye, as no answer reads it.
_HOST_CPU = (
    r"\Hyper-V Hypervisor Logical Processor(_Total)\% Total Run Time",
    r"\Hyper-V Hypervisor Root Virtual Processor(_Total)\% Total Run Time",
)
# How much of their processors desktops use at the frequency that they run at, and the power of those, where Windows
# has that meter: no question asks for them.
_GUEST_CPU = (r"\Processor Information(_Total)\% Processor Utility", r"\Energy Meter(*)\Power")


@dataclass(frozen=True, slots=True)
class KitChoices:
    """What a kit is for: keys of questions (none: every one), names of configurations (none: those of the study),
    seconds between samples (None: as the questions need), runs of each configuration (None: as planned), the change
    to be shown and the margin as shares, and the desktops of the storage test (None: `ASSUMED_DESKTOPS`)."""

    questions: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ()
    interval_s: int | None = None
    runs: int | None = None
    detect: float = 0.05
    margin: float = 0.05
    desktops: int | None = None

    @property
    def asked(self) -> tuple[Question, ...]:
        """The questions, in the order of the list of all."""
        return tuple(question for key, question in QUESTIONS.items() if key in self.questions or not self.questions)

    @property
    def sample_s(self) -> int:
        """Seconds between two samples: as chosen, else the shortest that a question needs."""
        return self.interval_s or int(min(question.interval_s for question in self.asked))

    @property
    def refused(self) -> str:
        """Why no kit is made of it: the questions that samples so far apart do not answer, in a sentence; empty where
        all are answered."""
        late = [question for question in self.asked if self.sample_s > question.interval_s]
        named = ", ".join(f"{question.key} ({question.interval_s:g} s)" for question in late)
        return named and f"With a sample every {self.sample_s} s these questions are not answered: {named}."


@dataclass(frozen=True, slots=True)
class KitFile:
    """A file of the kit: its place with `/`, its text with plain line feeds, what it is in a line, and where it is used
    (empty: by whoever runs the test). Files for Windows are written with its line ends."""

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
    """What is written, and what it rests on."""

    choices: KitChoices
    files: tuple[KitFile, ...]
    planned: Planned
    mixes: tuple[Mix, ...]


def make_kit(choices: KitChoices, groups: Sequence[Group] = ()) -> Kit:
    """The kit for these choices; `groups` are the configurations of a study, for the plan and the load of its baseline
    (none: both are assumed)."""
    planned = planned_runs(groups, choices.configurations, choices.runs, choices.detect, choices.margin)
    base = planned.base
    mixes = _mixes(choices, base) if _tests_storage(choices) else ()
    files = [
        *_counters(choices, frozenset(configuration.provisioning for configuration in planned.configurations)),
        *_events(choices),
        *_runs(planned),
        *(file for mix in mixes for file in _storage(mix)),
    ]
    text = readme(choices.asked, choices.sample_s, {file.path: file.about for file in files}, planned, mixes)
    first = KitFile("README.txt", text, "what to start where, in which order")
    return Kit(choices, (first, *files), planned, mixes)


def _mixes(choices: KitChoices, base: Group | None) -> tuple[Mix, ...]:
    """The load of the phases of the baseline, else the assumed one."""
    desktops = ASSUMED_DESKTOPS if choices.desktops is None else choices.desktops
    mixes = (() if base is None else mixes_of(base, desktops)) or (assumed_mix(desktops),)
    return tuple(replace(mix, assumed_desktops=choices.desktops is None) for mix in mixes)


def kit_counters(
    questions: Sequence[Question], place: Place, provisionings: frozenset[Provisioning] = frozenset(Provisioning)
) -> tuple[Collected, ...]:
    """The counters of every alternative of what the questions need on such a machine, each once, where desktops have
    one of these provisionings; `other` may be any."""
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


def _tests_storage(choices: KitChoices) -> bool:
    return _needs(choices, Fact.STORAGE_TEST)


def _needs(choices: KitChoices, fact: Fact) -> bool:
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
        yield KitFile(
            "guest/remote.cmd", text, "logs desktops from a machine that stays, without an agent", Place.GUEST
        )
        text = data_collection_rule(guest, interval)
        about = "what AVD Insights lacks, as a data source of a data collection rule"
        yield KitFile("azure/data-collection-rule.json", text, about, Place.GUEST)
    if any(counter.tool == "poolmon" for counter in guest):
        text = collectors.poolmon_script(interval)
        yield KitFile("guest/poolmon.cmd", text, "PVS: the RAM cache by its pool tag, every minute or so", Place.GUEST)
    yield from _perfmon(Place.HOST, "hyper-v", (*host, *_also(host, _HOST_CPU if asks_cpu else ())), interval)
    if any(counter.tool == "esxtop" for counter in host):
        rc, script = collectors.esxtop_rc(host, interval), collectors.esxtop_script(interval)
        yield KitFile("esxi/esxtop60rc", rc, "ESXi: the displays that esxtop logs; not verified on a host", Place.HOST)
        yield KitFile("esxi/esxtop.sh", script, "ESXi: logs them in batch mode", Place.HOST)
    yield from _perfmon(Place.PVS_SERVER, "pvs-server", server, interval)


def _also(counters: Sequence[Collected], paths: Sequence[str]) -> tuple[Collected, ...]:
    """Counters of these paths, like the first one of perfmon."""
    like = next((counter for counter in counters if counter.tool == "perfmon"), None)
    return () if like is None else tuple(replace(like, name=path) for path in paths)


def _perfmon(place: Place, name: str, counters: Sequence[Collected], interval_s: int) -> Iterator[KitFile]:
    """The files for a kind of Windows machine, in a folder of that name; none where it has no counters to log."""
    if not collectors.counter_paths(counters):
        return
    guest = place is Place.GUEST
    # Sessions begin after the log does.
    binary = not guest or any("(*)" in counter.name and counter.quantity in OF_SESSIONS for counter in counters)
    texts = {
        f"{name}.xml": (
            collectors.collector_set(name, counters, interval_s, binary),
            f"data collector set: {len(collectors.counter_paths(counters))} counters every {interval_s} s",
        ),
        "counters.txt": (collectors.counter_list(counters), "the same counters for typeperf -cf"),
        "install.cmd": (
            collectors.install_script(name, at_start=guest),
            "imports the set" + (", which then starts with Windows" if guest else ""),
        ),
        "uninstall.cmd": (
            collectors.uninstall_script(name, at_start=guest),
            "takes the set out again" + (", and its start with Windows" if guest else ""),
        ),
        "start.cmd": (collectors.start_script(name), "starts the set"),
        "stop.cmd": (collectors.stop_script(name), "stops the set and moves the log of this run"),
        "typeperf.cmd": (collectors.typeperf_script(interval_s), "logs without a data collector set"),
    }
    for file, (text, about) in texts.items():
        yield KitFile(f"{name}/{file}", text, about, place)


def _events(choices: KitChoices) -> Iterator[KitFile]:
    if not _needs(choices, Fact.LOGONS) and not any(question.phases for question in choices.asked):
        return
    yield KitFile(
        "events/add-event.ps1", event_scripts.ADD_EVENT_PS1, "writes an event into events.csv", Place.LAUNCHER
    )
    about = "the same where no PowerShell script may run"
    yield KitFile("events/add-event.cmd", event_scripts.ADD_EVENT_CMD, about, Place.LAUNCHER)
    about = "in the user's logon script: when the logon began and ended"
    yield KitFile("events/logon-end.ps1", event_scripts.LOGON_END_PS1, about, Place.GUEST)


def _runs(planned: Planned) -> Iterator[KitFile]:
    yield KitFile("run-plan.txt", plan_text(planned), "how many runs, and why")
    yield KitFile("run-plan.csv", plan_rows(planned), "the runs in their order, with their folders")
    for index, configuration in enumerate(planned.order):
        folder = run_folder(planned, index)
        text = manifest_text(configuration, baseline=configuration.name == planned.baseline)
        yield KitFile(f"{folder}/run.toml", text, f"run {index + 1}: {configuration.name}")


def _storage(mix: Mix) -> Iterator[KitFile]:
    basis = "measured" if all(value.origin == "measured" for value in mix.values) else "partly assumed"
    if all(value.origin == "assumed" for value in mix.values):
        basis = "assumed"
    about = f"the load of {mix.desktop_words} in {mix.phase}, {basis}"
    yield KitFile(f"storage/fio-{mix.phase}.fio", storage_jobs.fio_job(mix), f"fio: {about}", Place.STORAGE)
    text = storage_jobs.diskspd_script(mix)
    yield KitFile(f"storage/diskspd-{mix.phase}.cmd", text, f"DiskSpd: {about}", Place.STORAGE)
