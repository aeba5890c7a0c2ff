"""Sentences agree with their numbers: they never state more, less or the opposite."""

from __future__ import annotations

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import MCS, SMALL, groups, replicates
from workbench.answers.compare.compute import compare
from workbench.answers.compare.tables import difference_table
from workbench.answers.findings.sentences import findings
from workbench.answers.findings.words import Asked
from workbench.model.phase import STEADY
from workbench.words.numbers import MINUS, MISSING, THIN

CPU, IOPS = "cpu_percent", "iops_per_vm"


def sentence(figure: str, baseline: tuple[float, ...], values: tuple[float, ...], margin: float = 0.05) -> str:
    members = groups(*replicates(MCS, figure, baseline), *replicates(SMALL, figure, values))
    (text,) = [one.text for one in findings(Asked("study", members, margin=margin)) if one.figure == figure]
    return text.replace(THIN, " ").replace(MINUS, "-")


def test_that_a_rise_from_0_to_0_is_not_reported(snapshot: SnapshotAssertion) -> None:
    text = sentence(CPU, (0.20, 0.21, 0.19), (0.235, 0.236, 0.234))
    assert text == snapshot
    assert "(0.23 % vs. 0.20 % with MCS" in text


def test_that_two_runs_without_a_difference_of_means_are_not_called_the_same() -> None:
    text = sentence(IOPS, (90.0, 110.0), (88.0, 112.0))
    assert "No difference" not in text
    # 88 ÷ 110 and 112 ÷ 90.
    assert "-20.0 to +24.4 %" in text
    assert "is inconclusive" in text


@pytest.mark.parametrize("values", [(98.0, 97.1, 97.3, 98.6), (99.0, 99.4, 98.1, 98.0)])
def test_that_a_finding_of_no_difference_quotes_an_interval_within_the_margin(
    values: tuple[float, ...], snapshot: SnapshotAssertion
) -> None:
    baseline = (100.0, 102.4, 98.4, 101.4)
    members = groups(*replicates(MCS, IOPS, baseline), *replicates(SMALL, IOPS, values))
    row = compare(members).of(SMALL.name, STEADY, IOPS)
    assert row is not None
    assert row.change is not None
    assert row.change.low is not None
    assert row.verdict == "same"
    text = sentence(IOPS, baseline, values)
    low = float(text.split("[")[1].split(",")[0])
    assert low >= -5.0
    if row.change.low < 0.95:
        assert text == snapshot
        why = difference_table(compare(members), members).rows[0][-1].text
        assert why == snapshot


@pytest.mark.parametrize(("values", "none"), [((97.0, 97.2, 96.8), False), ((100.1, 99.9, 100.2), True)])
def test_that_a_certain_change_within_the_margin_is_called_small(values: tuple[float, ...], none: bool) -> None:
    baseline = (100.0, 100.2, 99.8)
    row = compare(groups(*replicates(MCS, IOPS, baseline), *replicates(SMALL, IOPS, values))).of(
        SMALL.name, STEADY, IOPS
    )
    assert row is not None
    assert row.verdict == "same"
    assert sentence(IOPS, baseline, values).startswith("No difference") is none


def test_that_no_finding_contradicts_the_sign_of_its_change() -> None:
    # Plain means rise by one outlying run, geometric ones fall.
    members = groups(*replicates(MCS, IOPS, (10.0, 10.2, 9.9)), *replicates(SMALL, IOPS, (5.0, 5.1, 24.0)))
    row = compare(members).of(SMALL.name, STEADY, IOPS)
    assert row is not None
    assert row.change is not None
    assert row.difference is not None
    assert row.difference > 0
    assert row.shown_difference is None
    assert row.change.percent < 0
    cells = [cell.text for cell in difference_table(compare(members), members).rows[0]]
    assert cells[6] == MISSING
    assert cells[7].startswith(MINUS)
