"""What SECURITY.md says: no connection is opened, and nothing is written but what was named and the column store."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, text_of

FIGURES = ("18,000 damages", "2,020", "19 hostile bundles", "within a second")


@pytest.mark.parametrize("figure", FIGURES)
def test_that_the_figures_are_those_of_the_page_that_owns_them(figure: str) -> None:
    assert figure in text_of("SECURITY.md")
    assert figure in " ".join(text_of("docs/reliability.md").split())


# An audit hook sees every connection and every file opened for writing by Python, in this process and in its workers.
WATCH = """
import os, sys

def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind", "socket.sendto"):
        address = arguments[1] if event != "socket.getaddrinfo" else arguments[0]
        # A name of the file system joins processes of this machine.
        if event == "socket.getaddrinfo" or not isinstance(address, (str, bytes)):
            note("connects", address)
    elif event == "open" and isinstance(arguments[0], str) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        note("writes", os.path.abspath(arguments[0]))
    elif event in ("os.rename", "os.remove", "os.mkdir"):
        for name in arguments[:2] if event == "os.rename" else arguments[:1]:
            note("writes", os.path.abspath(os.fsdecode(name)))

def note(what, which):
    with os.fdopen(os.open(os.environ["WATCHED"], os.O_WRONLY | os.O_APPEND | os.O_CREAT), "a") as log:
        log.write(f"{what} {which}\\n")

busy = []
def once(event, arguments):
    if not busy:
        busy.append(1)
        try:
            watch(event, arguments)
        finally:
            busy.pop()

sys.addaudithook(once)
"""


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that gets a line for each connection and each file written, of every Python that is started."""
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(WATCH, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path / 'hook'}:{ROOT}")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setenv("WATCHED", str(tmp_path / "log"))
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    monkeypatch.setenv("VDI_WORKBENCH_SETTINGS", str(tmp_path / "settings" / "settings.json"))
    return tmp_path / "log"


def lines(log: Path, what: str) -> list[str]:
    said = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return [line.removeprefix(f"{what} ") for line in said if line.startswith(f"{what} ")]


@pytest.mark.skipif(sys.platform == "win32", reason="the search path of the watch has colons")
@pytest.mark.parametrize(
    "arguments",
    [
        ("summary", "sample_data/windows-7-mcs-and-pvs"),
        ("export", "sample_data/rds-mcsio-cache-sweep", "-o", "{out}/review.html"),
        ("export", "sample_data/rds-mcsio-cache-sweep", "-o", "{out}/review.xlsx"),
    ],
    ids=["summary", "page", "workbook"],
)
def test_that_no_connection_is_opened_and_only_named_places_are_written(
    arguments: tuple[str, ...], watched: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    command = [sys.executable, "-m", "workbench.cli", *(word.format(out=out) for word in arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert lines(watched, "connects") == []
    written = lines(watched, "writes")
    assert any(name.startswith(str(tmp_path / "store")) for name in written), "the watch saw nothing"
    places = ("store", "settings", "out", "temporary")
    allowed = ("/dev/", *(str(tmp_path / place) for place in places))
    assert sorted({name for name in written if not name.startswith(allowed)}) == []


@pytest.mark.skipif(sys.platform == "win32", reason="the search path of the watch has colons")
def test_that_the_watch_sees_a_connection_and_a_file(watched: Path, tmp_path: Path) -> None:
    code = f"import socket; open({str(tmp_path / 'x')!r}, 'w'); socket.socket().connect(('127.0.0.1', 9))"
    subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert lines(watched, "connects") == ["('127.0.0.1', 9)"]
    assert str(tmp_path / "x") in lines(watched, "writes")
