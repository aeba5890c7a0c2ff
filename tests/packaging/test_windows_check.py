"""The comparisons that the check on Windows' Python makes, and its handling of failures; Wine is not needed."""

from __future__ import annotations

import importlib
import importlib.util
import os
import struct
import subprocess
import sys
import tomllib
import zipfile
import zlib
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from syrupy.assertion import SnapshotAssertion

if sys.platform != "linux":
    pytest.skip("the check runs on Linux, with Wine", allow_module_level=True)

PACKAGING = Path(__file__).parents[2] / "packaging"
JUNIT = """<testsuites><testsuite>
<testcase classname="tests.study.test_a" name="test_one" file="tests\\study\\test_a.py"/>
<testcase classname="tests.study.test_a.TestB" name="test_two[x/y]" file="tests\\study\\test_a.py">
 <failure message="assert 1 == 2">test_a.py:3: AssertionError</failure></testcase>
<testcase classname="tests.study.test_a" name="test_three" file="tests\\study\\test_a.py"><skipped/></testcase>
<testcase classname="" name="tests.study.test_b"><error message="cannot import"/></testcase>
</testsuite></testsuites>"""


@pytest.fixture
def check(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING))
    return importlib.import_module("windows_check")


@pytest.fixture
def python(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING))
    return importlib.import_module("windows_python")


@pytest.fixture
def compare(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING))
    return importlib.import_module("windows_compare")


def test_that_results_may_differ_in_last_digits_and_separators_only(compare: ModuleType) -> None:
    assert compare.same_text("read lab\\vm 53.098540632473835", "read lab/vm 53.09854063247385")
    assert not compare.same_text("53.0985", "53.0986")
    assert not compare.same_text("—", "0")
    assert not compare.same_text("one line", "one line more")


def test_that_a_path_with_other_separators_is_equal(compare: ModuleType) -> None:
    assert compare.same_text("lab\\run\\run.toml", "lab/run/run.toml")
    assert not compare.same_text("lab\\run/run.toml", "lab/run/run.toml")


def test_that_json_documents_differ_if_a_value_differs(compare: ModuleType, snapshot: SnapshotAssertion) -> None:
    ours = {"runs": [{"vms": 5, "iops": 70.2, "latency": None, "path": "a/b"}]}
    assert compare.different_values({"runs": [{**ours["runs"][0], "path": "a\\b"}]}, ours) == []
    there = {"runs": [{"vms": 5.0, "iops": 70.3, "latency": 0, "path": "a/b"}]}
    wrong = [line.split(" is ")[0] for line in compare.different_values(there, ours)]
    assert wrong == ["$.runs[0].vms", "$.runs[0].iops", "$.runs[0].latency"]
    assert compare.different_values({"runs": []}, ours) == snapshot
    assert compare.different_values({}, ours) == snapshot


def test_that_sheets_may_differ_in_last_digits_and_in_the_order_of_rows(
    compare: ModuleType, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    rows = ['<row r="1"><c r="A1"><v>0.1</v></c></row>', '<row r="2"><c r="A2"><v>7</v></c></row>']
    moved = ['<row r="1"><c r="A1"><v>7</v></c></row>', '<row r="2"><c r="A2"><v>0.10000000000000001</v></c></row>']
    wrong = [rows[0], rows[1].replace("7", "8")]
    first, second, third = (_book(tmp_path / f"{n}.xlsx", sheet) for n, sheet in enumerate((rows, moved, wrong)))
    assert compare.different_parts(second, first) == []
    assert compare.different_parts(third, first) == snapshot
    assert compare.different_parts(tmp_path / "absent.xlsx", first) == snapshot


def test_that_exports_differ_if_names_or_texts_or_file_types_differ(
    compare: ModuleType, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    here = _folder(tmp_path / "here", {"a.csv": b"vm,iops\n", "a.pdf": b"%PDF-1.4"})
    assert (
        compare.different_files(_folder(tmp_path / "same", {"a.csv": b"vm,iops\r\n", "a.pdf": b"%PDF-1"}), here) == []
    )
    words = _folder(tmp_path / "words", {"a.csv": b"vm,MB\n", "a.pdf": b""})
    assert [line.split(":")[0] for line in compare.different_files(words, here)] == ["a.csv", "a.pdf"]
    assert compare.different_files(_folder(tmp_path / "none", {}), here) == snapshot


def _folder(folder: Path, files: dict[str, bytes]) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return folder


def test_that_the_check_starts_the_bundle_instead_of_python(check: ModuleType, tmp_path: Path) -> None:
    started: list[tuple[str, ...]] = []
    windows = SimpleNamespace(drive=tmp_path, run=lambda *command: started.append(command), python=started.append)
    check.There(windows, bundle=True).run("--version")
    check.There(windows, bundle=True).run("--screenshot", "a.png", program="vdi-workbench")
    folder = "C:\\dist\\vdi-workbench\\"
    assert started == [(f"{folder}vdiwb.exe", "--version"), (f"{folder}vdi-workbench.exe", "--screenshot", "a.png")]


def test_that_a_named_command_is_checked_alone(check: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr(check, "_checked", lambda step, there, here: ran.append(step) or check.Outcome(step))
    list(check._outcomes(check.There(check.Windows(Path("none"))), ["vdiwb summary"]))
    assert ran == ["vdiwb summary"]
    ran.clear()
    list(check._outcomes(check.There(check.Windows(Path("none")), bundle=True), []))
    assert ran == list(check.CHECKS)


def test_that_a_check_without_a_bundle_names_the_command_that_builds_it(
    check: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check, "missing_tools", list)
    monkeypatch.setattr(check.os, "nice", lambda _: 0)
    monkeypatch.setattr(check.Windows, "stop", lambda windows: None)
    assert check.main(["--bundle", "--cache", str(tmp_path)]) == 2
    assert "packaging/build.py windows" in capsys.readouterr().err


def _book(file: Path, rows: list[str]) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/sheet.xml", f"<sheetData>{''.join(rows)}</sheetData>")
        archive.writestr("docProps/core.xml", f"<written>{file.name}</written>")
    return file


def test_that_an_empty_image_is_not_accepted_as_a_window(
    check: ModuleType, compare: ModuleType, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    picture = tmp_path / "window.png"
    assert compare.wrong_picture(picture, check.PICTURE) == ["there is no picture"]
    picture.write_bytes(_png(*check.PICTURE, bytes(4000)))
    assert compare.wrong_picture(picture, check.PICTURE) == ["the picture is empty"]
    picture.write_bytes(_png(*check.PICTURE, bytes(range(256))))
    assert compare.wrong_picture(picture, check.PICTURE) == []
    picture.write_bytes(_png(8, 6, bytes(range(256))))
    assert compare.wrong_picture(picture, check.PICTURE) == snapshot


def _png(width: int, height: int, pixels: bytes) -> bytes:
    header, packed = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0), zlib.compress(pixels)
    chunks = ((b"IHDR", header), (b"IDAT", packed[:9]), (b"IDAT", packed[9:]), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + bytes(4) for kind, content in chunks
    )


def test_that_pytest_results_are_read_with_the_names_of_its_command_line(check: ModuleType) -> None:
    outcome = check.read_results("tests/study", JUNIT)
    assert outcome.passed == ("tests/study/test_a.py::test_one",)
    assert outcome.skipped == ("tests/study/test_a.py::test_three",)
    assert [failure.name for failure in outcome.failed] == [
        "tests/study/test_a.py::TestB::test_two[x/y]",
        "tests/study/test_b.py",
    ]


@pytest.mark.parametrize(
    ("status", "names", "fails"), [(0, ("a",), 0), (0, (), 1), (5, (), 1), (3, ("a",), 1), (None, (), 1)]
)
def test_that_pytest_must_run_a_test_and_end_normally(
    check: ModuleType, status: int | None, names: tuple[str, ...], fails: int
) -> None:
    ended = check.Ended(status, "", "why", 1.0)
    outcome = check.judged(check.Outcome("tests/study", passed=names), ended)
    assert [failure.name for failure in outcome.failed] == ["tests/study"] * fails
    assert all("why" in failure.message for failure in outcome.failed)


def test_that_a_known_failure_has_a_reason_and_only_other_failures_count(check: ModuleType) -> None:
    known = check.read_known(
        "# comment\n\nWine lacks\nthis.\n  tests/a.py::test_x\n  tests/b.py\nAnother.\n  tests/c.py\n"
    )
    assert known["tests/a.py::test_x"] == known["tests/b.py"] == "Wine lacks this."
    assert known["tests/c.py"] == "Another."
    failures = [
        check.Failure(name, "said why")
        for name in ("tests/a.py::test_x[1]", "tests/b.py::test_y", "tests/a.py::test_z")
    ]
    outcome = check.Outcome("tests", passed=("tests/c.py::test_ok",), failed=tuple(failures))
    assert [failure.name for failure in check.unexpected(outcome, known)] == ["tests/a.py::test_z"]
    assert importlib.import_module("windows_report").outdated([outcome], known) == ["tests/c.py"]
    lines = check.report([outcome], known).splitlines()
    assert lines[:2] == ["FAILED tests/a.py::test_z", "    said why"]
    assert lines[-1].split() == ["total", "4", "1", "1", "0", "2", "0"]
    with pytest.raises(ValueError, match="without a reason"):
        check.read_known("  tests/a.py\n")


def test_that_every_listed_test_exists(check: ModuleType) -> None:
    assert [name for name in (*check.TESTS, *check.LEFT_OUT) if not (check.ROOT / name).exists()] == []
    known = check.read_known(check.KNOWN.read_text(encoding="utf-8"))
    names = [name for name in known if name not in check.CHECKS]
    for name in names:
        file, _, test = name.partition("::")
        # A whole file may be known.
        assert f"def {test.partition('[')[0]}" in (check.ROOT / file).read_text(encoding="utf-8"), name


def test_that_windows_programs_inherit_no_python_settings(python: ModuleType) -> None:
    own = {"PATH": "/bin", "PYTHONPATH": "x", "VDI_WORKBENCH_STORE": "/store", "VIRTUAL_ENV": "y"}
    environment = python.windows_environment(own, Path("/prefix"))
    assert environment["PATH"] == "/bin"
    assert environment["VDI_WORKBENCH_STORE"] == "C:\\store"
    assert not {"PYTHONPATH", "VIRTUAL_ENV"} & environment.keys()


def test_that_window_tests_wait_longer_under_wine(python: ModuleType) -> None:
    command = [sys.executable, "-c", "from tests.gui.conftest import LONG_MS; print(LONG_MS)"]
    own = {name: value for name, value in os.environ.items() if name != "TESTS_WAIT_MS"}
    slow = own | {"TESTS_WAIT_MS": python.windows_environment({}, Path("/prefix"))["TESTS_WAIT_MS"]}
    waits = [
        subprocess.run(command, cwd=PACKAGING.parent, env=env, capture_output=True, check=True).stdout
        for env in (own, slow)
    ]
    assert int(waits[1]) > int(waits[0])


def test_that_the_checked_programs_are_the_installed_ones(check: ModuleType) -> None:
    modules = [check.module_of(name) for name in ("vdiwb", "vdi-workbench")]
    assert all(importlib.util.find_spec(module) for module in modules)
    with pytest.raises(KeyError):
        check.module_of("absent")


def test_that_the_wheels_are_those_pinned_by_the_project(python: ModuleType) -> None:
    settings = tomllib.loads((PACKAGING.parent / "pyproject.toml").read_text(encoding="utf-8"))
    requirements, pinned = python.wheels_for_windows(settings)
    names = {line.split(">")[0] for line in requirements}
    assert {"polars", "PySide6-Essentials", "pytest", "hypothesis"} <= names
    assert not {"ruff", "mypy", "import-linter"} & names
    assert all("==" in line for line in pinned)


def test_that_library_names_are_parsed(python: ModuleType) -> None:
    names = [b"PyList_New", b"__imp_PyList_New", b"__imp_PyDict_New"]
    index = struct.pack(">I", len(names)) + bytes(4 * len(names)) + b"\0".join(names) + b"\0"
    assert python.exported_names(b"!<arch>\n" + b" " * 60 + index) == ["PyDict_New", "PyList_New"]
    head = "\tvma: Hint/Ord Member-Name Bound-To\n"
    dump = f"\tDLL Name: icuuc.dll\n{head}\t99 263 ucnv_open\n\n\tDLL Name: other.dll\n{head}\t98 1 f\n"
    assert python.imported_names(dump, "icuuc.dll") == ["ucnv_open"]


def test_that_a_second_check_in_the_same_folder_is_rejected(
    python: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[Path] = []
    monkeypatch.setattr(python.Windows, "stop", lambda windows: stopped.append(windows.cache))
    with python.alone(tmp_path), pytest.raises(python.PreparationError, match="Another check"), python.alone(tmp_path):
        pass
    assert stopped == [tmp_path]
