"""Column mappings are saved by header and sent to the workers; after a change the files are read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.builders import disk_csv
from tests.study.archive_files import packed
from tests.study.readers_that_fail import leave_a_note
from tests.study.test_import_pool import drained
from workbench.model.mapping import ColumnMapping, Decimal, MappedColumn, TimeFormat
from workbench.model.metric import Quantity, Tier, Vantage
from workbench.model.reading import Reading
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.mappings import VARIABLE, load_mappings, mappings_file, save_mapping
from workbench.study.importing.pool import ImportJob
from workbench.study.store.column_store import Store

TEXT = "Time,Host IOPS\n05/09/24 10:50:00,100\n05/10/24 10:50:15,200\n"
MAPPING = ColumnMapping(
    ("Time", "Host IOPS"),
    ",",
    0,
    TimeFormat.MONTH_FIRST,
    (MappedColumn(1, Quantity.IOPS, 1.0, "W10-001", Vantage.HOST, Tier.SHARED),),
    "+01:00",
    Decimal.POINT,
)


@pytest.fixture(autouse=True)
def _own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "settings" / "mappings.json"))


def imported(folder: Path, store: Store) -> dict[str, Reading]:
    job = ImportJob(find_sources([folder], store).sources, store, 1, leave_a_note, mappings=load_mappings())
    job.start()
    return drained(job)


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    disk_csv(folder / "W10-002.csv", "W10-002", [1.0], [2.0])
    (folder / "a.csv").write_text(TEXT)
    return folder


def test_that_a_mapping_is_restored_as_saved() -> None:
    other = replace(MAPPING, delimiter=";", columns=(MappedColumn(1),))
    assert save_mapping(MAPPING)
    assert save_mapping(other)
    assert load_mappings() == {MAPPING.header: MAPPING, other.header: other}
    changed = replace(MAPPING, time_zone="")
    assert save_mapping(changed)
    assert load_mappings()[MAPPING.header] == changed


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b'{"schema": "other/1", "mappings": []}',
        b'{"schema": "vdi-workbench/mappings/1", "mappings": [{}]}',
        b'{"schema": "vdi-workbench/mappings/1", "mappings": [{"names": ["a", "b"], "delimiter": ",", "time_column": 0,'
        b' "time_format": "year first", "columns": [{"column": 7}]}]}',
    ],
)
def test_that_a_file_that_is_not_a_mapping_file_gives_no_mapping(content: bytes) -> None:
    mappings_file().parent.mkdir(parents=True)
    mappings_file().write_bytes(content)
    assert load_mappings() == {}


def test_that_a_folder_that_cannot_be_written_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file" / "mappings.json"))
    assert not save_mapping(MAPPING)


def test_that_header_and_delimiter_form_the_key_and_all_answers_the_fingerprint() -> None:
    assert MAPPING.header == replace(MAPPING, time_zone="", columns=()).header
    assert MAPPING.header != replace(MAPPING, delimiter=";").header
    assert MAPPING.header != replace(MAPPING, names=("Time", "Host IOPs")).header
    variants = [
        replace(MAPPING, time_zone=""),
        replace(MAPPING, decimal=Decimal.COMMA),
        replace(MAPPING, time_format=TimeFormat.DAY_FIRST),
        replace(MAPPING, columns=(replace(MAPPING.columns[0], scale=60.0),)),
    ]
    assert len({one.fingerprint for one in (MAPPING, *variants)}) == 5


def test_that_a_new_or_changed_mapping_reads_only_its_files_again(tmp_path: Path, lab: Path) -> None:
    store = Store(tmp_path / "store")
    notes = store.root / "notes.txt"
    assert [p.code for p in imported(lab, store)["a.csv"].problems] == ["needs-mapping"]
    imported(lab, store)
    assert sorted(notes.read_text().split()) == ["W10-002.csv", "a.csv"]
    save_mapping(MAPPING)
    first = imported(lab, store)["a.csv"]
    assert first.recording is not None
    assert first.recording.series[0].vm == "W10-001"
    assert first.report.first == "2024-05-09T09:50:00Z"
    assert sorted(notes.read_text().split()) == ["W10-002.csv", "a.csv", "a.csv"]
    save_mapping(replace(MAPPING, time_format=TimeFormat.DAY_FIRST))
    assert imported(lab, store)["a.csv"].report.first == "2024-09-05T09:50:00Z"
    assert sorted(notes.read_text().split()) == ["W10-002.csv"] + ["a.csv"] * 3
    again = imported(lab, store)["a.csv"]
    assert again.report.first == "2024-09-05T09:50:00Z"
    assert sorted(notes.read_text().split()) == ["W10-002.csv"] + ["a.csv"] * 3


def test_that_an_archive_member_is_read_with_a_mapping(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    made = packed(tmp_path / "x.zip", {"a.csv": TEXT.encode()})
    assert [p.code for p in imported(made, store)["x.zip/a.csv"].problems] == ["needs-mapping"]
    save_mapping(MAPPING)
    reading = imported(made, store)["x.zip/a.csv"]
    assert reading.recording is not None
    assert imported(made, store)["x.zip/a.csv"] == reading
