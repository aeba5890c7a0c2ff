"""The order of findings and sheets: that of the storyboard, with its appendix last."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from workbench.answers.findings.tables import findings_table
from workbench.answers.registry import PAGES
from workbench.answers.storyboard.shown import ShownSlide, ShownStory, StudyFindings
from workbench.charts.tables import Cell, TableData


def in_story_order(table: TableData, study: StudyFindings | None, story: ShownStory | None) -> TableData:
    """The findings of a study in the storyboard, in its order and with its sentences; the unchanged table if there is
    no storyboard."""
    if story is None or study is None:
        return table
    told: dict[str, tuple[Cell, ...]] = {}
    every = [(place, shown) for shown in _slides_of(study.folder, story) for place in range(len(shown.findings))]
    # First the main finding of each slide, then those merged with it: the sheet shows only the first ones.
    for place, shown in sorted(every, key=lambda entry: entry[0] > 0):
        finding = shown.findings[place]
        (row,) = findings_table([finding]).rows
        if finding.key not in told:
            words = row[0] if place else replace(row[0], value=shown.sentence, text=shown.sentence)
            told[finding.key] = (words, *row[1:])
    return replace(table, rows=tuple(told.values()))


def findings_in_order(study: StudyFindings, story: ShownStory | None) -> StudyFindings:
    """The findings of a study in the storyboard, in its order; all of them if there is no storyboard."""
    if story is None:
        return study
    findings = (finding for shown in _slides_of(study.folder, story) for finding in shown.findings)
    return replace(study, findings=tuple({finding.key: finding for finding in findings}.values()))


def pages_in_order(folder: str, story: ShownStory | None) -> tuple[str, ...]:
    """The names of the pages in the storyboard for a study, in its order."""
    names = {spec.key: spec.name for spec in PAGES}
    keys = [_page(shown) for shown in _slides_of(folder, story)] if story is not None else []
    return tuple(dict.fromkeys(names[key] for key in keys if key in names))


def _page(shown: ShownSlide) -> str:
    if shown.view is not None:
        return shown.view.page
    return shown.findings[0].page if shown.findings else shown.slide.page


def _slides_of(folder: str, story: ShownStory) -> Iterable[ShownSlide]:
    own: Sequence[ShownSlide] = [s for s in story.slides if s.study is not None and s.study.folder == folder]
    return sorted(own, key=lambda shown: shown.slide.appendix)
