"""Acceptance limits: the agreed limits, checked with the measured values.

There is one figure per run, as on all pages. A value is the mean over the runs with the interval of
`measures.configurations`; a change from another configuration is that of `measures.statistics`. No other statistics are
used. *Pass* needs a 95 % interval with both ends within the limit, so three runs. *Fail* needs an interval, or the
range of two runs, with both ends beyond the limit; of a single run it is called *fail (one run)*. All other checks are
*inconclusive*: the interval crosses the limit, there are too few runs, or nothing was measured. A missing part counts
as the value that most opposes the verdict (`measures.coverage`, `measures.significance`). A configuration does not pass
if one of its runs lacks the figure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from operator import itemgetter

from workbench.answers.limits.file import nearest
from workbench.answers.limits.limit import BASELINE, OVERFLOW, Limit
from workbench.answers.limits.spans import POOL_WORDS, Spans, Values, ValueSpan, change_spans, run_spans, value_spans
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import (
    COPY_OF,
    Group,
    UnknownBaselineError,
    baseline_of,
    find_configuration,
    phase_names,
)
from workbench.measures.coverage.bounds import lacks
from workbench.measures.measure import Measure
from workbench.measures.phase_table import RunFigures
from workbench.measures.significance.missing_data_check import LEAST_MEASURED, by_run, lack_words, too_little
from workbench.measures.significance.objections import objection
from workbench.measures.statistics import INTERVAL_RUNS, Basis
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.run import Provisioning
from workbench.words.captions import named
from workbench.words.metrics import in_no_phase, in_phase

# The highest probability of a wrong fail for a limit that is just met.
WRONG_FAILS: dict[Basis, float] = {"interval": 0.025, "range": 0.25, "single": 0.5}


class Outcome(StrEnum):
    """The outcome of a check."""

    PASS = "pass"
    FAIL = "fail"
    FAIL_ONE_RUN = "fail (one run)"
    NOT_SHOWN = "not shown"

    @property
    def failed(self) -> bool:
        """True if the limit is exceeded, in any number of runs."""
        return self in (Outcome.FAIL, Outcome.FAIL_ONE_RUN)

    @property
    def words(self) -> str:
        """The outcome as text for users; the value is the key of the JSON."""
        return "inconclusive" if self is Outcome.NOT_SHOWN else self.value


@dataclass(frozen=True, eq=False, slots=True)
class Check:
    """One limit of one configuration.

    `value` has the ends of its interval or range as measured; it is None if nothing was measured. If the limit is
    `against` a configuration, `value` is a change in the unit of its changes. `values` are (run, figure), `folders`
    those of these runs. `reason` says why the outcome is not stronger; `notes` are further facts that a user must know.
    `estimated`: figures are estimates, which give a verdict only if they bound the real value.
    """

    limit: Limit
    configuration: str
    against: str = ""
    value: float | None = None
    low: float | None = None
    high: float | None = None
    basis: Basis | None = None
    values: Values = ()
    folders: tuple[str, ...] = ()
    baseline_values: Values = ()
    outcome: Outcome = Outcome.NOT_SHOWN
    reason: str = ""
    notes: tuple[str, ...] = ()
    estimated: bool = False

    @property
    def verdict(self) -> str:
        """The outcome as text: `pass`, `fail (one run)`, `pass (estimated)`."""
        if not self.estimated or self.outcome is Outcome.NOT_SHOWN:
            return self.outcome.words
        one = self.outcome is Outcome.FAIL_ONE_RUN
        return "fail (one run, estimated)" if one else f"{self.outcome.value} (estimated)"

    @property
    def words(self) -> str:
        """The limit, with the name of the configuration it is compared with."""
        return self.limit.words_against(self.against)


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of checks by outcome; failures of one run are also in `failed`."""

    passed: int
    failed: int
    not_shown: int


def counts_of(checks: Sequence[Check]) -> Counts:
    """The outcomes, counted."""
    passed = sum(check.outcome is Outcome.PASS for check in checks)
    failed = sum(check.outcome.failed for check in checks)
    return Counts(passed, failed, len(checks) - passed - failed)


def expected_wrong_fails(checks: Sequence[Check]) -> float:
    """The largest expected number of failed checks if every limit were just met."""
    return sum(WRONG_FAILS[check.basis] for check in checks if check.basis is not None)


def contradictions(checks: Sequence[Check], file: str) -> tuple[Problem, ...]:
    """A problem for each two limits of `file` that no value can meet together, with the configurations that both apply
    to.

    Of several limits of one figure the two strictest are named. Both are still checked, because it is unknown which one
    is meant.
    """
    figures: dict[tuple[str, ...], list[Check]] = {}
    for check in checks:
        limit = check.limit
        key = (limit.measure, limit.phase, (check.against or limit.against).casefold(), check.configuration.casefold())
        figures.setdefault(key, []).append(check)
    pairs: dict[tuple[Limit, Limit], list[str]] = {}
    for made in figures.values():
        bounds = [(check.limit.bound, check.limit) for check in made if check.limit.bound is not None]
        most = min((bound for bound in bounds if bound[1].at_most), key=itemgetter(0), default=None)
        least = max((bound for bound in bounds if not bound[1].at_most), key=itemgetter(0), default=None)
        if most is not None and least is not None and least[0] > most[0]:
            pairs.setdefault((most[1], least[1]), []).append(made[0].configuration)
    return tuple(_contradiction(file, pair, labels) for pair, labels in pairs.items())


def _contradiction(file: str, pair: tuple[Limit, Limit], labels: Sequence[str]) -> Problem:
    most, least = pair
    who = few_named([*map(named, labels)], 2) if any(labels) else "No configuration"
    lines = sorted({limit.line for limit in pair if limit.line})
    where = f" (line{'s' * (len(lines) > 1)} {' and '.join(map(str, lines))})" if lines else ""
    can = "cannot" if any(labels) else "can"
    message = f"{who} {can} meet both limits: {most.words} and {least.bound_words}{where}."
    action = "both checked; correct one"
    return Problem(Severity.WARNING, file, "limits-contradict", message, action, lines[-1] if lines else None)


def checks(groups: Sequence[Group], limits: Sequence[Limit], hidden: frozenset[str] = frozenset()) -> tuple[Check, ...]:
    """Every limit of every configuration it applies to, in the order of the limits. Configurations `hidden` (by label)
    are only compared with."""
    return tuple(check for limit in limits for check in _of_limit(groups, limit) if check.configuration not in hidden)


def _of_limit(groups: Sequence[Group], limit: Limit) -> list[Check]:
    base: Group | None = None
    if limit.against:
        try:
            base = _base(groups, limit.against)
        except UnknownBaselineError as error:
            return [Check(limit, "", limit.against, reason=str(error).rstrip("."))]
    results: list[Check] = []
    if not limit.configurations:
        counted = any(group.runs for group in groups)
        every = [
            group for group in groups if (group.runs or not counted) and group is not base and _applies(limit, group)
        ]
        results += [_checked(limit, group, base) for group in every]
        return results or [Check(limit, "", reason="no configuration to check")]
    used: list[Group] = []
    for name in limit.configurations:
        called = [group for group in groups if name.casefold() in _names(group)]
        # A configuration may be named twice, by its label and by its name.
        results += [_checked(limit, group, base) for group in called if group not in used]
        used += called
        if not called:
            near = nearest(name, [group.label for group in groups])
            hint = f"; did you mean '{near}'?" if near else ""
            results.append(Check(limit, name, reason=f"not measured: there is no such configuration{hint}"))
    return results


def _applies(limit: Limit, group: Group) -> bool:
    """True if a limit on every configuration applies to this one: plain MCS has no RAM cache that could overflow."""
    plain = group.configuration.provisioning is Provisioning.MCS and not group.configuration.ram_cache_mb
    return limit.measure != OVERFLOW or not plain


def _base(groups: Sequence[Group], name: str) -> Group | None:
    """The configuration that a limit is compared with; None if no run of it counts. Raises UnknownBaselineError."""
    known = {known_name for group in groups for known_name in _names(group)}
    if name.casefold() == BASELINE and BASELINE not in known:
        return baseline_of(groups)
    return find_configuration(groups, name)


def _names(group: Group) -> tuple[str, str]:
    return group.label.casefold(), group.configuration.name.casefold()


def _checked(limit: Limit, group: Group, base: Group | None) -> Check:
    """The verdict on one configuration."""
    draft = Check(limit, group.label, "" if base is None else base.label)
    if group is base:
        return replace(draft, reason="compared with itself")
    if not group.runs:
        return replace(draft, reason="every run is excluded")
    if limit.figure.of_run or limit.measure == OVERFLOW:
        spans = run_spans(group, limit)
    else:
        spans = value_spans(group, limit) if base is None else change_spans(base, group, limit)
    draft = replace(
        draft,
        values=spans.values,
        folders=spans.folders,
        baseline_values=spans.baseline_values,
        notes=(*spans.notes, *_left_out(group), *([] if base is None else _left_out(base))),
        estimated=spans.estimated,
    )
    span = spans.measured
    if span is None:
        return replace(draft, reason=spans.reason or _unmeasured(limit, [group]))
    draft = replace(draft, value=span.value, low=span.low, high=span.high, basis=span.basis)
    if reason := spans.reason or _objection(limit, group, base):
        return replace(draft, reason=reason)
    if limit.measure == OVERFLOW:
        return _overflowed(draft, group, spans)
    outcome, reason = judged(limit, span, spans.lowest or span, spans.highest or span, spans.unmeasured)
    if outcome is Outcome.PASS and spans.flat:
        outcome, reason = Outcome.NOT_SHOWN, "the runs are identical, so their variation is unknown"
    if outcome is Outcome.PASS and spans.without:
        outcome, reason = Outcome.NOT_SHOWN, f"within the limit, but not measured in {few_named(spans.without)}"
    return replace(draft, outcome=outcome, reason=reason)


def _left_out(group: Group) -> Iterator[str]:
    """The excluded runs of a configuration."""
    copies: list[str] = []
    others: list[str] = []
    for run in group.excluded:
        (copies if (run.run.excluded or "").startswith(COPY_OF) else others).append(run.run.name)
    if copies:
        yield f"{_excluded(copies)} as {'copies' if len(copies) > 1 else 'a copy'} of another run"
    if others:
        yield _excluded(others)


def _excluded(runs: Sequence[str]) -> str:
    names = few_named([f"'{run}'" for run in runs])
    return f"run{'s' * (len(runs) > 1)} {names} {'are' if len(runs) > 1 else 'is'} excluded"


def _unmeasured(limit: Limit, groups: Sequence[Group]) -> str:
    names = phase_names(groups)
    if not limit.phase or limit.phase in names:
        return f"not measured {in_phase(limit.phase)}" if limit.phase else "not measured"
    near = nearest(limit.phase, names)
    return f"not measured: no run has the phase '{limit.phase}'{f'; did you mean {near}?' if near else ''}"


def _objection(limit: Limit, group: Group, base: Group | None) -> str:
    """The reason why no verdict is possible, with any values."""
    running = [run.run.name for side in (base, group) if side is not None for run in side.runs if run.run.running]
    if running:
        return f"still running: {', '.join(running)}"
    if limit.measure not in MEASURES:
        return ""
    measure = MEASURES[limit.measure]
    if base is not None:
        return objection(base, group, limit.phase, measure) or ""
    return too_little(group, group, limit.phase, measure) or ""


def judged(limit: Limit, span: ValueSpan, lowest: ValueSpan, highest: ValueSpan, lack: str) -> tuple[Outcome, str]:
    """The outcome, and why it is not stronger.

    `lowest` and `highest` are the spans with the missing parts at their lowest and highest; `lack` describes the
    missing data. A verdict uses the ends of all three spans: filled gaps move the runs and may bring them closer
    together.
    """
    measured = _held(limit, span.ends)
    ends = [end for part in (span, lowest, highest) for end in part.ends]
    outcome = _held(limit, (min(ends), max(ends)))
    if outcome != measured and measured is not None:
        return Outcome.NOT_SHOWN, f"missing samples prevent a verdict: {lack}"
    if outcome is None:
        crossing = "95 % interval" if span.basis == "interval" else "range of the runs"
        return Outcome.NOT_SHOWN, f"the {crossing} crosses the limit"
    if outcome is False:
        return (Outcome.FAIL_ONE_RUN if span.basis == "single" else Outcome.FAIL), ""
    if span.basis == "interval":
        return Outcome.PASS, ""
    return Outcome.NOT_SHOWN, f"within the limit, but {_too_few(span)}"


def _held(limit: Limit, ends: tuple[float, float]) -> bool | None:
    """True if everything between the ends is within the limit, False if beyond it, otherwise None."""
    assert limit.bound is not None
    low, high = ends if limit.at_most else (-ends[1], -ends[0])
    bound = limit.bound if limit.at_most else -limit.bound
    return True if high <= bound else False if low > bound else None


def _too_few(span: ValueSpan) -> str:
    if span.basis == "single":
        return "one run gives no interval; three runs are needed"
    return (
        "two runs give no interval; three runs are needed"
        if span.n < INTERVAL_RUNS
        else "no interval is possible because a run has the value 0"
    )


def _overflowed(draft: Check, group: Group, spans: Spans) -> Check:
    """The outcome of a limit on overflow.

    Any run that overflowed exceeds the limit. That no run overflowed needs as many runs as an interval. The nonpaged
    pool holds more than the cache: below the size it shows that nothing overflowed, but its growth does not show an
    overflow.
    """
    n, figures = len(draft.values), zip(draft.folders, draft.values, strict=True)
    over = {folder: run for folder, (run, value) in figures if value}
    measured = [run for folder, run in over.items() if folder not in spans.estimates]
    if measured:
        outcome = Outcome.FAIL_ONE_RUN if n == 1 else Outcome.FAIL
        return replace(draft, outcome=outcome, reason=f"overflowed: {', '.join(measured)}", estimated=False)
    if over:
        return replace(
            draft,
            reason=f"overflow estimated in {few_named(list(over.values()))}, {POOL_WORDS}: measure it with poolmon",
        )
    if n < INTERVAL_RUNS:
        words = "one run is" if n == 1 else "two runs are"
        return replace(draft, reason=f"no overflow, but {words} too few; three runs are needed")
    if spans.without:
        reason = f"no overflow found, but no counter for {few_named(spans.without)}"
        return replace(draft, reason=reason)
    by_ram, by_disk = MEASURES["cache_ram_used_mb_peak"], MEASURES["cache_disk_used_mb_peak"]
    gauges = {run.run.folder: by_ram if run.run.folder in spans.by_ram else by_disk for run in group.runs}
    if lacking := unwatched(group, draft.limit.phase, gauges):
        reason = f"no overflow found, but less than {100 * LEAST_MEASURED:g} % was measured: {lacking}"
        return replace(draft, reason=reason)
    return replace(draft, outcome=Outcome.PASS)


def unwatched(group: Group, phase: str, gauges: Mapping[str, Measure]) -> str:
    """The part of the phase without samples of the counter, by folder of the run; empty if all was read.

    If `phase` is empty, any phase counts. A phase without samples is missing completely.
    """
    phases = [name for name in phase_names([group]) if phase in ("", name)]
    judged = [run for run in group.runs if run.run.folder in gauges]
    lacking = {run: _lacking(group, run, phases, gauges[run.run.folder]) for run in judged}
    return by_run([(run.run.name, ", ".join(words)) for run, words in lacking.items() if words])


def _lacking(group: Group, run: RunFigures, phases: Sequence[str], gauge: Measure) -> list[str]:
    """The missing samples as text: `A lacks samples for 48 % of the phase during boot`, `no samples during logon and
    steady state`.
    """
    rows = [(phase, run.phase(phase)) for phase in phases]
    blank = [phase for phase, row in rows if row is not None and getattr(row, gauge.key) is None]
    short = [
        f"{lack_words(lack)} {in_phase(phase)}"
        for phase in phases
        for lack in lacks(group, phase, gauge)
        if lack.folder == run.run.folder and lack.share < LEAST_MEASURED
    ]
    return [*short, *([f"no samples {in_no_phase(*blank)}"] if blank else [])]
