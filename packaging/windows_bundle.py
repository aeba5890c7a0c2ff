"""Builds the bundle for Windows on Linux: PyInstaller runs on Windows' Python under Wine."""

from __future__ import annotations

import shutil
import sys
import tomllib

import build as package
from windows_python import BUNDLE, PreparationError, Windows, alone, install_wheels, kept, missing_tools, prepare

PROJECT = package.ROOT / "pyproject.toml"
FOLDER = package.WINDOWS_FOLDER
# PyInstaller looks up the files loaded by a library in separate processes, which are slow under Wine.
_PATIENCE_S = 3600


def build() -> None:
    """Builds the folder and its portable zip, and starts both programs. Raises BuildError."""
    if missing := missing_tools():
        raise package.BuildError(f"Not installed: {', '.join(missing)}.")
    package.prepare_bundle(package.ROOT / "build")
    try:
        with alone(kept("windows-bundle")) as windows:
            prepare(windows, PROJECT)
            settings = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
            pinned = settings["tool"]["uv"]["constraint-dependencies"]
            install_wheels(windows, settings["dependency-groups"]["bundle"], pinned)
            _build_in(windows)
    except PreparationError as error:
        raise package.BuildError(str(error)) from error
    package.finish_bundle(FOLDER)
    package.pack_zip(FOLDER)


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
    _start(windows)


def _start(windows: Windows) -> None:
    """Starts both programs of the bundle."""
    console = windows.run(rf"{BUNDLE}\vdiwb.exe", "--version")
    if console.output.strip() != f"vdiwb {package.version()}":
        raise package.BuildError(f"vdiwb.exe does not start under Wine: {console.errors[-2000:]}")
    window = windows.run(rf"{BUNDLE}\vdi-workbench.exe", "--screenshot", r"C:\work\window.png")
    if window.status != 0:
        raise package.BuildError(f"vdi-workbench.exe does not start under Wine: {window.errors[-2000:]}")
    sys.stdout.write(f"Both programs start under Wine, in {console.seconds:.1f} s and {window.seconds:.1f} s.\n")
