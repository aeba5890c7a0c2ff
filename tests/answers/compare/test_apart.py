"""Configurations that cannot be compared: no change and no plan on the pages, in the console and in the workbook."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.answers.findings.test_not_comparable import compared, unrelated
from tests.answers.prepare.labs import opened
from tests.exporters.reading import load_sheets
from workbench.answers.common.library import Library
from workbench.answers.compare.compute import comparisons
from workbench.answers.compare.page import PLAN, answer
from workbench.answers.sizing.chosen import capacity_plans
from workbench.answers.sizing.page import sizing
from workbench.cli import main
from workbench.session.state import State


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return unrelated(tmp_path_factory.mktemp("apart") / "lab")


@pytest.fixture(scope="module")
def apart(lab: Path) -> Library:
    return opened(lab.parent / "store", lab)


def replied(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main([*arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_that_unrelated_configurations_have_no_change_and_each_shows_the_reason(apart: Library) -> None:
    (comparison,) = comparisons(apart, State()).values()
    assert [reason.code for reason in comparison.apart] == ["years-apart"]
    assert comparison.differences
    for row in comparison.differences:
        assert (row.change, row.difference, row.shown_difference, row.verdict) == (None, None, None, None)
        assert row.apart == comparison.apart[0].text
    # The figures of each side stay.
    assert any(row.value and row.baseline_value for row in comparison.differences)
    assert [problem.file for problem in comparison.problems if problem.code == "not-comparable"] == ["log-b"]


def test_that_the_page_shows_the_reason_in_place_of_bars(apart: Library) -> None:
    content = answer(apart, State())
    assert content.figure is None
    assert "years apart" in content.caption
    figures = next(table for table in content.tables if table.name == "Values")
    titles = [column.title for column in figures.columns]
    for row in figures.rows:
        shown = dict(zip(titles, row, strict=True))
        assert [shown[title].value for title in ("Difference", "Change", "Interval")] == [None] * 3
        assert "years apart" in shown["Why"].text
    assert [card.value for card in content.cards[1:]] == ["—"]


def test_that_unrelated_configurations_are_not_in_the_plan_of_runs(apart: Library) -> None:
    content = answer(apart, State(page_views=(("compare", PLAN),)))
    assert not content.tables
    assert "years apart" in content.empty or "years apart" in content.caption


def test_that_a_configuration_that_cannot_be_compared_has_no_capacity_plan_next_to_the_baseline(apart: Library) -> None:
    (plans,) = capacity_plans(apart, State()).values()
    assert [(plan.configuration, plan.apart) for plan in plans] == [("log-a", False), ("log-b", True)]
    assert plans[0].result("disks")
    assert all(step.value is None and step.rounded is None and not step.by_run for step in plans[1].steps)
    content = sizing(apart, State())
    table = next(table for table in content.tables if table.name == "Configurations")
    assert [cell.text for cell in table.rows[1][1:]] == ["—"] * (len(table.columns) - 1)
    assert "years apart" in content.caption


def test_that_the_console_shows_no_change_and_no_plan_for_unrelated_configurations(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reply = replied(capsys, "compare", str(lab))
    assert reply["differences"]
    for row in reply["differences"]:
        assert {row[key] for key in ("difference", "ratio", "change_percent", "verdict", "p")} == {None}
        assert "years apart" in row["not_comparable"]
    (planned,) = replied(capsys, "plan", str(lab))["plans"]
    assert (planned["needs"], list(planned["not_comparable"])) == ([], ["log-b"])
    first, second = replied(capsys, "sizing", str(lab), "--desktops", "500")["plans"]
    assert first["problem"] is None
    assert "years apart" in second["problem"]
    assert set(second["results"].values()) == {None}
    # It is planned if it is the only one.
    (alone,) = replied(capsys, "sizing", str(lab), "--desktops", "500", "--configuration", "log-b")["plans"]
    assert alone["problem"] is None
    assert alone["results"]["disks"]


def test_that_the_workbook_has_no_change_and_no_plan_for_unrelated_configurations(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(lab), "-o", str(tmp_path / "o.xlsx")]) == 0
    book = load_sheets(tmp_path / "o.xlsx", "Compare values", "Sizing plan")
    sheet = book["Compare values"]
    lines = [row for row in range(1, sheet.max_row + 1) if sheet.cell(row, 3).value == "log-b"]
    assert lines
    # The difference, the change with its ends, the verdict and its p-values.
    assert {sheet.cell(row, column).value for row in lines for column in range(8, 15)} == {None}
    assert all("years apart" in sheet.cell(row, 17).value for row in lines)
    plan = book["Sizing plan"]
    cells = [str(cell.value) for row in plan.iter_rows() for cell in row if cell.value is not None]
    assert "log-a" in cells
    assert "log-b" not in cells
    assert any("years apart" in text for text in cells)


def test_that_runs_of_one_lab_have_changes_and_plans(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = compared(tmp_path / "lab")
    changes = {row["metric"]: row["change_percent"] for row in replied(capsys, "compare", str(folder))["differences"]}
    assert changes["iops_per_vm"] == pytest.approx(-75.0)
    assert {plan["problem"] for plan in replied(capsys, "sizing", str(folder), "--desktops", "500")["plans"]} == {None}
