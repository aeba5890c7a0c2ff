"""Descriptions of files in the store; those of very many counters are on separate lines."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from tests.builders import disk_csv
from workbench.model.metric import Metric, Quantity, Tier, Vantage
from workbench.model.reading import Reading
from workbench.model.recording import FileReport, Recording, Series
from workbench.study.importing.sending import InStore, Receiver, to_send
from workbench.study.importing.source import read_source
from workbench.study.store import descriptions
from workbench.study.store.column_store import Store, lookup
from workbench.study.store.descriptions import read_description, write_description
from workbench.study.store.own_files import sealed

LATENCY = Metric(Quantity.READ_LATENCY, Vantage.HOST, Tier.CACHE_DISK, 0.001, estimate=True)
SERIES = (
    Series(0, r"\\host\Disk(0)\Reads/sec", "host", "Disk", "0", "Reads/sec", "W10-001", Metric(Quantity.READ_IOPS)),
    Series(1, r"\\host\Disk(0)\Latenz", "host", "Disk", "0", "Latency", "W10-002", LATENCY, own_times=True),
    Series(2, 'a "name"\nof two lines', "", "", "", "größe"),
    Series(7, r"\\host\Disk(1)\Reads/sec", "host", "Disk", "1", "Reads/sec", "", Metric(Quantity.READ_IOPS)),
    Series(9, r"\\host\Disk(1)\Reads/sec", "host", "Disk", "1", "Reads/sec"),
)
READING = Reading(FileReport("a.csv"), recording=Recording(SERIES, 3, 1, 9, None, ("host",)), first_line=2)


@pytest.fixture
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stores files with two or more counters like files with very many counters, two per line."""
    monkeypatch.setattr(descriptions, "WIDE", 2)
    monkeypatch.setattr(descriptions, "_LINE", 2)


@pytest.mark.usefixtures("few_are_many")
def test_that_very_many_counters_are_restored_with_all_properties(tmp_path: Path) -> None:
    write_description(tmp_path / "a.json", READING)
    assert len((tmp_path / "a.json").read_bytes().splitlines()) == 1 + 3 + 1
    assert read_description(tmp_path / "a.json") == READING


def test_that_every_field_of_a_counter_is_described() -> None:
    assert descriptions._Counter.__struct_fields__ == Series.__struct_fields__


@pytest.mark.usefixtures("few_are_many")
def test_that_a_line_of_counters_keeps_its_format(tmp_path: Path) -> None:
    write_description(tmp_path / "a.json", READING)
    _, first, *_ = (tmp_path / "a.json").read_text(encoding="utf-8").splitlines()
    assert json.loads(first) == {
        "texts": ["host", "Disk", "Reads/sec", "W10-001", "Latency", "W10-002"],
        "metrics": json.loads(msgspec.json.encode([Metric(Quantity.READ_IOPS), LATENCY])),
        "counters": [
            [0, r"\\host\Disk(0)\Reads/sec", 0, 1, "0", 2, 3, 0, False],
            [1, r"\\host\Disk(0)\Latenz", 0, 1, "0", 4, 5, 1, True],
        ],
    }


@pytest.mark.usefixtures("few_are_many")
def test_that_counters_in_several_lines_share_common_parts(tmp_path: Path) -> None:
    write_description(tmp_path / "a.json", READING)
    reading = read_description(tmp_path / "a.json")
    assert reading is not None
    assert reading.recording is not None
    first, *_, other, last = reading.recording.series
    assert first.host is other.host is last.host
    assert first.counter is last.counter
    assert first.metric is other.metric


@pytest.mark.usefixtures("few_are_many")
def test_that_no_byte_of_a_description_may_differ(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    write_description(file, READING)
    written = file.read_bytes()
    for at in range(len(written)):
        file.write_bytes(written[:at] + bytes([written[at] ^ 1]) + written[at + 1 :])
        assert read_description(file) is None, at
        file.write_bytes(written[:at])
        assert read_description(file) is None, at


def test_that_few_counters_keep_the_one_line_format(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    write_description(file, READING)
    assert file.read_bytes() == sealed(msgspec.json.encode(READING), file)
    assert read_description(file) == READING


@pytest.mark.usefixtures("few_are_many")
def test_that_a_file_with_very_many_counters_is_found_in_the_store(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    file = disk_csv(tmp_path / "W10-001.csv", "W10-001", [1.0, 2.0], [3.0, None])
    reading = read_source(file, "W10-001.csv", store)
    assert reading.recording is not None
    assert lookup(store, file, "W10-001.csv") == reading


@pytest.mark.usefixtures("few_are_many")
def test_that_very_many_counters_are_sent_by_their_place_in_the_store(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    file = disk_csv(tmp_path / "W10-001.csv", "W10-001", [1.0, 2.0], [3.0, None])
    reading = read_source(file, "W10-001.csv", store)
    sent, receiver = to_send(reading), Receiver(store)
    assert isinstance(sent, InStore)
    assert receiver.reading(sent) == reading
    store.reading(sent.key).unlink()
    assert receiver.reading(sent) is None
    again = receiver.reading(sent)
    assert again is not None
    assert [problem.code for problem in again.problems] == ["store-lost"]


def test_that_few_counters_are_sent_directly(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    file = disk_csv(tmp_path / "W10-001.csv", "W10-001", [1.0, 2.0], [3.0, None])
    reading = read_source(file, "W10-001.csv", store)
    assert to_send(reading) is reading
    assert Receiver(store).reading(reading) is reading
