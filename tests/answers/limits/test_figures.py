"""The limits drawn: every figure with its interval, the limit as a line, the verdict in words and colour."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import LARGE, MCS, SMALL, groups, replicates
from workbench.answers.limits.compute import Check, Outcome, checks
from workbench.answers.limits.limit import Limit
from workbench.answers.limits.page import MOST, limits_figure
from workbench.answers.limits.sentences import headline, keeping_text
from workbench.charts.figure import Bars, Line, Panel

IOPS = Limit("iops_per_vm", 100.0, phase="steady")
RUNS = groups(
    *replicates(MCS, "iops_per_vm", (150.0, 152.0, 151.0)),
    *replicates(SMALL, "iops_per_vm", (99.0, 100.0, 99.5)),
    *replicates(LARGE, "iops_per_vm", (50.0, 51.0, 52.0)),
)


def panels(*limits: Limit) -> tuple[Panel, ...]:
    figure = limits_figure(checks(RUNS, limits), RUNS)
    assert figure is not None
    return figure.panels


def bars(panel: Panel) -> list[Bars]:
    return [mark for mark in panel.marks if isinstance(mark, Bars)]


def test_that_each_bar_has_its_interval_and_its_verdict_as_sign_and_look() -> None:
    (panel,) = panels(IOPS)
    verdicts = [name.removeprefix(bar.name) for name, bar in zip(panel.x.categories, bars(panel), strict=True)]
    assert verdicts == [" ✗", " ~", " ✓"]
    assert len({(bar.look.hue, bar.look.dash) for bar in bars(panel)}) == 3
    for place, (bar, check) in enumerate(zip(bars(panel), checks(RUNS, [IOPS]), strict=True)):
        assert (bar.name, bar.values[place], bar.low[place], bar.high[place]) == (
            check.configuration,
            check.value,
            check.low,
            check.high,
        )
        assert np.isfinite(bar.values).sum() == 1


@pytest.mark.parametrize(
    "limit", [IOPS, replace(IOPS, bound=900.0), Limit("iops_per_vm", -95.0, True, "steady", "MCS")]
)
def test_that_the_line_is_at_the_limit_and_within_the_axis(limit: Limit) -> None:
    (panel,) = panels(limit)
    (line,) = (mark for mark in panel.marks if isinstance(mark, Line))
    assert set(line.y.tolist()) == {limit.bound}
    assert panel.y.limits is not None
    assert panel.y.limits[0] < line.y[0] < panel.y.limits[1]
    assert panel.y.unit == limit.unit
    assert limit.bound_words in panel.subtitle


def test_that_the_failed_limits_of_many_are_drawn_and_the_others_counted(snapshot: SnapshotAssertion) -> None:
    loose = [replace(IOPS, bound=1000.0 + number) for number in range(MOST)]
    figure = limits_figure(checks(RUNS, [*loose, IOPS]), RUNS)
    assert figure is not None
    assert len(figure.panels) == MOST
    assert IOPS.bound_words in figure.panels[-1].subtitle
    assert figure.note == snapshot


def test_that_an_unmeasured_value_has_no_bar_and_no_chart() -> None:
    assert limits_figure(checks(RUNS, [Limit("cpu_percent", 50.0, phase="steady")]), RUNS) is None


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ((Outcome.FAIL, Outcome.PASS, Outcome.NOT_SHOWN), "1 of 3 checks fails, 1 passes, 1 is inconclusive"),
        ((Outcome.FAIL_ONE_RUN, Outcome.FAIL), "Both checks fail"),
        ((Outcome.PASS, Outcome.PASS, Outcome.NOT_SHOWN, Outcome.NOT_SHOWN), "2 of 4 checks pass, 2 are inconclusive"),
        ((Outcome.NOT_SHOWN,), "The check is inconclusive"),
    ],
)
def test_that_the_headline_counts_the_verdicts(outcomes: tuple[Outcome, ...], words: str) -> None:
    assert headline([Check(IOPS, "MCS", outcome=outcome) for outcome in outcomes]) == words


def test_that_a_limit_without_configuration_prevents_the_claim_that_one_meets_all(snapshot: SnapshotAssertion) -> None:
    missing = Check(IOPS, "")
    kept = Check(IOPS, "MCS", outcome=Outcome.PASS)
    assert keeping_text([kept]) == snapshot
    assert keeping_text([kept, missing]) == snapshot


def test_that_of_many_configurations_those_that_fail_are_drawn() -> None:
    values = [50.0] * 15 + [150.0] * 5
    runs = groups(
        *(
            run
            for place, value in enumerate(values)
            for run in replicates(replace(MCS, name=f"MCS {place:02}"), "iops_per_vm", (value, value + 1, value + 2))
        )
    )
    made = checks(runs, [IOPS])
    figure = limits_figure(made, runs)
    assert figure is not None
    (panel,) = figure.panels
    assert len(panel.x.categories) == 12 < len(made) == 20
    failed = {check.configuration for check in made if check.outcome is Outcome.FAIL}
    assert len(failed) == 5
    assert failed <= set(panel.x.of)
    assert list(panel.x.of) == sorted(panel.x.of)
