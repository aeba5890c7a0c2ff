"""What a study can answer, as tables: question by configuration, and every gap with what to do."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.prepare.collections import collections, unanswered
from workbench.answers.prepare.gaps import GapKind, Standing
from workbench.answers.prepare.questions import QUESTIONS
from workbench.answers.prepare.spec import ANSWERS, COLLECTIONS, GAPS, NEEDS
from workbench.answers.prepare.study_gaps import (
    SharedGap,
    StudyGaps,
    do_words,
    lacking_words,
    need_words,
    question_words,
    verdict_words,
    what_words,
    worst,
)
from workbench.charts.tables import Cell, Column, TableData
from workbench.words.numbers import MISSING

METHOD = (
    "Answered: its page shows values, and nothing is missing",
    "In part: values, with something missing",
    "Counters complete: every counter is there, but no phase",
)
_HELPS = "helps"
GAP_LEGEND = "Helps: not needed, but improves the answer"
_ICONS = {
    Standing.ANSWERED: "better",
    Standing.IN_PART: "inconclusive",
    Standing.READY: "inconclusive",
    Standing.MISSING: "worse",
    Standing.OUTSIDE: "",
}
# Maximum number of configurations side by side in one table; more are counted in one column.
_MOST_COLUMNS = 12
_STUDY = "Study"
# A question about the RAM cache for desktops whose provisioning nobody states.
_UNKNOWN = "provisioning not known"


def answer_table(study: StudyGaps, name: str = ANSWERS) -> TableData:
    """A row for each question: how far each configuration answers it."""
    labels = study.configurations
    keys = [key for key in study.questions if study.of(key)]
    question = Column("Question", numeric=False)
    if len(labels) > _MOST_COLUMNS:
        counts = Column("Configurations", numeric=False, fills=True)
        return TableData(
            (question, counts), tuple((_question(key), _counted(study, key)) for key in keys), "", name, method=METHOD
        )
    columns = (question, *(Column(label or _STUDY, numeric=False) for label in labels))
    rows = ((_question(key), *(_standing(study, key, label) for label in labels)) for key in keys)
    return TableData(columns, tuple(rows), "", name, method=METHOD)


def need_table(questions: Sequence[str], name: str = NEEDS) -> TableData:
    """A row for each question: the counters and files that it needs, and those that help."""
    columns = (
        Column("Question", numeric=False),
        Column("Needs", numeric=False, fills=True),
        Column("Helps", numeric=False, fills=True),
    )
    rows = tuple((_question(key), _needs(key, needed=True), _needs(key, needed=False)) for key in questions)
    return TableData(columns, rows, "", name)


def collection_table(questions: Sequence[str], name: str = COLLECTIONS) -> TableData:
    """A row for each question that common collections of counters cannot answer."""
    columns = (
        Column("Collection", numeric=False),
        Column("Cannot answer", numeric=False),
        Column("What is missing", numeric=False, fills=True),
    )
    rows = [
        (Cell(found.name, found.name, f"{found.where}; {found.source}"), _question(key), Cell(text, text, text))
        for found in collections()
        for key, lacking in unanswered(found, questions).items()
        for text in (lacking_words(lacking, found.interval_s, QUESTIONS[key].interval_s),)
    ]
    return TableData(columns, tuple(rows), "", name)


def gap_table(study: StudyGaps, name: str = GAPS) -> TableData:
    """A row for each missing thing: its question, its runs, and what to do."""
    columns = (
        Column("Question", numeric=False),
        Column("What is missing", numeric=False, fills=True),
        Column("Runs", numeric=False),
        Column("What to do", numeric=False, fills=True),
    )
    return TableData(columns, tuple(_gap_row(study, shared) for shared in study.shared), GAP_LEGEND, name)


def runs_words(study: StudyGaps, shared: SharedGap) -> str:
    """`all 15`, `mcs-r1 and 1 more`, — if it is about the whole study."""
    runs = list(dict.fromkeys(run for _, run in shared.runs if run))
    if not runs:
        return MISSING
    if len(runs) == study.runs:
        return f"all {study.runs}" if study.runs > 1 else runs[0]
    return f"{runs[0]} and {len(runs) - 1} more" if len(runs) > 1 else runs[0]


def _needs(question: str, needed: bool) -> Cell:
    needs = [need for need in QUESTIONS[question].needs if need.needed is needed]
    text = "; ".join(dict.fromkeys(words for need in needs if (words := need_words(need))))
    return Cell(text or MISSING, text or None, text)


def _question(key: str) -> Cell:
    return Cell(question_words(key), question_words(key), key=key)


def _standing(study: StudyGaps, question: str, configuration: str) -> Cell:
    every = study.of(question, configuration)
    standing = worst(every)
    if standing is Standing.OUTSIDE:
        unknown = any(gap.kind is GapKind.FACT for verdict in every for gap in verdict.gaps)
        shown, text = (_UNKNOWN, _UNKNOWN) if unknown else (MISSING, standing.value)
        return Cell(shown, text, "\n".join(dict.fromkeys(_tips(every))) or text)
    alike = sum(verdict.standing is standing for verdict in every)
    text = standing.value if alike == len(every) else f"{standing.value} ({alike} of {len(every)} runs)"
    return Cell(text, text, "\n".join(dict.fromkeys(_tips(every))), icon=_ICONS[standing])


def _tips(of: object) -> list[str]:
    assert isinstance(of, tuple)
    return [f"{verdict.run or _STUDY}: {verdict_words(verdict)}" for verdict in of]


def _counted(study: StudyGaps, question: str) -> Cell:
    standings = [study.standing(question, label) for label in study.configurations]
    counts = {standing: standings.count(standing) for standing in Standing if standing is not Standing.OUTSIDE}
    text = " · ".join(f"{count} {standing.value}" for standing, count in counts.items() if count) or MISSING
    return Cell(text, text, icon=_ICONS[study.standing(question)])


def _gap_row(study: StudyGaps, shared: SharedGap) -> tuple[Cell, ...]:
    what, runs, gap = what_words(shared.gap), runs_words(study, shared), shared.gap
    every = "\n".join(dict.fromkeys(f"{configuration}: {run}" for configuration, run in shared.runs if run))
    what = what if gap.needed or gap.kind is GapKind.FACT else f"{_HELPS}: {what}"
    do = do_words(gap)
    return (
        _question(shared.question),
        Cell(what, what, what, icon="warning" if gap.needed else "info"),
        Cell(runs, runs, every),
        Cell(do, do, do),
    )
