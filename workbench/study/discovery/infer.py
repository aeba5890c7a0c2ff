"""Infers the properties of a run that are not stated: provisioning, cache size, session type, VM count, each with a
reason.

It also decides if the last number of a folder's name is the number of a run or belongs to the configuration. A number
is that of a run if the name says so (`-r1`, `_run2`, `#3`, `(2)`). A bare number is one only directly after a
provisioning method or, for MCSIO and PVS, a cache size (`mcs-1`, `mcsio-512-2`). Otherwise it distinguishes
configurations, as in `windows-10` and `mcs-chrome-99`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from workbench.model.metric import Quantity
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.recording import Recording, Series
from workbench.model.run import CACHED, Configuration, Guess, Provisioning, Run, SessionType
from workbench.model.session import Event, Session
from workbench.study.discovery.manifest import Manifest
from workbench.study.store.columns import read_columns

if TYPE_CHECKING:
    from workbench.study.store.columns import FloatArray

# MCSIO is searched before MCS and removed from the text: "mcs_io" names only MCSIO.
_PROVISIONING = (
    (Provisioning.MCSIO, re.compile(r"(?<![a-z])mcs[-_ ]?io(?!ps)", re.I)),
    (Provisioning.MCS, re.compile(r"(?<![a-z])mcs(?![a-z])", re.I)),
    (Provisioning.PVS, re.compile(r"(?<![a-z])pvs(?![a-z])", re.I)),
    (Provisioning.INSTANT_CLONE, re.compile(r"(?<![a-z])instant[-_ ]?clones?(?![a-z])", re.I)),
    (Provisioning.EPHEMERAL_OS_DISK, re.compile(r"(?<![a-z])ephemeral([-_ ]?os)?([-_ ]?disks?)?(?![a-z])", re.I)),
    (
        Provisioning.PERSISTENT_WRITE_BACK,
        re.compile(r"(?<![a-z])persist(ent|ed)?[-_ ]?(wbc|write[-_ ]?back)(?![a-z])", re.I),
    ),
    (Provisioning.AVD_POOLED, re.compile(r"(?<![a-z])(avd[-_ ]?pooled|pooled[-_ ]?avd)(?![a-z])", re.I)),
)
_SIZE = re.compile(r"(?<![\d.])(\d{1,5}(?:\.\d)?)[-_ ]?(mb|gb|m|g)(?![a-z])", re.I)
# A bare number counts as a cache size only if consoles offer that size.
_BARE_SIZE = re.compile(
    r"(?<!\d)(?:(?<![A-Za-z])|(?<=mcsio)|(?<=pvs))"
    r"(64|128|256|384|512|768|1024|1536|2048|3072|4096|8192|12288|16384)"
    r"(?![\dA-Za-z]|[-_ ](?:vms?|desktops?|users?|sessions?)(?![A-Za-z]))",
    re.I,
)
# The pattern of run numbers at the time of workspace files of version 2.
_EARLIER = re.compile(r"(?<![-_ ])[-_ ]+(?:(?:run|rep|replicate|test|r|#)[-_ ]?\d{1,3}|\d{1,2}|\(\d{1,2}\))$", re.I)
# The number of a run within a name of several parts: "mcs_run2_W10-001".
_RUN_NUMBER = re.compile(r"(?<![a-z0-9])(?:run|rep|replicate|r)[-_ #]?(\d{1,3})(?![a-z0-9])", re.I)
# The rest of "run-1" is not a configuration.
_NO_NAME = frozenset(("run", "rep", "repeat", "replicate", "test", "trial", "iteration", "lauf"))
# A date or a date with a time: runs of one configuration on two days are repeats.
_DATE = re.compile(
    r"(?<![-_ ])[-_ ]*(?<!\d)20\d{2}[-_]?[01]\d[-_]?[0-3]\d(?:[-_T ]?\d{2}[-_:]?\d{2}(?:[-_:]?\d{2})?)?(?!\d)"
)
_VMS = re.compile(r"(?<!\d)(\d{1,5})[-_ ]?(?:vms?|desktops?)(?![a-z])", re.I)
_RDS = re.compile(r"(?<![a-z])(rds|rdsh|xenapp|terminal|tsv)(?![a-z])", re.I)
_MB = 2**20


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about a run, stated or inferred; `guesses` gives which are guesses, and why. For an inferred name,
    `other` is the folder's name with its last number read the other way. `earlier` is the name in workspace files of
    version 2. Each is empty if there is none or if it is equal."""

    configuration: Configuration
    session_type: SessionType
    vms: int | None
    users: int | None
    guesses: tuple[Guess, ...]
    other: str = ""
    earlier: str = ""


def infer(
    name: str,
    study: str,
    manifest: Manifest,
    recordings: tuple[Recording, ...],
    events: tuple[Event, ...],
    sessions: tuple[Session, ...] = (),
    found: Mapping[str, tuple[str, str]] | None = None,
) -> Facts:
    """Returns the facts of a run from its manifest, otherwise from its folder name, otherwise from its counters.
    `found` are guessed values for keys of run.toml with the name of their file; they rank after names and before
    counters."""
    found = found or {}
    guesses: list[Guess] = []
    vms = _vms(name, manifest, recordings, guesses)
    session_type = _session_type(name, study, manifest, recordings, events, vms, guesses)
    configuration = _configuration(name, study, manifest, recordings, guesses, found)
    users = _users(manifest, session_type, events, sessions, vms, guesses)
    other = earlier = ""
    if manifest.get("configuration") is None:
        name_of = partial(_configuration_name, name, configuration.provisioning, configuration.ram_cache_mb)
        other, earlier = (
            "" if found == configuration.name else found for found in (name_of(_read_otherwise), name_of(_read_earlier))
        )
    return Facts(configuration, session_type, vms, users, tuple(guesses), other, earlier)


def named_run(text: str) -> str:
    """Returns a file name's statement about its run, such as "MCSIO 512 MB run 2". Empty if the name states no
    provisioning and no number of a run, or several provisionings."""
    provisioning = _named_provisioning(text)
    size = number = None
    if provisioning in (Provisioning.MCSIO, Provisioning.PVS):
        size = _cache_size([("name", text)], (), [])
    if match := _RUN_NUMBER.search(text):
        number = f"run {int(match[1])}"
    return " ".join(part for part in (provisioning, _size_text(size), number) if part)


def _configuration(
    name: str,
    study: str,
    manifest: Manifest,
    recordings: tuple[Recording, ...],
    guesses: list[Guess],
    found: Mapping[str, tuple[str, str]],
) -> Configuration:
    stated = manifest.get("configuration")
    texts = [("the configuration in run.toml", stated)] if stated else []
    texts += [("the run name", name), ("the study name", study)]
    provisioning = _provisioning(texts, manifest, recordings, guesses, found)
    size = manifest.get("ram_cache_mb")
    if size is None and provisioning in CACHED:
        size = _cache_size(texts[:-1], recordings, guesses)
        if size is None and "ram_cache_mb" in found:
            text, file = found["ram_cache_mb"]
            size = int(text)
            guesses.append(Guess("ram_cache_mb", text, f"value from {file}"))
    if stated is None:
        stated = _configuration_name(name, provisioning, size)
        guesses.append(Guess("configuration", stated, f"named after the folder '{name}'"))
    return Configuration(stated, provisioning, manifest.get("write_cache"), size)


def _provisioning(
    texts: list[tuple[str, str]],
    manifest: Manifest,
    recordings: tuple[Recording, ...],
    guesses: list[Guess],
    found: Mapping[str, tuple[str, str]],
) -> Provisioning:
    if stated := manifest.get("provisioning"):
        return Provisioning(stated)
    for where, text in texts:
        provisioning = _named_provisioning(text)
        if provisioning is not None:
            guesses.append(Guess("provisioning", provisioning, f"{where} contains '{provisioning}'"))
            return provisioning
    if "provisioning" in found:
        text, file = found["provisioning"]
        guesses.append(Guess("provisioning", text, f"value from {file}"))
        return Provisioning(text)
    driver = next((series.object for rec in recordings for series in rec.series if _is_mcs_driver(series)), "")
    if driver:
        guesses.append(Guess("provisioning", Provisioning.MCSIO, f"the files contain {driver} counters"))
        return Provisioning.MCSIO
    guesses.append(Guess("provisioning", Provisioning.OTHER, "the default, because names and counters do not show it"))
    return Provisioning.OTHER


def _is_mcs_driver(series: Series) -> bool:
    """True if a counter is one of the driver that writes to a cache; its newer object contains them too."""
    name = series.object.lower()
    return "mcs storage driver" in name or (name == "citrix mcs" and series.metric is not None)


def _named_provisioning(text: str) -> Provisioning | None:
    """Returns the one provisioning that a text names; None if it names none or several."""
    provisionings: list[Provisioning] = []
    for kind, pattern in _PROVISIONING:
        text, count = pattern.subn(" ", text)
        provisionings += [kind] * (count > 0)
    return provisionings[0] if len(provisionings) == 1 else None


def _cache_size(texts: list[tuple[str, str]], recordings: tuple[Recording, ...], guesses: list[Guess]) -> int | None:
    for where, text in texts:
        if match := _SIZE.search(text):
            size = round(float(match[1]) * (1024 if match[2].lower().startswith("g") else 1))
            guesses.append(Guess("ram_cache_mb", str(size), f"{where} contains '{match[0]}'"))
            return size
        if match := _BARE_SIZE.search(text):
            guesses.append(Guess("ram_cache_mb", match[1], f"{where} contains the number {match[1]}, treated as MB"))
            return int(match[1])
    measured = _largest(recordings, Quantity.CACHE_RAM_SIZE)
    if measured is not None:
        size = round(measured / _MB)
        guesses.append(Guess("ram_cache_mb", str(size), "value of the counter 'cache memory target size'"))
        return size
    return None


def _without_run(name: str) -> str:
    """Returns the folder's name without its date and without the number of a run."""
    undated = _DATE.sub("", name)
    number = last_number(undated)
    return number.stem if number is not None and (number.stated or _names_runs(number.stem)) else undated


def _read_otherwise(name: str) -> str:
    """Returns the folder's name unchanged if `_without_run` shortens it, otherwise the name without its last number."""
    number = last_number(name)
    return name if number is None or _without_run(name) != name else number.stem


def _read_earlier(name: str) -> str:
    return _EARLIER.sub("", _DATE.sub("", name))


def _names_runs(stem: str) -> bool:
    """True if a bare number after this stem is that of a run: the stem ends with a provisioning, with the cache size of
    one that has a cache, or with the number of VMs after these."""
    provisioning = _named_provisioning(stem)
    if provisioning is None:
        return False
    if provisioning in CACHED and not (_SIZE.search(stem) or _BARE_SIZE.search(stem)):
        return False
    ends = (*(pattern for _, pattern in _PROVISIONING), _VMS, _SIZE, _BARE_SIZE)
    return any(match.end() == len(stem) for pattern in ends for match in pattern.finditer(stem))


def _configuration_name(
    name: str, provisioning: Provisioning, size: int | None, part: Callable[[str], str] = _without_run
) -> str:
    base = part(name).strip("-_ ") or name
    if provisioning is Provisioning.OTHER:
        return base
    remainder = base
    for pattern in (*(pattern for _, pattern in _PROVISIONING), _VMS):
        remainder = pattern.sub(" ", remainder)
    # Any other size, such as the RAM of the VMs, distinguishes configurations.
    if size is not None:
        remainder = (_SIZE if _SIZE.search(remainder) else _BARE_SIZE).sub(" ", remainder, count=1)
    extra = " ".join(word for word in re.split(r"[-_ ]+", remainder) if word and word.lower() not in _NO_NAME)
    return " ".join(part for part in (provisioning, _size_text(size), extra) if part)


def _size_text(size: int | None) -> str:
    if size is None:
        return ""
    return f"{size // 1024} GB" if size >= 1024 and size % 1024 == 0 else f"{size} MB"


def _vms(name: str, manifest: Manifest, recordings: tuple[Recording, ...], guesses: list[Guess]) -> int | None:
    stated = manifest.get("vms")
    if stated is not None:
        return int(stated)
    seen = {series.vm.casefold() for rec in recordings for series in rec.series if series.vm}
    if seen:
        guesses.append(Guess("vms", str(len(seen)), "number of machines with counters in the recordings"))
        return len(seen)
    if match := _VMS.search(name):
        guesses.append(Guess("vms", match[1], f"the run name contains '{match[0]}'"))
        return int(match[1])
    return None


def _session_type(
    name: str,
    study: str,
    manifest: Manifest,
    recordings: tuple[Recording, ...],
    events: tuple[Event, ...],
    vms: int | None,
    guesses: list[Guess],
) -> SessionType:
    if stated := manifest.get("session_type"):
        return SessionType(stated)
    users = len({event.user for event in events if event.user})
    sessions = _largest(recordings, Quantity.ACTIVE_SESSIONS)
    for matches, reason in (
        (_RDS.search(f"{name} {study}") is not None, "the name indicates session hosts"),
        (vms is not None and users > vms, f"the events contain {users} users on {vms} VMs"),
        (sessions is not None and sessions > 2, f"up to {sessions or 0:.0f} active sessions on one VM"),
    ):
        if matches:
            guesses.append(Guess("session_type", SessionType.RDS, reason))
            return SessionType.RDS
    guesses.append(Guess("session_type", SessionType.VDI, "no sign of several sessions on one VM"))
    return SessionType.VDI


def _users(
    manifest: Manifest,
    session_type: SessionType,
    events: tuple[Event, ...],
    sessions: tuple[Session, ...],
    vms: int | None,
    guesses: list[Guess],
) -> int | None:
    stated = manifest.get("users")
    if stated is not None:
        return int(stated)
    named = len({event.user for event in events if event.user})
    if named:
        guesses.append(Guess("users", str(named), "number of users in events.csv"))
        return named
    logged_on = len({session.user.casefold() for session in sessions if session.user})
    if logged_on:
        guesses.append(Guess("users", str(logged_on), "number of users in the load generator results"))
        return logged_on
    if session_type is SessionType.VDI and vms is not None:
        guesses.append(Guess("users", str(vms), "one user for each VM"))
        return vms
    return None


def _largest(recordings: tuple[Recording, ...], quantity: Quantity) -> float | None:
    """Returns the largest sample of a quantity in its canonical unit, None if no recording has it."""
    peaks: list[float] = []
    for recording in recordings:
        scales = {
            series.column: series.metric.scale
            for series in recording.series
            if series.metric is not None and series.metric.quantity is quantity
        }
        for column, values in read_columns(recording, list(scales)).items():
            if (peak := _peak(values)) is not None:
                peaks.append(peak * scales[column])
    return max(peaks, default=None)


def _peak(values: FloatArray) -> float | None:
    """Returns the largest finite value, or None."""
    import numpy as np  # loaded here: most runs have no such quantity

    finite = values[np.isfinite(values)]
    return float(finite.max()) if finite.size else None


MERGED, APART = "runs-by-number", "numbers-apart"
_WORDS = r"(?:run|rep|repeat|replicate|repetition|trial|iteration|iter|pass|attempt|test|lauf)"
# R740 is a server. Each repetition is limited, so a name with thousands of blanks does not take longer.
_OF_A_RUN = rf"(?:{_WORDS}[-_. ]{{0,3}}(?:no\.?|nr\.?|#)?[-_. ]{{0,3}}\d{{1,3}}|r[-_. ]{{0,3}}\d{{1,2}})"
_STATED = re.compile(
    rf"(?:[-_. ]{{1,3}}{_OF_A_RUN}|[-_. ]{{0,3}}#[-_ ]{{0,3}}\d{{1,3}}"
    rf"|[-_. ]{{0,3}}\( {{0,3}}(?:{_OF_A_RUN}|\d{{1,3}}) {{0,3}}\))$",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"({_WORDS}|r)[-_. #]{{0,3}}\d{{1,3}}", re.IGNORECASE)
_RELEASE_2 = re.compile(r"(?:2003|2008|2012)[-_. ]*r2$", re.IGNORECASE)
_BARE = re.compile(r"[-_ ]{1,3}\d{1,2}$")


class LastNumber(NamedTuple):
    """A name without its last number, and `stated`: True if the name says that it is the number of a run."""

    stem: str
    stated: bool


def last_number(name: str) -> LastNumber | None:
    """Returns the last number of a name, or None if the name does not end in a number that could be that of a run."""
    if alone := _ALONE.fullmatch(name):
        return LastNumber("run" if alone[1].lower() == "r" else alone[1], stated=True)
    if (match := _STATED.search(name)) and not _RELEASE_2.search(name):
        return LastNumber(name[: match.start()].rstrip("-_. "), stated=True)
    match = _BARE.search(name)
    return LastNumber(name[: match.start()].rstrip("-_ "), stated=False) if match else None


def of_one_name(runs: Iterable[Run], folder: str) -> list[Run]:
    """Returns the runs that are decided together with that of a folder: those of its configuration by a run number, or
    those that differ from it only in a number."""
    known = [run for run in runs if _by_folder(run)]
    return next((group for group in _groups(known).values() if folder in [run.folder for run in group]), [])


def number_problems(runs: Sequence[Run]) -> list[Problem]:
    """Returns a note for each group of runs whose last numbers were read as run numbers, or as part of the
    configuration."""
    return [
        _problem(group, alike)
        for group in _groups(run for run in runs if _by_folder(run)).values()
        if len(alike := _with_plain(group, runs)) > 1
    ]


def _with_plain(group: list[Run], runs: Iterable[Run]) -> list[Run]:
    """The runs of a group, with those whose folder has the name of their configuration and no number."""
    name = group[0].configuration.name
    plain = [run for run in runs if not run.other_configuration and _is_guessed(run) and run.configuration.name == name]
    return [*plain, *group] if is_merged(group[0]) else group


def _by_folder(run: Run) -> bool:
    return bool(run.other_configuration) and _is_guessed(run)


def _is_guessed(run: Run) -> bool:
    return any(guess.field == "configuration" for guess in run.guesses)


def is_merged(run: Run) -> bool:
    """True if the last number of the folder's name was read as the number of a run."""
    return len(run.other_configuration) > len(run.configuration.name)


def _groups(runs: Iterable[Run]) -> dict[tuple[bool, str], list[Run]]:
    groups: dict[tuple[bool, str], list[Run]] = defaultdict(list)
    for run in runs:
        merged = is_merged(run)
        groups[merged, run.configuration.name if merged else run.other_configuration].append(run)
    return groups


def _problem(group: Sequence[Run], alike: Sequence[Run]) -> Problem:
    first, names = group[0], few_named([f"'{run.name}'" for run in alike], 2)
    if is_merged(first):
        message = f"The names {names} indicate runs of '{first.configuration.name}'."
        action = "treated as one configuration; to undo, use 'Separate these runs' or set configuration in run.toml"
        return Problem(Severity.INFO, first.name, MERGED, message, action, run=first.folder)
    message = f"The names {names} differ only in their last number."
    action = "kept separate; to join them, use 'Join into one configuration' or set configuration in run.toml"
    return Problem(Severity.INFO, first.name, APART, message, action, run=first.folder)
