"""The sentences of findings that rest on a change: one way to say each kind of certainty, never more than is known.

What a finding is about, told without names: its question, and the stretches of runs that it compares.

Configurations and phases are called what the user wants, and may be called otherwise tomorrow. What stays is which
runs were compared, and from when to when. Times are counted from a run's first sample, which another time zone of the
run does not move.

A finding in one large sentence: what it says, without what its chart and the line under it say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from workbench.answers.common.change_words import (
    RATIO,
    change_text,
    change_words,
    drawn_change,
    few_runs_words,
    margin_words,
    n_words,
)
from workbench.answers.common.names import ASSUMED_DESKTOPS
from workbench.answers.compare.compute import Comparison, compare
from workbench.answers.findings.compute import Finding, Said, Strength, holds_no_change
from workbench.answers.limits.limit import LimitsFile
from workbench.answers.logons.vsimax_models import VsimaxModel
from workbench.answers.sizing.constants import Own
from workbench.answers.trend.compute import Trend
from workbench.measures.comparability import Comparability, comparability
from workbench.measures.configurations import Group, baseline_of
from workbench.measures.phase_table import RunFigures
from workbench.measures.statistics import MARGIN, Change, Verdict
from workbench.model.benchmark import Benchmark
from workbench.model.edits import About, Members, Stretch
from workbench.model.run import Run, SessionType
from workbench.words.metrics import phase_words
from workbench.words.numbers import MINUS, THIN, duration, fixed, marked, number, percent, signed

# In percent or points: fewer than three runs do not show that nothing differs, only how little their means do.
_NEXT_TO_NOTHING = 0.05
# Three lines of a card: what is longer leaves both figures to the chart.
_ROOM = 88


@dataclass(frozen=True, eq=False)
class Asked:
    """What findings are asked of: the configurations of one study (its folder is `study`), storage benchmarks, and
    the choices of the pages that the findings lead to. `phase` is the one of cache and sizing.
    `family` are all configurations of the study, hidden ones included, which are judged together; `limits` were agreed
    on. `trends` works out those that the page Trend shows of the primary measures, over every study and the history
    folder: None where there is only this study."""

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
        """Whether the configurations can be compared with the baseline."""
        return comparability(self.groups, baseline_of(self.groups))

    def order_caveats(self, label: str) -> tuple[str, ...]:
        """That the runs of a configuration did not take turns with those of the baseline; empty if they did."""
        problems = self.comparison.problems_of(label)
        return tuple(problem.message for problem in problems if problem.code == "compare-order")

    def key(self, *parts: str) -> str:
        """A key of a finding on this study."""
        return "/".join((self.study, *parts))

    def about(self, question: str, groups: Sequence[Group], baseline: Group | None = None, phase: str = "") -> About:
        """What a finding on this study is about, whatever its configurations are called."""
        return about(question, self.study, groups, baseline, phase)


@dataclass(frozen=True, slots=True)
class Subject:
    """What a sentence on a change speaks of: `IOPS per VM` `in steady state` of `MCSIO 4 GB` against `MCS`, with
    the means of both, their unit, and that of the change."""

    configuration: str
    baseline: str
    metric: str
    where: str
    value: float | None
    baseline_value: float | None
    unit: str
    change_unit: str = RATIO

    @property
    def what(self) -> str:
        """The metric and where; a duration is of its phase and needs no where."""
        return f"{self.metric} {self.where}".strip()

    @property
    def amounts(self) -> tuple[str, str]:
        """Both figures in words, ours first."""
        return amounts(self.value, self.baseline_value, self.unit)


def change_sentence(subject: Subject, found: Change, verdict: Verdict | None, reason: str, margin: float) -> Said:
    """The finding on a change, with its uncertainty or the words that there is none; `reason` is of `reason_words`."""
    if min(found.n, found.n_baseline) < 3 and found.basis != "interval":
        return _of_few(subject, found)
    if verdict is Verdict.SAME:
        return _same(subject, found, margin)
    if verdict is None or verdict is Verdict.INCONCLUSIVE:
        change = change_words(found, subject.change_unit)
        short = f"Whether {subject.configuration} changes {subject.what} against {subject.baseline} is open"
        return Said(
            f"{short}: {_change_text(subject, found)}, {n_words(found)}; {reason}", f"{short}: {change}", change
        )
    return _decided(subject, found)


def _of_few(subject: Subject, found: Change) -> Said:
    """The finding where a side has one run or two."""
    if found.basis != "single":
        return _of_two(subject, found)
    than, number_ = _than(subject, found)
    values = f": {' against '.join(subject.amounts)}"
    text = f"{than}{values} ({few_runs_words(found.n, found.n_baseline)})"
    short = than if len(than + values) > _ROOM else than + values
    return Said(capital(text), capital(short), number_)


def _of_two(subject: Subject, found: Change) -> Said:
    """The finding where a side has two runs: both figures and the range of the change. Two runs show no direction."""
    ends = _range(found, subject.change_unit)
    ours, theirs = subject.amounts
    if holds_no_change(found):
        head = f"Whether {subject.configuration} changes {subject.what} against {subject.baseline} is open"
        return Said(f"{head}: {ours} against {theirs}, range of the change {ends}, {n_words(found)}", head)
    verb = "takes" if subject.unit == "s" else "is"
    both = f"{subject.what} {verb} {ours} with {subject.configuration} and {theirs} with {subject.baseline}"
    range_ = f"range of the change {ends}"
    return Said(f"{_pair(found)}{both}: {range_}, {n_words(found)}", f"{capital(both)}: {range_}", ends)


def _same(subject: Subject, found: Change, margin: float) -> Said:
    within, change = margin_words(margin), change_words(found, subject.change_unit)
    ends = found.same_ends(margin) if subject.change_unit == RATIO else None
    tested = " by the 90 % interval of its two tests" * (ends is not None)
    if ends is not None:
        found = replace(found, low=ends[0], high=ends[1])
    within += " of the baseline" * (subject.change_unit != RATIO)
    what = f"{subject.configuration} leaves {subject.what} the same as {subject.baseline}"
    if subject.unit == "s":
        what = f"{capital(subject.what)} is as long with {subject.configuration} as with {subject.baseline}"
    text = f"{what}: {_change_text(subject, found)}, within {within}{tested}, {n_words(found)}"
    return Said(text, f"{what}: {change}, within {within}", change)


def _change_text(subject: Subject, found: Change) -> str:
    """The change with its interval, and the absolute beside a percentage of next to nothing."""
    base = subject.baseline_value if subject.unit == "IOPS" else None
    return change_text(found, subject.unit, base, subject.change_unit).rpartition(", n =")[0]


def open_sentence(subject: Subject, objection: str) -> Said:
    """The finding where a reason speaks against any verdict: it quotes no change."""
    head = f"Whether {subject.configuration} changes {subject.what} against {subject.baseline} is open"
    return Said(f"{head}: {objection}", f"{head}: {objection}" if len(f"{head}: {objection}") <= _ROOM else head)


def rise_from_zero(subject: Subject, ours: Sequence[float], theirs: Sequence[float]) -> Said:
    """The finding on a figure that is 0 in runs of the baseline: the difference in its unit, with the range where
    both sides have two runs or more, and no percentage."""
    lowest, highest = min(ours) - max(theirs), max(ours) - min(theirs)
    several = min(len(ours), len(theirs)) > 1
    spread = f" (range {_more(lowest, '')} to {_more(highest, subject.unit)})" if several else ""
    zeros = sum(value == 0 for value in theirs)
    which = "is 0" if zeros == len(theirs) else f"is 0 in {zeros} of {len(theirs)} runs"
    value, baseline = subject.amounts
    lead, counts = _lead(len(ours), len(theirs))
    more = _more((subject.value or 0.0) - (subject.baseline_value or 0.0), subject.unit)
    head = f"{subject.configuration} takes {subject.what} from {baseline}"
    if min(len(ours), len(theirs)) == 2:
        both = f"{subject.what} is {value} with {subject.configuration} and {baseline} with {subject.baseline}"
        of_two = f"{both}, a difference of {more}"
        return Said(
            f"{lead}{of_two}{spread}; the baseline {which}, which has no percentage, {counts}", capital(of_two), more
        )
    return Said(
        f"{lead}{head} ({subject.baseline}) to {value}: {more}{spread}; "
        f"the baseline {which}, which has no percentage, {counts}",
        f"{head} with {subject.baseline} to {value}: {more}",
        more,
    )


def interval_of(found: Change, change_unit: str = RATIO) -> str:
    """` [92.5, 93.6]`: the ends of a reduction, or of a rise, lowest first; a range in words; empty for neither."""
    change, least, most = drawn_change(found, change_unit)
    if least is None or most is None:
        return ""
    low, high = sorted((-least, -most) if change < 0 else (least, most))
    decimals = _decimals(change)
    texts = [_share(low, decimals), _share(high, decimals)]
    return f" [{', '.join(texts)}]" if found.basis == "interval" else f" (range {' to '.join(texts)})"


def amount(value: float | None, unit: str) -> str:
    """A figure in the middle of a sentence: its unit where the name of the metric does not hold it."""
    if unit == "s":
        return duration(value)
    if unit == "%":
        return percent(value)
    return number(value) if unit in ("IOPS", "I/O") else f"{number(value)}{THIN}{unit}"


def amounts(value: float | None, baseline: float | None, unit: str) -> tuple[str, str]:
    """Both figures of a sentence, with more digits where they would read alike."""
    ours, theirs = amount(value, unit), amount(baseline, unit)
    if value is not None and baseline is not None and ours == theirs and value != baseline and unit != "s":
        return _apart((value, baseline), unit)
    return ours, theirs


def _apart(values: Sequence[float], unit: str) -> tuple[str, str]:
    """Two amounts that rounding makes alike with as many decimals as tell them apart, four at most."""
    for decimals in range(5):
        ours, theirs = (fixed(value, decimals) for value in values)
        if ours != theirs:
            break
    return (ours, theirs) if unit in ("IOPS", "I/O") else (f"{ours}{THIN}{unit}", f"{theirs}{THIN}{unit}")


def in_phase(phase: str) -> str:
    """`in steady state`."""
    return f"in {phase_words(phase)}"


def in_runs(count: int) -> str:
    """`in a single run`, `in 3 runs`."""
    return "in a single run" if count == 1 else f"in {count} runs"


def plural(count: float, noun: str) -> str:
    """`1 disk`, `12 disks`."""
    return f"{number(count) if count % 1 else fixed(count, 0)} {noun}{'' if count == 1 else 's'}"


def vms_words(count: float, session_type: SessionType, *, assumed: bool) -> str:
    """`100 RDS servers (assumed)`: what VMs are, where many users may share one."""
    return plural(count, "RDS server" if session_type is SessionType.RDS else "desktop") + " (assumed)" * assumed


def _decided(subject: Subject, found: Change) -> Said:
    lower = _is_lower(found, subject.change_unit)
    verb = ("shortens" if lower else "prolongs") if subject.unit == "s" else ("cuts" if lower else "raises")
    size = _size(found, subject.change_unit)
    ours, theirs = subject.amounts
    # Where one run far from the others moves the means against the change, they would contradict the verb.
    opposed = found.shown_difference is None
    both = f", against {subject.baseline}" if opposed else f", from {theirs} ({subject.baseline}) to {ours}"
    few = both if opposed else f", from {theirs} with {subject.baseline} to {ours}"
    head = f"{subject.configuration} {verb} {subject.what} by {size}"
    interval = interval_of(found, subject.change_unit)
    return Said(f"{head}{interval}{both}, {n_words(found)}", f"{head}{few}", size, head)


def capital(text: str) -> str:
    """With a capital at its beginning."""
    return text[:1].upper() + text[1:]


def _pair(found: Change) -> str:
    return "In two runs each, " if found.n == found.n_baseline == 2 else "With two runs on one side, "


def _than(subject: Subject, found: Change) -> tuple[str, str]:
    """`A has 62.0 % lower IOPS per VM in steady state than B`, and the number in it."""
    lower, share = _is_lower(found, subject.change_unit), _size(found, subject.change_unit)
    if abs(drawn_change(found, subject.change_unit)[0]) < _NEXT_TO_NOTHING:
        least = f"{marked(str(_NEXT_TO_NOTHING))}{THIN}{subject.change_unit}"
        return (
            f"{subject.what} with {subject.configuration} and with {subject.baseline} differs by less than {least}",
            least,
        )
    if subject.unit == "s":
        kind = "less" if lower else "longer"
        time = " time" if lower else ""
        words = f"{subject.what} takes {share} {kind}{time} with {subject.configuration} than with {subject.baseline}"
        return words, share
    return (
        f"{subject.configuration} has {share} {'lower' if lower else 'higher'} {subject.what} than {subject.baseline}",
        share,
    )


def _range(found: Change, change_unit: str) -> str:
    """`−70.1 to −52.0 %`; the change alone where it has no ends."""
    _, *edges = drawn_change(found, change_unit)
    known = [edge for edge in edges if edge is not None]
    if len(known) < 2:
        return change_words(found, change_unit)
    low, high = (signed(edge, 1 if abs(edge) < 100 else 0) for edge in known)
    return f"{low} to {high}{THIN}{change_unit}"


def _is_lower(found: Change, change_unit: str) -> bool:
    """Whether the sentence says less: by the figure that it quotes."""
    return drawn_change(found, change_unit)[0] < 0


def _size(found: Change, change_unit: str) -> str:
    """`93.0 %`; of shares `12.0 pp`."""
    change = drawn_change(found, change_unit)[0]
    return f"{_share(abs(change), _decimals(change))}{THIN}{change_unit}".rstrip(THIN)


def _more(value: float, unit: str) -> str:
    """`+500 IOPS`: a difference in its unit."""
    sign = "" if value == 0 else "+" if value > 0 else MINUS
    return f"{sign}{number(abs(value))}" + (f"{THIN}{unit}" if unit else "")


def _lead(ours: int, theirs: int) -> tuple[str, str]:
    """How a sentence without a change begins, and how many runs it ends with."""
    counts = f"n = {ours}" if ours == theirs else f"n = {ours} against {theirs}"
    if min(ours, theirs) > 2:
        return "", counts
    if min(ours, theirs) == 2:
        return ("In two runs each, " if ours == theirs else "With two runs on one side, "), counts
    return "", few_runs_words(ours, theirs)


def _decimals(change: float) -> int:
    """One decimal, or as many as leave a digit of a small change: what is cut or raised is never cut by 0.0."""
    return next((decimals for decimals in range(1, 5) if round(abs(change), decimals) > 0), 1)


def _share(value: float, decimals: int = 1) -> str:
    text = marked(f"{abs(value):.{decimals}f}" if abs(value) < 100 else f"{abs(value):,.0f}")
    return f"{MINUS}{text}" if value < 0 and any(digit in "123456789" for digit in text) else text


def about(question: str, study: str, groups: Sequence[Group], baseline: Group | None = None, phase: str = "") -> About:
    """What a finding on these configurations is about; `phase` only where another phase would be another finding."""
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
    """Seconds since 1970 UTC; 0 for a run without samples that lie at clock times."""
    return min((recording.span_s[0] for recording in run.recordings if not recording.relative), default=0.0)


def headline(finding: Finding) -> str:
    """The sentence in few words; one that the user wrote stays as it is."""
    return finding.text if finding.edited or finding.own else finding.short or finding.text


def card_sentence(finding: Finding) -> str:
    """The sentence of a card, whose chart shows the values; one that the user wrote stays as it is."""
    return headline(finding) if finding.edited or finding.own else finding.brief or headline(finding)


def names_in(finding: Finding) -> list[str]:
    """The names of configurations that the sentence may say, the longest first: what is in a name is none of our words
    and numbers."""
    about = finding.about
    sides = () if about is None else (*about.configurations, *((about.baseline,) if about.baseline else ()))
    names = {finding.configuration, finding.baseline, *(side.label for side in sides)}
    return sorted(names - {""}, key=len, reverse=True)


def number_in(finding: Finding, sentence: str) -> str:
    """The number of the sentence that counts; empty where a sentence of the user does not say it."""
    return finding.number if finding.number in sentence else ""


def foot_words(finding: Finding, *, singles_said: bool = False) -> str:
    """`strong, 1 caveat, 3 runs each`; what is said of all findings together (`singles_said`) is left out."""
    said = singles_said and finding.strength is Strength.SINGLE
    caveats = f"{len(finding.caveats)} caveat{'s' * (len(finding.caveats) != 1)}" if finding.caveats else ""
    runs = f"{len(finding.runs)} run{'s' * (len(finding.runs) != 1)}" if finding.runs else ""
    change = finding.change or finding.drawn
    count = each_words(change.n, change.n_baseline) if change is not None else runs
    parts = ("" if said else finding.strength.value, "running" * finding.running, "edited" * finding.edited, caveats)
    return ", ".join(filter(None, (*parts, count)))


def each_words(runs: int, baseline: int) -> str:
    """`3 runs each`, `3 vs. 1 runs`: how many runs both sides of a comparison have."""
    if runs == baseline:
        return "1 run each" if runs == 1 else f"{runs} runs each"
    return f"{runs} vs. {baseline} runs"
