"""The sentences of findings on a change: one wording for each kind of certainty.

A finding also stores its subject without names: its question, and the compared stretches of runs. Users may rename
configurations and phases, but the compared runs and times stay. Times are counted from the first sample of a run, so a
new time zone does not move them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from workbench.answers.common.change_words import (
    RATIO,
    as_caveats,
    change_text,
    change_words,
    drawn_change,
    few_runs_words,
    margin_words,
    n_words,
)
from workbench.answers.common.names import ASSUMED_DESKTOPS
from workbench.answers.compare.compute import Comparison, compare
from workbench.answers.findings.compute import Finding, Said, few_runs, holds_no_change
from workbench.answers.limits.limit import LimitsFile
from workbench.answers.logons.vsimax_models import VsimaxModel
from workbench.answers.sizing.constants import Own
from workbench.answers.trend.compute import Trend
from workbench.measures.comparability import Comparability, comparability
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.phase_table import RunFigures
from workbench.measures.significance.missing_data_check import several_runs
from workbench.measures.significance.run_order import order_caveats
from workbench.measures.statistics import MARGIN, Change, Verdict
from workbench.model.benchmark import Benchmark
from workbench.model.edits import About, Members, Stretch
from workbench.model.run import Run, SessionType
from workbench.words.captions import capital
from workbench.words.metrics import is_or_are
from workbench.words.numbers import MINUS, THIN, bracketed, duration, fixed, marked, number, percent, plural, signed

# In percent or points. With fewer than three runs, the sentence only states that the means hardly differ.
_NEXT_TO_NOTHING = 0.05
# The interval that two one-sided tests correspond to.
INTERVAL_90 = "90 % interval"
# The unit of a number of I/Os in a sentence.
_UNITS = {"I/O": "I/Os"}
# Three lines of a card. A longer sentence omits both values: the chart shows them.
_ROOM = 88


@dataclass(frozen=True, eq=False)
class Asked:
    """The input of findings: the configurations of one study (its folder is `study`), its storage benchmarks, and the
    choices of the pages that the findings lead to. `phase` is the phase of cache and sizing. `family` are all
    configurations of the study, including hidden ones: they are judged together. `trends` computes the trends of the
    primary measures over every study and the history folder; None if there is only this study."""

    study: str
    groups: Sequence[Group]
    benchmarks: Sequence[Benchmark] = ()
    margin: float = MARGIN
    phase: str = "steady"
    vms_planned: float = ASSUMED_DESKTOPS
    vms_assumed: bool = True
    own: Mapping[str, Own] = field(default_factory=dict)
    model: VsimaxModel | None = None
    raw_disk: str | None = None
    seeks_raw_disk: bool = True
    family: Sequence[Group] = ()
    limits: Sequence[LimitsFile] = ()
    trends: Callable[[], Sequence[Trend]] | None = None

    @cached_property
    def comparison(self) -> Comparison:
        """Every configuration against the baseline."""
        return compare(self.groups, self.margin, hidden=self.family)

    @cached_property
    def comparability(self) -> Comparability:
        """The configurations that can be compared with the baseline."""
        return comparability(self.groups, baseline_of(self.groups))

    def order_caveats(self, *labels: str) -> tuple[str, ...]:
        """The caveats that the runs of these configurations did not alternate with those of the baseline."""
        compared = [group for group in self.groups if group.label in labels and self.comparison.order_of(group.label)]
        base = self.comparison.baseline
        return () if base is None else order_caveats(base, compared)

    def key(self, *parts: str) -> str:
        """A key of a finding on this study."""
        return "/".join((self.study, *parts))

    def about(self, question: str, groups: Sequence[Group], baseline: Group | None = None, phase: str = "") -> About:
        """The subject of a finding on this study, independent of the names of configurations."""
        return about(question, self.study, groups, baseline, phase)


@dataclass(frozen=True, slots=True)
class Subject:
    """The subject of a sentence on a change: `IOPS per VM` `in steady state` of `MCSIO 4 GB` compared with `MCS`, with
    the means of both, their unit, and the unit of the change. `by` is the preposition of the baseline."""

    configuration: str
    baseline: str
    metric: str
    where: str
    value: float | None
    baseline_value: float | None
    unit: str
    change_unit: str = RATIO
    by: str = "with"

    @property
    def what(self) -> str:
        """The metric and the phase; the name of a duration already contains its phase."""
        return f"{self.metric} {self.where}".strip()

    @property
    def verb(self) -> str:
        """`are` for numbers of IOPS, otherwise `is`."""
        return is_or_are(self.metric)

    @property
    def quantity(self) -> str:
        """The metric and the phase in a form that is clear outside a sentence about time: `the duration of the boot
        phase`.
        """
        return f"the duration of {self.what}" if self.unit == "s" else self.what

    @property
    def inconclusive(self) -> str:
        """The beginning of an inconclusive finding: `The difference in IOPS per VM in steady state between MCSIO 4
        GB and MCS is inconclusive`.
        """
        return f"The difference in {self.quantity} between {self.configuration} and {self.baseline} is inconclusive"

    @property
    def amounts(self) -> tuple[str, str]:
        """Both values as text, the baseline's second."""
        return amounts(self.value, self.baseline_value, self.unit)

    @property
    def both(self) -> str:
        """Both values: `7.35 vs. 105 with MCS`."""
        ours, theirs = self.amounts
        return f"{ours} vs. {theirs} {self.by} {self.baseline}"


def change_sentence(
    subject: Subject, found: Change, verdict: Verdict | None, reasons: tuple[str, ...], margin: float
) -> Said:
    """The finding on a change, with its uncertainty or the number of runs; `reasons` are the caveats of an inconclusive
    one."""
    if min(found.n, found.n_baseline) < 3 and found.basis != "interval":
        return _of_few(subject, found)
    if verdict is Verdict.SAME:
        return _same(subject, found, margin)
    if verdict is None or verdict is Verdict.INCONCLUSIVE:
        change, head = change_words(found, subject.change_unit), subject.inconclusive
        text = f"{head} ({_change_text(subject, found)}, {n_words(found)})"
        none = abs(drawn_change(found, subject.change_unit)[0]) < _NEXT_TO_NOTHING
        return Said(text, head if none else f"{head} ({change})", change, caveats=reasons)
    return _decided(subject, found)


def _of_few(subject: Subject, found: Change) -> Said:
    """The finding if a side has one run or two."""
    if found.basis != "single":
        return _of_two(subject, found)
    than, number_ = _than(subject, found)
    ours, theirs = subject.amounts
    values = f"both {ours}" if ours == theirs else f"{ours} vs. {theirs}"
    text = f"{than} ({values}, {few_runs_words(found.n, found.n_baseline)})"
    # If the difference is nearly zero, both values add no information.
    alike = abs(drawn_change(found, subject.change_unit)[0]) < _NEXT_TO_NOTHING
    with_values = than if alike else f"{than} ({values})"
    return Said(capital(text), capital(than if len(with_values) > _ROOM else with_values), number_)


def _of_two(subject: Subject, found: Change) -> Said:
    """The finding if a side has two runs: both values and the range of the change. Two runs show no direction."""
    ends = _range(found, subject.change_unit)
    change = f"range of the change {ends}" if " to " in ends else f"{ends} in all runs"
    ours, theirs = subject.amounts
    if holds_no_change(found):
        head = subject.inconclusive
        values = f"both {ours}" if ours == theirs else f"{ours} vs. {theirs}"
        return Said(f"{head} ({values}, {change}, {n_words(found)})", head)
    verb = "takes" if subject.unit == "s" else subject.verb
    both = f"{subject.what} {verb} {ours} with {subject.configuration} and {theirs} {subject.by} {subject.baseline}"
    short = f"{subject.what}: {ours} with {subject.configuration}, {theirs} {subject.by} {subject.baseline} ({ends})"
    text = f"{both} ({change}, {n_words(found)})"
    return Said(capital(text), capital(short), ends)


def _same(subject: Subject, found: Change, margin: float) -> Said:
    within, change = margin_words(margin), change_words(found, subject.change_unit)
    found, tested = tested_interval(found, subject.change_unit, margin)
    within += " of the baseline" * (subject.change_unit != RATIO)
    # A certain change within the margin is small, not absent.
    none = "No" if holds_no_change(found) else "Small"
    what = f"{none} difference in {subject.what} between {subject.configuration} and {subject.baseline}"
    if subject.unit == "s":
        almost = "" if none == "No" else "almost "
        what = f"{capital(subject.what)} is {almost}equally long with {subject.configuration} and {subject.baseline}"
    changed = _change_text(subject, found)
    changed = changed.replace(" [", f", {INTERVAL_90} [") if tested else f"{changed},"
    text = f"{what} ({changed} within {within}, {n_words(found)})"
    return Said(text, f"{what} ({change}, within {within})", change)


def tested_interval(found: Change, change_unit: str, margin: float) -> tuple[Change, bool]:
    """The change with the interval that shows equality: the 90 % interval (True) if the 95 % interval crosses the
    margin."""
    ends = found.same_ends(margin) if change_unit == RATIO else None
    return (found, False) if ends is None else (replace(found, low=ends[0], high=ends[1]), True)


def _change_text(subject: Subject, found: Change) -> str:
    """The change with its interval, or `same value in all runs`; for a small baseline also the
    difference in its unit."""
    if found.basis == "range" and found.low is not None and found.low == found.high == 1:
        return "same value in all runs"
    base = subject.baseline_value if subject.unit == "IOPS" else None
    text = change_text(found, subject.unit, base, subject.change_unit).rpartition(", n =")[0]
    # The sentence has brackets around it.
    return re.sub(r" \(range (\S+) to (\S+)\)", lambda ends: _range_in_words(*ends.groups()), text)


def _range_in_words(low: str, high: str) -> str:
    """The range of a change as text, such as `, range −1.2 to +0.4`; ` in all runs` if both ends are shown with the
    same digits.
    """
    return " in all runs" if low == high else f", range {low} to {high}"


def open_sentence(subject: Subject, objection: str) -> Said:
    """The finding if a reason rules out any verdict: it states no change. The details after the colon of the reason are
    its caveat."""
    reason, _, details = objection.partition(": ")
    text = f"{subject.inconclusive} ({reason})"
    return Said(text, text if len(text) <= _ROOM else subject.inconclusive, caveats=lack_caveats(details))


def lack_caveats(details: str) -> tuple[str, ...]:
    """The caveat with these details, with an advice if there is room: to repeat the runs if samples are missing,
    otherwise to measure at the same point."""
    if not details:
        return ()
    again = "Repeat them" if several_runs(details) else "Repeat the run"
    lacks = " lack" in details or " no samples" in details
    return as_caveats(details, again if lacks else "Measure both at the same point")[:1]


def rise_from_zero(subject: Subject, ours: Sequence[float], theirs: Sequence[float], *, open_: bool = False) -> Said:
    """The finding on a value that is 0 in runs of the baseline: the difference in its unit, with the range if both
    sides have two runs or more, and no percentage. `open_`: it is inconclusive."""
    lowest, highest = min(ours) - max(theirs), max(ours) - min(theirs)
    zeros = sum(value == 0 for value in theirs)
    which = "value is 0" if zeros == len(theirs) else f"value is 0 in {zeros} of {len(theirs)} runs"
    caveats = (f"The baseline {which}, so there is no percentage. Compare the values.",)
    value, baseline = subject.amounts
    difference = (subject.value or 0.0) - (subject.baseline_value or 0.0)
    if open_:
        more = _more(difference, subject.unit)
        short = f"{subject.inconclusive} ({more}, {subject.both})"
    elif min(len(ours), len(theirs)) == 2:
        with_both = f"{value} with {subject.configuration} and {baseline} {subject.by} {subject.baseline}"
        head, more = f"{capital(subject.what)} {subject.verb} {with_both}", _more(difference, subject.unit)
        short = f"{head} (difference {more})"
    else:
        more = _more(abs(difference), subject.unit).removeprefix("+")
        verb = "cuts" if difference < 0 else "raises"
        short = f"{subject.configuration} {verb} {subject.what} by {more} ({subject.both})"
    several = min(len(ours), len(theirs)) > 1
    spread = f", range {_more(lowest, '')} to {_more(highest, subject.unit)}" if several else ""
    return Said(f"{short[:-1]}{spread}, {_counts(len(ours), len(theirs))})", short, more, caveats=caveats)


def _interval_of(found: Change, change_unit: str) -> tuple[str, str]:
    """The interval after the change, such as ` [92.5, 93.6]`: the ends of a reduction or a rise, lowest first; ` in all
    runs` if both ends are equal. Also the range for the brackets; both empty if there are no ends."""
    change, least, most = drawn_change(found, change_unit)
    if least is None or most is None:
        return "", ""
    low, high = sorted((-least, -most) if change < 0 else (least, most))
    decimals = _decimals(change)
    texts = _share(low, decimals), _share(high, decimals)
    if found.basis == "interval":
        return f" {bracketed(*texts)}", ""
    return (" in all runs", "") if texts[0] == texts[1] else ("", f"range {' to '.join(texts)}")


def amount(value: float | None, unit: str) -> str:
    """A value within a sentence, with its unit if the name of the metric does not contain it."""
    if unit == "s":
        return duration(value)
    if unit == "%":
        return percent(value)
    if unit == "seconds":
        return f"{number(value)}{THIN}s"
    return _with_unit(number(value), unit)


def amounts(value: float | None, baseline: float | None, unit: str) -> tuple[str, str]:
    """Both values of a sentence, with more digits if they would otherwise look equal. Both times have the same unit."""
    if unit == "s":
        return duration(value, baseline or 0.0), duration(baseline, value or 0.0)
    ours, theirs = amount(value, unit), amount(baseline, unit)
    if value is not None and baseline is not None and ours == theirs and value != baseline:
        return _apart((value, baseline), unit)
    if unit == "%" and value is not None and baseline is not None:
        # Rounded shares must not suggest a different difference.
        rounded = round(value) - round(baseline)
        if abs(rounded - (value - baseline)) >= _NEXT_TO_NOTHING and max(value, baseline) < 99:
            return f"{fixed(value, 1)}{THIN}%", f"{fixed(baseline, 1)}{THIN}%"
    return ours, theirs


def _apart(values: Sequence[float], unit: str) -> tuple[str, str]:
    """Two amounts with as many decimals as needed to distinguish them, at most four. Rounding must not double their
    difference."""
    difference = abs(values[0] - values[1])
    for decimals in range(5):
        ours, theirs = (fixed(value, decimals) for value in values)
        rounded = abs(round(values[0], decimals) - round(values[1], decimals))
        if ours != theirs and rounded < 2 * difference:
            break
    return _with_unit(ours, unit), _with_unit(theirs, unit)


def _with_unit(text: str, unit: str) -> str:
    return text if unit == "IOPS" else f"{text}{THIN}{_UNITS.get(unit, unit)}"


def vms_words(count: float, session_type: SessionType, *, assumed: bool) -> str:
    """The number of session hosts or desktops as text: `100 session hosts (assumed)`."""
    return plural(count, "session host" if session_type is SessionType.RDS else "desktop") + " (assumed)" * assumed


def planned_words(asked: Asked, session_type: SessionType, ram_gb: float) -> str:
    """The RAM of all caches as text: `400 GB of RAM for an assumed 100 session hosts`."""
    assumed = "an assumed " * asked.vms_assumed
    return f"{number(ram_gb)}{THIN}GB of RAM for {assumed}{vms_words(asked.vms_planned, session_type, assumed=False)}"


def _decided(subject: Subject, found: Change) -> Said:
    lower = _is_lower(found, subject.change_unit)
    verb = ("shortens" if lower else "prolongs") if subject.unit == "s" else ("cuts" if lower else "raises")
    size = _size(found, subject.change_unit)
    interval, ends = _interval_of(found, subject.change_unit)
    head = f"{subject.configuration} {verb} {subject.what} by {size}"
    # An outlier run can move the means in the opposite direction of the change. They would then contradict the verb.
    opposed = found.shown_difference is None
    both, than = ("", f" compared with {subject.baseline}") if opposed else (subject.both, "")
    evidence = ", ".join(filter(None, (ends, both, n_words(found))))
    short = f"{head}{than}" if opposed else f"{head} ({both})"
    return Said(f"{head}{interval}{than} ({evidence})", short, size, head)


def _than(subject: Subject, found: Change) -> tuple[str, str]:
    """A comparison as text, and the number in it: `IOPS per VM in steady state are 62.0 % lower with A than with B`."""
    lower, share = _is_lower(found, subject.change_unit), _size(found, subject.change_unit)
    if abs(drawn_change(found, subject.change_unit)[0]) < _NEXT_TO_NOTHING:
        least = f"{marked(str(_NEXT_TO_NOTHING))}{THIN}{subject.change_unit}"
        differ = "differ" if subject.verb == "are" and subject.unit != "s" else "differs"
        both = f"between {subject.configuration} and {subject.baseline}"
        return f"{subject.quantity} {differ} by less than {least} {both}", least
    more = ("less time" if lower else "longer") if subject.unit == "s" else ("lower" if lower else "higher")
    verb = "takes" if subject.unit == "s" else subject.verb
    both = f"with {subject.configuration} than {subject.by} {subject.baseline}"
    return f"{subject.what} {verb} {share} {more} {both}", share


def _range(found: Change, change_unit: str) -> str:
    """The range of a change as text: `−70.1 to −52.0 %`; the change alone if both ends are shown alike."""
    _, *edges = drawn_change(found, change_unit)
    known = [edge for edge in edges if edge is not None]
    texts = dict.fromkeys(signed(edge, 1 if abs(edge) < 100 else 0) for edge in known)
    return f"{' to '.join(texts)}{THIN}{change_unit}" if known[1:] else change_words(found, change_unit)


def _is_lower(found: Change, change_unit: str) -> bool:
    """True if the stated change is a reduction."""
    return drawn_change(found, change_unit)[0] < 0


def _size(found: Change, change_unit: str) -> str:
    """The size of a change as text: `93.0 %`; for shares `12.0 pp`."""
    change = drawn_change(found, change_unit)[0]
    return f"{_share(abs(change), _decimals(change))}{THIN}{change_unit}".rstrip(THIN)


def _more(value: float, unit: str) -> str:
    """`+500 IOPS`: a difference in its unit."""
    sign = "" if value == 0 else "+" if value > 0 else MINUS
    return f"{sign}{number(abs(value))}" + (f"{THIN}{unit}" if unit else "")


def _counts(ours: int, theirs: int) -> str:
    """The number of runs behind a sentence without a percentage: `one run each`, `n = 3`, `n = 3 vs. 2`."""
    if min(ours, theirs) < 2:
        return few_runs_words(ours, theirs)
    return f"n = {ours}" if ours == theirs else f"n = {ours} vs. {theirs}"


def _decimals(change: float) -> int:
    """One decimal, or more for a small change, so no sentence states a change of 0.0."""
    return next((decimals for decimals in range(1, 5) if round(abs(change), decimals) > 0), 1)


def _share(value: float, decimals: int = 1) -> str:
    text = marked(f"{abs(value):.{decimals}f}" if abs(value) < 100 else f"{abs(value):,.0f}")
    return f"{MINUS}{text}" if value < 0 and any(digit in "123456789" for digit in text) else text


def about(question: str, study: str, groups: Sequence[Group], baseline: Group | None = None, phase: str = "") -> About:
    """The subject of a finding on these configurations; `phase` only if another phase makes another finding."""
    sides = tuple(_members(group, phase) for group in groups)
    return About(question, study, sides, None if baseline is None else _members(baseline, phase), phase)


def _members(group: Group, phase: str) -> Members:
    return Members(group.label, tuple(_stretch(figures, phase) for figures in group.runs))


def _stretch(figures: RunFigures, phase: str) -> Stretch:
    row = figures.phase(phase) if phase else None
    if row is None:
        return Stretch(figures.run.folder)
    zero = _first_sample(figures.run)
    return Stretch(figures.run.folder, row.phase.start - zero, row.phase.end - zero)


def _first_sample(run: Run) -> float:
    """Seconds since 1970 UTC; 0 for a run without clock times."""
    return min((recording.span_s[0] for recording in run.recordings if not recording.relative), default=0.0)


def headline(finding: Finding) -> str:
    """The short sentence; a sentence of the user is not shortened."""
    return finding.text if finding.edited or finding.own else finding.short or finding.text


def card_sentence(finding: Finding) -> str:
    """The sentence of a card with a chart of the values; a sentence of the user is not shortened."""
    return headline(finding) if finding.edited or finding.own else finding.brief or headline(finding)


def names_in(finding: Finding) -> list[str]:
    """The names of configurations that the sentence may contain, the longest first: numbers inside a name are not
    values."""
    about = finding.about
    sides = () if about is None else (*about.configurations, *((about.baseline,) if about.baseline else ()))
    names = {finding.configuration, finding.baseline, *(side.label for side in sides)}
    return sorted(names - {""}, key=len, reverse=True)


def number_in(finding: Finding, sentence: str) -> str:
    """The main number of the sentence; empty if a sentence of the user does not contain it."""
    return finding.number if finding.number in sentence else ""


def foot_words(finding: Finding, *, singles_said: bool = False) -> str:
    """The line under a finding: `strong, 3 runs each, 1 caveat`. Without the strength of single runs if a note on all
    findings states it.
    """
    few = few_runs(finding)
    caveats = plural(len(finding.caveats), "caveat") if finding.caveats else ""
    runs = plural(len(finding.runs), "run") if finding.runs else ""
    change = finding.change or finding.drawn
    count = each_words(change.n, change.n_baseline) if change is not None else runs
    # The number of runs already states the strength of one or two runs.
    strength = "" if few else finding.strength.value
    if few and " vs. " not in few:
        count = "" if singles_said and few == "single run" else few
    parts = (strength, "running" * finding.running, "edited" * finding.edited, count)
    return ", ".join(filter(None, (*parts, caveats)))


def each_words(runs: int, baseline: int) -> str:
    """The number of runs on both sides of a comparison as text: `3 runs each`, or `3 vs. 1 runs`."""
    if runs == baseline:
        return "one run each" if runs == 1 else f"{runs} runs each"
    return f"{runs} vs. {baseline} runs"
