"""yabs: each line and each entry of its disk tests compared with numbers read here; speeds are fio's KiB/s."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.readers.benchmark_files import codes, read_with, refusal
from workbench.model.benchmark import Benchmark, Op
from workbench.readers.registry import recognise
from workbench.readers.yabs import READER

TEXT = """Basic System Information:
---------------------------------
Processor  : a processor
Disk       : 31.9 GiB

fio Disk Speed Tests (Mixed R/W 50/50) (Partition /dev/vda1):
---------------------------------
Block Size | 4k            (IOPS) | 64k           (IOPS)
  ------   | ---            ----  | ----           ----
Read       | 401.25 MB/s (100.3k) | 1.25 GB/s    (19.5k)
Write      | 402.30 MB/s (100.5k) | 1.26 GB/s    (19.7k)
Total      | 803.55 MB/s (200.8k) | 2.51 GB/s    (39.2k)
           |                      |
Block Size | 512k          (IOPS) | 1m            (IOPS)
  ------   | ---            ----  | ----           ----
Read       | 409.60 MB/s    (800) | 512.00 KB/s      (1)
Write      | 430.08 MB/s    (840) | 550.00 MB/s    (537)
Total      | 839.68 MB/s   (1.6k) | 1.06 GB/s     (1.0k)

iperf3 Network Speed Tests (IPv4):
Read       | 9.99 MB/s
"""
SIZES = {"4k": 4096, "64k": 65_536, "512k": 524_288, "1m": 1 << 20}
KIB = {
    ("4k", Op.READ): (401_250, 100_300), ("64k", Op.READ): (1_250_000, 19_500),
    ("4k", Op.WRITE): (402_300, 100_500), ("64k", Op.WRITE): (1_260_000, 19_700),
    ("4k", Op.TOTAL): (803_550, 200_800), ("64k", Op.TOTAL): (2_510_000, 39_200),
    ("512k", Op.READ): (409_600, 800), ("1m", Op.READ): (512, 1),
    ("512k", Op.WRITE): (430_080, 840), ("1m", Op.WRITE): (550_000, 537),
    ("512k", Op.TOTAL): (839_680, 1_600), ("1m", Op.TOTAL): (1_060_000, 1_000),
}  # fmt: skip
KEYS = {Op.READ: "r", Op.WRITE: "w", Op.TOTAL: "rw"}


def document() -> dict[str, object]:
    tests = [
        {"bs": size, "speed_units": "KBps"}
        | {f"speed_{key}": KIB[size, op][0] for op, key in KEYS.items()}
        | {f"iops_{key}": KIB[size, op][1] for op, key in KEYS.items()}
        for size in SIZES
    ]
    return {"version": "v2024-04-22", "time": "20240507-110334", "mem": {"ram": 3}, "fio": tests, "iperf": []}


def check(rows: tuple[Benchmark, ...]) -> None:
    found = {(size, row.op): row for row in rows for size, count in SIZES.items() if row.block_bytes == count}
    assert found.keys() == KIB.keys()
    for key, (kib, iops) in KIB.items():
        row = found[key]
        assert row.iops == pytest.approx(iops, rel=1e-12)
        assert row.mb_per_s == pytest.approx(kib * 1024 / 1_000_000, rel=1e-12)
        assert (row.read_percent, row.queue_depth, row.threads, row.pattern) == (50.0, 64, 2, "random")
        assert row.latency_mean_ms is None
    # I/Os and bytes of one run agree with the block size of its row.
    row = found["512k", Op.READ]
    assert row.mb_per_s is not None
    assert row.mb_per_s * 1e6 / 800 == pytest.approx(524_288)


def test_that_each_line_of_the_text_is_read(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, TEXT)
    check(reading.benchmarks)
    assert codes(reading) == []
    assert [row.line for row in reading.benchmarks][:2] == [10, 10]


@pytest.mark.parametrize("before", ["", "YABS JSON output:\n"])
def test_that_each_entry_of_the_json_is_read(tmp_path: Path, before: str) -> None:
    text = before + json.dumps(document())
    reader = recognise(text.encode(), "yabs.json")
    assert reader is not None
    assert reader.label == "yabs"
    check(read_with(READER, tmp_path, text).benchmarks)


def test_that_several_outputs_in_a_file_are_separate_runs(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, TEXT + TEXT)
    assert [sum(row.run == run for row in reading.benchmarks) for run in (1, 2)] == [12, 12]


@pytest.mark.parametrize("damage", ["401.25 MB/s (100.3k) |", "401.25 Mb/s", "401,25 MB/s", "(Ioops)"])
def test_that_a_damaged_line_is_skipped_and_named(tmp_path: Path, damage: str) -> None:
    text = {
        "401.25 MB/s (100.3k) |": TEXT.replace(damage, ""),
        "(Ioops)": TEXT.replace("4k            (IOPS)", "4k            (Ioops)"),
    }.get(damage, TEXT.replace("401.25 MB/s", damage))
    reading = read_with(READER, tmp_path, text)
    lost = 12 - len(reading.benchmarks)
    assert lost in (2, 6)
    assert reading.report.rejected_rows >= 1
    assert "row-width" in codes(reading)


@pytest.mark.parametrize("value", [None, "5", True, -1, 1e400])
def test_that_an_entry_without_numbers_is_skipped_and_named(tmp_path: Path, value: object) -> None:
    content = document()
    tests = content["fio"]
    assert isinstance(tests, list)
    tests[0]["speed_r"] = value
    reading = read_with(READER, tmp_path, json.dumps(content))
    assert (len(reading.benchmarks), codes(reading)) == (11, ["not-a-number"])


def test_that_an_output_without_disk_tests_is_rejected(tmp_path: Path) -> None:
    assert refusal(read_with(READER, tmp_path, TEXT.partition("Read ")[0]))[0] == "no-results"


def test_that_a_key_stated_twice_is_reported_and_the_last_value_used(tmp_path: Path) -> None:
    text = json.dumps(document()).replace('"speed_r": 401250', '"speed_r": 7, "speed_r": 401250')
    reading = read_with(READER, tmp_path, text)
    assert codes(reading) == ["repeated-key"]
    check(reading.benchmarks)


@pytest.mark.parametrize("text", [TEXT, json.dumps(document())])
def test_that_yabs_is_recognised_with_less_than_certainty(text: str) -> None:
    assert READER.identify(text.encode(), "x") == 0.95
