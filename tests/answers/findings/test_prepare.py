"""Questions that the logs of a study cannot answer give one finding, and none if the logs answer everything."""

from __future__ import annotations

from pathlib import Path

from syrupy.assertion import SnapshotAssertion

from tests.answers.prepare.labs import lab, opened
from tests.samples import sample
from workbench.answers.common.library import Library
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.page import kept_findings
from workbench.session.state import State


def not_answered(library: Library) -> list[Finding]:
    return [finding for finding in kept_findings(library, State()) if finding.kind == "prepare"]


def test_that_questions_that_the_logs_cannot_answer_form_one_finding(snapshot: SnapshotAssertion) -> None:
    (finding,) = not_answered(sample("damaged"))
    assert finding.text == snapshot
    assert len(finding.runs) == 2
    why, *others = finding.caveats
    assert " no samples" in why
    assert others.pop(0) == "Log the whole test. Check the time zone."
    open_ = " is not answered for 26 configurations."
    assert [other.rpartition("'")[2] for other in others] == [f"{open_} See Prepare a test.", open_]
    assert finding.page == "prepare"


def test_that_a_missing_counter_is_named(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (finding,) = not_answered(opened(tmp_path / "store", lab(tmp_path, ("% Processor Time",))))
    assert finding.text == snapshot
    (caveat,) = finding.caveats
    assert "Processor Time' is not recorded" in caveat
    assert caveat.endswith("Log the counter with the test kit.")


def test_that_complete_logs_have_no_finding_on_missing_counters(tmp_path: Path) -> None:
    assert not not_answered(opened(tmp_path / "store", lab(tmp_path)))
    assert not not_answered(sample("rds-mcsio-cache-sweep"))
