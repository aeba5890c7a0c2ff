"""The findings of the trend: the build that changed a measure, pointing at its flag in the chart."""

from __future__ import annotations

from pathlib import Path

from tests.answers.trend.weeks import drifting, lab, stepped
from workbench.answers.findings.compute import Finding, Strength
from workbench.answers.findings.sentences import findings, remarks
from workbench.answers.findings.words import Asked
from workbench.answers.trend.compute import trends
from workbench.answers.trend.figures import trend_figure
from workbench.answers.trend.points import series_of, study_points
from workbench.charts.figure import Look, Points
from workbench.charts.marked import marked_figure
from workbench.console.loading import load_studies
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.study.store.column_store import default_store


def found_in(folder: Path) -> tuple[tuple[Group, ...], list[Finding]]:
    study, *_ = load_studies([folder], default_store())
    groups = group_runs(run_figures(run) for run in study.runs)
    return groups, [finding for finding in findings(Asked(study.name, groups)) if finding.kind == "trend"]


def test_that_the_build_that_raised_a_primary_measure_is_a_strong_finding(tmp_path: Path) -> None:
    _, (finding,) = found_in(lab(tmp_path / "lab", stepped(7, 0.2)))
    assert finding.text.startswith("Build 24H2.8 raises IOPS per VM in steady state of MCS by ")
    assert finding.text.endswith(", n = 5 against 7")
    assert (finding.strength, finding.page, finding.configuration) == (Strength.STRONG, "trend", "MCS")
    assert len(finding.runs) == 12


def test_that_a_drift_is_no_more_than_indicative_and_another_explanation_is_a_caveat(tmp_path: Path) -> None:
    _, (finding,) = found_in(lab(tmp_path / "drift", drifting(0.3)))
    assert finding.strength is Strength.INDICATIVE
    assert "drift, +" in finding.text
    changed = ["XenServer 8.2"] * 7 + ["XenServer 8.4"] * 5
    _, (step,) = found_in(lab(tmp_path / "step", stepped(7, 0.2), hypervisor=changed))
    assert "Another explanation: the hypervisor changed from XenServer 8.2 to XenServer 8.4." in step.caveats


def test_that_the_finding_points_at_its_configuration_and_leaves_the_flag(tmp_path: Path) -> None:
    lab(tmp_path / "lab", stepped(7, 0.2))
    groups, findings_of_lab = found_in(lab(tmp_path / "lab", stepped(3, 0.0, level=40.0), "PVS"))
    (finding,) = findings_of_lab
    made = trends(series_of(study_points("lab", groups)))
    figure = marked_figure(trend_figure(made, {"MCS": Look("MCS"), "PVS": Look("PVS")}), finding.pointed)
    (panel,) = figure.panels
    assert [moment.words.partition(":")[0] for moment in panel.moments] == ["24H2.8"]
    strengths = {mark.name: mark.emphasis for mark in panel.marks if isinstance(mark, Points)}
    assert strengths["MCS"] == "all" != strengths["PVS"]


def test_that_hiding_a_configuration_makes_no_finding(tmp_path: Path) -> None:
    """A change of 2 % with p 0.03: beside another configuration it is not shown, hidden or not."""
    lab(tmp_path / "lab", stepped(7, 0.018))
    groups, beside = found_in(lab(tmp_path / "lab", stepped(7, 0.0, level=40.0), "PVS"))
    mcs = [group for group in groups if group.label == "MCS"]
    alone = [each for each in findings(Asked("lab", mcs)) if each.kind == "trend"]
    hidden = [each for each in findings(Asked("lab", mcs, family=groups)) if each.kind == "trend"]
    assert (len(alone), beside, hidden) == (1, [], [])


def test_that_few_runs_make_no_finding(tmp_path: Path) -> None:
    assert found_in(lab(tmp_path / "lab", stepped(3, 0.5, count=6)))[1] == []


def test_that_builds_that_are_compared_are_not_called_compared_with_nothing(tmp_path: Path) -> None:
    groups, found = found_in(lab(tmp_path / "lab", stepped(7, 0.2)))
    assert remarks(groups, found) == (
        "There is one configuration only, MCS: its builds are compared. Open a second one beside it.",
    )
    groups, found = found_in(lab(tmp_path / "few", stepped(3, 0.5, count=6)))
    assert "nothing is compared" in remarks(groups, found)[0]
