"""`vdiwb storyboard`, and the cover that `vdiwb export` writes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from syrupy.assertion import SnapshotAssertion

from workbench.answers.common.storyboard import FindingRef, SlideWords, Storyboard, StorySlide
from workbench.cli import main
from workbench.session.document import SessionDocument, save_session
from workbench.session.settings import DocumentFace, Settings, save_settings
from workbench.session.state import State

SAMPLE = Path(__file__).parents[2] / "sample_data" / "xenapp-pvs-ram-cache"
ONLY = Storyboard(
    (StorySlide("w", words=SlideWords("What W10-001 showed")), StorySlide("gone", str(SAMPLE), (FindingRef("x"),)))
)


@pytest.fixture(autouse=True)
def _own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings" / "settings.json"))


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["storyboard", *arguments]) == 0
    return capsys.readouterr().out


def cover(path: Path) -> str:
    slide = Presentation(str(path)).slides[0]
    return "\n".join(shape.text_frame.text for shape in slide.shapes if shape.has_text_frame)


def test_that_json_lists_every_slide_under_the_name_of_its_study(
    capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    told: dict[str, Any] = json.loads(printed(capsys, str(SAMPLE), "--format", "json"))
    assert (told["schema"], told["own"], told["problems"]) == ("vdi-workbench/storyboard/1", False, [])
    assert [slide["slide"] for slide in told["slides"]] == list(range(1, len(told["slides"]) + 1))
    story = [slide for slide in told["slides"] if not slide["appendix"]]
    assert len(story) == 3
    assert {slide["strength"] for slide in story} == {"single run"}
    assert story[0]["sentence"] == snapshot
    assert all(slide["key"].startswith("xenapp-pvs-ram-cache/") for slide in told["slides"])
    assert str(SAMPLE.parent) not in json.dumps(told)


def test_that_table_and_csv_have_a_row_for_each_slide(capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(printed(capsys, str(SAMPLE), "--format", "json"))
    rows = printed(capsys, str(SAMPLE), "--format", "csv").strip().split("\n")
    assert len(rows) == 1 + len(told["slides"])
    table = printed(capsys, str(SAMPLE))
    assert all(slide["sentence"] in table for slide in told["slides"])
    appendix = sum(slide["appendix"] for slide in told["slides"])
    assert f"{len(told['slides']) - appendix} slides, plus {appendix} slides in the appendix" in table.splitlines()[-1]


def test_that_a_workspace_file_contains_its_storyboard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save_session(tmp_path / "a.vdiwb", SessionDocument(paths=(str(SAMPLE),), state=State(storyboard=ONLY)))
    told = json.loads(printed(capsys, str(tmp_path / "a.vdiwb"), "--format", "json"))
    assert told["own"]
    assert [slide["sentence"] for slide in told["slides"]] == ["What W10-001 showed", None]
    assert [problem["file"] for problem in told["problems"]] == ["slide 2"]


def test_that_names_in_texts_of_the_user_are_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = replace(ONLY, slides=(StorySlide("w", words=SlideWords("Ask miller@acme.example"), notes="Acme knows"),))
    save_session(tmp_path / "a.vdiwb", SessionDocument(paths=(str(SAMPLE),), state=State(storyboard=board)))
    text = printed(capsys, str(tmp_path / "a.vdiwb"), "--format", "json", "--anonymise", "--also", "Acme")
    assert "miller" not in text
    assert "Acme" not in text


def test_that_the_cover_has_the_saved_settings_unless_options_override_them(tmp_path: Path) -> None:
    assert save_settings(Settings(face=DocumentFace(customer="Acme", author="A. Tester", logo="gone.png")))
    out = tmp_path / "a.pptx"
    assert main(["export", str(SAMPLE), "-o", str(out)]) == 0
    assert cover(out).startswith("xenapp-pvs-ram-cache\nAcme · A. Tester · 20")
    stated = ["--title", "The review", "--customer", "Initech", "--author", ""]
    assert main(["export", str(SAMPLE), "-o", str(out), *stated]) == 0
    assert cover(out).startswith("The review\nInitech · 20")
