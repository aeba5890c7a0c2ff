"""The findings of the study that is looked at, with the user's edits."""

from __future__ import annotations

from workbench.analysis.configurations import phase_names
from workbench.analysis.finding_edits import as_edited, of_study
from workbench.analysis.findings import Finding
from workbench.analysis.statistics import MARGIN
from workbench.analysis.vsimax_models import ModelFileError, VsimaxModel, load_models
from workbench.charts.finding_words import Asked
from workbench.charts.findings import findings, remarks
from workbench.charts.findings_table import finding_tables
from workbench.charts.tables import TableData
from workbench.charts.vsimax_inputs import KEY as MODEL
from workbench.charts.vsimax_inputs import chosen_model
from workbench.model.phase import STEADY
from workbench.pages.benchmarks import BY_NAME, NO_RAW
from workbench.pages.cache import DEFAULT_DESKTOPS, DESKTOPS
from workbench.pages.known_findings import keep_findings, known_findings, study_key
from workbench.pages.sizing import own_values
from workbench.pages.views import BASELINE, MARGIN_PERCENT
from workbench.session.library import Library
from workbench.session.state import State


def found_findings(library: Library, state: State) -> tuple[Finding, ...]:
    """The findings as they are computed, the most relevant first, without the user's edits."""
    if (known := known_findings(library, state)) is not None:
        return known
    asked = asked_of(library, state)
    found = findings(asked) if asked is not None else ()
    keep_findings(library, state, found)
    return found


def kept_findings(library: Library, state: State) -> tuple[Finding, ...]:
    """The findings as the user wants them."""
    return as_edited(found_findings(library, state), of_study(state.findings, study_key(library, state)))


def tables(library: Library, state: State) -> tuple[TableData, ...]:
    """The findings as tables: those that are read first, and the rest; none where there is nothing to say."""
    kept = kept_findings(library, state)
    if not kept and not state.findings:
        return ()
    return finding_tables(kept, remarks(library.groups(state)))


def asked_of(library: Library, state: State) -> Asked | None:
    """What the findings are asked of, with the choices made on the pages; None where nothing is open."""
    groups = library.shown(state)
    if not groups and not library.benchmarks:
        return None
    labels = [group.label for group in groups]
    baseline = str(state.input(BASELINE, ""))
    names = phase_names(groups)
    wanted = str(state.input("sizing.phase", STEADY))
    phase = next((name for name in (wanted, STEADY) if name in names), names[-1] if names else STEADY)
    raw = str(state.input("benchmarks.raw", BY_NAME))
    return Asked(
        study_key(library, state), groups, library.benchmarks, baseline if baseline in labels else None,
        state.number(MARGIN_PERCENT, 100 * MARGIN) / 100, phase, state.number(DESKTOPS, DEFAULT_DESKTOPS),
        DESKTOPS not in dict(state.inputs), own_values(state), _model(state), None if raw == BY_NAME else raw,
        raw != NO_RAW,
    )  # fmt: skip


def _model(state: State) -> VsimaxModel | None:
    try:
        models = load_models()
    except (ModelFileError, OSError):
        # The logon page says what is wrong with one's own file.
        models = load_models(shipped_only=True)
    return chosen_model(models, str(state.input(MODEL, next(iter(models)))), state.number)
