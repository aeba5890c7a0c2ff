"""fio documents in a text: the reports of one run, and the place of an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.readers.fio_results import direction, job, read_text, result, text_of
from workbench.model.benchmark import Op
from workbench.readers.fio.documents import find_documents, last_of_each_run
from workbench.readers.fio.reader import READER


def kept(*contents: dict[str, Any]) -> list[int]:
    """The positions of the kept documents."""
    documents, broken = find_documents("".join(map(text_of, contents)))
    assert not broken
    return [documents.index(document) for document in last_of_each_run(documents)]


@pytest.mark.parametrize(
    ("apart_ms", "stay"), [(0, [1]), (1500, [1]), (-1500, [1]), (1501, [0, 1]), (-1501, [0, 1]), (60_000, [0, 1])]
)
def test_that_reports_whose_starts_are_over_a_second_and_a_half_apart_are_two_runs(
    apart_ms: int, stay: list[int]
) -> None:
    first = result(job(elapsed=10), timestamp_ms=1_600_000_010_000)
    second = result(job(elapsed=20, read=direction(2000)), timestamp_ms=1_600_000_020_000 + apart_ms)
    assert kept(first, second) == stay


@pytest.mark.parametrize(("later_s", "stay"), [(10, [1]), (20, [0, 1])])
def test_that_the_start_of_a_run_is_its_end_minus_its_longest_job(later_s: int, stay: list[int]) -> None:
    """The short job ended early: its elapsed time does not grow with the report."""
    first = result(job("short", elapsed=5), job("long", elapsed=10), timestamp=1_600_000_010)
    second = result(job("short", elapsed=5), job("long", elapsed=20), timestamp=1_600_000_010 + later_s)
    for content in (first, second):
        del content["timestamp_ms"]
    assert kept(first, second) == stay


def test_that_one_job_with_another_start_makes_another_run() -> None:
    first = result(job("a", job_start=1000), job("b", job_start=1000))
    assert kept(first, result(job("a", job_start=1000), job("b", job_start=1000))) == [1]
    assert kept(first, result(job("a", job_start=1000), job("b", job_start=2000))) == [0, 1]


def test_that_a_job_with_a_smaller_count_has_started_again() -> None:
    grown = [job("a", read=direction(2000)), job("b", read=direction(900))]
    assert kept(result(job("a"), job("b")), result(*grown)) == [0, 1]


def test_that_a_number_of_thousands_of_digits_is_reported_with_the_line_its_document_begins_on() -> None:
    documents, (broken,) = find_documents("one\ntwo\n" + text_of(result()).replace("1600000010,", "9" * 5000 + ","))
    assert documents == []
    assert (broken.start_line, broken.line, broken.code) == (3, 3, "not-json")
    assert ";" not in broken.reason


@pytest.mark.parametrize(("text", "is_one"), [('{"fio', True), ('{ "fio version" :', True), ('{"fib', False)])
def test_that_the_first_letters_of_a_document_at_the_end_are_a_cut_one(text: str, is_one: bool) -> None:
    documents, broken = find_documents(text_of(result()) + text)
    assert (len(documents), [each.code for each in broken]) == (1, ["truncated"] if is_one else [])


def test_that_a_direction_without_counts_or_moved_bytes_has_no_row(tmp_path: Path) -> None:
    moved = {"io_bytes": 4, "bw": 4, "iops": 1, "runtime": 1000}
    idle = {"io_bytes": 0, "bw": 0, "iops": 0, "runtime": 0}
    content = {"fio version": "fio-2.1", "jobs": [{"jobname": "o", "read": moved, "write": idle, "trim": {}}]}
    assert [row.op for row in read_text(tmp_path, text_of(content)).benchmarks] == [Op.READ]


def test_that_jobs_alone_are_a_result_and_other_objects_are_not() -> None:
    jobs = {"jobs": [job()]}
    other = {"jobs": [{"jobname": "a", "read": {"bw": 1}}]}
    assert [len(find_documents(text_of(content))[0]) for content in (jobs, other, {"jobs": []})] == [1, 0, 0]


@pytest.mark.parametrize("words", [("jobs", "jobname"), ("jobs", "iops"), ("jobname", "iops")])
def test_that_json_with_only_two_fio_keys_is_not_recognised_as_fio(words: tuple[str, ...]) -> None:
    text = text_of(result(job(write={}, trim={})))
    assert READER.identify(text.replace("fio version", "version").encode(), "a.json") == 0.8
    for word in {"jobs", "jobname", "iops"} - set(words):
        text = text.replace(f'"{word}"', '"other"').replace("fio version", "version")
    assert READER.identify(text.encode(), "a.json") < 0.8


@pytest.mark.parametrize("key", ["io_kbytes", "bw_bytes"])
def test_that_both_keys_of_later_fio_versions_mean_that_io_bytes_are_bytes(tmp_path: Path, key: str) -> None:
    """4000 bytes per I/O show which size fio means by `4KiB`; with 4000 KiB, 4096 would be nearer."""
    reads = direction(1000, io_bytes=4_000_000)
    del reads["bw_bytes" if key == "io_kbytes" else "io_kbytes"]
    content = result(job(read=reads, **{"job options": {"name": "j", "rw": "randread", "bs": "4KiB"}}))
    (row,) = read_text(tmp_path, text_of(content)).benchmarks
    assert row.block_bytes == 4000


@pytest.mark.parametrize("dated", [(True, False), (False, True), (False, False)])
def test_that_reports_are_compared_by_their_counts_if_one_states_no_time(dated: tuple[bool, bool]) -> None:
    first, second = result(job(elapsed=10)), result(job(elapsed=20, read=direction(2000)))
    for content, has_time in zip((first, second), dated, strict=True):
        if not has_time:
            del content["timestamp_ms"], content["timestamp"]
    assert kept(first, second) == [1]
