"""Builds what ships, one command for each package: `uv run --group bundle python packaging/build.py PACKAGE`.

The results are written to `dist/`. `wheel`, `notes`, `notices` and `winget` work on each system; `bundle` makes the
folder for the system it runs on; `tarball` (Linux), `zip` and `installer` (Windows) and `app` (macOS) pack that folder.
`windows` makes the folder and its zip for Windows on a Linux machine, under Wine.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import time
import tomllib
import zipfile
from collections.abc import Callable, Mapping
from functools import reduce
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
DIST = ROOT / "dist"
FOLDER = DIST / "vdi-workbench"
# Made on Linux, under Wine; files made on Windows itself are in FOLDER.
WINDOWS_FOLDER = DIST / "windows" / "vdi-workbench"
MOST_UNPACKED_MB, MOST_PACKED_MB = 400, 150
_MB = 1e6
# Large libraries with symbols for debuggers. numpy's own libraries stay unchanged, because they were moved after
# linking.
_STRIPPED = ("_polars_runtime_32/*.so", "xxhash/*.so", "msgspec/*.so", "libpython*.so*", "python3*/lib-dynload/*.so")


class BuildError(Exception):
    """The reason why a package could not be built, as a sentence."""


def version() -> str:
    """The version of the program; only `workbench/__init__.py` states it."""
    text = (ROOT / "workbench" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    assert found is not None
    return found[1]


def homepage() -> str:
    """The public address of the program, from `[project.urls]` of pyproject.toml; empty if there is none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project.get("urls", {}).get("Homepage", ""))


def filled(text: str, values: Mapping[str, str]) -> str:
    """The text with its placeholders (`@VERSION@`) replaced. A line whose placeholder has an empty value is
    left out.
    """
    lines = []
    for line in text.splitlines(keepends=True):
        marks = [mark for mark in values if f"@{mark}@" in line]
        if all(values[mark] for mark in marks):
            lines.append(reduce(lambda part, mark: part.replace(f"@{mark}@", values[mark]), marks, line))
    return "".join(lines)


def notes(changelog: str, wanted: str) -> str:
    """The section of CHANGELOG.md on a version. Raises BuildError if there is none."""
    for section in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        heading, _, text = section.partition("\n")
        if heading.split()[0].strip("[]") == wanted:
            return text.strip() + "\n"
    raise BuildError(f"CHANGELOG.md has no heading for version {wanted}.")


def megabytes(path: Path) -> float:
    """The size of a file, or of all files in a folder, in MB."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink()) / _MB


def checked(path: Path, most_mb: float) -> Path:
    """Returns the path and prints its size. Raises BuildError if it is too large."""
    size = megabytes(path)
    sys.stdout.write(f"{path.relative_to(ROOT)}: {size:.0f} MB, at most {most_mb:.0f}\n")
    if size > most_mb:
        raise BuildError(f"{path.name} has {size:.0f} MB; at most {most_mb:.0f} are allowed.")
    return path


def _call(*command: str | Path) -> None:
    ended = subprocess.run([str(part) for part in command], cwd=ROOT, check=False)
    if ended.returncode != 0:
        raise BuildError(f"{Path(str(command[0])).name} failed with status {ended.returncode}.")


def build_wheel() -> None:
    """Builds the source archive and the wheel from it."""
    _call("uv", "build", "--out-dir", DIST)


def build_bundle() -> None:
    """Builds the folder with both programs for this system."""
    work = ROOT / "build"
    prepare_bundle(work)
    _call(sys.executable, "-m", "PyInstaller", "--noconfirm", "--distpath", DIST, "--workpath", work, _SPEC)
    if sys.platform == "linux" and shutil.which("strip"):
        for pattern in _STRIPPED:
            for library in (FOLDER / "_internal").glob(pattern):
                _call("strip", "--strip-unneeded", library)
    finish_bundle(FOLDER)


_SPEC = HERE / "bundle" / "bundle.spec"


def prepare_bundle(work: Path) -> None:
    """Draws the icons of the programs."""
    import icons

    work.mkdir(exist_ok=True)
    (work / "vdi-workbench.ico").write_bytes(icons.ico())
    (work / "vdi-workbench.icns").write_bytes(icons.icns())


def finish_bundle(folder: Path) -> None:
    """Copies the licences into the folder of the programs. Raises BuildError if the folder is too large."""
    import notices

    (folder / "THIRD-PARTY-NOTICES.txt").write_text(notices.notices(), encoding="utf-8", newline="\n")
    shutil.copy(ROOT / "LICENSE", folder / "LICENSE.txt")
    checked(folder, MOST_UNPACKED_MB)


def build_tarball() -> None:
    """Builds the Linux tarball: the bundle, its menu entry, icons, file types, manual pages, completions and
    `install.sh`.
    """
    folder = bundle_with("vdiwb")
    top = f"vdi-workbench-{version()}-linux-{platform.machine()}"
    staged = ROOT / "build" / "tarball"
    shutil.rmtree(staged, ignore_errors=True)
    stage_linux(staged)
    packed = DIST / f"{top}.tar.xz"
    with tarfile.open(packed, "w:xz", preset=6) as archive:
        archive.add(folder, f"{top}/vdi-workbench")
        archive.add(staged, f"{top}/share")
        archive.add(HERE / "linux" / "install.sh", f"{top}/install.sh")
    checked(packed, MOST_PACKED_MB)


def stage_linux(share: Path) -> None:
    """Writes the Linux files of `share` into the folder `share`."""
    import icons
    import shell_files

    linux, completions = HERE / "linux", share / "completions"
    shell_files.write(share, version())
    for source, target in (
        (share / "man1", "man/man1"),
        (completions / "vdiwb.bash", "bash-completion/completions/vdiwb"),
        (completions / "_vdiwb", "zsh/site-functions/_vdiwb"),
        (completions / "vdiwb.fish", "fish/vendor_completions.d/vdiwb.fish"),
    ):
        (share / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.move(source, share / target)
    shutil.copy(share / "bash-completion/completions/vdiwb", share / "bash-completion/completions/vdi-workbench")
    shutil.rmtree(completions)
    day = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    for name, folder in (
        ("vdi-workbench.desktop", "applications"),
        ("vdi-workbench.xml", "mime/packages"),
        ("vdi_workbench.VdiWorkbench.metainfo.xml", "metainfo"),
    ):
        values = {"VERSION": version(), "DATE": day, "HOMEPAGE": homepage()}
        text = filled((linux / name).read_text(encoding="utf-8"), values)
        _written(share / folder / name, text.encode())
    for size in icons.SIZES:
        _written(share / f"icons/hicolor/{size}x{size}/apps/vdi-workbench.png", icons.png(size))
    _written(share / "icons/hicolor/scalable/apps/vdi-workbench.svg", icons.SOURCE.read_bytes())


def _written(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)


def bundle_with(program: str) -> Path:
    """The folder that contains a program, by its file name. Raises BuildError if no folder does."""
    for folder in (FOLDER, WINDOWS_FOLDER):
        if (folder / program).is_file():
            return folder
    made = "windows" if program.endswith(".exe") and os.name != "nt" else "bundle"
    raise BuildError(f"There is no bundle with {program} yet. Build it with: python packaging/build.py {made}")


def build_zip() -> None:
    """Builds the portable zip for Windows: unpack it anywhere and start a program."""
    pack_zip(bundle_with("vdiwb.exe"))


def pack_zip(folder: Path) -> None:
    """Packs a bundle for Windows, without LZMA because Windows Explorer cannot unpack it."""
    packed = DIST / f"vdi-workbench-{version()}-windows-x86_64.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            archive.write(file, Path("vdi-workbench", file.relative_to(folder)))
    checked(packed, MOST_PACKED_MB)


def build_installer() -> None:
    """Builds the Windows installer. Inno Setup 6 must be installed, with `ISCC` on the PATH."""
    folder = bundle_with("vdiwb.exe")
    compiler = shutil.which("ISCC")
    if compiler is None:
        raise BuildError("Inno Setup's compiler ISCC is not on the PATH.")
    values = {"Version": version(), "Folder": folder, "Homepage": homepage()}
    given = [f"/D{name}={value}" for name, value in values.items() if value]
    _call(compiler, *given, f"/O{DIST}", HERE / "windows" / "vdi-workbench.iss")
    checked(DIST / f"vdi-workbench-{version()}-setup.exe", MOST_PACKED_MB)


def build_app() -> None:
    """Builds a zip with the macOS application. `bundle` puts `VDI Workbench.app` next to the folder."""
    app = DIST / "VDI Workbench.app"
    if not app.is_dir():
        raise BuildError("There is no application yet. On macOS, build it with: python packaging/build.py bundle")
    packed = DIST / f"vdi-workbench-{version()}-macos-{os.uname().machine}.zip"
    _call("ditto", "-c", "-k", "--keepParent", app, packed)
    checked(packed, MOST_PACKED_MB)


def build_notices() -> None:
    """Writes THIRD-PARTY-NOTICES.txt for the libraries installed here."""
    import notices

    _written(DIST / "THIRD-PARTY-NOTICES.txt", notices.notices().encode())


def build_notes() -> None:
    """Writes the notes of this version, from CHANGELOG.md."""
    text = notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), version())
    _written(DIST / "NOTES.md", text.encode())


def build_windows() -> None:
    """Builds the folder for Windows and its zip under Wine."""
    import windows_bundle

    windows_bundle.build()


def build_winget(url: str) -> None:
    """Writes the three files for winget, for an installer in `dist/` that will be at `url`."""
    installer = DIST / f"vdi-workbench-{version()}-setup.exe"
    if not installer.is_file():
        raise BuildError("There is no installer yet. Build it with: python packaging/build.py installer")
    for name, text in winget(url, hashlib.sha256(installer.read_bytes()).hexdigest().upper()).items():
        _written(DIST / "winget" / name, text.encode())


def winget(url: str, digest: str) -> dict[str, str]:
    """The contents of the winget files, by file name."""
    values = {"VERSION": version(), "URL": url, "SHA256": digest, "HOMEPAGE": homepage()}
    files = sorted((HERE / "windows" / "winget").glob("*.yaml"))
    return {file.name: filled(file.read_text(encoding="utf-8"), values) for file in files}


def print_version() -> None:
    """Prints the version of the program, for scripts."""
    sys.stdout.write(f"{version()}\n")


PACKAGES: Mapping[str, Callable[[], None]] = {
    "wheel": build_wheel,
    "bundle": build_bundle,
    "tarball": build_tarball,
    "zip": build_zip,
    "installer": build_installer,
    "app": build_app,
    "windows": build_windows,
    "notices": build_notices,
    "notes": build_notes,
    "version": print_version,
}


def main() -> int:
    """Builds one package; returns the exit status."""
    sys.path[:0] = [str(HERE), str(ROOT)]
    parser = argparse.ArgumentParser(description="Builds what ships, into dist/.")
    parser.add_argument("package", choices=[*PACKAGES, "winget"])
    parser.add_argument("--url", help="winget: where the installer will be found")
    options = parser.parse_args()
    DIST.mkdir(exist_ok=True)
    try:
        if options.package == "winget":
            if not options.url:
                parser.error("winget needs --url")
            build_winget(options.url)
        else:
            PACKAGES[options.package]()
    except BuildError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
