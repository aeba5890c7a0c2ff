"""The guesses of an import about the runs of a study, with reasons, for the user to check before reading values."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from workbench.model.edits import RunEdits
from workbench.model.problem import Problem, Severity
from workbench.model.run import Provisioning, Run
from workbench.study.discovery.infer import is_merged
from workbench.study.overrides import edited, lacks_time_zone

# A folder that mixes several runs, and machines that may not be desktops.
MIXED, UNLIKE = "runs-mixed", "machine-unlike"
_ASKED = frozenset(("ram_cache_mb", "date", "time_zone", "merged", "mixed", "machines"))


@dataclass(frozen=True, slots=True)
class FoundRun:
    """A run with its current edits, and the reason of each guess by field. `merged`: the number in its name makes it
    one of several runs of its configuration. `mixed`: its folder seems to contain several runs."""

    run: Run
    why: Mapping[str, str]
    merged: bool
    mixed: bool
    machines: bool

    @property
    def asks(self) -> bool:
        """True if a guess merges runs, counts a doubtful machine, or sets a time zone, a date or a cache size."""
        asked = {name for name in ("merged", "mixed", "machines") if getattr(self, name)}
        return bool(_ASKED & (asked | self.why.keys()))


def found_run(read: Run, edits: RunEdits, problems: Iterable[Problem]) -> FoundRun:
    """A run as it was read, with these edits; `problems` are those of the run."""
    # Statements about phases change no guess.
    run = edited(read, replace(edits, phases=(), dropped=()))
    why = {guess.field: guess.reason for guess in run.guesses}
    open_now = {problem.code for problem in problems if problem.severity is Severity.WARNING}
    merged = is_merged(run) and edits.configuration is None
    mixed = MIXED in open_now and not edits.split
    if merged:
        why["configuration"] = "the last number in the folder name is used as the run number"
    if mixed:
        why["date"] = "the folder seems to contain several runs"
    if any(recording.date_guessed for recording in run.recordings):
        why["date"] = "day and month may be swapped"
    if lacks_time_zone(run):
        why["time_zone"] = "the files do not state a time zone"
    machines = UNLIKE in open_now and not (edits.left_out or edits.counted)
    if machines:
        why["vms"] = "one of the machines may not be a tested VM"
    return FoundRun(run, why, merged, mixed, machines)


def machine_questions(problems: Iterable[Problem]) -> tuple[ImportQuestion, ...]:
    """The questions about machines that may not be desktops, each question once for all runs."""
    return tuple(question for question in questions(problems) if question.machines)


def manifest_of(run: Run, edits: RunEdits) -> str:
    """The run.toml that states the checked values: `run` with its edits, and values that are not part of a run."""
    configuration = run.configuration
    stated: dict[str, object] = {"configuration": configuration.name}
    if configuration.provisioning is not Provisioning.OTHER:
        stated["provisioning"] = configuration.provisioning.value
    stated |= {
        "ram_cache_mb": configuration.ram_cache_mb,
        "vms": edits.vms,
        "time_zone": edits.time_zone or run.time_zone,
        "date_order": edits.date_order,
        "exclude": run.excluded or None,
        "leave_out": list(edits.left_out) or None,
    }
    lines = [f"{key} = {_value(value)}" for key, value in stated.items() if value is not None]
    return "\n".join(lines) + "\n"


def _value(value: object) -> str:
    """A value in TOML: as in JSON, except for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True, slots=True)
class ImportQuestion:
    """`text` states the odd observation and what applies until it is decided; `runs` are folders. Without `machines`
    the question is whether the folder is split into runs."""

    text: str
    runs: tuple[str, ...]
    machines: tuple[str, ...]


def questions(problems: Iterable[Problem]) -> tuple[ImportQuestion, ...]:
    """The open questions among the problems; one about the same machines of several runs is one question."""
    groups: dict[tuple[object, ...], list[Problem]] = defaultdict(list)
    for problem in problems:
        if problem.run and problem.severity is Severity.WARNING:
            groups[(problem.code, problem.machines, problem.run if not problem.machines else "")].append(problem)
    return tuple(_question(group) for group in groups.values())


def _question(group: list[Problem]) -> ImportQuestion:
    first, runs = group[0], tuple(dict.fromkeys(problem.run for problem in group))
    more = "" if len(runs) == 1 else f" Also: {len(runs) - 1} more run{'s' * (len(runs) > 2)}."
    until = (
        "Until you decide, all machines are included."
        if first.machines
        else "Until you decide, the run is excluded from means."
    )
    return ImportQuestion(f"{first.file}: {first.message}{more} {until}", runs, first.machines)
