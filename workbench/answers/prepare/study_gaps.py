"""The questions that studies can answer: the verdicts of their runs, and each gap once with all its runs.

Also the text of a gap: the missing counter, its machine, and the action to take while the lab still exists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.answers.prepare.gaps import Gap, GapKind, QuestionVerdict, Standing, study_verdict, verdicts
from workbench.answers.prepare.questions import QUESTIONS, CounterNeed, Extra, Place
from workbench.measures.configurations import Group
from workbench.model.benchmark import Benchmark
from workbench.model.metric import Quantity
from workbench.model.problem import all_named, few_named
from workbench.readers.common.counters import Collected
from workbench.words.metrics import in_no_phase, in_phase, phase_words, quantity_words
from workbench.words.numbers import duration, percent, plural

_BY_COUNTERS = frozenset(
    key
    for key, question in QUESTIONS.items()
    if not question.aside and not any(isinstance(need.alternatives[0][0], Extra) for need in question.needs[:1])
)
# From the worst to the best.
_ORDER = (Standing.MISSING, Standing.IN_PART, Standing.READY, Standing.ANSWERED, Standing.OUTSIDE)


@dataclass(frozen=True, slots=True)
class Judged:
    """A run's verdict under its configuration's label."""

    configuration: str
    verdict: QuestionVerdict


@dataclass(frozen=True, slots=True)
class SharedGap:
    """A gap of a question with its runs: pairs of configuration and run."""

    question: str
    gap: Gap
    runs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class StudyGaps:
    """The questions that a study (by name) can answer: `judged` has the verdicts run by run, `questions` the checked
    questions.
    """

    study: str
    judged: tuple[Judged, ...]
    questions: tuple[str, ...]

    @property
    def configurations(self) -> tuple[str, ...]:
        """The labels of the configurations in their order; "" means a study without runs."""
        return tuple(dict.fromkeys(judged.configuration for judged in self.judged))

    @property
    def runs(self) -> int:
        """The number of judged runs."""
        return len({judged.verdict.folder for judged in self.judged if judged.verdict.folder})

    def of(self, question: str, configuration: str | None = None) -> tuple[QuestionVerdict, ...]:
        """The verdicts on a question, of all configurations or of one."""
        return tuple(
            judged.verdict
            for judged in self.judged
            if judged.verdict.question == question and configuration in (None, judged.configuration)
        )

    def standing(self, question: str, configuration: str | None = None) -> Standing:
        """The worst of the verdicts on a question; "does not apply" only if it applies to no run."""
        return worst(self.of(question, configuration))

    @property
    def shared(self) -> tuple[SharedGap, ...]:
        """Every gap once, with its runs: question by question, needed ones before those that help."""
        known: dict[tuple[str, bool, str, str], tuple[Gap, list[tuple[str, str]]]] = {}
        for judged in self.judged:
            for gap in judged.verdict.gaps:
                # Gaps with equal text are one gap, because the phases and desktops of a missing counter are not
                # separate causes.
                key = judged.verdict.question, gap.needed, what_words(gap), do_words(gap)
                known.setdefault(key, (gap, []))[1].append((judged.configuration, judged.verdict.run))
        shared = [SharedGap(key[0], gap, tuple(having)) for key, (gap, having) in known.items()]
        places = {key: place for place, key in enumerate(self.questions)}
        return tuple(sorted(shared, key=lambda gap: (places[gap.question], not gap.gap.needed)))

    @property
    def unanswered(self) -> dict[str, tuple[str, ...]]:
        """The questions that runs do not even answer in part, with the configurations of these runs."""
        missing = {
            key: tuple(label for label in self.configurations if self.standing(key, label) is Standing.MISSING)
            for key in self.questions
        }
        return {key: labels for key, labels in missing.items() if labels}


def study_gaps(
    study: str, groups: Sequence[Group], benchmarks: Sequence[Benchmark], questions: Sequence[str] = ()
) -> StudyGaps:
    """The answers of a study to these questions (none: all), without excluded runs."""
    keys = tuple(key for key in QUESTIONS if not questions or key in questions)
    judged = [
        Judged(group.label, verdict)
        for group in groups
        for run in group.runs
        for verdict in verdicts(run, benchmarks, keys)
    ]
    if not judged and benchmarks:
        verdict = study_verdict(benchmarks)
        judged = [Judged("", verdict)] if verdict.question in keys else []
    return StudyGaps(study, tuple(judged), keys)


def caveats(study: StudyGaps) -> dict[str, tuple[str, ...]]:
    """The unanswered questions that a run's own counters could answer. Data of other tools, such as a load generator or
    fio, are not a caveat of a log."""
    return {key: labels for key, labels in study.unanswered.items() if key in _BY_COUNTERS}


def worst(of: Sequence[QuestionVerdict]) -> Standing:
    """The worst of the verdicts; "does not apply" only if the question applies to none."""
    standings = {verdict.standing for verdict in of} - {Standing.OUTSIDE}
    return next((standing for standing in _ORDER if standing in standings), Standing.OUTSIDE)


QUESTION = "What can this study answer?"
# Maximum number of machines named in a sentence.
_NAMED = 3
_ON = {
    Place.GUEST: "in the VMs",
    Place.HOST: "on the hosts",
    Place.STORAGE: "on the storage",
    Place.PVS_SERVER: "on the PVS server",
    Place.LAUNCHER: "on the launcher",
}
# The name of a counter's tool next to the counter, if the name does not show it.
_TOOLS = {"esxtop": "esxtop ", "poolmon": "poolmon's tag "}
_FACTS = {
    Extra.CACHE_SIZE: "Set ram_cache_mb in run.toml.",
    Extra.LOGONS: (
        "Create events.csv with the scripts in the test kit, or add load generator results to the run folder."
    ),
    Extra.RESPONSES: "Add the results of Login VSI or Login Enterprise to the run folder.",
    Extra.STORAGE_TEST: "Run the fio or DiskSpd jobs in the test kit. Add their results to the study folder.",
}


def question_words(key: str) -> str:
    """The question in the users' words."""
    return QUESTIONS[key].text


def what_words(gap: Gap) -> str:
    r"""The missing item, such as `\PhysicalDisk(*)\Disk Reads/sec is not recorded in the VMs`."""
    if gap.kind in (GapKind.PHASE, GapKind.FACT, GapKind.VALUE, GapKind.ESTIMATE):
        recorded = "are" if len(gap.phases) > 1 else "is"
        recorded += " recorded" if gap.why.startswith("neither") else " not recorded:"
        subject = f"{_listed(gap.phases)} {recorded} " if gap.kind is GapKind.PHASE else ""
        within = f" {in_phase(*gap.phases)}" if gap.phases and gap.kind is GapKind.VALUE else ""
        return f"{subject}{gap.why}{within}"
    names = counter_words(gap)
    are, have = ("are", "have") if " and " in names else ("is", "has")
    if gap.kind is GapKind.COVERAGE:
        if not gap.measured:
            when = in_no_phase(*gap.phases) if gap.phases else "in the run"
            return f"{names} {have} no samples {when}"
        return f"{names} {have} samples for only {percent(100 * gap.measured)} of {_listed(gap.phases)}"
    if gap.kind is GapKind.COARSE:
        every = f"one sample every {duration(gap.interval_s)}"
        return f"{names} {have} {every}, but at least one every {duration(gap.wanted_s)} is needed"
    if gap.kind is GapKind.VMS:
        if not gap.parts:
            return gap.why
        machines = f": {few_named(gap.vms, _NAMED, gap.lacking)}" if gap.vms else ""
        return f"{names} {are} not recorded in {gap.lacking} of {gap.of} VMs{machines}"
    if names.count(" or ") == 1 and " and " not in names:
        return f"neither {names.replace(' or ', ' nor ')} is recorded {_ON[gap.place]}"
    return f"{names} {are} not recorded {_ON[gap.place]}"


def cell_words(gap: Gap) -> str:
    r"""What is missing, for a table: `Not recorded in the VMs (optional): \PhysicalDisk(*)\Disk Reads/sec`."""
    optional = "" if gap.needed or gap.kind is GapKind.FACT else " (optional)"
    if what_words(gap).endswith(f" not recorded {_ON[gap.place]}"):
        return f"Not recorded {_ON[gap.place]}{optional}: {counter_words(gap)}"
    return f"{what_words(gap)}{optional}"


def do_words(gap: Gap) -> str:
    """The action that provides the missing item."""
    match gap.kind:
        case GapKind.PHASE:
            return "Create events.csv with the scripts in the test kit, or set the phases in run.toml."
        case GapKind.FACT if gap.counters:
            return f"Set provisioning in run.toml. MCSIO needs {counter_words(gap)}."
        case GapKind.FACT:
            return next((_FACTS[part] for part in gap.parts if isinstance(part, Extra)), "")
        case GapKind.VALUE | GapKind.ESTIMATE:
            if gap.parts:
                return f"Log {counter_words(gap)} {_ON[gap.place]}. The test kit contains {_these(gap)[1]}."
            return "See the problems of the samples in the import report."
        case GapKind.COVERAGE if not gap.measured:
            return "Log the whole test. Check the time zone."
        case GapKind.COVERAGE if gap.holes:
            return "The log has gaps. Check if the collector paused. Use a shorter sampling interval."
        case GapKind.COVERAGE:
            return "Let the collector run from before the first boot to the end of the test."
        case GapKind.COARSE:
            return f"Set the interval of the collector to {duration(gap.wanted_s)}."
        case GapKind.VMS if gap.parts:
            return _add_words(gap, "these VMs") if gap.vms else "Start the collector in every VM."
        case GapKind.VMS:
            return "See the problems of the records in the import report."
    if gap.place is Place.HOST:
        counters, them = _these(gap)
        return f"Log {counters} on the hosts. The test kit contains {them}."
    return _add_words(gap, "the VMs")


def _add_words(gap: Gap, machines: str) -> str:
    counters, them = _these(gap)
    return f"Add {counters} to the collector set of {machines}. The test kit contains {them}."


def _these(gap: Gap) -> tuple[str, str]:
    """The counters of a gap in an instruction, and their pronoun."""
    names = counter_words(gap)
    if " and " in names:
        return "the missing counters", "them"
    return ("one of the missing counters", "them") if " or " in names else ("the missing counter", "it")


def counter_words(gap: Gap) -> str:
    """The counters as their tool writes them; counters that measure one quantity are joined by `or`."""
    counters = gap.counters
    known = {counter.quantity for counter in counters}
    others = [quantity_words(part) for part in gap.parts if isinstance(part, Quantity) and part not in known]
    return all_named([*_quantities(counters), *others])


def need_words(need: CounterNeed) -> str:
    """The things that satisfy a need: the names of its counters, or other records."""
    facts = [str(part) for part in need.alternatives[0] if isinstance(part, Extra)]
    return " and ".join(facts) or _named(need.counters())


def lacking_words(counters: Sequence[Collected], interval_s: float, wanted_s: float) -> str:
    """The items that a collection lacks to answer a question: counters, and shorter sample intervals."""
    late = f"one sample every {duration(interval_s)}, but at least one every {duration(wanted_s)} is needed"
    return "; ".join(filter(None, (_named(counters), late if interval_s > wanted_s else "")))


def verdict_words(verdict: QuestionVerdict) -> str:
    """The verdict with its first reason, and the number of further reasons."""
    if verdict.standing in (Standing.ANSWERED, Standing.OUTSIDE) or not verdict.blocking:
        return verdict.standing.value
    first, more = what_words(verdict.blocking[0]), len(verdict.blocking) - 1
    return f"{verdict.standing.value}: {first}" + f" (and {plural(more, 'more gap')})" * bool(more)


def _named(counters: Sequence[Collected]) -> str:
    return all_named(_quantities(counters))


def _quantities(counters: Sequence[Collected]) -> list[str]:
    """The names of the counters, in quotes if they have signs; those that measure one quantity are one text."""
    by_quantity: dict[Quantity, list[str]] = {}
    for counter in counters:
        name = counter.name if counter.name.isalnum() else f"'{counter.name}'"
        by_quantity.setdefault(counter.quantity, []).append(f"{_TOOLS.get(counter.tool, '')}{name}")
    return [" or ".join(names) for names in by_quantity.values()]


def _listed(phases: Sequence[str]) -> str:
    return all_named([phase_words(name) for name in phases]) or "the run"
