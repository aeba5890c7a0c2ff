"""The findings of the study that is looked at, with the user's edits."""

from __future__ import annotations

from dataclasses import replace

from workbench.analysis.configurations import phase_names
from workbench.analysis.finding_edits import as_edited, of_study
from workbench.analysis.finding_matches import unmatched
from workbench.analysis.findings import Finding, keyed
from workbench.analysis.statistics import MARGIN
from workbench.analysis.vsimax_models import ModelFileError, VsimaxModel, load_models
from workbench.charts.finding_words import Asked
from workbench.charts.findings import findings, remarks
from workbench.charts.findings_table import finding_tables, unmatched_table
from workbench.charts.tables import TableData
from workbench.charts.vsimax_inputs import KEY as MODEL
from workbench.charts.vsimax_inputs import chosen_model
from workbench.model.phase import STEADY
from workbench.pages.benchmarks import BY_NAME, NO_RAW
from workbench.pages.cache import DEFAULT_DESKTOPS, DESKTOPS
from workbench.pages.known_findings import keep_findings, known_findings, study_key, told_of
from workbench.pages.sizing import own_values
from workbench.pages.views import BASELINE, MARGIN_PERCENT
from workbench.session.library import Library
from workbench.session.state import State


def found_findings(library: Library, state: State) -> tuple[Finding, ...]:
    """The findings as they are computed, the most relevant first, without the user's edits."""
    if (known := known_findings(library, state)) is not None:
        return known
    asked = asked_of(library, state)
    own = findings(asked) if asked is not None else ()
    found = keyed((*own, *_of_other_folders(library, state)))
    keep_findings(library, state, found)
    return found


def kept_findings(library: Library, state: State) -> tuple[Finding, ...]:
    """The findings as the user wants them."""
    return as_edited(found_findings(library, state), of_study(state.findings, study_key(library, state)))


def tables(library: Library, state: State) -> tuple[TableData, ...]:
    """The findings as tables: those that are read first, and the rest, and edits that belong to none of them; none
    where there is nothing to say."""
    kept = kept_findings(library, state)
    if not kept and not state.findings:
        return ()
    lost = unmatched(found_findings(library, state), state.findings, told_of(library, state))
    tables = finding_tables(kept, remarks(library.groups(state)))
    return (*tables, unmatched_table(lost)) if lost else tables


def asked_of(library: Library, state: State) -> Asked | None:
    """What the findings are asked of, with the choices made on the pages: the runs of the study that is looked at and
    the storage benchmarks in its folder. None where nothing is open."""
    groups, study = library.shown(state), library.study(state.study)
    if study is None and len(library.studies) == 1:
        study = library.studies[0]
    if study is None or not (groups or study.benchmarks):
        return None
    labels = [group.label for group in groups]
    baseline = str(state.input(BASELINE, ""))
    names = phase_names(groups)
    wanted = str(state.input("sizing.phase", STEADY))
    phase = next((name for name in (wanted, STEADY) if name in names), names[-1] if names else STEADY)
    raw = str(state.input("benchmarks.raw", BY_NAME))
    return Asked(
        study.folder, groups, study.benchmarks, baseline if baseline in labels else None,
        _margin(state), phase, state.number(DESKTOPS, DEFAULT_DESKTOPS),
        DESKTOPS not in dict(state.inputs), own_values(state), _model(state), None if raw == BY_NAME else raw,
        raw != NO_RAW,
    )  # fmt: skip


def _of_other_folders(library: Library, state: State) -> list[Finding]:
    """The findings of storage benchmarks that lie in folders without runs: they belong to no study of runs."""
    raw = str(state.input("benchmarks.raw", BY_NAME))
    known = library.study(state.study)
    if known is None and len(library.studies) == 1:
        return []
    asked = [
        (study, Asked(study.folder, (), study.benchmarks, margin=_margin(state),
                      raw_disk=None if raw == BY_NAME else raw, seeks_raw_disk=raw != NO_RAW))
        for study in library.studies if study.benchmarks and not study.runs
    ]  # fmt: skip
    return [
        replace(one, apart=study.name if known is not None else "")
        for study, each in asked
        for one in findings(each)
    ]


def _margin(state: State) -> float:
    """The margin that the page Compare has, which starts with the preferred one; a share."""
    return state.number(MARGIN_PERCENT, 100 * MARGIN) / 100


def _model(state: State) -> VsimaxModel | None:
    try:
        models = load_models()
    except (ModelFileError, OSError):
        # The logon page says what is wrong with one's own file.
        models = load_models(shipped_only=True)
    return chosen_model(models, str(state.input(MODEL, next(iter(models)))), state.number)
