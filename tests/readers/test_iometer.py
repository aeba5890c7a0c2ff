"""Iometer's results CSV of 2008 and of 1.1, and the effect of damage."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.readers.benchmark_files import asked, codes, figures, is_whole, read_with, refusal
from workbench.model.benchmark import Op
from workbench.readers.iometer import READER

SPEC = "8k mixed; 70% read"
START = """'Test Type,Test Description
0,cache test
'Version
{version}
'Time Stamp
2016-05-10 09:28:04:211
'Access specifications
'Access specification name,default assignment
8k mixed; 70% read,0
'size,% of size,% reads,% random,delay,burst,align,reply
8192,100,70,100,0,1,0,0
'Access specification name,default assignment
All in one,0
'size,% of size,% reads,% random,delay,burst,align,reply
4096,50,100,100,0,1,0,0
65536,50,0,0,0,1,0,0
'End access specifications
"""
NAMES = (
    "'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,"
    "{mb},Average Response Time,Average Read Response Time,Average Write Response Time,Errors,Queue Depth"
)
OLD_MB = "MBps,Read MBps,Write MBps"
NEW_MB = (
    "MiBps (Binary),Read MiBps (Binary),Write MiBps (Binary),MBps (Decimal),Read MBps (Decimal),Write MBps (Decimal)"
)
OLD = "1000.0,700.0,300.0,7.8125,5.46875,2.34375"
NEW = "1000.0,700.0,300.0,7.8125,5.46875,2.34375,8.192,5.7344,2.4576"
REST = ",2.3,2.0,3.0,0,16"


def block(figures: str = OLD, mb: str = OLD_MB, spec: str = SPEC, rest: str = REST) -> str:
    return (
        f"'Results\n{NAMES.format(mb=mb)}\n"
        f"ALL,All,{spec},1,4,4,{figures}{rest}\n"
        f"MANAGER,XENAPP-01,{spec},,4,4,{figures}{rest}\n"
        f"PROCESSOR,CPU 0,,,,,,,,,,,1.8\nWORKER,Worker 1,{spec},,,1,{figures}{rest}\n"
        f'DISK,8: "Pliant LS300S P10",,,,,{figures}{rest}\n'
        "'Time Stamp\n2016-05-10 09:29:04:245\n"
    )


def result(*blocks: str, version: str = "2008.06.18") -> str:
    return START.format(version=version) + "".join(blocks or [block()]) + "'End Test\n"


def test_that_only_all_rows_become_rows_in_project_units(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, result().replace("\n", "\r\n"), "result.csv")
    read, write, total = reading.benchmarks
    assert [row.op for row in reading.benchmarks] == [Op.READ, Op.WRITE, Op.TOTAL]
    assert figures(read) == (700.0, pytest.approx(5.7344), 2.0, None, None, None)
    assert figures(write) == (300.0, pytest.approx(2.4576), 3.0, None, None, None)
    assert figures(total) == (1000.0, pytest.approx(8.192), 2.3, None, None, None)
    assert {asked(row) for row in reading.benchmarks} == {(8192, 16, 4, 70.0, "random")}
    assert (read.tool, read.tool_version, read.test) == ("iometer", "2008.06.18", "cache test")
    assert (read.job, read.host, read.started) == (SPEC, "XENAPP-01", None)
    assert codes(reading) == ["other-levels"]
    assert (reading.report.rows, reading.report.rejected_rows, reading.report.delimiter) == (3, 0, ",")


def test_that_version_1_1_has_decimal_megabytes(tmp_path: Path) -> None:
    text = result(block(NEW, NEW_MB), version="1.1.0")
    assert [row.mb_per_s for row in read_with(READER, tmp_path, text).benchmarks] == [5.7344, 2.4576, 8.192]


def test_that_every_results_block_counts(tmp_path: Path) -> None:
    text = result(block(), block(rest=",4.6,4.0,6.0,0,32"))
    assert [row.queue_depth for row in read_with(READER, tmp_path, text).benchmarks] == [16] * 3 + [32] * 3


def test_that_a_mixed_specification_has_no_block_size_and_its_share_is_weighted(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, result(block(spec="All in one")))
    assert asked(reading.benchmarks[0]) == (None, 16, 4, 50.0, None)


def test_that_commas_in_a_name_stay_in_the_name(tmp_path: Path) -> None:
    (read, *_) = read_with(READER, tmp_path, result(block(spec="8k, 70% read, hot"))).benchmarks
    assert (read.job, read.iops, read.latency_mean_ms) == ("8k, 70% read, hot", 700.0, 2.0)


def test_that_failed_ios_are_reported(tmp_path: Path) -> None:
    reading = read_with(READER, tmp_path, result(block(rest=",2.3,2.0,3.0,12,16")))
    assert codes(reading) == ["failed-io", "other-levels"]
    assert "12 failed" in reading.problems[0].message


def test_that_two_managers_are_not_a_single_host(tmp_path: Path) -> None:
    second = f"MANAGER,XENAPP-02,{SPEC},,4,4,{OLD}{REST}\n"
    text = result(block().replace("PROCESSOR", second + "PROCESSOR"))
    assert {row.host for row in read_with(READER, tmp_path, text).benchmarks} == {None}


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (block().replace("ALL,All", "ALL,All,x,1\n'ALL,All", 1), "truncated"),
        (block(figures="none" + OLD[6:]), "not-a-number"),
        (block(figures=OLD.replace("1000.0", "1e999")), "not-a-number"),
        (block(figures=OLD.replace("700.0", "?")), "not-a-number"),
        (block(figures="0,0,0,0,0,0"), "no-io"),
    ],
)
def test_that_a_bad_all_row_affects_only_itself(tmp_path: Path, bad: str, code: str) -> None:
    reading = read_with(READER, tmp_path, result(block(), bad))
    assert (len(reading.benchmarks), reading.report.rejected_rows) == (3, 1)
    assert codes(reading)[0] == code
    assert reading.problems[0].line == 29  # 17 lines before the first block, 9 in it


def test_that_a_bad_latency_or_rate_affects_only_itself_and_is_reported(tmp_path: Path) -> None:
    text = result(block(figures=OLD.replace("5.46875", "?"), rest=",2.3,2.0,-3,0,16"))
    reading = read_with(READER, tmp_path, text)
    assert [(row.mb_per_s is None, row.latency_mean_ms) for row in reading.benchmarks] == [
        (True, 2.0),
        (False, None),
        (False, 2.3),
    ]
    assert codes(reading) == ["not-a-number", "other-levels"]
    assert "'Average Write Response Time' and 'Read MBps'" in reading.problems[0].message


CONFIGURATION = "Version 1.1.0\n'TEST SETUP ====\n'Test Description\n\tx\n"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (CONFIGURATION, "configuration (.icf)"),
        (START.format(version="1.1.0"), "ends before its results"),
        (result(f"'Results\n{NAMES.format(mb=OLD_MB)}\n"), "no ALL row"),
        (result(block(figures="0,0,0,0,0,0")), "contains no I/O"),
    ],
)
def test_that_a_file_without_results_is_rejected_with_a_sentence(tmp_path: Path, text: str, word: str) -> None:
    assert READER.identify(text.encode(), "x") >= 0.8
    found = refusal(read_with(READER, tmp_path, text))
    assert found[0] == "no-results"
    assert word in found[2]


PUBLISHED = Path(__file__).parents[3] / "shared" / "facts" / "published_benchmarks.csv"


@pytest.mark.skipif(not PUBLISHED.is_file(), reason="the published figures are not here")
def test_that_the_published_write_cache_tests_keep_their_figures(tmp_path: Path) -> None:
    with PUBLISHED.open(newline="", encoding="utf-8") as stream:
        published = list(csv.DictReader(stream))
    assert len(published) == 5
    for test in published:
        numbers = ",".join(
            test[key] for key in ("iops", "read_iops", "write_iops", "mb_per_s", "read_mb_per_s", "write_mb_per_s")
        )
        text = result(block(numbers, rest=f",{test['avg_response_ms']},,,0,16"))
        read, write, total = read_with(READER, tmp_path, text).benchmarks
        assert [row.iops for row in (read, write, total)] == [
            float(test[key]) for key in ("read_iops", "write_iops", "iops")
        ]
        assert total.latency_mean_ms == float(test["avg_response_ms"])
        assert (read.latency_mean_ms, write.latency_mean_ms) == (None, None)
        # 4 KiB I/Os: the tool's MB are MiB
        assert total.mb_per_s == pytest.approx(float(test["iops"]) * 4096 / 1e6, rel=1e-3)


PIECES = st.sampled_from([*result().split("\n"), "ALL", "ALL,,,,", "'Results", "'size,", "1,2,3,4"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=40), st.text(max_size=40))
def test_that_any_order_of_lines_is_read_without_an_error(tmp_path: Path, lines: list[str], other: str) -> None:
    data = "\n".join([*lines, other]).encode("utf-8", "replace")
    assert 0.0 <= READER.identify(data, "x") <= 1.0
    assert is_whole(read_with(READER, tmp_path, data))


def test_that_a_script_that_writes_iometer_files_is_not_a_result() -> None:
    script = b"def write(test):\n    return f\"'Test Type,Test Description\\n0,{test}\\n'Version\\n\"\n"
    assert READER.identify(script, "generate.py") == 0.0


@pytest.mark.parametrize("beyond", [",", ",,,"])
def test_that_blank_cells_at_the_row_end_are_ignored_and_a_comma_in_a_name_stays(tmp_path: Path, beyond: str) -> None:
    plain = read_with(READER, tmp_path, result()).benchmarks
    rows = [line + beyond if line.startswith("ALL,") else line for line in result().split("\n")]
    assert read_with(READER, tmp_path, "\n".join(rows)).benchmarks == plain
    named = read_with(READER, tmp_path, result(block(spec="a,b")) + "").benchmarks
    assert {row.job for row in named} == {"a,b"}
    both = [line + beyond if line.startswith("ALL,") else line for line in result(block(spec="a,b")).split("\n")]
    assert read_with(READER, tmp_path, "\n".join(both)).benchmarks == named


@pytest.mark.parametrize("part", ["8192,x,70,100,0,1,0,0", "8192,100,70", "8192,100,,100,0,1,0,0", "x,100,70,100"])
def test_that_an_incomplete_specification_gives_no_settings(tmp_path: Path, part: str) -> None:
    text = result(block())
    start = text.index("8192,100")
    reading = read_with(READER, tmp_path, text[:start] + part + text[text.index("\n", start) :])
    assert {(row.block_bytes, row.read_percent) for row in reading.benchmarks} == {(None, 70.0)}


def test_that_a_row_of_an_unknown_kind_is_named_with_its_line_and_rejected(tmp_path: Path) -> None:
    text = result(block(), block().replace("ALL,All", "AL,All"), block())
    reading = read_with(READER, tmp_path, text)
    line = text[: text.index("\nAL,All")].count("\n") + 2
    assert [problem.line for problem in reading.problems if problem.code == "cell-count"] == [line]
    assert len(reading.benchmarks) == 6


@pytest.mark.parametrize(("part", "size"), [("4096,50,0,100,0,1,0,0", 4096), ("65536,50,100,100,0,1,0,0", None)])
def test_that_two_parts_have_a_block_size_if_it_is_of_both(tmp_path: Path, part: str, size: int | None) -> None:
    start = START.format(version="1.1.0").replace("65536,50,0,0,0,1,0,0", part)
    reading = read_with(READER, tmp_path, start + block(spec="All in one") + "'End Test\n")
    assert {row.block_bytes for row in reading.benchmarks} == {size}
