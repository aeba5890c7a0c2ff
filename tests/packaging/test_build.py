"""The content of the bundles and of the files next to them; nothing is built here."""

from __future__ import annotations

import configparser
import importlib
import os
import plistlib
import re
import shutil
import struct
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from workbench import __version__
from workbench.gui.services.assets import program_icon

ROOT = Path(__file__).parents[2]
PACKAGING = ROOT / "packaging"


def _module(name: str, monkeypatch: pytest.MonkeyPatch, folder: Path = PACKAGING) -> ModuleType:
    monkeypatch.syspath_prepend(str(folder))
    return importlib.import_module(name)


@pytest.fixture
def build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return _module("build", monkeypatch)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("PySide6/Qt/lib/libQt6Widgets.so.6", True),
        ("PySide6/Qt/lib/libQt6OpenGL.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6\\Qt6Qml.dll", False),
        ("PySide6\\Qt6Core.dll", True),
        ("PySide6\\opengl32sw.dll", False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", False),
        ("PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so", False),
        ("PySide6/Qt/plugins/imageformats/libqsvg.so", True),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("PySide6/Qt/translations/qtbase_fr.qm", False),
        ("libgtk-3.so.0", False),
        ("numpy/tests/test_all.py", False),
        ("workbench/_shipped/sample_data/README.md", True),
        ("_polars_runtime_32/_polars_runtime.abi3.so", True),
    ],
)
def test_that_a_bundle_contains_only_what_the_program_uses(
    name: str, kept: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _module("contents", monkeypatch, PACKAGING / "bundle").is_used(name) == kept


def test_that_the_console_of_a_bundle_starts_without_qt(monkeypatch: pytest.MonkeyPatch) -> None:
    contents = _module("contents", monkeypatch, PACKAGING / "bundle")
    scripts = ("pyi_rth_inspect", "pyi_rth_pyside6", "pyi_rth_multiprocessing", "console", "window")
    started = {
        program: [name for name in scripts if contents.runs_in(program, name)] for program in ("console", "window")
    }
    assert started == {
        "console": ["pyi_rth_inspect", "pyi_rth_multiprocessing", "console"],
        "window": ["pyi_rth_inspect", "pyi_rth_pyside6", "pyi_rth_multiprocessing", "window"],
    }


def test_that_a_package_that_is_too_large_is_rejected(
    build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "ROOT", tmp_path)
    (tmp_path / "large").write_bytes(bytes(3_000_000))
    assert build.checked(tmp_path / "large", 3) == tmp_path / "large"
    with pytest.raises(build.BuildError, match="3 MB; at most 2"):
        build.checked(tmp_path / "large", 2)


def test_that_the_release_notes_are_the_section_of_the_version(build: ModuleType) -> None:
    text = "# Changelog\n\n## 0.2.0 — later\n- new\n\n## 0.1.0 — now\n### Added\n- old\n"
    assert build.notes(text, "0.2.0") == "- new\n"
    assert build.notes(text, "0.1.0") == "### Added\n- old\n"
    with pytest.raises(build.BuildError, match=r"no heading for version 0\.3\.0"):
        build.notes(text, "0.3.0")
    assert build.notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), build.version())


def test_that_the_version_is_declared_in_one_place(build: ModuleType) -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["dynamic"] == ["version"]
    assert settings["tool"]["hatch"]["version"]["path"] == "workbench/__init__.py"
    assert build.version() == __version__


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed here")
@pytest.mark.parametrize(("tag", "status"), [(f"v{__version__}", 0), ("v99.0.0", 1), (__version__, 1)])
def test_that_a_release_stops_if_its_tag_differs_from_the_version(tag: str, status: int, tmp_path: Path) -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    (line,) = re.findall(r"name: The tag names the version of the program\n +run: (.+)", workflow)
    variables = os.environ | {"GITHUB_REF_NAME": tag, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    assert subprocess.run(["bash", "-e", "-c", line], cwd=ROOT, env=variables).returncode == status


@pytest.mark.parametrize("address", ["", "https://example.org/vdi"])
def test_that_the_public_address_is_declared_in_one_place(
    build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(build, "ROOT", tmp_path)
    urls = f'[project.urls]\nHomepage = "{address}"\n' if address else ""
    (tmp_path / "pyproject.toml").write_text(f'[project]\nname = "vdi-workbench"\n{urls}', encoding="utf-8")
    monkeypatch.setattr(build, "version", lambda: "1.2.3")
    build.stage_linux(tmp_path / "share")
    described = (tmp_path / "share/metainfo/vdi_workbench.VdiWorkbench.metainfo.xml").read_text(encoding="utf-8")
    assert re.findall(r'<url type="homepage">(.*)</url>', described) == ([address] if address else [])
    package = build.winget("https://example.org/setup.exe", "A" * 64)["VDIWorkbench.VDIWorkbench.locale.en-US.yaml"]
    assert re.findall('PackageUrl: "(.*)"', package) == ([address] if address else [])
    assert "@" not in described + package


def test_that_the_icon_has_every_size_in_the_file_of_each_system(monkeypatch: pytest.MonkeyPatch) -> None:
    icons = _module("icons", monkeypatch)
    _, kind, count = struct.unpack_from("<HHH", icons.ico())
    assert (kind, count) == (1, len(icons.SIZES))
    apple = icons.icns()
    assert apple.startswith(b"icns")
    assert struct.unpack_from(">I", apple, 4) == (len(apple),)
    assert icons.png(48).startswith(b"\x89PNG")


def test_that_the_packages_carry_the_icon_of_the_window(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = QImage.fromData(_module("icons", monkeypatch).png(64)).convertToFormat(QImage.Format.Format_RGB32)
    shown = program_icon().pixmap(64, 64).toImage().convertToFormat(QImage.Format.Format_RGB32)
    assert packed == shown


def test_that_the_notices_name_every_library_with_its_licence(monkeypatch: pytest.MonkeyPatch) -> None:
    text = _module("notices", monkeypatch).notices()
    for name in ("numpy", "polars", "PySide6_Essentials", "lxml", "pypdf"):
        assert re.search(rf"^{name} [\d.]+\nLicence: (?!not stated)", text, re.MULTILINE | re.IGNORECASE), name
    assert "not stated" not in text
    assert "GNU Lesser General Public License" in text


@pytest.fixture
def share(build: ModuleType, tmp_path: Path) -> Path:
    """The files of Linux in `share`."""
    build.stage_linux(tmp_path / "share")
    return tmp_path / "share"


def test_that_linux_has_a_menu_entry_and_file_types_and_icons_and_pages(share: Path) -> None:
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(share / "applications" / "vdi-workbench.desktop", encoding="utf-8")
    types = ElementTree.parse(share / "mime" / "packages" / "vdi-workbench.xml").getroot()
    declared = {str(kind.get("type")) for kind in types}
    assert declared <= set(entry["Desktop Entry"]["MimeType"].split(";"))
    assert {glob.get("pattern") for glob in types.iter() if glob.tag.endswith("glob")} == {"*.vdiwb", "*.vdibundle"}
    assert (share / "icons/hicolor/48x48/apps" / f"{entry['Desktop Entry']['Icon']}.png").is_file()
    assert (share / "man/man1/vdiwb.1").is_file()
    assert (share / "zsh/site-functions/_vdiwb").is_file()
    (described,) = (share / "metainfo").iterdir()
    assert f'version="{__version__}"' in described.read_text(encoding="utf-8")
    for command in (
        # The identifier contains no domain, because the program has no public address yet.
        ["appstreamcli", "validate", "--no-net", "--override=cid-desktopapp-is-not-rdns=info", described],
        ["desktop-file-validate", share / "applications" / "vdi-workbench.desktop"],
    ):
        if shutil.which(str(command[0])):
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stdout


@pytest.mark.skipif(os.name == "nt", reason="install.sh is for Linux")
def test_that_the_tarball_installs_and_removes_itself(share: Path, tmp_path: Path) -> None:
    top, prefix = share.parent, tmp_path / "a prefix"
    shutil.copy(PACKAGING / "linux" / "install.sh", top)
    (top / "vdi-workbench").mkdir()
    for name in ("vdiwb", "vdi-workbench"):
        (top / "vdi-workbench" / name).write_text(f"#!/bin/sh\necho {name} ran\n", encoding="utf-8")
        (top / "vdi-workbench" / name).chmod(0o755)
    (prefix / "share" / "applications").mkdir(parents=True)
    other = prefix / "share" / "applications" / "other.desktop"
    other.touch()
    for where in (prefix, prefix.name):  # an update is an installation over the older one
        subprocess.run([top / "install.sh", "--prefix", where], check=True, capture_output=True, cwd=tmp_path)
    done = subprocess.run([prefix / "bin" / "vdiwb"], capture_output=True, text=True)
    assert done.stdout == "vdiwb ran\n"
    entry = (prefix / "share" / "applications" / "vdi-workbench.desktop").read_text(encoding="utf-8")
    assert f'\nExec="{prefix}/bin/vdi-workbench" %F\n' in entry, "the menu need not know the folder of the programs"
    subprocess.run([top / "install.sh", "--prefix", prefix, "--remove"], check=True, capture_output=True)
    left = [file for file in prefix.rglob("*") if "vdi" in file.name]
    assert (left, other.is_file()) == ([], True)


def test_that_the_winget_manifest_names_version_address_and_digest(build: ModuleType) -> None:
    texts = build.winget("https://example.org/setup.exe", "A" * 64)
    assert len(texts) == 3
    assert all(f'PackageVersion: "{__version__}"' in text for text in texts.values())
    assert not any("@" in text for text in texts.values())
    assert 'InstallerUrl: "https://example.org/setup.exe"' in texts["VDIWorkbench.VDIWorkbench.installer.yaml"]


def test_that_macos_opens_both_file_types_with_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    written = plistlib.dumps(_module("macos", monkeypatch, PACKAGING / "bundle").INFO)
    info = plistlib.loads(written)
    kinds = {ending for kind in info["CFBundleDocumentTypes"] for ending in kind["CFBundleTypeExtensions"]}
    assert (kinds, info["CFBundleExecutable"]) == ({"vdiwb", "vdibundle"}, "vdi-workbench")


def test_that_the_windows_bundle_has_no_programs_of_this_system(
    build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A zip for Windows packed after a bundle for Linux contained that bundle."""
    monkeypatch.setattr(build, "FOLDER", tmp_path / "here")
    monkeypatch.setattr(build, "WINDOWS_FOLDER", tmp_path / "windows")
    for file in ("here/vdiwb", "windows/vdiwb.exe"):
        with pytest.raises(build.BuildError, match=f"no bundle with {Path(file).name} yet"):
            build.bundle_with(Path(file).name)
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).touch()
        assert build.bundle_with(Path(file).name) == (tmp_path / file).parent


def test_that_no_shipped_file_has_two_names_that_differ_only_in_case() -> None:
    """The installer associates both kinds of files with the window, and copies the folder of the bundle."""
    script = (PACKAGING / "windows" / "vdi-workbench.iss").read_text(encoding="utf-8")
    for ending in (".vdiwb", ".vdibundle"):
        assert f"Software\\Classes\\{ending}" in script
    assert 'Source: "{#Folder}\\*"' in script
