"""Differences that are corrected together, and the measures that strong findings need."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_ind
from syrupy.assertion import SnapshotAssertion

from tests.answers.compare.groups import MCS, SMALL, groups, one, p_of, study
from workbench.answers.compare.compute import compare
from workbench.answers.compare.sentences import primary_words
from workbench.measures.configurations import group_runs
from workbench.measures.significance.p_values import holm
from workbench.measures.statistics import Verdict, same_p
from workbench.model.phase import STEADY


def test_that_primary_measures_are_one_family_over_configurations_and_phases() -> None:
    rows = compare(groups(*study(4))).differences
    primary = [row for row in rows if row.tier == "primary"]
    assert {(row.phase, row.measure.key) for row in primary} == {
        ("boot", "total_io_per_vm"),
        ("logon", "total_io_per_vm"),
        (STEADY, "iops_per_vm"),
    }
    assert len(primary) == 6
    assert [row.p_holm for row in primary] == pytest.approx(holm([p_of(row) for row in primary]))
    assert all(row.p_bh is None for row in primary)


def test_that_all_other_measures_share_one_false_discovery_rate() -> None:
    rows = compare(groups(*study(5))).differences
    others = [row for row in rows if row.tier == "other" and p_of(row) is not None]
    p = [p_of(row) for row in others]
    same = [same_p(*row.numbers, 0.05, row.scale) for row in others]
    assert len(others) == 2 * 3 * 3
    assert all(row.p_holm is None for row in others)
    ordered = sorted(value for value in (*p, *same) if value is not None)
    # At most one of the two hypotheses of a comparison is true, so there are 18 steps, not 36.
    for level in (0.05, 0.2, 0.5, 0.9):
        passed = [value for rank, value in enumerate(ordered, 1) if value <= level * min(1.0, rank / 18)]
        limit = max(passed, default=-1.0)
        assert [row.p_bh is not None and row.p_bh <= level for row in others] == [
            value is not None and value <= limit for value in p
        ]


def test_that_hiding_rows_changes_no_p_value() -> None:
    members = groups(*study(6))
    whole = {(row.configuration, row.phase, row.measure.key): row for row in compare(members).differences}
    one_phase = compare(members, phases=(STEADY,)).differences
    hidden = compare(members[:2], hidden=members).differences
    assert {row.phase for row in one_phase} == {STEADY}
    assert {row.configuration for row in hidden} == {"MCSIO 256 MB"}
    for row in (*one_phase, *hidden):
        twin = whole[row.configuration, row.phase, row.measure.key]
        assert (row.p_adjusted, row.verdict) == (twin.p_adjusted, twin.verdict)


def test_that_a_measure_that_depends_on_another_is_tested_once() -> None:
    # Phases of one length: total I/O equals IOPS times seconds, except for rounding.
    def figures(iops: float) -> dict[str, float]:
        return {"iops_per_vm": iops, "total_io_per_vm": 600 * iops, "cpu_percent": iops / 3}

    runs = [
        one(configuration, n, figures=figures(value))
        for configuration, values in ((MCS, (100.0, 101.0, 99.0)), (SMALL, (92.0, 93.0, 92.5)))
        for n, value in enumerate(values, 1)
    ]
    rows = {row.measure.key: row for row in compare(groups(*runs)).differences}
    assert rows["total_io_per_vm"].judged_as == "iops_per_vm"
    assert rows["total_io_per_vm"].p_holm == rows["iops_per_vm"].p_holm == p_of(rows["iops_per_vm"])
    assert rows["total_io_per_vm"].verdict is Verdict.BETTER
    # Shares have a separate test, on plain values.
    assert rows["cpu_percent"].judged_as is None


def test_that_run_toml_of_the_baseline_names_other_primary_measures() -> None:
    stated = [replace(row, run=replace(row.run, primary=((STEADY, ("cpu_percent",)),))) for row in study(7)[:3]]
    found = compare(groups(*stated, *study(7)[3:]))
    primary = {(row.phase, row.measure.key) for row in found.differences if row.tier == "primary"}
    assert primary == {("boot", "total_io_per_vm"), ("logon", "total_io_per_vm"), (STEADY, "cpu_percent")}
    assert "CPU in steady state" in primary_words(found)


def test_that_run_toml_overrides_preferences_and_preferences_override_the_catalogue(
    snapshot: SnapshotAssertion,
) -> None:
    stated = [replace(row, run=replace(row.run, primary=((STEADY, ("cpu_percent",)),))) for row in study(7)[:3]]
    preferred = ((STEADY, ("read_latency_ms",)), ("logon", ("iops_per_vm",)))
    members = [replace(group, preferred=preferred) for group in groups(*stated, *study(7)[3:])]
    words = primary_words(compare(members))
    assert words == snapshot


def test_that_a_primary_measure_without_data_is_named(snapshot: SnapshotAssertion) -> None:
    stated = [replace(row, run=replace(row.run, primary=((STEADY, ("iops_pervm",)),))) for row in study(7)[:3]]
    found = compare(group_runs([*stated, *study(7)[3:]]))
    (problem,) = [problem for problem in found.problems if problem.code == "compare-primary"]
    assert problem.message == snapshot


def test_that_an_inconclusive_comparison_names_the_smallest_change_its_runs_could_show(
    snapshot: SnapshotAssertion,
) -> None:
    rows = compare(groups(*study(8))).differences
    open_rows = [row for row in rows if row.verdict is Verdict.INCONCLUSIVE and row.scale == "logs" and p_of(row)]
    assert open_rows
    for row in open_rows:
        assert row.judgement is not None
        could, same = row.judgement.outlook
        assert could == snapshot
        assert same == snapshot
        assert row.outlook is not None
        # Holm over six comparisons, all inconclusive; the rule for the others is stricter.
        assert row.outlook.level <= 0.05 / 6 + 1e-12
        assert row.outlook.low < -0.1


def test_that_a_measure_that_one_run_lacks_has_a_separate_test() -> None:
    """The ratio is equal in runs with both values, but the values are from different runs."""

    def figures(n: int, iops: float) -> dict[str, float | None]:
        return {"iops_per_vm": iops, "total_io_per_vm": 600 * iops, "read_iops_per_vm": iops / 2 if n > 1 else None}

    runs = [
        one(configuration, n, figures=figures(n, value))
        for configuration, values in ((MCS, (100.0, 101.0, 99.0, 100.5)), (SMALL, (92.0, 93.0, 92.5, 92.2)))
        for n, value in enumerate(values, 1)
    ]
    rows = {row.measure.key: row for row in compare(groups(*runs)).differences}
    # All runs of each side except the first.
    logs = np.log([93.0, 92.5, 92.2]), np.log([101.0, 99.0, 100.5])
    assert [rows[key].judged_as for key in ("total_io_per_vm", "read_iops_per_vm")] == ["iops_per_vm", None]
    assert p_of(rows["read_iops_per_vm"]) == pytest.approx(ttest_ind(*logs, equal_var=False).pvalue)
