from pathlib import Path

import pytest
from polars.exceptions import PanicException

from workbench.exporters.safe_file import ExportError, write_safely


def _accept(_path: Path) -> None:
    pass


def _writer(text: str):
    def write(path: Path) -> None:
        path.write_text(text)

    return write


def test_that_a_complete_file_replaces_the_old_one(tmp_path):
    target = tmp_path / "a.csv"
    target.write_text("old")
    write_safely(target, _writer("new"), _accept)
    assert target.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_that_a_failure_half_way_leaves_the_old_file_and_no_remains(tmp_path):
    target = tmp_path / "a.csv"
    target.write_text("old")

    def fails(path: Path) -> None:
        path.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(ExportError, match=r"a\.csv was not written: No space left.*earlier file is unchanged"):
        write_safely(target, fails, _accept)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize("error", [RuntimeError, PanicException])
def test_that_every_failure_is_reported_in_a_sentence_and_keeps_the_old_file(tmp_path, error):
    target = tmp_path / "a.parquet"
    target.write_text("old")

    def fails(_path: Path) -> None:
        raise error("index out of bounds")

    with pytest.raises(ExportError, match=rf"a\.parquet was not written: {error.__name__}: index out of bounds"):
        write_safely(target, fails, _accept)
    assert target.read_text() == "old"


def test_that_a_file_that_fails_its_check_never_replaces_the_old_one(tmp_path):
    target = tmp_path / "a.csv"
    target.write_text("old")

    def refuses(path: Path) -> None:
        raise KeyError("xl/workbook.xml")

    with pytest.raises(ExportError, match=r"workbook\.xml"):
        write_safely(target, _writer("new"), refuses)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_that_a_file_open_in_another_program_is_named_with_the_next_step(tmp_path, monkeypatch):
    target = tmp_path / "findings.xlsx"
    target.write_text("old")

    def locked(self, other):
        raise PermissionError(13, "Access is denied")

    monkeypatch.setattr(Path, "replace", locked)
    with pytest.raises(ExportError, match=r"open in another program"):
        write_safely(target, _writer("new"), _accept)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["findings.xlsx"]


def test_that_a_read_only_file_is_unchanged(tmp_path, monkeypatch):
    target = tmp_path / "a.csv"
    target.write_text("old")
    monkeypatch.setattr("workbench.exporters.safe_file.os.access", lambda *_: False)
    with pytest.raises(ExportError, match="read-only"):
        write_safely(target, _writer("new"), _accept)
    assert target.read_text() == "old"


def test_that_a_folder_or_a_missing_folder_is_reported_in_a_sentence(tmp_path):
    with pytest.raises(ExportError, match="is a folder"):
        write_safely(tmp_path, _writer("x"), _accept)
    with pytest.raises(ExportError, match="does not exist"):
        write_safely(tmp_path / "none" / "a.csv", _writer("x"), _accept)


def test_that_a_link_stays_a_link(tmp_path):
    real = tmp_path / "real.csv"
    real.write_text("old")
    link = tmp_path / "link.csv"
    link.symlink_to(real)
    write_safely(link, _writer("new"), _accept)
    assert link.is_symlink()
    assert real.read_text() == "new"
