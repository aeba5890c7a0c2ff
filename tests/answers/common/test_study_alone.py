"""Benchmarks and Trend answer from all that is open. Without a choice they show the selected study."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.registry import PAGES
from workbench.exporters.contents import contents
from workbench.model.benchmark import Benchmark, Op
from workbench.model.run import Study

DISK, ARRAY, RUNS = "disk", "array", "runs"


def library() -> Library:
    """Two folders of benchmarks, and one without."""
    tests = [(Benchmark(f"{name}.json", "fio", Op.READ, test=name, iops=100.0),) for name in (DISK, ARRAY)]
    studies = [Study(name, name, (), benchmarks=made) for name, made in zip((DISK, ARRAY), tests, strict=True)]
    return Library((*studies, Study(RUNS, RUNS, ())), {})


def shown(choices: Choices) -> str:
    """The name of the study that the Benchmarks page shows alone."""
    return next(spec for spec in PAGES if spec.key == "benchmarks").chosen_study(library(), choices)


def test_that_the_selected_study_is_shown_until_another_is_chosen() -> None:
    selected = Choices(study=ARRAY)
    assert shown(selected) == ARRAY
    assert shown(replace(selected, study=DISK)) == DISK
    assert shown(selected.with_study_alone("benchmarks", DISK)) == DISK
    assert shown(selected.with_study_alone("benchmarks", "")) == ""


def test_that_a_study_without_benchmarks_shows_those_of_all_studies() -> None:
    assert shown(Choices(study=RUNS)) == ""
    assert shown(Choices()) == ""


def test_that_a_document_of_all_studies_contains_the_benchmarks_of_all() -> None:
    def rows(choices: Choices, every_study: bool) -> int:
        (part,) = contents(library(), choices, ["benchmarks:side-by-side"], every_study).parts
        return len(part.content.tables[0].rows)

    assert rows(Choices(study=ARRAY), every_study=True) > rows(Choices(study=ARRAY), every_study=False)
