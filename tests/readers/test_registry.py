"""Which reader reads a file, and which modules are imported for that decision."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import workbench.readers
from tests.readers.perfmon_files import good_rows, pdh
from workbench.model.reading import Reader, Reading
from workbench.model.recording import FileReport
from workbench.readers import registry
from workbench.readers.registry import readers, recognise


def _reader(label: str, sure: float) -> Reader:
    return Reader(label, lambda _head, _name: sure, lambda _path, name, _columns: Reading(FileReport(name)))


def test_that_every_module_with_a_reader_is_asked() -> None:
    folder = Path(str(workbench.readers.__file__)).parent
    written = {
        ".".join(file.relative_to(folder).with_suffix("").parts)
        for file in folder.rglob("*.py")
        if re.search(r"^READER\b", file.read_text("utf-8"), re.M)
    }
    assert set(registry._MODULES) == written
    assert len({reader.label for reader in readers()}) == len(registry._MODULES)


@pytest.mark.parametrize(
    ("sure", "taken"), [((0.5, 0.9, 0.7), "1"), ((0.9, 0.9, 0.2), "0"), ((0.2, 1.0, 1.0), "1"), ((0.0, 0.0, 0.1), "2")]
)
def test_that_the_most_certain_reader_gets_a_file_and_the_first_of_equals(
    monkeypatch: pytest.MonkeyPatch, sure: tuple[float, ...], taken: str
) -> None:
    made = [_reader(str(place), one) for place, one in enumerate(sure)]
    monkeypatch.setattr(registry, "readers", lambda: iter(made))
    found = recognise(b"", "x")
    assert found is not None
    assert found.label == taken


def test_that_a_perfmon_file_is_recognised_without_importing_the_other_readers(tmp_path: Path) -> None:
    file = tmp_path / "W10-001.csv"
    file.write_text(pdh(*good_rows(3)))
    code = (
        "import sys; from pathlib import Path; from workbench.readers.registry import recognise; "
        "print(recognise(Path(sys.argv[1]).read_bytes(), '').label, 'workbench.readers.fio.reader' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code, file], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["perfmon", "False"]


@pytest.mark.parametrize("tool", ["diskspd", "diskspd-xml", "fio", "fio-log", "sqlio", "iometer", "vdbench"])
def test_that_readers_that_use_the_file_name_as_test_name_declare_this(tool: str) -> None:
    """A reading that is stored only by content would be shown under the name of another file."""
    (reader,) = [reader for reader in readers() if reader.label == tool]
    assert reader.by_name
    assert reader.identify(b"", "test.txt") == 0.0
