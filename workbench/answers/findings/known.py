"""Access to findings on the window's thread: those computed last, and the state that shows their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar
from weakref import WeakKeyDictionary

from workbench.answers.common.choices import Choices, KeptVerdict
from workbench.answers.common.library import Library
from workbench.answers.common.listing import MANY
from workbench.answers.common.names import DRAWN, FILTER, LISTED
from workbench.answers.findings.compute import Finding
from workbench.answers.trend.spec import MEASURE, PRIMARY
from workbench.measures.significance.method import METHOD
from workbench.model.phase import STEADY

_Chosen = TypeVar("_Chosen", bound=Choices)

# The initial settings of a page before the user changes them.
_DEFAULTS = {"sizing.phase": STEADY, MEASURE: PRIMARY}
_Known = tuple[tuple[Finding, ...], tuple[KeptVerdict, ...]]
# The findings of each library by their inputs: they change with the runs that count and with inputs, not with the view.
# A storyboard needs those of every study; the least recently used ones are removed first.
_FOUND: WeakKeyDictionary[Library, dict[object, _Known]] = WeakKeyDictionary()
_MOST_KNOWN = 32


def known_findings(library: Library, choices: Choices) -> tuple[Finding, ...] | None:
    """The findings if they are already computed, otherwise None. Fast enough for the window's thread."""
    known = _FOUND.get(library, {}).get(_counts(library, choices))
    return None if known is None else known[0]


def known_verdicts(library: Library, choices: Choices) -> tuple[KeptVerdict, ...] | None:
    """The verdicts behind the known findings, otherwise None."""
    known = _FOUND.get(library, {}).get(_counts(library, choices))
    return None if known is None else known[1]


def with_verdicts(choices: _Chosen, now: Sequence[KeptVerdict] | None) -> _Chosen:
    """The state as a workspace file stores it: with the current verdicts, or with its own if none are known.

    The state of the history folder is not stored.
    """
    choices = replace(choices, history_seen="")
    return choices if now is None else replace(choices, verdicts=tuple(now), method=METHOD)


def keep_findings(
    library: Library, choices: Choices, found: tuple[Finding, ...], verdicts: tuple[KeptVerdict, ...]
) -> None:
    """Store the findings for this library and state, next to those of other studies and inputs."""
    known = {key: kept for key, kept in _FOUND.get(library, {}).items() if key != _counts(library, choices)}
    known[_counts(library, choices)] = (found, verdicts)
    _FOUND[library] = dict(list(known.items())[-_MOST_KNOWN:])


def study_key(library: Library, choices: Choices) -> str:
    """The prefix of the keys of the study's findings."""
    study = library.study(choices.study)
    return study.folder if study is not None else ""


def told_of(library: Library, choices: Choices) -> tuple[str, ...]:
    """The folders whose findings are shown: the shown study, and separate storage benchmarks."""
    apart = (study.folder for study in library.studies if study.benchmarks and not study.runs)
    return tuple(filter(None, (study_key(library, choices), *apart)))


def evidence_state(choices: Choices, finding: Finding, library: Library) -> Choices:
    """The state that shows the evidence of a finding; the same state if it has none.

    If there are many configurations, only those of the finding are drawn.
    """
    if not finding.page:
        return choices
    seen = replace(choices, page=finding.page, lit_vm=finding.trace or finding.lit_vm or choices.lit_vm)
    if finding.view:
        seen = seen.with_page_view(finding.page, finding.view)
    if finding.phase:
        seen = replace(seen, phase=finding.phase)
    if finding.metric is not None:
        seen = replace(seen, metric=finding.metric)
    stated = dict(choices.inputs)
    for key, value in finding.inputs:
        if stated.get(key, _DEFAULTS.get(key)) != value:
            seen = seen.with_input(key, value)
    if finding.configuration and len(library.shown(choices)) > MANY:
        drawn = "\n".join(filter(None, (finding.configuration, finding.baseline)))
        seen = seen.without_inputs(frozenset((FILTER,))).with_input(DRAWN, drawn)
    return seen


def _counts(library: Library, choices: Choices) -> object:
    """Everything that the findings depend on in addition to the library."""
    excluded, baselines = (tuple(sorted(by_run.items())) for by_run in (choices.excluded, choices.baselines))
    inputs = choices.without_inputs(LISTED).inputs
    return study_key(library, choices), choices.hidden, excluded, baselines, inputs, choices.history_seen
