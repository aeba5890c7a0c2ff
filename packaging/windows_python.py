"""Python for Windows under Wine: installed in a cache folder, where it runs programs.

Everything is on drive C: of one Wine prefix: `C:\\python` with the wheels for Windows, `C:\\checkout`, `C:\\store` and
`C:\\results`. Maven and uv find their registries in their own configuration.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import struct
import subprocess
import sys
import time
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# CPython 3.11 for Windows, and the C runtime of Microsoft. Wine 8 has its own runtime, but it lacks functions that
# numpy calls (crealf and others of <complex.h>).
PYTHON = "org.bytedeco:cpython:3.11.3-1.5.9:jar:windows-x86_64"
RUNTIME = "org.openjfx:javafx-graphics:17.0.2:jar:win"
COMPILER = "x86_64-w64-mingw32-gcc"
OBJDUMP = "x86_64-w64-mingw32-objdump"
# Command -> the package to install for it.
NEEDED = {
    "wine": "apt-get install wine wine64",
    "wineserver": "apt-get install wine wine64",
    "mvn": "apt-get install maven",
    COMPILER: "apt-get install gcc-mingw-w64-x86-64-win32",
    OBJDUMP: "apt-get install binutils-mingw-w64-x86-64",
    "uv": "pip install uv",
    "git": "apt-get install git",
}
# Checks of the source; they do not run the program.
_NOT_FOR_WINDOWS = ("ruff", "mypy", "import-linter")
# The bundle for Windows is built and started here.
BUNDLE = r"C:\dist\vdi-workbench"
# Increase this number when this file prepares something differently than before.
_VERSION = 2
# Microsoft's C runtime before Wine's own, and no prompt to install Mono and Gecko.
_LIBRARIES = "ucrtbase=n,b;mscoree,mshtml="
_PATIENCE_S = 1800

# Polars takes random numbers from bcryptprimitives.dll, which Wine 8 does not have.
_RANDOM = """
#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE bytes, SIZE_T count)
{
    const ULONG at_once = 1u << 20;
    SIZE_T done = 0;
    while (done < count) {
        ULONG part = count - done < at_once ? (ULONG)(count - done) : at_once;
        if (!RtlGenRandom(bytes + done, part))
            return FALSE;
        done += part;
    }
    return TRUE;
}
"""
# A DLL that only forwards calls needs only an entry point.
_FORWARDER = "int __stdcall DllMainCRTStartup(void *module, unsigned reason, void *unused) { return 1; }\n"
# Qt loads the Windows text converters of ICU. Without them, Qt uses its own for UTF-8, UTF-16 and Latin 1.
_NO_CONVERTER = """
__declspec(dllexport) void *{name}(const char *name, int *status)
{{
    const int file_access_error = 4;
    if (status)
        *status = file_access_error;
    return 0;
}}
"""
_NOTHING = "__declspec(dllexport) void *{name}(void) {{ return 0; }}\n"


class PreparationError(Exception):
    """The reason why Windows' Python could not be prepared, as a sentence."""


@dataclass(frozen=True)
class Ended:
    """The end of a program: its exit status (None: it took too long), its output, and its duration."""

    status: int | None
    output: str
    errors: str
    seconds: float


@dataclass(frozen=True)
class Windows:
    """Drive C: of a Wine prefix that contains Python."""

    cache: Path

    @property
    def prefix(self) -> Path:
        """The folder of the Wine prefix."""
        return self.cache / "prefix"

    @property
    def drive(self) -> Path:
        """Drive C: as a folder of this machine."""
        return self.prefix / "drive_c"

    def python(self, *arguments: str, patience_s: float = _PATIENCE_S) -> Ended:
        """Runs Windows' Python in C:\\checkout."""
        return self.run(r"C:\python\python.exe", *arguments, patience_s=patience_s)

    def run(self, *command: str, patience_s: float = _PATIENCE_S) -> Ended:
        """Runs one program to its end. Its output goes to pipes: programs under Wine fail with a console or a file."""
        checkout = self.drive / "checkout"
        start = time.monotonic()
        folder = checkout if checkout.is_dir() else self.cache
        pipe = subprocess.PIPE
        with subprocess.Popen(
            ["wine", *command], stdin=pipe, stdout=pipe, stderr=pipe, env=self._environment(), cwd=folder
        ) as program:
            try:
                output, errors = program.communicate(timeout=patience_s)
                status: int | None = program.returncode
            except subprocess.TimeoutExpired:
                self.stop()
                output, errors = program.communicate()
                status = None
        return Ended(status, _text(output), _text(errors), time.monotonic() - start)

    def stop(self) -> None:
        """Ends every program of this prefix, and no other."""
        subprocess.run(["wineserver", "-k"], env=self._environment(), check=False, capture_output=True)

    def _environment(self) -> dict[str, str]:
        return windows_environment(os.environ, self.prefix)


def windows_environment(own: Mapping[str, str], prefix: Path) -> dict[str, str]:
    """The environment of a Windows program: that of this process, without the variables that configure Python or the
    program on this machine.

    Wine passes on no variable that begins with QT_. The tests and `--screenshot` choose the offscreen platform.
    """
    ours = ("PYTHON", "VIRTUAL_ENV", "VDI_WORKBENCH_", "PYTEST_", "UV_", "PIP_", "DISPLAY")
    kept = {name: value for name, value in own.items() if not name.startswith(ours)}
    return kept | {
        "LC_ALL": "C.UTF-8",  # Wine maps it to Windows' code page 1252, the one of most of Europe and America
        "WINEPREFIX": str(prefix),
        "WINEARCH": "win64",
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": _LIBRARIES,
        "VDI_WORKBENCH_STORE": r"C:\store",
        # Workers take minutes to start if Wine shares a busy machine. Tests of the window wait that long for them.
        "TESTS_WAIT_MS": "600000",
    }


def kept(name: str) -> Path:
    """A folder in the user's cache folder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "vdi-workbench" / name


@contextmanager
def alone(cache: Path) -> Iterator[Windows]:
    """Windows in this cache folder, for one check at a time. Its programs are ended afterwards. Raises
    PreparationError.
    """
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PreparationError(f"Another check runs in {cache}. Wait for it, or name another --cache.") from None
        windows = Windows(cache)
        try:
            yield windows
        finally:
            windows.stop()


def missing_tools() -> list[str]:
    """The tools that are not installed, each with the command that installs it."""
    return [f"{tool} ({source})" for tool, source in NEEDED.items() if shutil.which(tool) is None]


def prepare(windows: Windows, project: Path) -> None:
    """Installs Python and its wheels, unless the cache has them. Raises PreparationError."""
    settings = tomllib.loads(project.read_text(encoding="utf-8"))
    requirements, pinned = wheels_for_windows(settings)
    stamp = windows.cache / "prepared.txt"
    wanted = _fingerprint(requirements, pinned)
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return
    stamp.unlink(missing_ok=True)
    shutil.rmtree(windows.prefix, ignore_errors=True)
    windows.cache.mkdir(parents=True, exist_ok=True)
    _make_prefix(windows)
    _unpack_python(windows)
    _install_wheels(windows, requirements, pinned)
    _build_stand_ins(windows)
    stamp.write_text(wanted, encoding="utf-8")


def wheels_for_windows(settings: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """The packages that the program and its tests require, with exact versions, from a pyproject.toml."""
    tests = [line for line in settings["dependency-groups"]["dev"] if not line.startswith(_NOT_FOR_WINDOWS)]
    return [*settings["project"]["dependencies"], *tests], settings["tool"]["uv"]["constraint-dependencies"]


def _fingerprint(requirements: Iterable[str], pinned: Iterable[str]) -> str:
    parts = [str(_VERSION), PYTHON, RUNTIME, *requirements, "", *pinned]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _make_prefix(windows: Windows) -> None:
    _tell("a Wine prefix, as Windows 10")
    for command in (("wineboot", "-i"), ("winecfg", "-v", "win10")):
        ended = windows.run(*command)
        if ended.status != 0:
            raise PreparationError(f"wine {' '.join(command)} failed: {ended.errors.strip() or ended.status}")


def _unpack_python(windows: Windows) -> None:
    _tell("Python for Windows")
    python = windows.drive / "python"
    with zipfile.ZipFile(_downloaded(windows, PYTHON)) as archive:
        inside = "org/bytedeco/cpython/windows-x86_64/"
        for name in archive.namelist():
            part = name.removeprefix(inside)
            if name.startswith(inside) and not name.endswith("/") and _belongs(part):
                _write(python / part, archive.read(name))
    for library in (python / "lib").glob("vcruntime140*.dll"):
        _write(python / library.name, library.read_bytes())
    with zipfile.ZipFile(_downloaded(windows, RUNTIME)) as archive:
        _write(_system(windows) / "ucrtbase.dll", archive.read("ucrtbase.dll"))


def _belongs(part: str) -> bool:
    """True if a file of the archive is needed. Tests and packages of the archive are not."""
    return not part.startswith(("lib/test/", "lib/site-packages/", "bin/", "include/", "share/"))


def _downloaded(windows: Windows, artifact: str) -> Path:
    """The file of a Maven artifact; Maven keeps it for later."""
    folder = windows.cache / "downloads" / artifact.replace(":", "_")
    if not list(folder.glob("*.jar")):
        _call("mvn", "-q", "-B", "dependency:copy", f"-Dartifact={artifact}", f"-DoutputDirectory={folder}")
    return next(folder.glob("*.jar"))


def _install_wheels(windows: Windows, requirements: Iterable[str], pinned: Iterable[str]) -> None:
    _tell("the wheels for Windows")
    target = install_wheels(windows, requirements, pinned)
    # The offscreen platform warns if this folder is missing. The program has its own fonts.
    (target / "PySide6" / "lib" / "fonts").mkdir(parents=True)


def install_wheels(windows: Windows, requirements: Iterable[str], pinned: Iterable[str]) -> Path:
    """Adds wheels to Windows' Python and returns their folder. Raises PreparationError."""
    wanted, versions = windows.cache / "requirements.txt", windows.cache / "constraints.txt"
    wanted.write_text("\n".join(requirements), encoding="utf-8")
    versions.write_text("\n".join(pinned), encoding="utf-8")
    target = windows.drive / "python" / "lib" / "site-packages"
    system = ("--python-version", "3.11", "--python-platform", "x86_64-pc-windows-msvc", "--only-binary", ":all:")
    _call("uv", "pip", "install", "--quiet", "--target", str(target), *system, "-c", str(versions), "-r", str(wanted))
    return target


def _build_stand_ins(windows: Windows) -> None:
    """Builds three DLLs that every Windows has but Wine 8 or this Python lacks."""
    _tell("the DLLs that Wine lacks")
    python = windows.drive / "python"
    names = exported_names((python / "libs" / "python3.lib").read_bytes())
    forwards = "".join(f"  {name} = python311.{name}\n" for name in names)
    _build(windows, python / "python3.dll", _FORWARDER, f"LIBRARY python3.dll\nEXPORTS\n{forwards}")
    _build(windows, _system(windows) / "bcryptprimitives.dll", _RANDOM)
    qt = _call(OBJDUMP, "-p", str(python / "lib" / "site-packages" / "PySide6" / "Qt6Core.dll"))
    converters = imported_names(qt, "icuuc.dll")
    _build(windows, _system(windows) / "icuuc.dll", "".join(map(_converter, converters)))


def _converter(name: str) -> str:
    return (_NO_CONVERTER if name == "ucnv_open" else _NOTHING).format(name=name)


def _build(windows: Windows, library: Path, code: str, exports: str = "") -> None:
    folder = windows.cache / "stand-ins"
    source, definitions = folder / f"{library.stem}.c", folder / f"{library.stem}.def"
    _write(source, code.encode())
    arguments = ["-shared", "-Os", "-o", str(folder / library.name), str(source)]
    if exports:
        _write(definitions, exports.encode())
        arguments += ["-nostdlib", str(definitions)]
    else:
        arguments += ["-ladvapi32"]
    _call(COMPILER, *arguments)
    _write(library, (folder / library.name).read_bytes())


def exported_names(import_library: bytes) -> list[str]:
    """The functions and data of an import library, from the index at its start (its first "linker member")."""
    header = 8 + 60  # "!<arch>\n", then the header of the member
    (count,) = struct.unpack_from(">I", import_library, header)
    names = import_library[header + 4 + 4 * count :].split(b"\0", count)[:count]
    prefix = b"__imp_"
    return sorted({name.removeprefix(prefix).decode() for name in names if name.startswith(prefix)})


def imported_names(dump: str, library: str) -> list[str]:
    """The names that a program imports from a DLL, from the output of `objdump -p`."""
    names: list[str] = []
    inside = False
    for line in dump.splitlines():
        words = line.split()
        if words[:2] == ["DLL", "Name:"]:
            inside = words[2:] == [library]
        elif inside and len(words) == 3 and words[1].isdigit():
            names.append(words[2])
    return names


def _system(windows: Windows) -> Path:
    return windows.drive / "windows" / "system32"


def _write(file: Path, content: bytes) -> None:
    """Replaces a file. Wine's own DLLs are links, and writing through a link would change Wine."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.unlink(missing_ok=True)
    file.write_bytes(content)


def _call(*command: str) -> str:
    """The output of a program of this machine. Raises PreparationError if the program fails."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        said = (ended.stderr or ended.stdout).strip()[-2000:]
        raise PreparationError(f"{command[0]} failed with status {ended.returncode}: {said}")
    return ended.stdout


def _text(written: bytes) -> str:
    return written.decode("utf-8", errors="replace").replace("\r\n", "\n")


def _tell(what: str) -> None:
    sys.stderr.write(f"Preparing {what} …\n")
