"""What the studies can answer: the verdicts of their runs, and the gaps that several runs share, each once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.answers.prepare.gap_words import do_words, what_words
from workbench.answers.prepare.gaps import Gap, Standing, Verdict, study_verdict, verdicts
from workbench.answers.prepare.questions import QUESTIONS, Fact
from workbench.measures.configurations import Group
from workbench.model.benchmark import Benchmark

_BY_COUNTERS = frozenset(
    key
    for key, question in QUESTIONS.items()
    if not question.aside and not any(isinstance(need.alternatives[0][0], Fact) for need in question.needs[:1])
)
# From the worst to the best.
_ORDER = (Standing.MISSING, Standing.IN_PART, Standing.READY, Standing.ANSWERED, Standing.OUTSIDE)


@dataclass(frozen=True, slots=True)
class Judged:
    """A run's verdict under its configuration's label."""

    configuration: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class SharedGap:
    """A gap of a question, with the runs that have it: pairs of configuration and run."""

    question: str
    gap: Gap
    runs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class StudyGaps:
    """What a study (by name) can answer; `judged` run by run, `questions` those that were put."""

    study: str
    judged: tuple[Judged, ...]
    questions: tuple[str, ...]

    @property
    def configurations(self) -> tuple[str, ...]:
        """The labels of the configurations, in their order; "" stands for a study without runs."""
        return tuple(dict.fromkeys(judged.configuration for judged in self.judged))

    @property
    def runs(self) -> int:
        """How many runs were judged."""
        return len({judged.verdict.folder for judged in self.judged if judged.verdict.folder})

    def of(self, question: str, configuration: str | None = None) -> tuple[Verdict, ...]:
        """The verdicts of a question, of all configurations or of one."""
        return tuple(
            judged.verdict
            for judged in self.judged
            if judged.verdict.question == question and configuration in (None, judged.configuration)
        )

    def standing(self, question: str, configuration: str | None = None) -> Standing:
        """The worst of the verdicts of a question; that it does not apply only where it applies to no run."""
        return worst(self.of(question, configuration))

    @property
    def shared(self) -> tuple[SharedGap, ...]:
        """Every gap once, with its runs: question by question, what is needed before what helps."""
        known: dict[tuple[str, bool, str, str], tuple[Gap, list[tuple[str, str]]]] = {}
        for judged in self.judged:
            for gap in judged.verdict.gaps:
                # Gaps that read alike are one: of which phases and desktops a counter is missing is no other cause.
                key = judged.verdict.question, gap.needed, what_words(gap), do_words(gap)
                known.setdefault(key, (gap, []))[1].append((judged.configuration, judged.verdict.run))
        shared = [SharedGap(key[0], gap, tuple(having)) for key, (gap, having) in known.items()]
        places = {key: place for place, key in enumerate(self.questions)}
        return tuple(sorted(shared, key=lambda gap: (places[gap.question], not gap.gap.needed)))

    @property
    def unanswered(self) -> dict[str, tuple[str, ...]]:
        """The questions that runs do not answer, not even in part, with the configurations that do not."""
        missing = {
            key: tuple(label for label in self.configurations if self.standing(key, label) is Standing.MISSING)
            for key in self.questions
        }
        return {key: labels for key, labels in missing.items() if labels}


def study_gaps(
    study: str, groups: Sequence[Group], benchmarks: Sequence[Benchmark], questions: Sequence[str] = ()
) -> StudyGaps:
    """What a study answers of these questions (none: all), excluded runs left out."""
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
    """Of the questions that runs do not answer those that their own counters would: what other tools measure, as a load
    generator or fio, is no caveat of a log."""
    return {key: labels for key, labels in study.unanswered.items() if key in _BY_COUNTERS}


def worst(of: Sequence[Verdict]) -> Standing:
    """The worst of the verdicts; that a question does not apply where it applies to none."""
    standings = {verdict.standing for verdict in of} - {Standing.OUTSIDE}
    return next((standing for standing in _ORDER if standing in standings), Standing.OUTSIDE)
