"""The findings of the trend: the build that changed a measure, pointing at its flag in the chart."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.trend.weeks import drifting, lab, of, stepped, weekly
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import Finding, ReadingOrder, Strength, level
from workbench.answers.findings.page import asked_of, found_findings
from workbench.answers.findings.rules.trend import trend_findings
from workbench.answers.findings.sentences import findings, remarks
from workbench.answers.findings.words import Asked
from workbench.answers.trend.compute import TrendOutcome, trends
from workbench.answers.trend.figures import trend_figure
from workbench.answers.trend.joined import chosen_trends, history_of
from workbench.answers.trend.keep import keep_study
from workbench.answers.trend.parted import series_of
from workbench.answers.trend.points import study_points
from workbench.answers.trend.spec import FOLDER, MEASURE, PRIMARY
from workbench.charts.figure import Look, Points
from workbench.charts.marked import marked_figure
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.measures.configurations import Group, group_runs
from workbench.measures.phase_table import run_figures
from workbench.model.run import Study
from workbench.study.store.column_store import default_store


def found_in(folder: Path) -> tuple[tuple[Group, ...], list[Finding]]:
    study, *_ = load_studies([folder], default_store())
    groups = group_runs(run_figures(run) for run in study.runs)
    return groups, [finding for finding in findings(Asked(study.name, groups)) if finding.kind == "trend"]


def test_that_a_build_that_raised_a_primary_measure_is_indicative_because_builds_run_in_sequence(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    _, (finding,) = found_in(lab(tmp_path / "lab", stepped(7, 0.2)))
    assert finding.text == snapshot
    assert finding.text.endswith(", n = 5 vs. 7)")
    assert (finding.strength, finding.page, finding.configuration) == (Strength.INDICATIVE, "trend", "MCS")
    assert (finding.order, len(finding.caveats)) == ("blocked", 1)
    assert len(finding.runs) == 12


def test_that_a_drift_is_at_most_indicative_and_another_explanation_is_a_caveat(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    _, (finding,) = found_in(lab(tmp_path / "drift", drifting(0.3)))
    assert finding.strength is Strength.INDICATIVE
    assert "with MCS drift by +" in finding.text
    changed = ["XenServer 8.2"] * 7 + ["XenServer 8.4"] * 5
    _, (step,) = found_in(lab(tmp_path / "step", stepped(7, 0.2), hypervisor=changed))
    assert step.caveats == snapshot


def test_that_a_drift_ranks_by_its_growth_factor_in_every_unit(tmp_path: Path) -> None:
    groups, (iops,) = found_in(lab(tmp_path / "drift", drifting(0.2)))
    points = [point for point in study_points("drift", groups) if point.measure == "iops_per_vm"]
    shares = [
        replace(point, measure="cpu_percent", value=value)
        for point, value in zip(points, drifting(0.2, level=20.0), strict=True)
    ]
    (cpu,) = trend_findings(Asked("drift", groups, trends=lambda: of(shares)))
    assert cpu.number == "+3.9\u2009pp"
    assert cpu.size == pytest.approx(iops.size, rel=0.05)


def test_that_the_finding_highlights_its_configuration_and_shows_the_flag(tmp_path: Path) -> None:
    lab(tmp_path / "lab", stepped(7, 0.2))
    groups, findings_of_lab = found_in(lab(tmp_path / "lab", stepped(3, 0.0, level=40.0), "PVS"))
    (finding,) = findings_of_lab
    made = trends(series_of(study_points("lab", groups)))
    figure = marked_figure(trend_figure(made, {"MCS": Look("MCS"), "PVS": Look("PVS")}), finding.pointed)
    (panel,) = figure.panels
    assert [moment.words.partition(":")[0] for moment in panel.moments] == ["24H2.8"]
    strengths = {mark.name: mark.emphasis for mark in panel.marks if isinstance(mark, Points)}
    assert strengths["MCS"] == "all" != strengths["PVS"]


def test_that_hiding_a_configuration_adds_no_finding(tmp_path: Path) -> None:
    """A change of 2 % with p 0.03: with a second configuration it is not significant, hidden or not."""
    lab(tmp_path / "lab", stepped(7, 0.021))
    groups, beside = found_in(lab(tmp_path / "lab", stepped(7, 0.0, level=40.0), "PVS"))
    mcs = [group for group in groups if group.label == "MCS"]
    alone = [each for each in findings(Asked("lab", mcs)) if each.kind == "trend"]
    hidden = [each for each in findings(Asked("lab", mcs, family=groups)) if each.kind == "trend"]
    assert (len(alone), beside, hidden) == (1, [], [])


def test_that_a_step_within_the_margin_is_not_reported_as_no_change(tmp_path: Path) -> None:
    _, (step,) = found_in(lab(tmp_path / "lab", stepped(7, 0.04)))
    assert " changes " in step.text
    assert " the same " not in step.text


def test_that_a_step_in_the_last_two_runs_is_indicative_with_its_size_and_interval(tmp_path: Path) -> None:
    _, (step,) = found_in(lab(tmp_path / "lab", stepped(10, 1.0)))
    assert step.strength is Strength.INDICATIVE
    assert step.change is not None
    assert (step.change.basis, "24H2.11" in step.text) == ("interval", True)


def test_that_a_step_at_the_last_run_is_inconclusive(tmp_path: Path) -> None:
    _, (finding,) = found_in(lab(tmp_path / "lab", stepped(11, 0.3)))
    assert finding.strength is Strength.INCONCLUSIVE
    assert "24H2.12" in finding.short
    assert (finding.size, finding.change) == (0, None)


def test_that_the_caveats_of_a_possible_step_are_sentences(tmp_path: Path) -> None:
    _, (finding,) = found_in(lab(tmp_path / "lab", stepped(11, 0.2)))
    assert finding.key.endswith("possible")
    assert finding.caveats
    for caveat in finding.caveats:
        assert (caveat[0].isupper(), caveat[-1]) == (True, ".")


def test_that_a_step_within_the_margin_is_not_an_effect(tmp_path: Path) -> None:
    _, (step,) = found_in(lab(tmp_path / "lab", stepped(7, 0.03)))
    assert (step.strength, level(step)) == (Strength.INDICATIVE, ReadingOrder.NONE)


def test_that_few_runs_give_no_finding(tmp_path: Path) -> None:
    assert found_in(lab(tmp_path / "lab", stepped(3, 0.5, count=6)))[1] == []


def test_that_builds_with_a_comparison_are_not_reported_as_not_compared(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    groups, found = found_in(lab(tmp_path / "lab", stepped(7, 0.2)))
    assert remarks(groups, found) == snapshot
    groups, found = found_in(lab(tmp_path / "few", stepped(3, 0.5, count=6)))
    assert "nothing is compared" in remarks(groups, found)[0]


def library_of(*folders: Path) -> Library:
    studies = [load_studies([folder], default_store())[0] for folder in folders]
    figures = {run.folder: run_figures(run) for study in studies for run in study.runs}
    return Library(tuple(studies), figures)


def of_trend(library: Library, choices: Choices) -> list[Finding]:
    return [finding for finding in found_findings(library, choices) if finding.kind == "trend"]


def keep(folder: Path, study: Study) -> None:
    keep_study(folder, study, group_runs(run_figures(run) for run in study.runs))


def test_that_significance_uses_the_series_of_every_open_study(tmp_path: Path) -> None:
    """A change of 2.1 % is significant on its own, but not together with another study: the page shows the same."""
    first, second = lab(tmp_path / "one", stepped(7, 0.021)), lab(tmp_path / "two", stepped(7, 0.0, level=40.0), "PVS")
    assert len(of_trend(library_of(first), Choices())) == 1
    both = library_of(first, second)
    choices = Choices(study=both.with_runs[0].folder)
    shown = chosen_trends(both, choices, None).trends
    assert not any(trend.changed for trend in shown)
    assert of_trend(both, choices) == []


def test_that_significance_uses_the_runs_of_the_history_folder(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    """Six runs before the step are only in the history; six after it are open."""
    folder = lab(tmp_path / "lab", stepped(6, 0.2))
    keep(tmp_path / "history", load_studies([folder], default_store())[0])
    for run in sorted(folder.iterdir())[:6]:
        shutil.rmtree(run)
    library, choices = library_of(folder), Choices()
    assert of_trend(library, choices) == []
    choices = choices.with_input(FOLDER, str(tmp_path / "history")).with_input(MEASURE, "Read IOPS per VM")
    (finding,) = of_trend(library, choices)
    (step,) = (
        step
        for trend in chosen_trends(library, choices.with_input(MEASURE, PRIMARY), history_of(choices)).trends
        for step in trend.steps
    )
    assert finding.change == step.change
    assert len(finding.runs) == 6
    assert (MEASURE, PRIMARY) in finding.inputs
    assert finding.caveats == snapshot


def test_that_findings_are_computed_again_if_the_history_folder_has_other_files(tmp_path: Path) -> None:
    folder, history = lab(tmp_path / "lab", stepped(6, 0.2)), tmp_path / "history"
    keep(history, load_studies([folder], default_store())[0])
    for run in sorted(folder.iterdir())[:6]:
        shutil.rmtree(run)
    (file,) = history.iterdir()
    file.rename(tmp_path / "elsewhere")
    library, choices = library_of(folder), Choices(history_seen="empty").with_input(FOLDER, str(history))
    assert of_trend(library, choices) == []
    (tmp_path / "elsewhere").rename(file)
    assert of_trend(library, choices) == [], "known of the folder as it was seen last"
    assert len(of_trend(library, replace(choices, history_seen="one file"))) == 1


def test_that_a_step_between_two_studies_is_a_finding_of_the_later_study(tmp_path: Path) -> None:
    folder = lab(tmp_path / "before", stepped(6, 0.2))
    for run in sorted(folder.iterdir())[6:]:
        (tmp_path / "behind").mkdir(exist_ok=True)
        run.rename(tmp_path / "behind" / run.name)
    library = library_of(folder, tmp_path / "behind")
    before, behind = (of_trend(library, Choices(study=study.folder)) for study in library.with_runs)
    assert (len(before), len(behind)) == (0, 1)


def test_that_the_console_includes_the_history_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, history = lab(tmp_path / "lab", stepped(6, 0.2)), tmp_path / "history"
    keep(history, load_studies([folder], default_store())[0])
    for run in sorted(folder.iterdir())[:6]:
        shutil.rmtree(run)
    kinds = []
    for options in ([], ["--history", str(history)]):
        assert main(["findings", str(folder), "--format", "json", *options]) == 0
        document = json.loads(capsys.readouterr().out)
        kinds.append([finding["kind"] for finding in document["findings"]].count("trend"))
    assert kinds == [0, 1]
    assert main(["findings", str(folder), "--history", str(tmp_path / "none")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_that_a_failed_trend_computation_keeps_other_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = library_of(lab(tmp_path / "lab", stepped(7, 0.2)))

    def fail(*_: object) -> None:
        raise ValueError("no trends")

    monkeypatch.setattr("workbench.answers.findings.page.primary_trends", fail)
    kinds = [finding.kind for finding in found_findings(library, Choices())]
    assert "trend" not in kinds
    assert "failed" in kinds


def test_that_a_finding_on_a_step_from_zero_has_no_percentage(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    library = library_of(lab(tmp_path / "lab", stepped(7, 0.2)))
    asked = asked_of(library, Choices())
    assert asked is not None
    folders = [run.run.folder for group in asked.groups for run in group.runs]
    made = of(weekly([0.0] * 6 + [5.0, 5.1, 4.9, 5.0, 5.2, 4.8], folder=folders))
    assert made[0].outcome is TrendOutcome.STEP
    (finding,) = trend_findings(replace(asked, trends=lambda: made))
    assert finding.text == snapshot
    assert "%" not in finding.text
    assert (finding.strength, finding.change) == (Strength.INDICATIVE, None)
