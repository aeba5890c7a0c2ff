"""The program as users install it: wheel, source archive, their content and their commands."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from workbench import __version__
from workbench.gui.dialogs import questions
from workbench.model import resources
from workbench.model.resources import BUNDLE, CHECKOUT, PIP, PIPX, UV_TOOL

ROOT = Path(__file__).parents[2]


def _built(out: Path, *arguments: str) -> Path:
    done = subprocess.run(["uv", "build", "--quiet", "-o", out, *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (built,) = [file for file in out.iterdir() if file.name.startswith("vdi_workbench")]
    return built


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source archive, as a package index offers both."""
    source = _built(tmp_path_factory.mktemp("sdist"), "--sdist")
    with tarfile.open(source) as archive:
        assert any(name.endswith("/packaging/description.md") for name in archive.getnames())
    return _built(tmp_path_factory.mktemp("wheel"), "--wheel", str(source))


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel; the libraries are those of the tests, so nothing is downloaded."""
    folder = tmp_path_factory.mktemp("installed") / "env"
    venv.create(folder)
    python = _program(folder, "python")
    installed = ["uv", "pip", "install", "--quiet", "--no-deps", "--python", python, wheel]
    done = subprocess.run(installed, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    place = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    libraries = Path(sys.modules["numpy"].__file__ or "").parents[1]
    Path(place, "libraries.pth").write_text(str(libraries), encoding="utf-8")
    return folder


def _program(environment: Path, name: str) -> Path:
    return environment / ("Scripts" if os.name == "nt" else "bin") / name


def _run(environment: Path, folder: Path, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    own = os.environ | {"VDI_WORKBENCH_STORE": str(folder / "store"), "QT_QPA_PLATFORM": "offscreen"}
    return subprocess.run(
        [_program(environment, program), *arguments], cwd=folder, env=own, capture_output=True, text=True, timeout=300
    )


def _metadata(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return archive.read(name).decode("utf-8")


def test_that_the_wheel_has_version_and_licences_with_their_texts(wheel: Path) -> None:
    metadata = _metadata(wheel)
    assert f"\nVersion: {__version__}\n" in metadata
    assert "\nLicense-Expression: MIT AND OFL-1.1\n" in metadata
    assert "Classifier: Operating System :: Microsoft :: Windows\n" in metadata
    with zipfile.ZipFile(wheel) as archive:
        held = {name.partition(".dist-info/licenses/")[2] for name in archive.namelist()}
    assert {"LICENSE", "resources/fonts/LICENSE.txt", "resources/page/uplot-LICENSE.txt"} <= held


def test_that_the_long_description_has_no_relative_links(wheel: Path) -> None:
    description = _metadata(wheel).partition("\n\n")[2]
    assert "# VDI Workbench" in description
    assert [target for target in re.findall(r"\]\(([^)]*)\)", description) if not target.startswith("https://")] == []


@pytest.mark.parametrize("program", [("vdiwb",), ("python", "-P", "-m", "workbench")])
def test_that_the_installed_console_prints_its_version(
    environment: Path, tmp_path: Path, program: tuple[str, ...]
) -> None:
    done = _run(environment, tmp_path, *program, "--version")
    assert (done.returncode, done.stdout) == (0, f"vdiwb {__version__}\n"), done.stderr


def test_that_the_installed_console_writes_a_workbook_of_the_shipped_sample(environment: Path, tmp_path: Path) -> None:
    """The example of `vdiwb export --help`, which the commands of the docs use, run in an empty folder."""
    done = _run(environment, tmp_path, "vdiwb", "export", "sample_data/xenapp-pvs-ram-cache", "-o", "findings.xlsx")
    assert done.returncode in (0, 1), done.stderr
    assert zipfile.is_zipfile(tmp_path / "findings.xlsx")


def test_that_the_installed_window_draws_its_image(environment: Path, tmp_path: Path) -> None:
    done = _run(environment, tmp_path, "vdi-workbench", "sample_data/rds-mcsio-cache-sweep", "--screenshot", "page.png")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


def test_that_a_user_folder_overrides_the_shipped_sample(environment: Path, tmp_path: Path) -> None:
    (tmp_path / "sample_data").mkdir()
    done = _run(environment, tmp_path, "vdiwb", "inspect", "sample_data")
    assert done.returncode == 3, "an empty folder of that name holds nothing that is recognised"


def test_that_the_about_dialog_names_each_licence_and_shows_the_texts(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    questions.about(window)
    (box,) = window.findChildren(QMessageBox)
    assert all(name in box.informativeText() for name in ("MIT", "Inter", "uPlot", "Qt", "LGPL"))
    assert "SIL OPEN FONT LICENSE" in box.detailedText()
    assert "Leon Sorokin" in box.detailedText()
    assert "The VDI Workbench authors" in box.detailedText()
    box.close()


@pytest.mark.parametrize(
    ("how", "console"),
    [(BUNDLE, "vdiwb"), (CHECKOUT, "uv run vdiwb"), (UV_TOOL, "vdiwb"), (PIPX, "vdiwb"), (PIP, "vdiwb")],
)
def test_that_hints_match_the_kind_of_installation(
    how: str, console: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if how != CHECKOUT:
        (tmp_path / "_shipped").mkdir()
        monkeypatch.setattr(resources, "_PACKAGE", tmp_path)
    if how == BUNDLE:
        monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    markers = {UV_TOOL: "uv-receipt.toml", PIPX: "pipx_metadata.json"}
    if how in markers:
        (tmp_path / markers[how]).touch()
    assert resources.how_installed() == how
    assert resources.command_line("vdiwb") == console
    assert ("uv sync" in resources.install_dask()) == (how == CHECKOUT)
