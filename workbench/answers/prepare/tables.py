"""Tables of the questions that a study can answer, by configuration, and of every gap with the action. Also the
contents of a kit.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from workbench.answers.prepare.collections import Collection, collections, unanswered
from workbench.answers.prepare.gaps import GapKind, Standing
from workbench.answers.prepare.kit.contents import Kit, KitFile
from workbench.answers.prepare.kit.mix import Mix, Value
from workbench.answers.prepare.kit.runs import PLANNED
from workbench.answers.prepare.questions import QUESTIONS
from workbench.answers.prepare.spec import ANSWERS, COLLECTIONS, GAPS, NEEDS
from workbench.answers.prepare.study_gaps import (
    SharedGap,
    StudyGaps,
    cell_words,
    do_words,
    lacking_words,
    need_words,
    question_words,
    verdict_words,
    worst,
)
from workbench.charts.tables import Cell, RowField, TableData, number_field, table_of, text_field, tipped
from workbench.model.problem import begun
from workbench.readers.common.counters import Collected
from workbench.words.captions import first_lines
from workbench.words.metrics import phase_words
from workbench.words.numbers import MISSING, THIN, number, plural

METHOD = (
    "Answered: values available, no data missing",
    "In part: values available, some data missing",
    "Counters complete: no counter missing, no phase known",
)
FILES = "Files in the kit"
GAP_LEGEND = "Optional data make the findings more reliable"
_ICONS = {
    Standing.ANSWERED: "better",
    Standing.IN_PART: "inconclusive",
    Standing.READY: "inconclusive",
    Standing.MISSING: "worse",
    Standing.OUTSIDE: "",
}
# The answers after a number of configurations.
_COUNTED = {Standing.IN_PART: "answered in part", Standing.READY: "with complete counters"}
# Maximum number of configurations side by side in one table; more are counted in one column.
_MOST_COLUMNS = 12
_STUDY = "Study"
# A question about the RAM cache for desktops with unknown provisioning.
_UNKNOWN = "provisioning method unknown"


def answer_table(study: StudyGaps, name: str = ANSWERS) -> TableData:
    """A row for each question: how far each configuration answers it."""
    labels = study.configurations
    fields = [_QUESTION]
    if len(labels) > _MOST_COLUMNS:
        fields.append(text_field("Configurations", partial(_counted, study), fills=True))
    else:
        fields += [text_field(label or _STUDY, partial(_standing, study, label)) for label in labels]
    return table_of(fields, [key for key in study.questions if study.of(key)], name=name, method=METHOD)


def need_table(questions: Sequence[str], name: str = NEEDS) -> TableData:
    """A row for each question: the counters and files that it needs, and those that help."""
    fields = (
        _QUESTION,
        text_field("Needs", partial(_needs, True), fills=True),
        text_field("Helps", partial(_needs, False), fills=True),
    )
    return table_of(fields, questions, name=name)


def collection_table(questions: Sequence[str], name: str = COLLECTIONS) -> TableData:
    """A row for each question that common collections of counters cannot answer."""
    rows = ((found, *row) for found in collections() for row in unanswered(found, questions).items())
    return table_of(_UNANSWERED, rows, name=name)


def gap_table(study: StudyGaps, name: str = GAPS) -> TableData:
    """A row for each missing item: its question, its runs, and the action."""
    fields: tuple[RowField[SharedGap], ...] = (
        text_field("Question", lambda shared: _question(shared.question)),
        text_field("Missing data", _lacking, fills=True),
        text_field("Runs", lambda shared: tipped(runs_words(study, shared), _every_run(shared))),
        text_field("Action", lambda shared: tipped(do_words(shared.gap)), fills=True),
    )
    return table_of(fields, study.shared, legend=GAP_LEGEND, name=name)


def files_table(kit: Kit) -> TableData:
    """The files of a kit in their order; one row for the run.toml of all runs."""
    others = [file for file in kit.files if not file.path.endswith("/run.toml")]
    text = f"properties of each planned run ({len(kit.files) - len(others)} files)"
    return table_of(_FILE, [*others, KitFile(f"{PLANNED}/…/run.toml", "", text)], name=FILES)


def mix_table(mixes: Sequence[Mix]) -> TableData:
    """Each number of the load of a storage test, measured or assumed, and its origin."""
    rows = [(mix, value) for mix in mixes for value in mix.values]
    legend = f"The jobs simulate {mixes[0].desktop_words}" if mixes else ""
    return table_of(_LOAD, rows, legend=legend, name="Load of the storage test")


def runs_words(study: StudyGaps, shared: SharedGap) -> str:
    """The runs of a gap as text: `all 15`, `mcs-r1 and 1 more`; — if the gap concerns the whole study."""
    runs = list(dict.fromkeys(run for _, run in shared.runs if run))
    if not runs:
        return MISSING
    if len(runs) == study.runs:
        return f"all {study.runs}" if study.runs > 1 else runs[0]
    return f"{runs[0]} and {len(runs) - 1} more" if len(runs) > 1 else runs[0]


def _needs(needed: bool, question: str) -> Cell:
    needs = [need for need in QUESTIONS[question].needs if need.needed is needed]
    text = "; ".join(dict.fromkeys(words for need in needs if (words := need_words(need))))
    return Cell(text or MISSING, text or None, text)


def _question(key: str) -> Cell:
    return Cell(question_words(key), question_words(key), key=key)


def _standing(study: StudyGaps, configuration: str, question: str) -> Cell:
    every = study.of(question, configuration)
    standing = worst(every)
    if standing is Standing.OUTSIDE:
        unknown = any(gap.kind is GapKind.FACT for verdict in every for gap in verdict.gaps)
        if not unknown:
            return Cell(MISSING, standing.value, "This question does not apply to this configuration")
        return Cell(_UNKNOWN, _UNKNOWN, first_lines(_tips(every), "line"))
    alike = sum(verdict.standing is standing for verdict in every)
    text = standing.value if alike == len(every) else f"{standing.value} ({alike} of {len(every)} runs)"
    return Cell(text, text, first_lines(_tips(every), "line"), icon=_ICONS[standing])


def _tips(of: object) -> list[str]:
    assert isinstance(of, tuple)
    alike: dict[str, list[str]] = {}
    for verdict in of:
        alike.setdefault(verdict_words(verdict), []).append(verdict.run or _STUDY)
    named = ((plural(len(runs), "run") if len(runs) > 1 else runs[0], words) for words, runs in alike.items())
    # With a reason, the verdict is followed by a colon.
    return [f"{run}, {words}" if ": " in words else f"{run}: {words}" for run, words in named]


def _counted(study: StudyGaps, question: str) -> Cell:
    standings = [study.standing(question, label) for label in study.configurations]
    counts = {standing: standings.count(standing) for standing in Standing if standing is not Standing.OUTSIDE}
    parts = (f"{_COUNTED.get(one, one.value)} for {count}" for one, count in counts.items() if count)
    text = " · ".join(parts) or MISSING
    return Cell(text, text, icon=_ICONS[study.standing(question)])


def _lacking(shared: SharedGap) -> Cell:
    return tipped(begun(cell_words(shared.gap)), icon="warning" if shared.gap.needed else "info")


def _every_run(shared: SharedGap) -> str:
    runs = dict.fromkeys(f"{configuration}: {run}" for configuration, run in shared.runs if run)
    return first_lines(list(runs), "run")


_QUESTION: RowField[str] = text_field("Question", _question)
_UNANSWERED: tuple[RowField[tuple[Collection, str, tuple[Collected, ...]]], ...] = (
    text_field("Collection", lambda row: tipped(row[0].name, f"{row[0].where}; {row[0].source}")),
    text_field("Question", lambda row: _question(row[1])),
    text_field(
        "Missing data",
        lambda row: tipped(lacking_words(row[2], row[0].interval_s, QUESTIONS[row[1]].interval_s)),
        fills=True,
    ),
)
_FILE: tuple[RowField[KitFile], ...] = (
    text_field("File", lambda file: file.path),
    text_field("Used on", lambda file: Cell(file.place, file.place)),
    text_field("Description", lambda file: file.about),
)
_LOAD: tuple[RowField[tuple[Mix, Value]], ...] = (
    text_field("Phase", lambda row: Cell(phase_words(row[0].phase), row[0].phase)),
    text_field("Input", lambda row: row[1].name),
    number_field(
        "Value", lambda row: Cell(f"{number(row[1].value)}{THIN * bool(row[1].unit)}{row[1].unit}", row[1].value)
    ),
    text_field("Type", lambda row: Cell(row[1].origin, row[1].origin)),
    text_field("Source", lambda row: Cell(row[1].source, row[1].source)),
)
