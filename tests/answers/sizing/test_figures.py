"""The sizing page: the plan as bars, the what-if as lines, and cards and tables with the same numbers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import phase, run
from workbench.answers.common.looks import looks
from workbench.answers.sizing.boot_what_if import what_if_figure, what_ifs
from workbench.answers.sizing.compute import plan, plans
from workbench.answers.sizing.constants import own_values
from workbench.answers.sizing.figures import sizing_figure
from workbench.answers.sizing.page import plan_cards, what_if_cards
from workbench.answers.sizing.tables import configurations_table, inputs_table, result_text, steps_table, what_if_table
from workbench.charts.figure import Bars, Line, Points
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.run import Configuration, Provisioning


def groups(**boots: float | None) -> tuple[Group, ...]:
    found = []
    for name, total in boots.items():
        one = run(configuration=Configuration(name, Provisioning(name)), vms=5, name=name, folder=name)
        found.append(RunFigures(one, (PhaseFigures(phase("boot", 0, 360), total_io_per_vm=total),), ()))
    return group_runs(found)


EXAMPLE: dict[str, Any] = {"desktops": 500, "iops_per_vm": 30, "write_penalty": 1, "io_size_kib": 64}


def test_that_the_bars_are_the_rounded_plan(snapshot: SnapshotAssertion) -> None:
    figure = sizing_figure([plan(None, own_values(EXAMPLE))])
    bars = {bar.name: bar.values[0] for panel in figure.panels for bar in panel.marks if isinstance(bar, Bars)}
    assert bars == {
        "By IOPS": 108,
        "By capacity": 56,
        "By RAM": 10,
        "By vCPU": 4,
        "Network": pytest.approx(89.367, abs=1e-3),
        "HBA": pytest.approx(44.684, abs=1e-3),
        "PCIe slot": pytest.approx(28.913, abs=1e-3),
    }
    assert figure.question == snapshot
    assert figure.summary == snapshot


def test_that_an_unavailable_value_has_no_bar() -> None:
    figure = sizing_figure([plan(None, own_values({"desktops": 500}))])
    bars = {bar.name: bar.values[0] for panel in figure.panels for bar in panel.marks if isinstance(bar, Bars)}
    assert np.isnan([bars["By IOPS"], bars["Network"]]).all()
    assert bars["By capacity"] == 56
    assert sizing_figure([]).empty


def test_that_the_cards_give_the_answer_first(snapshot: SnapshotAssertion) -> None:
    cards = plan_cards(plan(None, own_values(EXAMPLE)), looks(groups(MCS=1.0))["MCS"])
    assert [(card.title, card.value) for card in cards] == [
        ("Disks", "108"),
        ("Hosts", "10 + 1"),
        ("Network", "1 + 1"),
        ("Highest load", "89"),
    ]
    assert cards[0].note == snapshot
    assert cards[0].detail.startswith("107.1 disks for IOPS · ")
    assert cards[1].detail == "50 VMs per host · 3.1 vCPUs per core"
    assert cards[3].note == snapshot


def test_that_the_card_of_a_cache_of_unknown_size_says_so() -> None:
    unsized = groups(MCSIO=1.0)
    cards = {card.title: card for card in plan_cards(plan(unsized[0], {}), looks(unsized)["MCSIO"])}
    assert (cards["RAM cache"].value, cards["RAM cache"].unit) == ("—", "")
    assert cards["RAM cache"].note.startswith("size unknown")
    assert (cards["Hosts"].value, cards["Hosts"].unit) == ("—", "")


def test_that_the_table_of_steps_shows_both_values_and_their_sources(snapshot: SnapshotAssertion) -> None:
    table = steps_table(plan(None, own_values({"desktops": 500, "iops_per_vm": 30, "write_penalty": 1})))
    rows = {row[0].value: row for row in table.rows}
    assert [cell.text for cell in rows["disks needed for IOPS"][:6]] == [
        "▸ Disks needed for IOPS",
        "107.1",
        "108",
        "",
        "disks",
        "15000 ÷ 140",
    ]
    shown = [number for row in rows.values() for number in re.findall(r"\d+\.\d+", row[5].brief)]
    assert shown
    assert all(len(number.replace(".", "").strip("0")) <= 4 for number in shown), shown
    assert rows["throughput in MiB/s"][7].text.startswith("assumed: I/O size")
    assert rows["cost of the RAM caches"][7].text == snapshot
    assert rows["cache disk space of all VMs"][1].value is None


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (108.0, "", "108"),
        (107.142857, "", "107.1"),
        (55.5556, "", "55.6"),
        (3.125, ": 1", "3.1"),
        (0.89367, "", "0.894"),
        (None, "", "—"),
        (15000.0, "", "15\u2009000"),
        (0.0, "", "0"),
    ],
)
def test_that_results_match_the_published_wording(value: float | None, unit: str, text: str) -> None:
    assert result_text(value, unit) == text


def test_that_every_input_is_shown_with_its_origin() -> None:
    table = inputs_table(plan(None, own_values(EXAMPLE)), names=True)
    sources = {row[5].text: row[3].text for row in table.rows}
    assert sources["desktops"] == sources["iops_per_vm"] == "yours"
    assert sources["read_percent"] == "assumed"
    assert sources["disk_iops"] == "documented"
    assert sources["ram_price_per_gib"] == "—"


def test_that_configurations_are_compared_in_adjacent_columns() -> None:
    found = groups(MCS=24_000.0, PVS=500.0)
    table = configurations_table(plans(found, own_values(EXAMPLE)), looks(found))
    assert [row[0].text for row in table.rows] == ["MCS", "PVS"]
    place = next(at for at, column in enumerate(table.columns) if (column.title, column.unit) == ("Disks", ""))
    assert [row[place].value for row in table.rows] == [108, 108]


def test_that_the_lines_of_the_what_if_show_total_io_divided_by_time() -> None:
    found = groups(MCS=24_000.0, PVS=500.0, MCSIO=None)
    answers = what_ifs(found, "boot", 500, 240.0, 3600.0)
    figure = what_if_figure(answers, looks(found), "boot")
    each, every = figure.panels
    lines = {mark.name: mark for mark in each.marks if isinstance(mark, Line)}
    assert set(lines) == {"MCS", "PVS"}
    assert lines["MCS"].y * lines["MCS"].x * 60 == pytest.approx(np.full(lines["MCS"].x.size, 24_000.0))
    assert (each.x.scale, each.y.scale) == ("log", "log")
    published, chosen = (mark for mark in each.marks if isinstance(mark, Points))
    assert list(zip(published.x * 60, published.y, strict=True)) == [(15, 1600), (120, 200), (240, 100)]
    assert chosen.y.tolist() == pytest.approx([100, 500 / 240])
    storm = next(mark for mark in every.marks if isinstance(mark, Line) and mark.name == "MCS")
    assert storm.y.max() == pytest.approx(500 * 24_000 / 240)
    assert storm.y[-1] == pytest.approx(500 * 24_000 / (480 * 60))


def test_that_a_what_if_without_measurements_says_what_to_do() -> None:
    found = groups(MCS=None)
    answers = what_ifs(found, "boot", 500, 240.0, 0.0)
    assert "Choose another phase" in what_if_figure(answers, looks(found), "boot").empty
    card = what_if_cards(answers, looks(found))[0]
    assert (card.value, card.unit, card.note) == ("—", "", "not measured")
    assert what_if_table(answers, looks(found)).rows[0][1].value is None
