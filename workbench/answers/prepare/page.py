"""Page Prepare a test: the content of a kit for the ticked questions, and the answers that the open study can give."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.prepare.chosen import kit_form, ticked_questions
from workbench.answers.prepare.gaps import Standing
from workbench.answers.prepare.study_gaps import StudyGaps, caveats, study_gaps
from workbench.answers.prepare.tables import (
    answer_table,
    collection_table,
    files_table,
    gap_table,
    mix_table,
    need_table,
)
from workbench.charts.content import Content
from workbench.charts.tables import TableData
from workbench.words.numbers import plural

QUESTION = "Which questions can these logs answer?"
_NOTHING = "Open a study or a log to see which questions it can answer."
_UNSEEN = "Every run is hidden or excluded."


def answer(library: Library, choices: Choices) -> Content:
    """The form of the kit, and two tables: the ticked questions that the study can answer, and the files to write."""
    form = kit_form(library, choices)
    study = gaps_of(library, choices)
    of_kit: list[TableData] = []
    if form.kit is not None:
        of_kit += [mix_table(form.kit.mixes)] if form.kit.mixes else []
        of_kit.append(files_table(form.kit))
    tables: list[TableData] = []
    if study is None and not library.files:
        asked = ticked_questions(choices)
        tables = [replace(table(asked), of_the_desk=True) for table in (need_table, collection_table)]
    elif study is not None:
        gaps = gap_table(study)
        tables = [answer_table(study), *([gaps] if gaps.rows else [])]
    tables += [replace(table, of_the_desk=True) for table in of_kit]
    unknown = _UNSEEN if library.with_runs and ticked_questions(choices) else _NOTHING
    caption = unknown if study is None else _caption(study)
    says_something = study is not None and bool(caveats(study))
    return Content(QUESTION, caption, tables=tuple(tables), tabled=says_something, form=form)


def gaps_of(library: Library, choices: Choices) -> StudyGaps | None:
    """The ticked questions that the current study can answer, with the gaps of the others; None if nothing is open."""
    questions = ticked_questions(choices)
    study = library.study(choices.study) or next((study for study in library.studies if study.benchmarks), None)
    if study is None or not questions:
        return None
    gaps = study_gaps(study.name, library.shown(choices), study.benchmarks, questions)
    return gaps if gaps.judged else None


def _caption(study: StudyGaps) -> str:
    standings = [study.standing(key) for key in study.questions if study.of(key)]
    asked = [standing for standing in standings if standing is not Standing.OUTSIDE]
    answered = sum(standing is Standing.ANSWERED for standing in asked)
    who = "Every run" if study.runs > 1 else "The run"
    return f"{who} of {study.study} answers {answered} of {plural(len(asked), 'question')}"
