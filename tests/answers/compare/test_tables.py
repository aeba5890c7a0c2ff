"""The comparison in words, cards, bars and tables."""

from __future__ import annotations

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import BASE, LARGE, LESS, MCS, SMALL, groups, one, replicates
from workbench.answers.common.change_words import percent_words
from workbench.answers.compare.compute import Comparison, compare
from workbench.answers.compare.figures import compare_cards, compare_figure
from workbench.answers.compare.sentences import difference_words, rule_lines
from workbench.answers.compare.tables import difference_table, excluded_table, hindrance_table, verdict_table
from workbench.charts.figure import Band, Bars
from workbench.measures.catalogue import DURATION
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.model.phase import STEADY
from workbench.words.numbers import MINUS, MISSING, THIN

FIELD = "iops_per_vm"


def compared(*runs: RunFigures, margin: float = 0.05) -> tuple[Comparison, tuple[Group, ...]]:
    found = groups(*runs)
    return compare(found, margin=margin), found


def sweep() -> list[RunFigures]:
    return [
        *replicates(MCS, FIELD, BASE),
        *replicates(SMALL, FIELD, LESS),
        *replicates(LARGE, FIELD, (100.0, 150.0, 70.0)),
    ]


def test_that_cards_show_the_baseline_and_each_change_with_its_verdict() -> None:
    found, members = compared(*sweep())
    base, small, large = compare_cards(found, members, STEADY, FIELD)
    assert (base.title, base.value, base.note) == ("MCS", "100", "baseline, n = 3")
    assert small.value == f"{MINUS}49.7{THIN}%"
    assert small.note.startswith(f"better · [{MINUS}52.7, {MINUS}46.5]")
    assert small.detail == f"50.3{THIN}IOPS, difference {MINUS}49.7{THIN}IOPS · n = 3"
    assert large.note.startswith("~ inconclusive · [")


def test_that_the_card_of_a_single_run_has_no_verdict() -> None:
    found, members = compared(one(MCS), one(SMALL, figures={FIELD: 5.0}))
    card = compare_cards(found, members, STEADY, FIELD)[1]
    assert (card.value, card.note) == (f"{MINUS}50.0{THIN}%", "")
    assert card.detail == f"5.00{THIN}IOPS, difference {MINUS}5.00{THIN}IOPS · one run each"


def test_that_a_card_without_a_value_says_so() -> None:
    found, members = compared(one(MCS), one(SMALL))
    base, small = compare_cards(found, members, "boot", FIELD)
    assert (base.value, base.note) == (MISSING, "baseline; not measured during boot")
    assert (small.value, small.note) == (MISSING, "no values to compare")


def test_that_bars_are_changes_in_percent_with_the_interval_and_the_margin_as_a_band(
    snapshot: SnapshotAssertion,
) -> None:
    found, members = compared(*sweep(), margin=0.1)
    figure = compare_figure(found, members, FIELD)
    (panel,) = figure.panels
    bars = [mark for mark in panel.marks if isinstance(mark, Bars)]
    (band,) = [mark for mark in panel.marks if isinstance(mark, Band)]
    row = found.of("MCSIO 256 MB", STEADY, FIELD)
    assert row is not None
    assert row.change is not None
    assert row.change.low is not None
    assert panel.x.categories == ("MCSIO 256 MB", "MCSIO 1 GB")
    assert bars[0].values[0] == pytest.approx(row.change.percent)
    assert np.isnan(bars[0].values[1])
    assert bars[0].low[0] == pytest.approx(100 * (row.change.low - 1))
    assert (band.low.tolist(), band.high.tolist()) == ([-10, -10], [10, 10])
    assert panel.y.limits is not None
    ends = [edge for bar in bars for edge in (*bar.low, *bar.high) if np.isfinite(edge)]
    assert panel.y.limits[0] < min(ends)
    assert panel.y.limits[1] > max(ends)
    assert "1 better, 1 inconclusive" in panel.subtitle
    assert figure.summary == snapshot


def test_that_single_runs_have_no_whiskers_and_the_method_says_why(snapshot: SnapshotAssertion) -> None:
    found, members = compared(one(MCS), one(SMALL, figures={FIELD: 5.0}))
    figure = compare_figure(found, members, FIELD)
    assert all(not mark.low.size for mark in figure.panels[0].marks if isinstance(mark, Bars))
    assert figure.caption == snapshot
    assert "Single runs have no whiskers" in figure.method
    assert figure.panels[0].subtitle == snapshot


@pytest.mark.parametrize(
    ("runs", "field", "words"),
    [
        ([one(MCS)], FIELD, "only one configuration"),
        ([one(MCS), one(SMALL)], "duration_s", "the tester sets"),
        ([one(MCS), one(SMALL)], "cpu_percent", "A configuration has no values of CPU"),
    ],
)
def test_that_an_empty_comparison_says_what_to_do(runs: list[RunFigures], field: str, words: str) -> None:
    found, members = compared(*runs)
    assert words in compare_figure(found, members, field).empty


def test_that_verdicts_are_words_with_a_sign_by_configuration_and_metric() -> None:
    found, members = compared(*sweep())
    table = verdict_table(found, members, STEADY)
    assert [column.title for column in table.columns] == ["Configuration", "IOPS per VM"]
    small, large = (row[1] for row in table.rows)
    assert (small.text, small.icon) == (f"better {MINUS}49.7{THIN}%", "better")
    assert (large.text[0], large.icon) == ("~", "")
    assert "vary too much" in large.tip


def test_that_the_table_of_figures_links_to_the_runs() -> None:
    found, members = compared(*sweep())
    table = difference_table(found, members)
    titles = [column.title for column in table.columns]
    row = dict(zip(titles, table.rows[0], strict=True))
    assert row["Value"].tip.splitlines()[0] == "MCSIO 256 MB r1: 50"
    assert (row["n"].text, row["Verdict"].text, row["Why"].text) == ("3", "better", "")
    assert row["Difference"].value == pytest.approx(np.mean(LESS) - np.mean(BASE))
    assert difference_table(found, members, ("boot",)).rows == ()


def test_that_other_differences_and_excluded_runs_have_separate_tables(snapshot: SnapshotAssertion) -> None:
    found, _ = compared(one(MCS, workload="A"), one(SMALL, workload="B"), one(SMALL, 2, excluded="vCenter failed over"))
    apart, *differs = (row[1].text for row in hindrance_table(found.problems).rows)
    assert apart == found.apart[0].text
    assert differs == snapshot
    assert [[cell.text for cell in row] for row in excluded_table(found).rows] == [
        ["MCSIO 256 MB r2", "MCSIO 256 MB", "vCenter failed over"]
    ]


def test_that_the_rules_name_the_margin_and_the_conditions_of_a_verdict(snapshot: SnapshotAssertion) -> None:
    assert any("±7" in line for line in rule_lines(compared(*sweep(), margin=0.07)[0]))
    assert rule_lines(compared(one(MCS), one(SMALL))[0]) == snapshot


def test_that_a_change_that_rounds_to_nothing_has_no_sign() -> None:
    assert [percent_words(ratio) for ratio in (1.0001, 0.9999, None, 3.434)] == [
        f"0.0{THIN}%",
        f"0.0{THIN}%",
        MISSING,
        f"+243{THIN}%",
    ]


def test_that_a_rounding_error_does_not_count_as_a_difference() -> None:
    found, _ = compared(one(MCS, figures={FIELD: 101.0}), one(SMALL, figures={FIELD: 101.0 - 9.2e-7}))
    row = next(each for each in found.differences if each.measure.key == FIELD and each.phase == STEADY)
    assert difference_words(row) == f"0{THIN}IOPS"


def test_that_the_length_of_steady_state_is_described_as_a_choice_of_the_test() -> None:
    found, members = compared(*sweep())
    base, small, _ = compare_cards(found, members, STEADY, DURATION)
    assert (base.value, base.note) == (MISSING, "baseline; the tester sets the duration")
    assert (small.value, small.note) == (MISSING, "the tester sets the duration")


def test_that_a_baseline_of_0_says_why_there_is_no_verdict(snapshot: SnapshotAssertion) -> None:
    zero, none = {FIELD: 0.0}, {"cpu_percent": 5.0}
    table = difference_table(*compared(one(MCS, figures=zero | none), one(SMALL, figures={FIELD: 5.0})))
    why = {row[2].text: row[-1].text for row in table.rows}
    assert why["IOPS per VM"] == snapshot
    assert why["CPU"] == "not measured for this configuration"


def test_that_a_baseline_of_0_is_not_described_as_unmeasured(snapshot: SnapshotAssertion) -> None:
    figure = compare_figure(*compared(one(MCS, figures={FIELD: 0.0}), one(SMALL)), FIELD)
    assert figure.empty == snapshot
