"""Messages that fio prints before, after and between the lines of its JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.readers.fio_results import read_text, result, text_of
from workbench.model.problem import Severity
from workbench.readers.fio.reader import READER

MESSAGES = (
    "fio: job 3 has been stalled, bug?",
    "fio: io_u error on file /dev/sdb: Input/output error: read offset=0, buflen=4096",
    "verify: bad header rand_seed 1, wanted 2 at file /data/f offset 0, length 4096",
    "client <vm-1>: timeout on SEND_ETA",
    "Jobs: 1 (f=1): [r(1)][50.0%][r=4000KiB/s][r=1000 IOPS][eta 00m:30s]",
)
WHOLE = text_of(result())
PLACES = [at for at, char in enumerate(WHOLE) if char == "\n"][:-1]


def _between(message: str, at: int) -> str:
    return f"{WHOLE[: at + 1]}{message}\n{WHOLE[at + 1 :]}"


@pytest.mark.parametrize("message", MESSAGES)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_that_a_message_between_json_lines_loses_no_figure(tmp_path: Path, message: str, end: str) -> None:
    expected = read_text(tmp_path, WHOLE).benchmarks
    for at in PLACES[:: len(PLACES) // 8]:
        reading = read_text(tmp_path, _between(message, at).replace("\n", end))
        assert reading.benchmarks == expected
        (problem,) = reading.problems
        assert (problem.severity, problem.code) == (Severity.INFO, "message-inside")
        assert problem.line == WHOLE.count("\n", 0, at + 1) + 1
        assert message[:60] in problem.message


def test_that_a_message_within_a_number_loses_no_figure(tmp_path: Path) -> None:
    expected = read_text(tmp_path, WHOLE).benchmarks
    at = WHOLE.index("1900000.0") + 3
    reading = read_text(tmp_path, f"{WHOLE[:at]}{MESSAGES[0]}\n{WHOLE[at:]}")
    assert reading.benchmarks == expected
    assert [problem.code for problem in reading.problems] == ["message-inside"]


def test_that_each_result_of_a_file_keeps_its_own_messages_and_lines(tmp_path: Path) -> None:
    other = text_of(result(timestamp=1600009999, timestamp_ms=1600009999000))
    reading = read_text(tmp_path, _between(MESSAGES[0], PLACES[5]) + other)
    lines = [row.line for row in reading.benchmarks]
    assert lines == [1, WHOLE.count("\n") + 2]
    assert [problem.code for problem in reading.problems] == ["message-inside"]


def test_that_an_incomplete_result_after_a_message_is_rejected(tmp_path: Path) -> None:
    text = _between(MESSAGES[0], PLACES[5])
    reading = read_text(tmp_path, text[: len(text) // 2])
    assert not reading.benchmarks
    assert [problem.severity for problem in reading.problems] == [Severity.REFUSED]


@pytest.mark.parametrize("before", ["", "rr-64: (g=0): rw=randread, bs=(R) 4096B-4096B, ioengine=sync, iodepth=1\n"])
def test_that_a_run_with_too_many_jobs_is_rejected_with_the_message_of_fio(
    tmp_path: Path, before: str, snapshot: SnapshotAssertion
) -> None:
    text = f"{before}error: maximum number of jobs (8) reached.\n"
    assert READER.identify(text.encode(), "out.txt") > 0
    (problem,) = read_text(tmp_path, text, "out.txt").problems
    assert (problem.severity, problem.code) == (Severity.REFUSED, "fio-failed")
    assert problem.line == text.count("\n")
    assert problem.message == snapshot
