"""Machines that must count once, and machines that are not desktops: a host, a launcher, a database server.

Three rules are certain and are applied. Two names of one machine are one machine. A machine that also has a host's
counters of virtual machines, or whose file is in a folder called `host`, is a host. So is a machine that run.toml names
in `leave_out`. Some machines have a name that differs from all others, or are named by no event. Such a machine is left
out if run.toml states exactly as many VMs as there are other machines. Otherwise it is included, and the user is asked
until leaving it out or counting it is stated.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import NamedTuple

import msgspec

from workbench.model.metric import Vantage
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.recording import Recording, Series
from workbench.model.run import Run
from workbench.model.session import Event
from workbench.study.plausibility.rules import RATES, UNLIKE_SHARE

_HOST_FOLDERS = frozenset(("host", "hosts"))
_SERVERS = re.compile(
    r"(?<![a-z])(launcher|lgen|sql|ddc|vcenter|storefront|esxi?|hyper-?v|fileserver|licen[sc]e)", re.I
)
_DIGITS = "0123456789"


@dataclass(frozen=True, slots=True)
class Machines:
    """A run's recordings with each desktop once and only desktops as VMs, and the changes made."""

    recordings: tuple[Recording, ...]
    problems: tuple[Problem, ...]


class _Seen(NamedTuple):
    """A kind of counter: its machine, its host, its vantage, the folder of its file. Host and folder are in lower
    case."""

    vm: str
    host: str
    vantage: Vantage
    folder: str


def told_apart(
    label: str,
    recordings: tuple[Recording, ...],
    events: Sequence[Event],
    vms: int | None = None,
    leave_out: Collection[str] = (),
) -> Machines:
    """Returns the recordings of a run with its machines distinguished. `vms` and `leave_out` are stated in run.toml."""
    recordings, problems = _one_name_each(label, recordings)
    # Each kind of counter with a metric once: a host's file has 50,000 counters.
    kinds = {
        (series.vm, series.host, series.metric.vantage, recording.file): None
        for recording in recordings
        if not recording.relative
        for series in recording.series
        if series.metric is not None
    }
    folders = {file: PurePosixPath(file).parent.name.casefold() for file in {kind[-1] for kind in kinds}}
    seen = [_Seen(vm or "", host.casefold(), vantage, folders[file]) for vm, host, vantage, file in kinds]
    measured = _measured(recordings)
    stated = {name.casefold() for name in leave_out}
    sure = {key: "run.toml lists it in leave_out" for key in measured if key in stated or _short(key) in stated}
    sure |= _hosts(seen, measured.keys() - sure.keys())
    rest = {key: name for key, name in measured.items() if key not in sure}
    unlike = unlike_machines(rest, events)
    if unlike and vms == len(rest) - len(unlike):
        sure |= {key: f"{why}, and the number of VMs in run.toml is {vms}" for key, why in unlike.items()}
    if not sure:
        return Machines(recordings, tuple(problems))
    problems.append(_left_out(label, {measured[key]: why for key, why in sure.items()}))
    changed = _changed(recordings, lambda series: _of_host(series) if _key(series) in sure else series)
    return Machines(changed, tuple(problems))


def machine_problems(run: Run) -> Iterator[Problem]:
    """Returns the questions about the machines of a run, and the user's decisions about them."""
    machines = _measured(run.recordings)
    counted = {name.casefold() for name in run.counted}
    unlike = unlike_machines(machines, run.events)
    asked = {machines[key]: why for key, why in unlike.items() if key not in counted}
    doubtful = [name for key, name in _doubtful(_names(run.recordings)).items() if key not in counted]
    if doubtful:
        yield Problem(
            Severity.WARNING,
            run.name,
            "machine-two-names",
            f"Several domains contain a machine named {few_named(doubtful)}, but one recording states no domain.",
            "each name treated as a separate machine; record full names, or set leave_out in run.toml",
            run=run.folder,
            machines=tuple(doubtful),
        )
    if asked and not states_vms(run, len(machines)):
        yield _asked(run, asked, len(machines))
    if run.left_out:
        yield _decided(run, "machine-no-desktop", "You excluded {} from the VMs.", run.left_out)
    if run.counted:
        yield _decided(run, "machine-unlike", "You included {} in the VMs.", run.counted)


def states_vms(run: Run, machines: int) -> bool:
    """True if the tester states as many VMs as the run has machines: then all of them are desktops."""
    return run.vms == machines and all(guess.field != "vms" for guess in run.guesses)


def without_machines(run: Run, names: Collection[str]) -> Run:
    """Returns the run without these machines among its VMs. Counts that were inferred from its machines are reduced
    accordingly."""
    before = _names(run.recordings)
    gone = {name.casefold() for name in names} & before.keys()
    fewer = len(gone)
    if not fewer:
        return run
    guessed = {guess.field for guess in run.guesses}
    vms = run.vms - fewer if run.vms == len(before) and "vms" in guessed else run.vms
    users = vms if run.users == run.vms and "users" in guessed else run.users
    changed = _changed(run.recordings, lambda series: _of_host(series) if _key(series) in gone else series)
    left_out = (*run.left_out, *(name for key, name in before.items() if key in gone))
    return replace(run, recordings=changed, vms=vms, users=users, left_out=left_out)


def _key(series: Series) -> str:
    return (series.vm or "").casefold()


def _short(name: str) -> str:
    return name.partition(".")[0]


def _stem(name: str) -> str:
    """Returns the short name without the number at its end."""
    return _short(name).rstrip(_DIGITS)


def _one_name_each(label: str, recordings: tuple[Recording, ...]) -> tuple[tuple[Recording, ...], list[Problem]]:
    """Returns the recordings with `W10-001.lab.local` renamed to `W10-001` if that is a machine of the run too."""
    names = _names(recordings)
    short = {longs[0]: names[key] for key, longs in _domains(names).items() if len(longs) == 1}
    problems = [_same(label, short, names)] if short else []
    if not short:
        return recordings, problems

    def renamed(series: Series) -> Series:
        return msgspec.structs.replace(series, vm=short[_key(series)]) if _key(series) in short else series

    return _changed(recordings, renamed), problems


def _names(recordings: Iterable[Recording]) -> dict[str, str]:
    """Returns the machines of the recordings in their first spelling, by their names in lower case."""
    names: dict[str, str] = {}
    for name in {series.vm: None for recording in recordings for series in recording.series if series.vm}:
        names.setdefault(name.casefold(), name)
    return names


def _domains(names: Collection[str]) -> dict[str, list[str]]:
    """Returns, by short name, the full names that a machine of that name may have."""
    domains: dict[str, list[str]] = defaultdict(list)
    for key in names:
        if "." in key and _short(key) in names and not _short(key).isdigit():
            domains[_short(key)].append(key)
    return domains


def _doubtful(names: dict[str, str]) -> dict[str, str]:
    """Returns short names that machines of several domains share."""
    return {key: names[key] for key, longs in _domains(names).items() if len(longs) > 1}


def _measured(recordings: Iterable[Recording]) -> dict[str, str]:
    """Returns the machines whose own rates are summed, in their first spelling."""
    rated = {
        series.vm: None
        for recording in recordings
        if not recording.relative
        for series in recording.series
        if series.vm and series.metric is not None and series.metric.quantity in RATES
    }
    names: dict[str, str] = {}
    for name in rated:
        names.setdefault(name.casefold(), name)
    return names


def _hosts(seen: Collection[_Seen], machines: Collection[str]) -> dict[str, str]:
    """Returns those of the machines that are hosts of virtual machines, each with the reason."""
    virtual = {one.host for one in seen if one.vantage is Vantage.HOST and one.vm.casefold() != one.host}
    found = {key: "it has counters that only a host has" for key in machines if key in virtual}
    folders: dict[str, set[str]] = defaultdict(set)
    for one in seen:
        if one.vantage is Vantage.GUEST:
            folders[one.vm.casefold()].add(one.folder)
    of_host = [key for key in machines if folders[key] and folders[key] <= _HOST_FOLDERS]
    # A folder with only hosts contains no other machines to show.
    if len(of_host) < len(machines):
        found |= {key: "its file is in a folder called 'host'" for key in of_host if key not in found}
    return found


def unlike_machines(machines: Collection[str], events: Sequence[Event]) -> dict[str, str]:
    """Returns those of the machines (in lower case) that are probably not desktops, each with the reason."""
    few = max(1, int(UNLIKE_SHARE * len(machines)))
    found: dict[str, str] = {}
    named = {_short(event.vm.casefold()) for event in events if event.vm}
    silent = [key for key in machines if _short(key) not in named]
    if len(named) > 1 and 0 < len(silent) <= few:
        found |= dict.fromkeys(silent, "no event mentions it")
    stems = {key: _stem(key) for key in machines}
    main, number = max(Counter(stems.values()).items(), key=lambda item: item[1], default=("", 0))
    odd = [key for key, stem in stems.items() if stem != main]
    if number > 1 and 0 < len(odd) <= few:
        found |= {key: "its name differs from the other names" for key in odd if key not in found}
    servers = [key for key in machines if _SERVERS.search(key)]
    if len(servers) < len(machines):
        found |= {key: "its name looks like a server's" for key in servers if key not in found}
    return found


def _of_host(series: Series) -> Series:
    """Returns the counter as one of a host, which belongs to no VM."""
    metric = None if series.metric is None else replace(series.metric, vantage=Vantage.HOST)
    return msgspec.structs.replace(series, vm=None, metric=metric)


def _changed(recordings: Sequence[Recording], change: Callable[[Series], Series]) -> tuple[Recording, ...]:
    return tuple(replace(recording, series=tuple(map(change, recording.series))) for recording in recordings)


def _same(label: str, short: dict[str, str], names: dict[str, str]) -> Problem:
    pairs = [f"{name} is also {names[long]}" for long, name in short.items()]
    return Problem(
        Severity.INFO,
        label,
        "machine-two-names",
        f"Some machines have a short and a full name: {few_named(pairs)}.",
        "both names treated as one machine, under the short name",
    )


def _left_out(label: str, reasons: dict[str, str]) -> Problem:
    each = [f"{name} ({why})" for name, why in reasons.items()]
    (first, why), *others = reasons.items()
    message = (
        f"{len(each)} machines are not treated as VMs: {few_named(each)}."
        if others
        else f"{first} is not treated as a VM: {why}."
    )
    action = "counters shown on the timeline as host counters"
    return Problem(Severity.INFO, label, "machine-no-desktop", message, action)


def _decided(run: Run, code: str, what: str, names: Sequence[str]) -> Problem:
    action = "to undo, use 'Include all machines' in the menu of the run"
    return Problem(Severity.INFO, run.name, code, what.format(few_named(names)), action, run=run.folder)


def _asked(run: Run, reasons: dict[str, str], machines: int) -> Problem:
    each = [f"{name} ({why})" for name, why in reasons.items()]
    listed = ", ".join(f'"{name}"' for name in reasons)
    one = len(reasons) == 1
    them = "it" if one else "them"
    return Problem(
        Severity.WARNING,
        run.name,
        "machine-unlike",
        f"{next(iter(reasons))} may not be a tested VM ({next(iter(reasons.values()))})."
        if one
        else f"{len(reasons)} of {machines} machines may not be tested VMs: {few_named(each)}.",
        f"included; in run.toml, exclude {them} (leave_out = [{listed}]) or keep {them} (vms = {machines})",
        run=run.folder,
        machines=tuple(reasons),
    )
