"""Runs that cannot be compared get a statement with reasons and next steps, and no headline of a difference."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from tests.answers.prepare.labs import opened
from tests.builders import disk_csv
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import NOT_COMPARABLE, Finding
from workbench.answers.findings.page import kept_findings
from workbench.answers.findings.reply import concluded
from workbench.answers.overview.lead import lead_of
from workbench.answers.overview.page import overview
from workbench.answers.storyboard.compute import shown_story
from workbench.exporters.assemble import job_of
from workbench.exporters.wanted import Wanted
from workbench.session.state import State

SAMPLE = Path(__file__).parents[3] / "sample_data"


def unrelated(folder: Path) -> Path:
    """Two logs of different machines, years apart, the second with sixty times the I/O."""
    disk_csv(folder / "log-a" / "SRV-A.csv", "SRV-A", [8.0] * 40, [16.0] * 40, start="05/10/2014 09:00:00.000")
    disk_csv(folder / "log-b" / "SRV-B.csv", "SRV-B", [480.0] * 40, [960.0] * 40, start="05/10/2021 09:00:00.000")
    return folder


def compared(folder: Path, rate: float = 2.0) -> Path:
    """Two runs of one lab, a single run each."""
    for name, reads in (("mcs", 8.0), ("mcsio-512", rate)):
        disk_csv(folder / name / "W10-001.csv", "W10-001", [reads] * 40, [2 * reads] * 40)
        (folder / name / "run.toml").write_text(
            '[[phases]]\nname = "steady"\nstart = 2016-05-10T09:01:00+01:00\nend = 2016-05-10T09:08:00+01:00\n'
        )
    return folder


def found(library: Library) -> tuple[Finding, ...]:
    return kept_findings(library, State())


@pytest.fixture
def apart(tmp_path: Path) -> Library:
    return opened(tmp_path / "store", unrelated(tmp_path / "lab"))


def test_that_unrelated_logs_are_reported_first_and_never_compared(apart: Library) -> None:
    first, *others = found(apart)
    assert first.kind == NOT_COMPARABLE
    assert {other.kind for other in others}.isdisjoint({"compare", "sizing", "no change", "cache", "logons"})
    assert all(finding.change is None and finding.difference is None for finding in (first, *others))


def test_that_the_overview_starts_with_the_warning_and_shows_only_values(apart: Library) -> None:
    content = overview(apart, State())
    assert content.lead is not None
    statement = content.lead.statement
    assert statement is not None
    assert not content.lead.findings
    assert [day[-4:] for _, _, day in statement.days] == ["2014", "2021"]
    assert content.figure is not None
    words = [mark.words for panel in content.figure.panels for mark in panel.marks]  # type: ignore[union-attr]
    assert [(change, ends) for _, change, ends in words] == [("", "")] * 2


def test_that_the_answer_contains_the_reasons_as_data(tmp_path: Path) -> None:
    library = opened(tmp_path / "store", unrelated(tmp_path / "lab"))
    options = argparse.Namespace(baseline=None, margin=5.0, state=None, history=None, explain=False, all=True)
    reply = concluded(options, library.studies).json()
    (study,) = reply["comparability"]
    assert not study["comparable"]
    ((code, pair),) = [(row["code"], {row["configuration"], row["baseline"]}) for row in study["reasons"]]
    assert (code, pair) == ("years-apart", {"log-a", "log-b"})
    assert next(row["kind"] for row in reply["findings"]) == NOT_COMPARABLE


def test_that_the_summary_of_documents_has_the_warning_and_no_slide_compares(apart: Library) -> None:
    story = shown_story(apart, State())
    (statement, *_) = found(apart)
    assert any(sentence.startswith(statement.text[:30]) for sentence in story.summary)
    assert not [shown for shown in story.slides if any(one.kind == "compare" for one in shown.findings)]
    job = job_of(apart, State(), Wanted(Path("x.html")))
    assert job.document is not None
    assert statement.text[:30] in " ".join(job.document.summary)


def test_that_single_runs_of_one_lab_have_a_difference(tmp_path: Path) -> None:
    library = opened(tmp_path / "store", compared(tmp_path / "lab"))
    changes = [one.change for one in found(library) if one.kind == "compare" and one.figure == "iops_per_vm"]
    assert [change.ratio for change in changes if change is not None] == [pytest.approx(0.25)]
    lead = lead_of(library, State(), "", ())
    assert lead is not None
    assert lead.statement is None


def test_that_one_unrelated_configuration_leaves_the_others_compared(tmp_path: Path) -> None:
    folder = compared(tmp_path / "lab")
    disk_csv(folder / "log-b" / "SRV-B.csv", "SRV-B", [480.0] * 40, [960.0] * 40, start="05/10/2021 09:00:00.000")
    (folder / "mcs" / "run.toml").write_text("baseline = true\n" + (folder / "mcs" / "run.toml").read_text())
    library = opened(tmp_path / "store", folder)
    findings = found(library)
    assert not [one for one in findings if one.kind == NOT_COMPARABLE]
    compared_with = {one.configuration for one in findings if one.baseline}
    assert "log-b" not in compared_with
    assert any("512" in label for label in compared_with)


def test_that_a_study_of_a_single_run_and_an_empty_one_compare_nothing(tmp_path: Path) -> None:
    disk_csv(tmp_path / "lab" / "mcs" / "W10-001.csv", "W10-001", [8.0] * 40, [16.0] * 40)
    library = opened(tmp_path / "store", tmp_path / "lab")
    assert not [one for one in found(library) if one.baseline]
    assert not found(Library())
