"""Two freezes of one study are equal, and a comparison finds exactly the real differences."""

from __future__ import annotations

import json
import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook

from tests.builders import steady_runs
from tests.tools.truth.__main__ import main
from tests.tools.truth.compare import NOTHING, Difference, compare, differences
from tests.tools.truth.documents import workbook
from tests.tools.truth.freeze import freeze
from tests.tools.truth.places import Plain, read, write
from tests.tools.truth.readings import reading


def found(old: Any, new: Any, **options: bool) -> list[Difference]:
    return list(differences(old, new, **options))


@pytest.mark.parametrize("number", [1.23456789012, 9.87654321098e-7, -4.44444444444e12, 100.0])
def test_that_numbers_are_compared_to_twelve_digits(number: float) -> None:
    digits = f"{number:.12e}"
    mantissa, exponent = digits.split("e")
    unit = float(f"1e{exponent}")
    assert found(number, number + 2e-10 * unit)
    assert found(number, number + 1e-11 * unit) == [Difference("", number, number + 1e-11 * unit)]
    assert found(number, number + 9e-13 * unit) == []
    assert mantissa != digits


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        (5, 5.0, True),
        ("0.30000000000000004", "0.3", True),
        ("1.5", "1.6", False),
        (1, True, False),
        (0, None, False),
        ("1", 1, False),
        ("MCS", "mcs", False),
        (0.0, 1e-300, False),
    ],
)
def test_that_texts_are_compared_exactly_and_numeric_texts_as_numbers(old: Any, new: Any, same: bool) -> None:
    assert (found(old, new) == []) is same


def test_that_a_difference_has_the_path_of_its_keys() -> None:
    old = {"runs": [{"run": "a", "iops": 1.0}, {"run": "b", "iops": None}]}
    new = {"runs": [{"run": "a", "iops": 1.0}, {"run": "b", "iops": 0.0}]}
    assert found(old, new) == [Difference("runs[1].iops", None, 0.0)]


def test_that_an_additional_row_is_one_difference() -> None:
    rows = [["a", "1"], ["b", "2"], ["c", "3"]]
    assert found(rows, [rows[0], ["new", "9"], *rows[1:]]) == [Difference("[1]", NOTHING, ["new", "9"])]
    assert found(rows, rows[:2]) == [Difference("[2]", ["c", "3"], NOTHING)]


def test_that_new_keys_can_be_allowed_and_lost_ones_never() -> None:
    assert found({"a": 1}, {"a": 1, "b": 2}) == [Difference("b", NOTHING, 2)]
    assert found({"a": 1}, {"a": 1, "b": 2}, allow_new=True) == []
    assert found({"a": 1, "b": 2}, {"a": 1}, allow_new=True) == [Difference("b", 2, NOTHING)]


def test_that_a_missing_file_is_a_difference(tmp_path: Path) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        write(folder, "study/summary.json", {"iops": 1.5})
    write(old, "study/check.json", {})
    assert compare(old, new) == {"study/check.json": [Difference("", "a file", NOTHING)]}
    assert compare(new, old, allow_new=True) == {}


def test_that_the_command_lists_differences_and_returns_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    write(old, "study/summary.json", {"iops": 1.5, "unit": "IOPS"})
    write(new, "study/summary.json", {"iops": 2.5, "unit": "IOPS"})
    assert main(["compare", str(old), str(old)]) == 0
    assert main(["compare", str(old), str(new)]) == 1
    assert "study/summary.json: 1\n    iops: 1.5 -> 2.5\n1 differences\n" in capsys.readouterr().out
    assert main(["compare", str(old), str(tmp_path / "none")]) == 2


def test_that_a_freeze_is_never_written_into_a_folder_with_files(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("the user's", encoding="utf-8")
    assert main(["freeze", str(tmp_path)]) == 2


def test_that_folders_and_the_current_date_are_replaced_by_placeholders(tmp_path: Path) -> None:
    plain, now = Plain({"<lab>": tmp_path}), datetime.now()
    assert plain.value({"at": [f"{tmp_path}/a.csv"]}) == {"at": ["<lab>/a.csv"]}
    for text in (f"{now:%Y-%m-%d}", f"{now:%Y-%m-%d %H:%M} UTC", f"{now:%Y-%m-%dT%H:%M:%S}+00:00"):
        assert plain.text(text) == "<today>"
    assert plain.text("2016-05-10 08:00 UTC") == "2016-05-10 08:00 UTC"


def test_that_a_workbook_is_frozen_with_formulas_and_values(tmp_path: Path) -> None:
    book = Workbook()
    book.active.append([1.5, "text", "=A1*2"])
    book.save(tmp_path / "a.xlsx")
    assert workbook(tmp_path / "a.xlsx")["sheets"] == {
        "Sheet": {"A1": 1.5, "B1": "text", "C1": {"formula": "A1*2", "value": None}}
    }


def test_that_a_reading_is_frozen_with_samples_and_problems() -> None:
    data = b'"(PDH-CSV 4.0) (UTC)(0)","\\\\A\\PhysicalDisk(_Total)\\Disk Reads/sec"\r\n'
    data += b'"05/10/2016 09:00:00.000","1.5"\r\n"05/10/2016 09:00:15.000","x"\r\n"05/10/2016 09:00:30.000","2.5"\r\n'
    read_as = reading(data, "a.csv")
    assert read_as["samples"]["c0"] == [1.5, None, 2.5]
    assert [problem["line"] for problem in read_as["reading"]["problems"] if problem["code"] == "not-a-number"] == [3]
    assert reading(b"nothing that a reader knows", "a.txt") is None


@pytest.fixture(scope="module")
def frozen(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two freezes of the same small study, the second from another folder."""
    folder = tmp_path_factory.mktemp("truth")
    steady_runs(folder / "sample" / "small")
    shutil.copytree(folder / "sample", folder / "elsewhere" / "sample")
    outs = folder / "one", folder / "two"
    for out, sample in zip(outs, (folder / "sample", folder / "elsewhere" / "sample"), strict=True):
        done = list(freeze(out, sample, only=["study small"], workers=1))
        assert done == ["study small"]
    return outs


def test_that_two_freezes_of_one_study_are_equal(frozen: tuple[Path, Path]) -> None:
    assert compare(*frozen) == {}
    names = [{file.relative_to(out): file.read_bytes() for file in out.rglob("*.gz")} for out in frozen]
    assert names[0] == names[1]


def test_that_a_freeze_covers_every_command_and_document(frozen: tuple[Path, Path]) -> None:
    folder = frozen[0] / "small"
    summary = read(folder / "summary.json.json.gz")
    assert summary["status"] == 0
    phases = {run["run"]: run["phases"][0] for run in summary["answer"]["runs"]}
    assert phases["mcs"]["iops_per_vm"] == pytest.approx(24.0)
    assert {
        "inspect.json",
        "compare.csv",
        "check.junit",
        "trend.json",
        "export.xlsx",
        "export.pptx",
        "export.html",
    } <= {file.name.removesuffix(".json.gz") for file in folder.iterdir()}
    book = read(folder / "export.xlsx.json.gz")["content"]
    assert any(
        isinstance(cell, dict) and cell["formula"] for sheet in book["sheets"].values() for cell in sheet.values()
    )
    assert book["charts"]
    assert read(folder / "export.pptx.json.gz")["content"]["texts"]
    assert len(read(folder / "export.html.json.gz")["content"]) > 50


def test_that_a_freeze_has_no_local_path(frozen: tuple[Path, Path]) -> None:
    texts = {file.name: json.dumps(read(file)) for file in frozen[0].rglob("*.gz")}
    assert [name for name, text in texts.items() if str(frozen[0].parent) in text or "/tmp/" in text] == []
