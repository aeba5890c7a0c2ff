"""`vdiwb changes`: compares workspace files and summaries on the console."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv, steady_runs
from workbench.answers.changes.compute import known_figures
from workbench.answers.common.library import Library
from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.model.edits import RunEdits
from workbench.session.document import SavedSource, SessionDocument, save_session
from workbench.session.state import State
from workbench.study.discovery.folders import find_sources
from workbench.study.store.column_store import default_store

pytestmark = pytest.mark.usefixtures("own_store")

FILE = "guest/W10-001.csv"


def saved(lab: Path, name: str, state: State | None = None, *, with_figures: bool = True) -> Path:
    """A workspace file of the current content of the folder."""
    state, store = state or State(), default_store()
    studies = load_studies([lab], store)
    opened = Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})
    stats = {source.name: source.path.stat() for source in find_sources([lab], store).sources}
    document = SessionDocument(
        paths=(str(lab),),
        files=tuple(SavedSource(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats.items()),
        state=state,
        figures=known_figures(opened, state) if with_figures else None,
    )
    save_session(lab.parent / name, document)
    return lab.parent / name


def answer(capsys: pytest.CaptureFixture[str], *paths: Path) -> dict[str, Any]:
    assert main(["changes", *map(str, paths), "--format", "json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told["schema"] == "vdi-workbench/changes/1"
    return told


def row(told: dict[str, Any], **keys: object) -> dict[str, Any]:
    (only,) = [row for row in told["rows"] if keys.items() <= row.items()]
    return dict(only)


def test_that_a_file_changed_since_the_save_is_named(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    old = saved(lab, "old.vdiwb")
    disk_csv(lab / "mcs" / FILE, "W10-001", [4.0] * 24, [16.0] * 24)
    told = answer(capsys, old)
    total = row(told, run="mcs", phase="steady", measure="total_io")
    assert (total["before"], total["after"], total["difference"]) == (4320, 3600, -720)
    assert total["percent"] == pytest.approx(-100 / 6)
    assert total["because_of"] == [{"kind": "file", "words": f"mcs/{FILE} changed"}]
    assert not [row for row in told["rows"] if row["run"] == "mcsio-512"]


def test_that_unchanged_files_give_no_changed_figures(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = answer(capsys, saved(lab, "old.vdiwb"))
    assert told["rows"] == []
    assert told["compared"]["figure"] > 0
    assert main(["changes", str(lab.parent / "old.vdiwb")]) == 0
    assert capsys.readouterr().out.startswith("None of ")


def test_that_comparing_two_summaries_needs_no_results(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    old = saved(lab, "old.vdiwb")
    out = RunEdits(str(lab.resolve() / "mcs"), excluded="fan broke")
    new = saved(lab, "new.vdiwb", State(edits=(out,)))
    for run in ("mcs", "mcsio-512"):
        (lab / run / FILE).unlink()
    told = answer(capsys, old, new)
    counts = row(told, kind="run", run="mcs")
    assert (counts["before"], counts["after"]) == ("counts", "left out: fan broke")
    assert counts["because_of"] == snapshot


def test_that_a_file_without_figures_is_reported(
    lab: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    old = saved(lab, "old.vdiwb", with_figures=False)
    disk_csv(lab / "mcs" / FILE, "W10-001", [4.0] * 24, [16.0] * 24)
    told = answer(capsys, old)
    assert told["rows"] == []
    assert told["remarks"][0] == snapshot


def test_that_figures_are_matched_after_their_folder_moved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    steady_runs(tmp_path / "here" / "lab")
    saved(tmp_path / "here" / "lab", "old.vdiwb", State(study=str((tmp_path / "here" / "lab").resolve())))
    (tmp_path / "here").rename(tmp_path / "there")
    assert answer(capsys, tmp_path / "there" / "old.vdiwb")["rows"] == []


def test_that_two_summaries_are_compared(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    for name in ("old.json", "new.json"):
        assert main(["summary", str(lab), "--format", "json"]) == 0
        (tmp_path / name).write_text(capsys.readouterr().out)
        disk_csv(lab / "mcs" / FILE, "W10-001", [4.0] * 24, [16.0] * 24)
    told = answer(capsys, tmp_path / "old.json", tmp_path / "new.json")
    total = row(told, run="mcs", measure="total_io")
    assert (total["before"], total["after"]) == (4320, 3600)
    assert total["because_of"] == snapshot


@pytest.mark.parametrize("names", [("lab",), ("old.vdiwb", "new.json"), ("no.json", "no.json"), ("no.vdiwb",)])
def test_that_other_paths_are_rejected_with_an_explanation(
    lab: Path, names: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["changes", *(str(lab.parent / name) for name in names)]) == 2
    assert capsys.readouterr().err.strip().endswith(".")


def test_that_a_damaged_summary_is_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.json"
    for text in (b"{", msgspec.json.encode({"schema": "vdi-workbench/summary/1", "runs": [{"run": "a"}]}), b"[]"):
        path.write_bytes(text)
        assert main(["changes", str(path), str(path)]) == 2
        assert "a.json" in capsys.readouterr().err


def test_that_the_changes_command_has_no_option_to_replace_names(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # Saved figures contain VM names: an accepted option without effect would reveal them.
    with pytest.raises(SystemExit):
        main(["changes", str(saved(lab, "before.vdiwb")), "--anonymise"])
    assert "--anonymise" in capsys.readouterr().err
