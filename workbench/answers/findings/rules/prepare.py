"""The finding on unanswered questions: one sentence for the study, not one for each run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from workbench.answers.common.change_words import as_caveats
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.words import Asked
from workbench.answers.prepare.spec import KEY
from workbench.answers.prepare.study_gaps import StudyGaps, caveats, do_words, question_words, study_gaps, what_words
from workbench.model.problem import few_named
from workbench.words.captions import named
from workbench.words.numbers import plural

# Maximum number of configurations that are named.
_NAMED = 3
_SEE = "See Prepare a test"


def prepare_findings(asked: Asked) -> Iterator[Finding]:
    """The first question without an answer, with the missing data; the other questions as caveats."""
    study = study_gaps(PurePath(asked.study).name, asked.groups, asked.benchmarks)
    missing = caveats(study)
    if not missing:
        return
    first, *others = missing
    labels = missing[first]
    head = f"The results{_of(study, labels)} do not answer {plural(len(missing), 'question')}"
    more = f" and {len(others)} more" if others else ""
    groups = [group for group in asked.groups if group.label in labels]
    yield Finding(
        asked.key(KEY, "not-answered"),
        f"{head} ('{question_words(first)}'{more})",
        KEY,
        Strength.INCONCLUSIVE,
        KEY,
        runs=tuple(run.run.folder for group in groups for run in group.runs),
        caveats=(
            *_why(study, first, labels),
            *(
                as_caveats(f"'{question_words(key)}' is not answered{_of(study, missing[key], 'for')}", _SEE)[0]
                for key in others
            ),
        ),
        size=0.5,
        weight=0.5,
        about=asked.about("prepare/not-answered", groups),
        short=head,
    )


def _of(study: StudyGaps, labels: tuple[str, ...], by: str = "of") -> str:
    """The names of the configurations, after the preposition `by`; empty for all of them."""
    if len(labels) == len(study.configurations):
        return ""
    return f" {by} {few_named([*map(named, labels)]) if len(labels) <= _NAMED else f'{len(labels)} configurations'}"


def _why(study: StudyGaps, question: str, labels: tuple[str, ...]) -> tuple[str, ...]:
    """The caveats on the first missing item of one of these configurations, and how to provide it."""
    every = [shared for shared in study.shared if shared.question == question and shared.gap.needed]
    gap = next(shared.gap for shared in every if any(label in labels for label, _ in shared.runs))
    what, do = what_words(gap), do_words(gap)
    if do.startswith("Add "):
        do = f"Log the counter{'s' * (' are ' in what)} with the test kit"
    return as_caveats(what, do)
