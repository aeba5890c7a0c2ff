"""The findings of the study that is looked at, with the user's edits, and the state that shows the evidence of one."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

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
from workbench.pages.compare import BASELINE, MARGIN_PERCENT
from workbench.pages.sizing import own_values
from workbench.session.library import Library
from workbench.session.state import State

# What a page is set to already while nobody has chosen.
_DEFAULTS = {"sizing.phase": STEADY}
# The findings found last for each library: they change with what counts and with inputs, not with looking around.
_FOUND: WeakKeyDictionary[Library, tuple[object, tuple[Finding, ...]]] = WeakKeyDictionary()


def found_findings(library: Library, state: State) -> tuple[Finding, ...]:
    """The findings as they are computed, the most relevant first, without the user's edits."""
    if (known := known_findings(library, state)) is not None:
        return known
    asked = asked_of(library, state)
    found = findings(asked) if asked is not None else ()
    _FOUND[library] = (_counts(library, state), found)
    return found


def known_findings(library: Library, state: State) -> tuple[Finding, ...] | None:
    """The same where they have been computed already, else None: cheap enough for the window's thread."""
    of, found = _FOUND.get(library, (None, ()))
    return found if of == _counts(library, state) else None


def kept_findings(library: Library, state: State) -> tuple[Finding, ...]:
    """The findings as the user wants them."""
    return as_edited(found_findings(library, state), of_study(state.findings, study_key(library, state)))


def study_key(library: Library, state: State) -> str:
    """What the keys of the study's findings begin with."""
    study = library.study(state.study)
    return study.folder if study is not None else ""


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


def evidence_state(state: State, finding: Finding) -> State:
    """The state that looks at the evidence of a finding; the same state where it has none."""
    if not finding.page:
        return state
    seen = replace(state, page=finding.page, lit_vm=finding.lit_vm or state.lit_vm)
    if finding.view:
        seen = seen.with_page_view(finding.page, finding.view)
    if finding.phase:
        seen = replace(seen, phase=finding.phase)
    if finding.metric is not None:
        seen = replace(seen, metric=finding.metric)
    stated = dict(state.inputs)
    for key, value in finding.inputs:
        if stated.get(key, _DEFAULTS.get(key)) != value:
            seen = seen.with_input(key, value)
    return seen


def _counts(library: Library, state: State) -> object:
    """All that the findings depend on beside the library."""
    excluded = tuple(sorted(state.excluded.items()))
    return study_key(library, state), state.hidden, excluded, state.inputs


def _model(state: State) -> VsimaxModel | None:
    try:
        models = load_models()
    except (ModelFileError, OSError):
        # The logon page says what is wrong with one's own file.
        models = load_models(shipped_only=True)
    return chosen_model(models, str(state.input(MODEL, next(iter(models)))), state.number)
