"""The findings of a study: those of every kind, the most relevant first, and remarks on missing ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.findings.compute import FAILED, NOT_COMPARABLE, Finding, Strength, keyed, ranked, weaker
from workbench.answers.findings.rules.benchmarks import benchmark_findings
from workbench.answers.findings.rules.cache import cache_findings
from workbench.answers.findings.rules.cache_untested import untested_findings
from workbench.answers.findings.rules.compare import compare_findings
from workbench.answers.findings.rules.limits import limit_findings
from workbench.answers.findings.rules.logons import logon_findings
from workbench.answers.findings.rules.prepare import prepare_findings
from workbench.answers.findings.rules.sizing import odd_vms, sizing_findings
from workbench.answers.findings.rules.trend import trend_findings
from workbench.answers.findings.words import Asked
from workbench.measures.comparability import CANNOT, COMPARABLE, Comparability, Reason
from workbench.measures.configurations import Group, phase_names
from workbench.model.phase import STEADY
from workbench.model.problem import failures, few_named
from workbench.study.store.columns import ColumnsError
from workbench.words.captions import named
from workbench.words.numbers import THIN

__all__ = ["CANNOT", "Asked", "comparability_of", "findings", "remarks"]

# Maximum number of reasons in one sentence.
_MOST_REASONS = 2

# With a study as its argument, a rule returns findings.
Rule = Callable[[], Iterable[Finding]]


def findings(asked: Asked) -> tuple[Finding, ...]:
    """Every finding, the most relevant first."""
    rules: tuple[tuple[str, str, Rule], ...] = (
        ("differences between configurations", "compare", lambda: compare_findings(asked, asked.comparison)),
        ("caches", "cache", lambda: cache_findings(asked)),
        ("limits", "limits", lambda: limit_findings(asked)),
        ("cache sizes that were not tested", "cache", lambda: untested_findings(asked)),
        ("logons", "logons", lambda: logon_findings(asked)),
        ("capacity", "sizing", lambda: sizing_findings(asked)),
        ("builds that changed a metric", "trend", lambda: trend_findings(asked)),
        ("unusual VMs", "per-vm-iops", lambda: odd_vms(asked)),
        ("storage benchmarks", "benchmarks", lambda: benchmark_findings(asked)),
        ("unanswered questions", "prepare", lambda: prepare_findings(asked)),
    )
    found = [finding for topic, page, rule in rules for finding in _alone(asked, topic, page, rule)]
    found = [*_not_comparable(asked), *(finding for finding in found if not _of_apart(asked, finding))]
    named = keyed(sorted(found, key=lambda finding: (finding.key, finding.text)))
    return ranked(_of_running(named, asked.groups), asked.margin)


def comparability_of(asked: Asked, found: Iterable[Finding] = ()) -> Comparability:
    """The configurations that can be compared, and the reasons why others cannot.

    If the builds of one configuration are compared, a second configuration is not needed; `found` are the findings.
    """
    if any(finding.kind == "trend" for finding in found) and len([g for g in asked.groups if g.runs]) == 1:
        return COMPARABLE
    return asked.comparability


def _not_comparable(asked: Asked) -> Iterator[Finding]:
    """The finding that nothing can be compared, with the reason and the next step."""
    if len([group for group in asked.groups if group.runs]) < 2 or asked.comparability.comparable:
        return
    why, steps = reasons_words(asked.comparability.reasons)
    yield Finding(
        asked.key(NOT_COMPARABLE),
        f"{CANNOT}. {' '.join((*why, *steps))}",
        NOT_COMPARABLE,
        Strength.INCONCLUSIVE,
        IMPORT_REPORT,
        runs=tuple(run.run.folder for group in asked.groups for run in group.runs),
        size=1.0,
        short=CANNOT,
        about=asked.about(NOT_COMPARABLE, [group for group in asked.groups if group.runs]),
    )


def reasons_words(reasons: Sequence[Reason]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The reasons, one sentence for each kind, and the next steps."""
    kinds: dict[str, list[Reason]] = {}
    for reason in reasons:
        kinds.setdefault(reason.code, []).append(reason)
    why = []
    for first, *others in list(kinds.values())[:_MOST_REASONS]:
        many = f" (and {len(others)} more configuration{'s' if len(others) > 1 else ''})." if others else "."
        why.append(first.text.removesuffix(".") + many)
    return tuple(why), tuple(members[0].next_step for members in list(kinds.values())[:_MOST_REASONS])


def _of_apart(asked: Asked, finding: Finding) -> bool:
    """True if a finding compares configurations that cannot be compared."""
    apart = asked.comparability.apart
    return bool(finding.baseline) and finding.configuration in apart and finding.kind != FAILED


def _alone(asked: Asked, topic: str, page: str, rule: Rule) -> Iterator[Finding]:
    """The findings of a rule. If the rule fails, one finding reports the failure, and other rules are not affected.
    Raises ColumnsError if the store has lost columns; the caller handles it."""
    try:
        yield from rule()
    except ColumnsError:
        raise
    except failures() as error:
        text = (
            f"Findings on {topic} could not be computed ({type(error).__name__}: {error}). All others are shown. "
            "Reload the folder. If it fails again, report this message."
        )
        yield Finding(asked.key(FAILED, page), text, FAILED, Strength.INCONCLUSIVE, page, size=1.0)


def remarks(groups: Sequence[Group], found: Iterable[Finding] = ()) -> tuple[str, ...]:
    """Short sentences on missing findings, and what to do; `found` are the findings of these groups."""
    used = [group for group in groups if group.runs]
    messages: list[str] = []
    if not groups:
        messages += [
            "Only storage benchmarks were found, no runs of VMs.",
            "For all benchmarks, see the Benchmarks page or use 'vdiwb benchmarks'.",
        ]
    elif not used:
        messages += ["Every run is excluded.", "There are no findings about runs."]
    elif len(used) == 1:
        what = "its builds are compared" if any(finding.kind == "trend" for finding in found) else "nothing is compared"
        messages += [f"Only one configuration: {what}.", "To compare, add runs of a second configuration."]
    else:
        shared = [name for name in phase_names(used) if sum(bool(group.phase(name)) for group in used) > 1]
        if not shared:
            messages += [
                "No two configurations share a phase.",
                "To compare configurations, define phases in run.toml.",
            ]
        elif not any(row for group in used for row in group.phase(STEADY)):
            messages += ["No run has a steady state.", "No finding is about steady state."]
    if used and all(len(group.runs) < 3 for group in used):
        messages += [f"Fewer than three runs each: no 95{THIN}% intervals.", "Run each configuration three times."]
    running = sum(run.run.running for group in groups for run in group.runs)
    if running:
        messages += [f"{running} run{'s are' if running > 1 else ' is'} still running.", "Verdicts may still change."]
    excluded = sum(len(group.excluded) for group in groups)
    if excluded:
        messages.append(f"{excluded} run{'s are' if excluded > 1 else ' is'} excluded.")
    return tuple(messages)


def _of_running(found: Sequence[Finding], groups: Sequence[Group]) -> list[Finding]:
    """The findings; those on a running test get a caveat, and are indicative at most."""
    names = {run.run.folder: run.run.name for group in groups for run in group.runs if run.run.running}
    return [_marked(finding, [names[run] for run in finding.runs if run in names]) for finding in found]


def _marked(finding: Finding, running: Sequence[str]) -> Finding:
    if not running:
        return finding
    are = "are" if len(running) > 1 else "is"
    caveat = f"{few_named([*map(named, running)])} {are} still running. Values change until the test ends."
    strength = weaker(finding.strength, Strength.INDICATIVE)
    return replace(finding, strength=strength, running=True, caveats=(caveat, *finding.caveats))
