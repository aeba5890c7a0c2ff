"""Logs that are cut short, have changed bytes, or would exhaust time and memory: never a crash, and the row counts
agree."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers import blg_files as files
from tests.readers.blg_files import (
    BULK,
    COUNTER,
    LARGE_RAW,
    SECOND,
    TIMER_INV,
    catalogue,
    counter_block,
    local,
    log,
    many,
    names_message,
    objects,
    one_object,
    read,
    record,
    sample,
    single,
)

FILES = Path(__file__).parents[3] / "shared" / "data" / "perfmon"
SAMPLES = 40


def _mixed() -> bytes:
    """A log with every form of block, and samples of several parts."""
    entries = catalogue(
        record("PhysicalDisk", "Disk Reads/sec", COUNTER, "_Total"),
        record("Processor", "% Processor Time", TIMER_INV, "*", form=1, base=SECOND),
        record("Process", "*", 0x10, "*", form=0x10),
    )
    parts = names_message({230: "Process", 10: "IO Read Bytes/sec", 12: "Handle Count"}) + entries
    for n in range(SAMPLES):
        process = one_object(
            230,
            [(10, BULK, 8), (12, LARGE_RAW, 16)],
            [(f"p{place}", counter_block("4xqq", n * place, n)) for place in range(12)],
        )
        blocks = files.block(
            0, single(local(n), n * 5, n * SECOND) + many(local(n), [("0", n, n * SECOND)]) + objects(n, process)
        )
        parts += files.events(34, blocks, local(n), part_bytes=700)
    return log(parts)


def _check(folder: Path, content: bytes, most: int) -> None:
    """Reads a log; asserts that kept and rejected rows together are not more than the rows of the log."""
    report = read(folder, content).reading.report
    assert 0 <= report.rows + report.rejected_rows <= most


def test_that_the_log_is_valid_before_it_is_damaged(tmp_path: Path) -> None:
    result = read(tmp_path, _mixed())
    assert (result.reading.report.rows, result.reading.report.columns) == (SAMPLES, 26)
    assert result.codes == ["cooked-here"]


def test_that_a_log_cut_anywhere_loses_only_the_cut_part_and_reports_it(tmp_path: Path) -> None:
    content = _mixed()
    previous = 0
    for cut in range(9000, len(content), 1733):
        result = read(tmp_path, content[:cut])
        report = result.reading.report
        assert report.rows >= previous
        assert report.rows + report.rejected_rows <= SAMPLES
        previous = report.rows
        assert {"truncated", "buffers-missing"} & set(result.codes) or report.rows == SAMPLES
    assert previous > SAMPLES // 2


def test_that_a_log_cut_in_its_header_is_rejected(tmp_path: Path) -> None:
    content = _mixed()
    for cut in range(0, 1024, 61):
        assert read(tmp_path, content[:cut]).reading.recording is None


@pytest.mark.parametrize("seed", range(60))
def test_that_changed_bytes_never_raise(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    content = bytearray(_mixed())
    for _ in range(dice.choice((1, 5, 60))):
        content[dice.randrange(len(content))] = dice.choice((0, 1, 0x7F, 0xFF, dice.randrange(256)))
    _check(tmp_path, bytes(content), 2 * SAMPLES)


@pytest.mark.parametrize("seed", range(60))
def test_that_changed_sizes_and_counts_never_raise(tmp_path: Path, seed: int) -> None:
    """Words of four bytes that may be lengths become very large, very small, or a little wrong."""
    dice = random.Random(seed)
    content = bytearray(_mixed())
    for _ in range(8):
        place = dice.randrange(len(content) // 4) * 4
        word = struct.unpack_from("<I", content, place)[0]
        struct.pack_into(
            "<I", content, place, dice.choice((0, 1, 7, word + 8, word * 2, 1 << 31, (1 << 32) - 1)) % 2**32
        )
    _check(tmp_path, bytes(content), 2 * SAMPLES)


def test_that_a_count_of_items_beyond_their_block_is_ignored(tmp_path: Path) -> None:
    body = bytearray(many(local(0), [("0", 1, 1)]))
    struct.pack_into("<I", body, 12, 0x7FFFFFFF)
    entry = record("Processor", "% Processor Time", TIMER_INV, "*", form=1)
    result = read(tmp_path, log(catalogue(entry) + sample(local(0), bytes(body))))
    assert result.reading.recording is None


def test_that_samples_whose_parts_never_end_are_rejected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from workbench.readers.blg.reader import container as blg_container

    monkeypatch.setattr(blg_container, "_LARGEST_MESSAGE", 5000)
    entry = record("Memory", "Available Bytes", LARGE_RAW)
    endless = files.events(34, bytes(20_000), local(1), part_bytes=1000)
    parts = catalogue(entry) + sample(local(0), single(local(0), 4096, 0)) + endless
    result = read(tmp_path, log(parts))
    assert (result.reading.report.rows, result.reading.report.rejected_rows) == (1, 1)


def test_that_an_event_without_a_size_ends_its_buffer_and_is_reported(
    tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    entry = record("Memory", "Available Bytes", LARGE_RAW)
    rows = [sample(local(n), single(local(n), n, 0)) for n in range(4)]
    bad = [[b"\0" * 8]]
    parts = [event for one in [catalogue(entry), rows[0], *bad, rows[1]] for event in one]
    result = read(tmp_path, log(parts) + files.buffer(b"".join(rows[2] + rows[3]), 2))
    assert result.columns["c0"] == [0, 2, 3]
    assert result.problem("bad-event").message == snapshot


@pytest.mark.slow
@pytest.mark.skipif(not FILES.is_dir(), reason="the public recordings are not here")
@pytest.mark.parametrize("name", ["Tx_BasicPerfCounters.blg", "PAL_SampleLog.blg"])
def test_that_damaged_public_logs_never_raise(tmp_path: Path, name: str) -> None:
    content = (FILES / name).read_bytes()
    for cut in range(0, len(content), 4099):
        _check(tmp_path, content[:cut], 601)
    for seed in range(300):
        dice = random.Random(seed)
        changed = bytearray(content)
        for _ in range(dice.choice((1, 20, 400))):
            changed[dice.randrange(len(changed))] = dice.randrange(256)
        _check(tmp_path, bytes(changed), 1202)
