"""The claims of SECURITY.md: no connection is opened, and only named files and the column store are written."""

from __future__ import annotations

import hashlib
import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.builders import disk_csv, steady_runs
from tests.tools.cluster.running import dask_scheduler
from tests.docs.pages import ROOT, text_of
from workbench.cli import main

FIGURES = ("18,000", "2,020", "19 ", "within a second")


@pytest.mark.parametrize("figure", FIGURES)
def test_that_the_security_page_repeats_figures_of_their_source_pages(figure: str) -> None:
    assert figure in text_of("SECURITY.md")
    assert figure in " ".join(text_of("docs/developing/reliability.md").split())


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
    """A file with a line for each connection and each written file of every started Python process."""
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
        pytest.param(("export", "sample_data/xenapp-pvs-ram-cache", "-o", "{out}/review.html"), marks=pytest.mark.slow),
        ("export", "sample_data/xenapp-pvs-ram-cache", "-o", "{out}/review.xlsx"),
    ],
    ids=["summary", "page", "workbook"],
)
def test_that_no_connection_is_opened_and_only_named_folders_are_written(
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
def test_that_a_cluster_connects_only_to_the_named_scheduler(watched: Path, tmp_path: Path) -> None:
    disk_csv(tmp_path / "lab" / "mcs" / "guest" / "W10-001.csv", "W10-001", [8.0] * 24, [16.0] * 24)
    (tmp_path / "cluster").mkdir()
    # The scheduler and its worker have a search their own path: they are not watched.
    with dask_scheduler(tmp_path / "cluster") as engine:
        command = ["import", str(tmp_path / "lab"), "--store", str(tmp_path / "store"), "--engine", engine]
        done = subprocess.run(
            [sys.executable, "-m", "workbench.cli", *command],
            cwd=ROOT, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    host, port = engine.removeprefix("dask://").split(":")
    # Only the name of the host is looked up.
    assert set(lines(watched, "connects")) == {host, str((host, int(port)))}


@pytest.mark.skipif(sys.platform == "win32", reason="the search path of the watch has colons")
def test_that_the_watch_detects_a_connection_and_a_file(watched: Path, tmp_path: Path) -> None:
    code = f"import socket; open({str(tmp_path / 'x')!r}, 'w'); socket.socket().connect(('127.0.0.1', 9))"
    subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert lines(watched, "connects") == ["('127.0.0.1', 9)"]
    assert str(tmp_path / "x") in lines(watched, "writes")


def marked_by(marker: Path) -> bytes:
    """A pickle file that creates a folder when it is loaded."""

    class Payload:
        def __reduce__(self) -> tuple[object, ...]:
            return os.mkdir, (str(marker),)

    return pickle.dumps(Payload())


def test_that_a_pickle_file_with_any_name_is_not_loaded(tmp_path: Path, own_store: None) -> None:
    marker, results = tmp_path / "marker", tmp_path / "results"
    steady_runs(results)
    for ending in (
        "csv",
        "tsv",
        "json",
        "xml",
        "html",
        "txt",
        "blg",
        "zip",
        "toml",
        "parquet",
        "vdiwb",
        "vdibundle",
        "pkl",
    ):
        (results / f"evil.{ending}").write_bytes(marked_by(marker))
    assert main(["inspect", str(results)]) in (0, 1)
    for ending in ("vdiwb", "vdibundle"):
        assert main(["summary", str(results / f"evil.{ending}")]) == 2
    (tmp_path / "evil.xlsx").write_bytes(marked_by(marker))
    book = tmp_path / "book.xlsx"
    assert main(["export", str(results), "-o", str(book), "--template", str(tmp_path / "evil.xlsx")]) == 2
    assert not marker.exists()
    pickle.loads(marked_by(marker))
    assert marker.exists()


MODULES = ("pickle", "socket", "json", "struct", "csv", "multiprocessing", "signal", "numpy", "polars", "sitecustomize")


def test_that_no_program_in_a_results_folder_is_run(tmp_path: Path) -> None:
    """The user opens a console in the folder, where Python itself would look for modules first."""
    steady_runs(tmp_path / "results" / "lab")
    for module in MODULES:
        marker = tmp_path / f"ran-{module}"
        (tmp_path / "results" / f"{module}.py").write_text(f"open({str(marker)!r}, 'w')", encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": str(ROOT), "VDI_WORKBENCH_STORE": str(tmp_path / "store")}
    command = [sys.executable, "-m", "workbench", "summary", "."]
    done = subprocess.run(
        command, cwd=tmp_path / "results", env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert [path.name for path in tmp_path.glob("ran-*")] == []
    assert done.returncode == 0, done.stderr


def test_that_result_files_are_unchanged_and_no_file_is_added_next_to_them(tmp_path: Path, own_store: None) -> None:
    for name in ("damaged", "xenapp-pvs-ram-cache"):
        shutil.copytree(ROOT / "sample_data" / name, tmp_path / "results" / name)

    def content() -> dict[str, str]:
        files = [path for path in (tmp_path / "results").rglob("*") if path.is_file()]
        return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}

    before = content()
    opened = [str(folder) for folder in (tmp_path / "results").iterdir()]
    assert main(["inspect", *opened]) in (0, 1)
    assert main(["export", *opened, "-o", str(tmp_path / "book.xlsx")]) in (0, 1)
    assert content() == before


# Each claim of the page -> the tests that show it.
CLAIMS = {
    "It only opens network connections that you request": (
        "tests/docs/test_security.py::test_that_no_connection_is_opened_and_only_named_folders_are_written",
        "tests/docs/test_security.py::test_that_a_cluster_connects_only_to_the_named_scheduler",
        "tests/study/test_cluster.py::test_that_an_unknown_engine_ends_with_2",
    ),
    "its content security policy blocks all network access": (
        "tests/exporters/page/test_page.py::test_that_the_policy_names_every_script_and_style_by_its_hash",
    ),
    "are never executed or unpickled": (
        "tests/docs/test_security.py::test_that_a_pickle_file_with_any_name_is_not_loaded",
        "tests/docs/test_security.py::test_that_no_program_in_a_results_folder_is_run",
    ),
    "XML entities are rejected": ("tests/readers/test_diskspd_xml.py::test_that_an_xml_attack_is_rejected_by_name",),
    "cannot become a formula, a link or markup": (
        "tests/exporters/test_safety.py::test_that_no_cell_of_a_workbook_is_a_formula_made_of_a_name",
        "tests/exporters/test_safety.py::test_that_no_slide_has_a_link_or_a_control_character",
        "tests/exporters/test_safety.py::test_that_no_name_becomes_markup_or_a_link_of_a_page",
        "tests/gui/test_names_stay_plain.py::test_that_every_page_and_view_shows_names_as_text",
    ),
    "copied to the export without changes": ("tests/exporters/test_template.py::test_that_macros_are_kept",),
    "It only writes files that you name": (
        "tests/docs/test_security.py::test_that_no_connection_is_opened_and_only_named_folders_are_written",
    ),
    "never changes a result file": (
        "tests/docs/test_security.py::test_that_result_files_are_unchanged_and_no_file_is_added_next_to_them",
    ),
    "only when the new file is complete": (
        "tests/exporters/test_safe_file.py::test_that_a_file_that_fails_its_check_never_replaces_the_old_one",
    ),
    "does not follow links to folders": (
        "tests/study/test_hostile_folder.py::test_that_links_are_named_and_not_followed_in_circles",
        "tests/study/test_paths_of_windows.py::test_that_a_junction_is_named_and_not_followed",
    ),
    "never opens pipes, sockets or devices": (
        "tests/study/test_hostile_folder.py::test_that_pipes_and_sockets_are_named_and_never_opened",
    ),
    "does not use the file names in the archive": (
        "tests/study/test_hostile_archives.py::test_that_a_member_with_a_dangerous_name_is_rejected_by_name",
    ),
    "The size of a bundle is checked": (
        "tests/session/test_bundle_bounds.py::test_that_opening_a_bundle_needs_no_more_memory_than_a_valid_one_of_its_size",
    ),
    "Each file is read in a separate process": (
        "tests/study/test_import_pool.py::test_that_a_worker_fault_affects_only_its_file",
    ),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_that_a_claim_is_on_the_page_and_its_tests_exist(claim: str) -> None:
    assert claim in " ".join(text_of("SECURITY.md").split())
    for test in CLAIMS[claim]:
        file, _, name = test.partition("::")
        assert re.search(rf"^def {name}\(", text_of(file), re.MULTILINE), test


def test_that_every_claim_on_the_page_has_tests() -> None:
    page = " ".join(text_of("SECURITY.md").partition("## What was tested")[0].split())
    bullets = page.split("- **")[1:]
    assert len(bullets) == 6
    assert [bullet for bullet in bullets if not any(claim in bullet for claim in CLAIMS)] == []
