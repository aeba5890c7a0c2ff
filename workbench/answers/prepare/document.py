"""What studies can answer as JSON (schema vdi-workbench/kit-check/1): keys may be added, never renamed or removed."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.common.document import Table, problem_row
from workbench.answers.prepare.gap_words import do_words, question_words, what_words
from workbench.answers.prepare.gaps import Gap, Verdict
from workbench.answers.prepare.questions import QUESTIONS
from workbench.answers.prepare.study_gaps import StudyGaps
from workbench.model.problem import Problem

CHECK_SCHEMA = "vdi-workbench/kit-check/1"


def gaps_json(studies: Sequence[StudyGaps], problems: Sequence[Problem] = ()) -> Table:
    """`vdiwb kit --check --format json` as a value: null = not available."""
    return {
        "schema": CHECK_SCHEMA,
        "studies": [
            {"study": study.study, "questions": [_question(study, key) for key in study.questions if study.of(key)]}
            for study in studies
        ],
        "problems": [problem_row(problem) for problem in problems],
    }


def _question(study: StudyGaps, key: str) -> Table:
    return {
        "question": key,
        "text": question_words(key),
        "page": QUESTIONS[key].page,
        "standing": study.standing(key).value,
        "runs": [
            _run(judged.configuration, judged.verdict) for judged in study.judged if judged.verdict.question == key
        ],
    }


def _run(configuration: str, verdict: Verdict) -> Table:
    return {
        "configuration": configuration or None,
        "run": verdict.run or None,
        "standing": verdict.standing.value,
        "missing": [_gap(gap) for gap in verdict.gaps],
    }


def _gap(gap: Gap) -> Table:
    return {
        "kind": gap.kind.value,
        "needed": gap.needed,
        "text": what_words(gap),
        "what_to_do": do_words(gap) or None,
        "counters": [{"tool": counter.tool, "name": counter.name} for counter in gap.counters],
        "collect_on": gap.place.value if gap.parts else None,
        "phases": list(gap.phases),
        "vms": list(gap.vms),
        "vms_lacking": gap.lacking or None,
        "vms_total": gap.of or None,
        "measured_percent": None if gap.measured is None else 100 * gap.measured,
        "interval_s": gap.interval_s,
        "needed_interval_s": gap.wanted_s,
    }
