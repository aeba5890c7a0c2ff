"""Every page, finding and export compares a study with the same configuration."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.exporters.jobs import library_of
from tests.exporters.studies import columns, make_run, make_study
from workbench.answers.cache.sweep import cache_sweep
from workbench.answers.common.cards import metric_cards
from workbench.answers.common.library import Library
from workbench.answers.compare.compute import comparisons
from workbench.answers.compare.page import answer as compare_answer
from workbench.answers.findings.page import found_findings
from workbench.answers.overview.page import overview
from workbench.answers.sizing.page import sizing
from workbench.exporters.assemble import job_of
from workbench.exporters.export import export
from workbench.exporters.wanted import Wanted
from workbench.exporters.workbook.columns import by_study
from workbench.model.metric import Quantity
from workbench.model.run import Configuration, Provisioning
from workbench.session.state import State

MCS = Configuration("MCS", Provisioning.MCS)
SMALL = Configuration("MCSIO 256 MB", Provisioning.MCSIO, None, 256)
LARGE = Configuration("MCSIO 1 GB", Provisioning.MCSIO, None, 1024)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Three configurations with two runs each; no run states a baseline, and only one configuration is MCS."""
    runs = [
        make_run(tmp_path, f"{configuration.name} {number}", configuration, columns(2, reads + number, 2 * reads, ram))
        for configuration, reads, ram in ((MCS, 40.0, None), (SMALL, 20.0, 100.0), (LARGE, 10.0, 300.0))
        for number in (1, 2)
    ]
    return library_of(make_study("lab", runs))


def compared_with(library: Library, state: State) -> dict[str, set[str]]:
    """For each page, the configurations that it uses as the baseline."""
    found = found_findings(library, state)
    (baseline,) = [one for one in compare_answer(library, state).inputs if one.key == "compare.baseline"]
    figure = overview(library, state).figure
    assert figure is not None
    job = job_of(library, state, Wanted(Path("x.xlsx")))
    return {
        "compare": {str(baseline.value)},
        "compare sheet": {c.baseline.label for c in comparisons(library, state).values() if c.baseline},
        "findings": {one.baseline for one in found if one.baseline},
        "overview": {figure.in_rows},
        "cache": {row.label for row in (cache_sweep(library.shown(state), "steady").baseline,) if row},
        "workbook": {s.baseline.label for s in by_study(job.studies, job.figures) if s.baseline},
    }


def agreed(library: Library, state: State) -> str:
    pages = compared_with(library, state)
    (label,) = set.union(*pages.values())
    assert all(pages.values()), pages
    return label


def test_that_all_pages_and_sheets_compare_with_the_chosen_configuration(library: Library) -> None:
    assert agreed(library, State()) == "MCS"
    assert agreed(library, library.with_baseline(State(), "MCSIO 1 GB")) == "MCSIO 1 GB"
    assert agreed(library, library.with_baseline(library.with_baseline(State(), "MCSIO 1 GB"), "")) == "MCS"


def test_that_all_pages_keep_the_baseline_while_it_is_hidden(library: Library) -> None:
    for chosen in (State(), library.with_baseline(State(), "MCSIO 256 MB")):
        base = agreed(library, chosen)
        before = {one.key: one.change for one in found_findings(library, chosen) if one.kind == "compare"}
        hidden = replace(chosen, hidden=frozenset((base,)))
        assert agreed(library, hidden) == base
        after = {one.key: one.change for one in found_findings(library, hidden) if one.kind == "compare"}
        assert after
        assert before == after


def test_that_cards_show_the_change_from_a_hidden_baseline(library: Library) -> None:
    hidden = State(hidden=frozenset(("MCS",)))
    notes = {
        state: {card.title: card.note for card in metric_cards(library.shown(state), "steady", Quantity.IOPS)}
        for state in (State(), hidden)
    }
    assert notes[hidden] == {title: note for title, note in notes[State()].items() if title != "MCS"}


def test_that_the_capacity_plan_shows_another_configuration_while_the_baseline_is_hidden(library: Library) -> None:
    content = sizing(library, State(hidden=frozenset(("MCS",))))
    assert not content.empty


def test_that_the_next_rule_decides_if_every_run_of_the_chosen_baseline_is_excluded(library: Library) -> None:
    chosen = library.with_baseline(State(), "MCSIO 1 GB")
    edits = [replace(edit, excluded="fan broke") for edit in chosen.edits if edit.baseline]
    state = chosen.with_edits(*edits)
    assert agreed(library, state) == "MCS"
    (comparison,) = comparisons(library, state).values()
    lost = [problem for problem in comparison.problems if problem.code == "compare-baseline"]
    assert len(lost) == 1
    assert "MCSIO 1 GB" in lost[0].message


def test_that_the_option_of_an_export_takes_precedence_over_the_choice(library: Library) -> None:
    chosen = library.with_baseline(State(), "MCSIO 1 GB")
    job = job_of(library, chosen, Wanted(Path("x.xlsx"), baseline="mcsio 256 mb"))
    (comparison,) = job.comparisons.values()
    assert comparison.baseline.label == "MCSIO 256 MB"
    (study,) = by_study(job.studies, job.figures)
    assert study.baseline is not None
    assert (study.baseline.label, study.baseline.baseline_by) == ("MCSIO 256 MB", "option")


@pytest.mark.parametrize(("name", "guessed"), [("other", True), ("MCS", False)])
def test_that_documents_and_workbooks_name_the_baseline_and_mark_a_guess(
    name: str, guessed: bool, tmp_path: Path
) -> None:
    made = [MCS, replace(MCS, name=name), SMALL]
    runs = [make_run(tmp_path / str(n), f"run {n}", one, columns(1, 9.0 + n, 9.0)) for n, one in enumerate(made)]
    job = job_of(library_of(make_study("lab", runs)), State(), Wanted(tmp_path / "x.md"))
    assert job.document is not None
    (line,) = [text for text in job.document.limits if text.startswith("MCS is the baseline")]
    assert ("guess" in line) is guessed
    export(job_of(library_of(make_study("lab", runs)), State(), Wanted(tmp_path / "x.xlsx")))
    cells = [
        cell
        for row in load_workbook(BytesIO((tmp_path / "x.xlsx").read_bytes()), read_only=True)["Sources"].values
        for cell in row
    ]
    assert line in cells


def test_that_each_study_has_its_own_baseline(library: Library, tmp_path: Path) -> None:
    other = make_study(
        "other", [make_run(tmp_path, f"other {one.name}", one, columns(1, 9.0, 9.0)) for one in (MCS, SMALL)]
    )
    both = library_of(*library.studies, replace(other, folder="other"))
    state = both.with_baseline(State(study=library.studies[0].folder), "MCSIO 1 GB")
    assert {folder: one.baseline and one.baseline.label for folder, one in comparisons(both, state).items()} == {
        library.studies[0].folder: "MCSIO 1 GB",
        "other": "MCS",
    }
