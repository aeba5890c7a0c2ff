"""Names in Chinese, Japanese and Korean: a system font draws them, otherwise a message says that a font is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QFontDatabase

from tests.builders import perfmon_csv
from workbench.cli import main
from workbench.gui.pictures.painter import load_painter

COUNTERS = {
    "Japanese": r"\\W11-001\PhysicalDisk(_Total)\ディスク",
    "Korean": r"\\W11-001\PhysicalDisk(_Total)\디스크",
    "Chinese": r"\\W11-001\PhysicalDisk(_Total)\磁盘",
}


def _fonts(monkeypatch: pytest.MonkeyPatch, *, found: bool) -> None:
    load_painter()
    monkeypatch.setattr(QFontDatabase, "families", lambda *_: ["Noto Sans CJK"] if found else [])


@pytest.mark.usefixtures("own_store")
@pytest.mark.parametrize("ending", [".png", ".pdf", ".svg"])
@pytest.mark.parametrize("found", [True, False])
@pytest.mark.parametrize("script", COUNTERS)
def test_that_letters_without_a_font_are_reported_for_locally_drawn_images(
    script: str,
    found: bool,
    ending: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _fonts(monkeypatch, found=found)
    usual = r"\\W11-001\PhysicalDisk(_Total)\Disk Transfers/sec"
    perfmon_csv(tmp_path / "mcs" / "W11-001.csv", {usual: [1.0, 2.0] * 60, COUNTERS[script]: [1.0, 2.0] * 60})
    target = tmp_path / f"a{ending}"
    assert main(["export", str(tmp_path / "mcs"), "-o", str(target), "--only", "timeline"]) == 0
    said = capsys.readouterr()
    assert (f"{script} letters" in said.out + said.err) == (not found and ending != ".svg")


def test_that_names_in_other_letters_need_no_font(monkeypatch: pytest.MonkeyPatch) -> None:
    _fonts(monkeypatch, found=False)
    assert load_painter().undrawn("Größe, Диск, Çalışma") == ()
