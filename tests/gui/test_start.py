"""The command line of the window, in separate processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from syrupy.assertion import SnapshotAssertion

from tests.gui.conftest import LONG_MS, SAMPLE, SWEEP
from tests.samples import shared_store
from workbench.console.commands import commands
from workbench.gui.shell import app, start
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import Settings, load_settings

ROOT = Path(__file__).parents[2]
PATIENCE_S = 2 * LONG_MS / 1000


def run(*arguments: str, **environment: str | None) -> subprocess.CompletedProcess[str]:
    """`vdi-workbench` with these arguments; None removes a variable."""
    variables = {**os.environ, **{name: value for name, value in environment.items() if value is not None}}
    for name, value in environment.items():
        if value is None:
            variables.pop(name, None)
    command = [sys.executable, "-m", "workbench.gui.shell.start", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=variables, timeout=PATIENCE_S)


_TO_THE_FIRST_PAINT = """
import inspect, json, os, sys
read = []
getsource = inspect.getsource
inspect.getsource = lambda module: read.append(module.__name__) or getsource(module)
from workbench.gui.shell import start
from PySide6.QtWidgets import QApplication
def wait(application):
    window = next(widget for widget in QApplication.topLevelWidgets() if hasattr(widget, "pages"))
    while window.page.content is None or window.busy:
        application.processEvents()
    print(json.dumps({"loaded": sorted(sys.modules), "read": read}), flush=True)
    os._exit(0)
QApplication.exec = wait
start.main([])
"""


def test_that_the_empty_window_is_painted_before_file_modules_are_loaded(tmp_path: Path) -> None:
    environment = os.environ | {"VDI_WORKBENCH_STORE": str(tmp_path), "VDI_WORKBENCH_SETTINGS": str(tmp_path / "s")}
    command = [sys.executable, "-c", _TO_THE_FIRST_PAINT]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=PATIENCE_S, check=True)
    state = json.loads(done.stdout)
    assert "workbench.gui.shell.main_window" in state["loaded"]
    for module in ("polars", "pyqtgraph", "scipy", "openpyxl", "pptx", "workbench.study.anonymising.pseudonyms"):
        assert module not in state["loaded"]
    # PySide searches the source of modules that are imported after it; no module of the program needs that.
    assert not [module for module in state["read"] if module.startswith(("workbench.gui", "workbench.measures"))]


def test_that_no_module_switches_pyside_features_so_pyside_need_not_search_for_them() -> None:
    assert not [file for file in (ROOT / "workbench").rglob("*.py") if "__feature__" in file.read_text("utf-8")]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these systems always have a display")
def test_that_without_a_display_one_sentence_names_the_console_command(snapshot: SnapshotAssertion) -> None:
    done = run(str(SAMPLE), DISPLAY=None, WAYLAND_DISPLAY=None, QT_QPA_PLATFORM=None)
    assert done.returncode == start.CANNOT_OPEN
    assert done.stderr.count("\n") == 1
    assert done.stderr == snapshot
    assert "Traceback" not in done.stderr


_WITHOUT_GLIB = """
import sys
class Missing:
    def find_spec(self, name, *_):
        if name == "PySide6.QtCore":
            raise ImportError("libglib-2.0.so.0: cannot open shared object file: No such file or directory")
sys.meta_path.insert(0, Missing())
from workbench.gui.shell.start import main
sys.exit(main(["--screenshot", "page.png"]))
"""


def test_that_a_missing_system_library_is_named_with_the_command_that_installs_it(snapshot: SnapshotAssertion) -> None:
    done = subprocess.run([sys.executable, "-c", _WITHOUT_GLIB], capture_output=True, text=True, timeout=PATIENCE_S)
    assert (done.returncode, done.stdout) == (start.CANNOT_OPEN, "")
    assert done.stderr == snapshot
    assert f"apt-get install {start.LIBRARIES}" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt needs no system libraries")
@pytest.mark.parametrize(
    ("platforms", "said"),
    [("xcb", "libqxcb.so"), ("wayland;xcb", "libqxcb.so"), ("xcb;offscreen", ""), ("minimal:x", "")],
)
def test_that_a_library_that_only_drawing_needs_is_named_before_qt_ends_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platforms: str, said: str
) -> None:
    folder = tmp_path / "Qt" / "plugins" / "platforms"
    folder.mkdir(parents=True)
    for name in ("xcb", "wayland"):
        (folder / f"libq{name}.so").write_text("what the loader refuses")
    monkeypatch.setattr("PySide6.__file__", str(tmp_path / "__init__.py"))
    monkeypatch.setenv("QT_QPA_PLATFORM", platforms)
    found = start._missing_library()
    assert said in found
    assert bool(said) == bool(found)


def test_that_readme_and_ci_name_the_libraries_that_the_program_names() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert f"`apt-get install {start.LIBRARIES}`" in readme
    assert f'libraries="{start.LIBRARIES}"\n' in ci


_OPENED_IN_FINDER = """
import sys
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from workbench.gui.shell import app, start
show = app.MainWindow.show
def shown(window):
    show(window)
    QApplication.postEvent(QApplication.instance(), QFileOpenEvent("study.vdiwb"))
app.MainWindow.show = shown
app.MainWindow.open_paths = lambda window, paths: print(*paths, flush=True) or QApplication.quit()
sys.exit(app.run(start.parser().parse_args([])))
"""


def test_that_a_file_in_an_open_event_of_macos_is_opened(tmp_path: Path) -> None:
    kept = {f"VDI_WORKBENCH_{name}": str(tmp_path / name) for name in ("STORE", "SETTINGS", "JOURNALS")}
    done = subprocess.run(
        [sys.executable, "-c", _OPENED_IN_FINDER],
        capture_output=True,
        text=True,
        env=os.environ | kept,
        timeout=PATIENCE_S,
    )
    assert (done.returncode, done.stdout) == (0, "study.vdiwb\n"), done.stderr


@pytest.mark.parametrize("dark", [False, True])
def test_that_a_page_is_drawn_as_an_image_of_the_requested_size_and_leaves_no_temporary_file(
    tmp_path: Path, dark: bool
) -> None:
    picture, temporary = tmp_path / "page.png", tmp_path / "temporary"
    temporary.mkdir()
    study = SAMPLE / "windows-7-mcs-and-pvs" / "mcs-5vm"
    flags = ["--dark"] if dark else []
    done = run(
        str(study),
        "--page",
        "per-vm-iops",
        "--screenshot",
        str(picture),
        "--size",
        "1280x720",
        *flags,
        DISPLAY=None,
        WAYLAND_DISPLAY=None,
        QT_QPA_PLATFORM=None,
        # One of them reads the files again.
        VDI_WORKBENCH_STORE=str(shared_store() if dark else tmp_path / "store"),
        VDI_WORKBENCH_SETTINGS=str(tmp_path / "settings.json"),
        **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(temporary)),
    )
    assert (done.returncode, done.stderr) == (0, "")
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1280, 720)
    assert (image.pixelColor(5, 700).lightness() < 80) is dark
    assert [file.name for file in temporary.rglob("*")] == []


def test_that_an_image_that_cannot_be_written_is_reported_in_one_sentence(tmp_path: Path) -> None:
    target = tmp_path / "no folder" / "page.png"
    done = run("--screenshot", str(target), VDI_WORKBENCH_SETTINGS=str(tmp_path / "settings.json"))
    assert done.returncode == 1
    assert str(target) in done.stderr


def test_that_an_unknown_phase_is_reported_and_no_image_is_drawn(tmp_path: Path) -> None:
    picture, study = tmp_path / "page.png", SAMPLE / "windows-7-mcs-and-pvs" / "mcs-5vm"
    done = run(
        str(study),
        "--phase",
        "stedy",
        "--screenshot",
        str(picture),
        VDI_WORKBENCH_SETTINGS=str(tmp_path / "settings.json"),
    )
    assert done.returncode == 2
    assert "boot, logon, steady" in done.stderr
    assert not picture.exists()


def test_that_an_unknown_study_is_reported_like_an_unknown_phase(opened: MainWindow) -> None:
    def outcome(*arguments: str) -> tuple[int, str]:
        return app._outcome(opened, start.parser().parse_args([str(SWEEP), *arguments]))

    assert outcome("--study", SWEEP.name, "--phase", "boot") == (app.OK, "")
    (status, said), (like, _) = outcome("--study", "nope"), outcome("--phase", "stedy")
    assert status == like == app.USAGE
    assert SWEEP.name in said


def test_that_an_unrecognised_folder_is_reported_and_is_not_recent(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    settings = tmp_path / "settings.json"
    done = run(
        str(tmp_path / "empty"),
        "--screenshot",
        str(tmp_path / "page.png"),
        VDI_WORKBENCH_STORE=str(tmp_path / "store"),
        VDI_WORKBENCH_SETTINGS=str(settings),
    )
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert not settings.exists()


DAMAGED = b'{"theme": "d\xffrk"}'


def test_that_damaged_settings_are_renamed_and_named_and_do_not_prevent_the_start(tmp_path: Path) -> None:
    settings, picture = tmp_path / "settings.json", tmp_path / "page.png"
    settings.write_bytes(DAMAGED)
    done = run(
        "--screenshot", str(picture), VDI_WORKBENCH_SETTINGS=str(settings), VDI_WORKBENCH_STORE=str(tmp_path / "store")
    )
    assert done.returncode == 0
    assert picture.exists()
    assert done.stderr.startswith(f"{settings} is damaged. It was renamed to settings.json.damaged-")
    (aside,) = tmp_path.glob("settings.json.damaged-*-1")
    assert aside.read_bytes() == DAMAGED


@pytest.mark.parametrize("content", [DAMAGED, b"", b"[" * 100_000])
def test_that_a_start_with_any_damaged_settings_uses_the_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    settings, told = tmp_path / "settings.json", list[str]()
    settings.write_bytes(content)
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(settings))
    assert load_settings(told.append) == Settings()
    assert told[0].startswith(f"{settings} is damaged. It was renamed to settings.json.damaged-")
    (aside,) = tmp_path.glob("settings.json.damaged-*-1")
    assert aside.read_bytes() == content


def test_that_a_command_of_the_command_line_is_explained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert set(start.VDIWB_COMMANDS) == {command.name for command in commands()}
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        start.main(["findings", "sample_data", "--format", "json"])
    assert "For commands, use 'vdiwb findings …'." in capsys.readouterr().err
    (tmp_path / "findings").mkdir()
    with pytest.raises(SystemExit):
        start.main(["findings", "--format", "json"])
    assert "For commands" not in capsys.readouterr().err


@pytest.mark.parametrize("size", ["1600", "x900", "99x99", "1600x900x2", "wide"])
def test_that_an_invalid_size_is_a_usage_error(size: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        start.main(["--screenshot", "page.png", "--size", size])
    assert ended.value.code == 2
    assert size in capsys.readouterr().err


@pytest.mark.parametrize(
    ("page", "said"),
    [("cache", "has no view 'swep'. Its views: over-time, sweep, "), ("timeline", "has only one view. Omit --view")],
)
def test_that_an_unknown_view_is_reported_at_once(page: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert start.main(["nowhere", "--page", page, "--view", "swep", "--screenshot", "a.png"]) == 2
    assert said in capsys.readouterr().err
