"""How changes are reported: shares in percentage points, a rise from 0 as a difference, copies of runs as copies, with
the margin and the decimal mark of the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_ind
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import BASE, LARGE, LESS, MCS, SMALL, groups, one, replicates
from workbench.answers.common.cards import metric_cards
from workbench.answers.compare.compute import compare
from workbench.answers.compare.figures import compare_cards, compare_figure
from workbench.answers.compare.tables import difference_table, verdict_table
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.reply import Told, findings_rows
from workbench.answers.findings.sentences import findings
from workbench.answers.findings.words import Asked
from workbench.charts.figure import Band, Bars
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY
from workbench.model.run import Configuration
from workbench.words.numbers import MINUS, MISSING, THIN, points, write_decimals_with

CPU, READS, WRITES = "cpu_percent", "read_percent", "write_iops_per_vm"
FEW, MORE = (10.0, 11.0, 9.0), (34.0, 35.0, 36.0)
LABEL = "MCSIO 256 MB"


def plain(text: str) -> str:
    return text.replace(THIN, " ").replace(MINUS, "-")


def told(*runs: RunFigures, margin: float = 0.05) -> dict[str, Finding]:
    asked = Asked("study", groups(*runs), margin=margin)
    return {finding.key.removeprefix("study/"): finding for finding in findings(asked)}


def change_of(*runs: RunFigures, figure: str) -> Finding:
    return told(*runs)[f"compare/steady/{LABEL}/{figure}/MCS"]


@pytest.fixture
def commas() -> Iterator[None]:
    write_decimals_with(",")
    yield
    write_decimals_with(".")


@pytest.fixture
def shares() -> tuple[Group, ...]:
    return groups(*replicates(MCS, READS, FEW), *replicates(SMALL, READS, MORE))


def test_that_a_share_differs_in_percentage_points_with_welchs_interval(shares: tuple[Group, ...]) -> None:
    row = compare(shares).of(LABEL, STEADY, READS)
    assert row is not None
    assert row.change is not None
    interval = ttest_ind(MORE, FEW, equal_var=False).confidence_interval(0.95)
    assert row.change.difference == pytest.approx(25.0)
    assert row.change.difference_low == pytest.approx(interval.low)
    assert row.change.difference_high == pytest.approx(interval.high)


def test_that_the_tables_of_compare_show_points_for_percentages(shares: tuple[Group, ...]) -> None:
    comparison = compare(shares)
    (verdicts,) = verdict_table(comparison, shares, STEADY).rows
    (row,) = difference_table(comparison, shares).rows
    assert plain(verdicts[1].text) == "higher +25.0 pp"
    assert verdicts[1].value == pytest.approx(25.0)
    assert [plain(cell.text) for cell in row[6:9]] == ["+25.0 pp", "+25.0 pp", "[+22.7, +27.3] pp"]
    assert not any("pp" not in cell.text and "+2" in cell.text for cell in row)


def test_that_the_figure_of_a_share_is_in_points_and_its_band_is_the_margin_of_the_baseline(
    shares: tuple[Group, ...], snapshot: SnapshotAssertion
) -> None:
    figure = compare_figure(compare(shares), shares, READS)
    (panel,) = figure.panels
    (band,) = [mark for mark in panel.marks if isinstance(mark, Band)]
    (bars,) = [mark for mark in panel.marks if isinstance(mark, Bars)]
    assert panel.y.unit == "pp"
    np.testing.assert_allclose(bars.values, [25.0])
    # 5 % of the baseline's 10 %.
    np.testing.assert_allclose(band.high, 0.5)
    assert panel.y.limits is not None
    assert 27.3 < panel.y.limits[1] < 40
    assert plain(figure.summary) == snapshot
    card = compare_cards(compare(shares), shares, STEADY, READS)[1]
    assert plain(card.value) == "+25.0 pp"


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        (
            MORE,
            "'MCSIO 256 MB' raises CPU usage in steady state by 25.0 pp [22.7, 27.3] (35 % vs. 10 % with MCS, n = 3)",
        ),
        (
            (34.0, 36.0),
            "CPU usage in steady state is 35 % with 'MCSIO 256 MB' and 10 % with MCS "
            "(range of the change +23.0 to +27.0 pp, n = 2 vs. 3)",
        ),
        (
            (35.0,),
            "CPU usage in steady state is 25.0 pp higher with 'MCSIO 256 MB' than with MCS "
            "(35 % vs. 10 %, 1 run vs. 3 runs)",
        ),
        (
            (4.0, 5.0, 3.0),
            "'MCSIO 256 MB' cuts CPU usage in steady state by 6.0 pp [3.7, 8.3] (4.0 % vs. 10 % with MCS, n = 3)",
        ),
    ],
)
def test_that_findings_give_cpu_changes_in_points(values: tuple[float, ...], sentence: str) -> None:
    found = change_of(*replicates(MCS, CPU, FEW), *replicates(SMALL, CPU, values), figure=CPU)
    assert plain(found.text) == sentence


def test_that_cards_give_cpu_changes_in_points() -> None:
    members = groups(*replicates(MCS, CPU, FEW), *replicates(SMALL, CPU, MORE))
    card = metric_cards(members, STEADY, Quantity.CPU)[1]
    assert plain(card.note) == "+25.0 pp [+22.7, +27.3], n = 3"


def test_that_json_keeps_the_relative_change_of_a_share() -> None:
    found = change_of(*replicates(MCS, CPU, FEW), *replicates(SMALL, CPU, MORE), figure=CPU)
    (row,) = findings_rows([Told("study", (found,))])
    ratio = np.exp(np.mean(np.log(MORE)) - np.mean(np.log(FEW)))
    assert row["change_percent"] == pytest.approx(100 * (ratio - 1))
    assert row["difference"] == pytest.approx(25.0)


@pytest.mark.parametrize(("value", "text"), [(12.04, "+12.0 pp"), (-0.04, "0.0 pp"), (0.0, "0.0 pp"), (-3, "-3.0 pp")])
def test_that_points_have_a_sign_unless_they_are_zero(value: float, text: str) -> None:
    assert plain(points(value)) == text


@pytest.mark.parametrize(
    ("zeros", "values", "strength"),
    [
        ((0.0, 0.0, 0.0), (500.0, 480.0, 520.0), Strength.INDICATIVE),
        ((0.0, 0.0), (480.0, 520.0), Strength.RANGE),
        ((0.0,), (500.0,), Strength.SINGLE),
        ((0.0, 0.0, 6.0), (500.0, 480.0, 520.0), Strength.INCONCLUSIVE),
    ],
)
def test_that_a_rise_from_zero_is_a_difference_without_a_percentage(
    zeros: tuple[float, ...], values: tuple[float, ...], strength: Strength, snapshot: SnapshotAssertion
) -> None:
    found = change_of(*replicates(MCS, WRITES, zeros), *replicates(SMALL, WRITES, values), figure=WRITES)
    assert plain(found.text) == snapshot
    assert found.strength is strength
    (row,) = findings_rows([Told("study", (found,))])
    assert row["change_percent"] is None
    assert row["difference"] == pytest.approx(np.mean(values) - np.mean(zeros))
    assert (row["n"], row["n_baseline"]) == (len(values), len(zeros))


def test_that_a_change_from_0_to_0_is_not_a_finding() -> None:
    runs = (*replicates(MCS, WRITES, (0.0,) * 3), *replicates(SMALL, WRITES, (0.0,) * 3))
    assert f"compare/steady/{LABEL}/{WRITES}/MCS" not in told(*runs)


def test_that_compare_shows_a_rise_from_zero(snapshot: SnapshotAssertion) -> None:
    members = groups(*replicates(MCS, WRITES, (0.0,) * 3), *replicates(SMALL, WRITES, (500.0,) * 3))
    comparison = compare(members)
    (row,) = verdict_table(comparison, members, STEADY).rows
    assert plain(row[1].text) == "+500 IOPS"
    assert row[1].tip == snapshot
    card = compare_cards(comparison, members, STEADY, WRITES)[1]
    assert (card.value, card.note) == (MISSING, "no ratio: the baseline is 0")
    assert plain(card.detail) == "Write IOPS per VM 500 (+500 IOPS)"


def copies(values: tuple[float, float, float]) -> list[RunFigures]:
    made = replicates(SMALL, "iops_per_vm", values)
    return [
        replace(run, phases=tuple(replace(row, total_io=1000 * value) for row in run.phases))
        for run, value in zip(made, values, strict=True)
    ]


@pytest.mark.parametrize(
    ("values", "strength", "left"),
    [((50.0, 50.0, 50.0), Strength.SINGLE, "1 run vs. 3 runs)"), ((50.0, 50.0, 49.0), Strength.RANGE, "n = 2 vs. 3")],
)
def test_that_copied_runs_give_no_strong_finding(
    values: tuple[float, float, float], strength: Strength, left: str
) -> None:
    found = change_of(*replicates(MCS, "iops_per_vm", BASE), *copies(values), figure="iops_per_vm")
    assert found.strength is strength
    assert left in plain(found.text)
    assert any("copies of other runs" in caveat or "copy of another run" in caveat for caveat in found.caveats)
    honest = change_of(*replicates(MCS, "iops_per_vm", BASE), *copies((50.0, 52.0, 49.0)), figure="iops_per_vm")
    assert honest.strength is Strength.STRONG


def test_that_phases_of_similar_length_are_equally_long_and_not_the_same(snapshot: SnapshotAssertion) -> None:
    def lasting(configuration: Configuration, minutes: tuple[float, ...]) -> list[RunFigures]:
        return [one(configuration, n, "boot", 60 * length) for n, length in enumerate(minutes)]

    runs = (*lasting(MCS, (10.0, 10.1, 9.9)), *lasting(SMALL, (10.0, 10.1, 9.95)))
    assert plain(told(*runs)["same/boot/duration_s/MCS"].text) == snapshot
    both = told(*runs, *lasting(LARGE, (10.0, 10.05, 9.9)))["same/boot/duration_s/MCS"].text
    assert plain(both) == snapshot


def test_that_the_margin_of_the_user_decides_what_is_the_same() -> None:
    runs = (
        *replicates(MCS, "iops_per_vm", (100.0, 101.0, 99.0)),
        *replicates(SMALL, "iops_per_vm", (94.0, 95.0, 93.0)),
    )
    assert f"compare/steady/{LABEL}/iops_per_vm/MCS" in told(*runs)
    assert "within ±10 %" in plain(told(*runs, margin=0.1)["same/steady/iops_per_vm/MCS"].text)


def test_that_sentences_use_the_decimal_mark_of_the_user(commas: None) -> None:
    runs = (*replicates(MCS, "iops_per_vm", BASE), *replicates(SMALL, "iops_per_vm", LESS))
    for margin in (0.025, 0.525):
        for finding in told(*runs, margin=margin).values():
            assert not re.search(r"\d\.\d", finding.text)
    near = replicates(SMALL, "iops_per_vm", (96.0, 97.0, 98.0))
    open_ = (*replicates(MCS, "iops_per_vm", (99.9, 100.0, 100.1)), *near)
    (row,) = difference_table(compare(groups(*open_), margin=0.035), groups(*open_)).rows
    assert not any(re.search(r"\d[.]\d", cell.text) for cell in row)
    assert "3,5 %" in row[-1].text.replace(THIN, " ")
