"""The findings of the shown study, with the user's edits."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.benchmarks.page import BY_NAME, NO_RAW
from workbench.answers.cache.page import DESKTOPS
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.common.names import ASSUMED_DESKTOPS
from workbench.answers.compare.compute import margin_of
from workbench.answers.findings.compute import FAILED, Finding, keyed
from workbench.answers.findings.edits import as_edited, of_study, unmatched
from workbench.answers.findings.kept_verdicts import changed_table, verdicts_of
from workbench.answers.findings.known import keep_findings, known_findings, known_verdicts, study_key, told_of
from workbench.answers.findings.sentences import findings, remarks
from workbench.answers.findings.tables import finding_tables, unmatched_table
from workbench.answers.findings.words import Asked
from workbench.answers.limits.file import limits_of
from workbench.answers.logons.vsimax_models import KEY as MODEL
from workbench.answers.logons.vsimax_models import ModelFileError, VsimaxModel, chosen_model, load_models
from workbench.answers.sizing.chosen import at_work, own_values
from workbench.answers.trend.joined import primary_trends
from workbench.charts.tables import TableData
from workbench.measures.configurations import phase_names


def found_findings(library: Library, choices: Choices) -> tuple[Finding, ...]:
    """The findings as they are computed, the most relevant first, without the user's edits."""
    if (known := known_findings(library, choices)) is not None:
        return known
    asked = asked_of(library, choices)
    own = findings(asked) if asked is not None else ()
    found = keyed((*own, *_of_other_folders(library, choices)))
    # If the comparison failed, a finding says so and there are no verdicts to store.
    failed = any(finding.kind == FAILED and finding.page == "compare" for finding in found)
    keep_findings(library, choices, found, () if asked is None or failed else verdicts_of(asked))
    return found


def kept_findings(library: Library, choices: Choices) -> tuple[Finding, ...]:
    """The findings with the user's edits."""
    return as_edited(found_findings(library, choices), of_study(choices.findings, study_key(library, choices)))


def tables(library: Library, choices: Choices) -> tuple[TableData, ...]:
    """The findings as tables: the first ones, the rest, and edits that match none; empty if there is nothing to say."""
    kept = kept_findings(library, choices)
    if not kept and not choices.findings:
        return ()
    lost = unmatched(found_findings(library, choices), choices.findings, told_of(library, choices))
    tables = finding_tables(kept, remarks(library.groups(choices), kept))
    changed = changed_table(choices.verdicts, known_verdicts(library, choices) or (), choices.method)
    return (*tables, *((unmatched_table(lost),) if lost else ()), *((changed,) if changed is not None else ()))


def asked_of(library: Library, choices: Choices) -> Asked | None:
    """The input of the findings, with the choices of the pages: the runs of the shown study, and the storage benchmarks
    in its folder. None if nothing is open."""
    groups, study = library.shown(choices), library.study(choices.study)
    if study is None and len(library.studies) == 1:
        study = library.studies[0]
    if study is None or not (groups or study.benchmarks):
        return None
    every = library.groups(choices)
    raw = str(choices.input("benchmarks.raw", BY_NAME))
    return Asked(
        study.folder,
        groups,
        study.benchmarks,
        margin_of(choices),
        at_work(groups, choices),
        choices.number(DESKTOPS, ASSUMED_DESKTOPS),
        DESKTOPS not in dict(choices.inputs),
        own_values(choices),
        _model(choices),
        None if raw == BY_NAME else raw,
        raw != NO_RAW,
        every,
        () if (limits := limits_of(study, choices, phase_names(every))) is None else (limits,),
        lambda: primary_trends(library, choices),
    )


def _of_other_folders(library: Library, choices: Choices) -> list[Finding]:
    """The findings of storage benchmarks in folders without runs: they belong to no study of runs."""
    raw = str(choices.input("benchmarks.raw", BY_NAME))
    known = library.study(choices.study)
    if known is None and len(library.studies) == 1:
        return []
    asked = [
        (
            study,
            Asked(
                study.folder,
                (),
                study.benchmarks,
                margin=margin_of(choices),
                raw_disk=None if raw == BY_NAME else raw,
                seeks_raw_disk=raw != NO_RAW,
            ),
        )
        for study in library.studies
        if study.benchmarks and not study.runs
    ]
    return [
        replace(finding, apart=study.name if known is not None else "")
        for study, each in asked
        for finding in findings(each)
    ]


def _model(choices: Choices) -> VsimaxModel | None:
    try:
        models = load_models()
    except (ModelFileError, OSError):
        # The logon page shows the error in the user's file.
        models = load_models(shipped_only=True)
    return chosen_model(models, str(choices.input(MODEL, next(iter(models)))), choices.number)
