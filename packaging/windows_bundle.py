"""The bundle for Windows, built on Linux: PyInstaller on Windows' Python, under Wine."""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from pathlib import Path

import build as package
from windows_python import PreparationError, Windows, alone, install_wheels, missing_tools, prepare

PROJECT = package.ROOT / "pyproject.toml"
FOLDER = package.DIST / "windows" / "vdi-workbench"
# PyInstaller looks up what a library loads in processes of their own, which are slow under Wine.
_PATIENCE_S = 3600
_ONLY_WINDOWS = ("pefile", "pywin32-ctypes")


def build() -> None:
    """Builds the folder and its portable zip, and starts both programs. Raises BuildError."""
    if missing := missing_tools():
        raise package.BuildError(f"Not installed: {', '.join(missing)}.")
    kept = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "vdi-workbench" / "windows-bundle"
    package.prepare_bundle(_made(package.ROOT / "build"))
    try:
        with alone(kept) as windows:
            prepare(windows, PROJECT)
            group = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["dependency-groups"]["bundle"]
            install_wheels(windows, [*group, *_ONLY_WINDOWS], [])
            _build_in(windows)
    except PreparationError as error:
        raise package.BuildError(str(error)) from error
    package.finish_bundle(FOLDER)
    package.pack_zip(FOLDER, package.DIST / f"vdi-workbench-{package.version()}-windows-x86_64.zip")


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def _build_in(windows: Windows) -> None:
    spec = "Z:" + str(package.ROOT / "packaging" / "bundle" / "bundle.spec").replace("/", "\\")
    work = windows.drive / "work" / "bundle"
    work.mkdir(parents=True, exist_ok=True)
    shutil.copy(package.ROOT / "build" / "vdi-workbench.ico", work.parent)
    places = ("--distpath", r"C:\dist", "--workpath", r"C:\work")
    ended = windows.python("-m", "PyInstaller", "--noconfirm", *places, spec, patience_s=_PATIENCE_S)
    if ended.status != 0:
        raise package.BuildError(f"PyInstaller failed under Wine: {ended.errors[-2000:]}")
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(windows.drive / "dist" / "vdi-workbench", FOLDER)
    started = windows.run(r"C:\dist\vdi-workbench\vdiwb.exe", "--version")
    if started.output.strip() != f"vdiwb {package.version()}":
        raise package.BuildError(f"vdiwb.exe does not start under Wine: {started.errors[-2000:]}")
    sys.stdout.write(f"vdiwb.exe started under Wine in {started.seconds:.1f} s\n")
