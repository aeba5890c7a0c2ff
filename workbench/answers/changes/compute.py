"""The values of a state: those in its phase tables, comparisons, findings and capacity plans.

Also reads the values in the JSON that `vdiwb summary` has written, to compare them with those of another day.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath, PurePosixPath
from typing import Any
from zlib import crc32

from workbench import __version__
from workbench.answers.changes.moves import KeptFigures, KeptPlan, KeptSentence, SavedPhase, SavedRun, SavedStudy
from workbench.answers.common.choices import Choices
from workbench.answers.common.document import SUMMARY_SCHEMA
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import Finding, keyed
from workbench.answers.findings.edits import as_edited, of_study
from workbench.answers.findings.kept_verdicts import verdicts_of
from workbench.answers.findings.known import known_findings, known_verdicts
from workbench.answers.findings.page import asked_of
from workbench.answers.findings.sentences import findings
from workbench.answers.sizing.chosen import at_work, own_values
from workbench.answers.sizing.compute import Plan, plans
from workbench.answers.sizing.constants import Constant, SizingError, constants
from workbench.answers.sizing.document import RESULTS
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.measures.significance.method import METHOD
from workbench.model.run import Run, Study
from workbench.study.store.column_store import READERS_VERSION

# The names of the rules that compute values. Earlier versions kept `measures` and `sizing`, which contained prose; they
# are not compared.
READERS, CATALOGUE, STATISTICS, CONSTANTS, VERSION = "readers", "definitions", "method", "constants", "program"
# Results of studies so far, by their folder and all their inputs.
Memo = dict[tuple[str, object], SavedStudy]


def rules_now() -> dict[str, str]:
    """The version of every rule that can change a value while files and choices stay equal. It does not
    contain descriptions."""
    declared = [(m.key, m.formula, m.unit, m.change, m.better) for m in MEASURES.values()]
    return {
        READERS: str(READERS_VERSION),
        CATALOGUE: _print_of(declared),
        STATISTICS: str(METHOD),
        CONSTANTS: _print_of([_values_of(constant) for constant in constants().values()]),
        VERSION: __version__,
    }


def known_figures(library: Library, choices: Choices) -> KeptFigures:
    """The values of the state that are known without computing: verdicts and findings of the current study, if its page
    was shown. Fast enough for the window's thread."""
    studies = []
    for study in library.with_runs:
        seen = replace(choices, study=study.folder)
        found = known_findings(library, seen)
        sentences = None if found is None else _sentences(found, seen)
        studies.append(
            SavedStudy(study.folder, study.name, _runs(library, seen), None, known_verdicts(library, seen), sentences)
        )
    return KeptFigures(rules_now(), tuple(studies))


def figures_of(library: Library, choices: Choices, memo: Memo, *, with_findings: bool = True) -> KeptFigures:
    """Everything that the state shows. Studies whose inputs have not changed are taken from `memo`, which grows."""
    return KeptFigures(
        rules_now(), tuple(_study(library, study, choices, memo, with_findings) for study in library.with_runs)
    )


def files_of_run(run: Run, by_folder: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """The names, as the user sees them, of the files in the run's folder and of the run's recordings."""
    parts = PurePath(run.split_from or run.folder).parts
    ends = ("/".join(parts[-count:]) for count in range(1, len(parts) + 1))
    inside = [name for end in ends for name in by_folder.get(end, ())]
    return tuple(dict.fromkeys([*inside, *(recording.file for recording in run.recordings)]))


def names_by_folder(names: Iterable[str]) -> dict[str, list[str]]:
    """The file names by each folder above them."""
    below: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for folder in PurePosixPath(name).parents:
            below[str(folder)].append(name)
    return below


def _study(library: Library, study: Study, choices: Choices, memo: Memo, with_findings: bool) -> SavedStudy:
    bearing = (with_findings, *_bearing(study, choices))
    if (study.folder, bearing) not in memo:
        seen = replace(choices, study=study.folder)
        asked = asked_of(library, seen)
        memo[study.folder, bearing] = SavedStudy(
            study.folder,
            study.name,
            _runs(library, seen),
            _plans([group for group in library.groups(seen) if group.runs], seen),
            () if asked is None else verdicts_of(asked),
            _findings(library, seen) if with_findings else None,
        )
    return memo[study.folder, bearing]


def _bearing(study: Study, choices: Choices) -> tuple[object, ...]:
    """Everything except the files that can change the displayed values of a study."""
    folders = {folder for run in study.runs for folder in (run.folder, run.split_from)}
    edits = frozenset(edit for edit in choices.edits if edit.run in folders)
    return edits, choices.hidden, choices.inputs, choices.findings


def _findings(library: Library, choices: Choices) -> tuple[KeptSentence, ...]:
    found = known_findings(library, choices)
    if found is None:
        asked = asked_of(library, choices)
        found = () if asked is None else keyed(findings(asked))
    return _sentences(found, choices)


def _sentences(found: tuple[Finding, ...], choices: Choices) -> tuple[KeptSentence, ...]:
    kept = as_edited(found, of_study(choices.findings, choices.study or ""))
    return tuple(KeptSentence(f.key, f.text, f.strength.value, f.edited or f.own) for f in kept)


def _runs(library: Library, choices: Choices) -> tuple[SavedRun, ...]:
    study = library.study(choices.study)
    names = names_by_folder(report.path for report in (study.files if study is not None else ()))
    return tuple(
        _run(group, figures, names) for group in library.groups(choices) for figures in (*group.runs, *group.excluded)
    )


def _run(group: Group, figures: RunFigures, names: Mapping[str, Sequence[str]]) -> SavedRun:
    run = figures.run
    phases = tuple(SavedPhase(row.phase.name, _values(row)) for row in figures.phases)
    return SavedRun(run.folder, run.name, group.label, run.excluded, phases, files_of_run(run, names))


def _values(row: PhaseFigures) -> dict[str, float]:
    values = ((key, getattr(row, key)) for key in MEASURES)
    return {key: float(value) for key, value in values if value is not None}


def _plans(groups: list[Group], choices: Choices) -> tuple[KeptPlan, ...] | None:
    """The plans without the load of all VMs together, which would read every sample; None if the values contradict each
    other."""
    try:
        return tuple(map(_plan, plans(groups, own_values(choices), at_work(groups, choices), summed=False)))
    except SizingError:
        return None


def _plan(plan: Plan) -> KeptPlan:
    results = ((key, plan.result(key)) for key in RESULTS)
    return KeptPlan(plan.configuration or "", plan.phase, {key: value for key, value in results if value is not None})


def _values_of(constant: Constant) -> tuple[object, ...]:
    """A constant without its descriptions."""
    c, choices = constant, [(choice.name, dict(choice.values)) for choice in constant.choices]
    rds = None if c.rds is None else _values_of(c.rds)
    return c.name, c.unit, c.value, c.least, c.most, c.whole, c.measured, choices, c.taken_from, rds


def _print_of(value: object) -> str:
    return f"{crc32(repr(value).encode()):08x}"


class SummaryError(ValueError):
    """The file is not a summary; the message is a sentence for the user."""


def figures_of_summary(raw: Any, name: str) -> KeptFigures:
    """The values of a decoded summary as one study; null is not available. Moments are left out because the summary
    writes them as dates. Runs are identified by their names. Raises SummaryError with a sentence that names the
    file."""
    if not isinstance(raw, dict) or raw.get("schema") != SUMMARY_SCHEMA:
        raise SummaryError(f"{name} is not JSON of 'vdiwb summary'. Write it with 'vdiwb summary PATH --format json'.")
    try:
        runs = tuple(_run_of_summary(run) for run in raw["runs"])
    except (KeyError, TypeError, AttributeError) as error:
        raise SummaryError(f"{name} is damaged: a run lacks a required value ({error}).") from error
    return KeptFigures({}, (SavedStudy("", "", runs, (), (), ()),))


def _run_of_summary(run: dict[str, Any]) -> SavedRun:
    phases = tuple(SavedPhase(phase["phase"], _values_of_summary(phase)) for phase in run["phases"])
    return SavedRun(run["run"], run["run"], run["configuration"], run["excluded"], phases)


def _values_of_summary(phase: dict[str, Any]) -> dict[str, float]:
    values = {key: phase.get(key) for key, measure in MEASURES.items() if not measure.moment}
    if damaged := [key for key, value in values.items() if isinstance(value, bool | str)]:
        raise TypeError(f"{damaged[0]} is not a number")
    return {key: float(value) for key, value in values.items() if isinstance(value, int | float)}
