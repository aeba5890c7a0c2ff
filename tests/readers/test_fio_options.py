from __future__ import annotations

from typing import Any

import pytest

from workbench.readers.fio.options import Options, block_bytes, directions, options_of, pattern, read_percent, threads


def options(complete: bool = True, **values: str) -> Options:
    return Options(values, complete)


@pytest.mark.parametrize(
    ("text", "read", "write", "trim"),
    [
        ("4k", 4096, 4096, 4096),
        ("4K", 4096, 4096, 4096),
        ("4kb", 4096, 4096, 4096),
        ("512", 512, 512, 512),
        ("512B", 512, 512, 512),
        ("1m", 1048576, 1048576, 1048576),
        ("0x1000", 4096, 4096, 4096),
        ("4k,8k", 4096, 8192, 8192),
        ("8k,32k,", 8192, 32768, 4096),
        (",8k", 4096, 8192, 8192),
        ("4k,8k,16k", 4096, 8192, 16384),
        ("4k-64k", None, None, None),
        ("0", None, None, None),
        ("many", None, None, None),
        ("9" * 30, None, None, None),
        ("1" * 19, None, None, None),
        ("1" * 18, 111_111_111_111_111_111, 111_111_111_111_111_111, 111_111_111_111_111_111),
    ],
)
def test_that_block_sizes_are_read_like_fio_reads_them(
    text: str, read: int | None, write: int | None, trim: int | None
) -> None:
    assert [block_bytes(options(bs=text), op, None) for op in ("read", "write", "trim")] == [read, write, trim]


@pytest.mark.parametrize(
    ("values", "measured", "expected"),
    [
        ({"bs": "4KiB"}, 4096.0, 4096),
        ({"bs": "4KiB"}, 4000.0, 4000),
        ({"bs": "4KiB"}, None, 4000),
        ({"bs": "4KiB", "kb_base": "1000"}, None, 4096),
        ({"bs": "4k", "kb_base": "1000"}, None, 4000),
        ({"bs": "2m", "kb_base": "1000"}, None, 2 * 10**6),
        ({"bs": "1MiB"}, 1.0e6, 10**6),
        ({"bs": "1MiB"}, 1048576.0, 2**20),
        ({"bs": "1g", "kb_base": "1000"}, None, 10**9),
        ({"bs": "1g"}, None, 2**30),
    ],
)
def test_that_the_measured_size_shows_what_kib_means_in_that_fio(
    values: dict[str, str], measured: float | None, expected: int
) -> None:
    assert block_bytes(options(**values), "read", measured) == expected


def test_that_a_range_or_split_of_sizes_is_not_a_block_size() -> None:
    assert block_bytes(options(bsrange="1k-4k"), "read", None) is None
    assert block_bytes(options(bssplit="4k/60:8k/40", bs="4k"), "read", None) is None


def test_that_unified_reporting_has_a_block_size_only_if_both_directions_share_it() -> None:
    assert block_bytes(options(bs="8k"), "mixed", None) == 8192
    assert block_bytes(options(bs="8k,4k"), "mixed", None) is None


def test_that_defaults_are_assumed_only_if_all_options_are_listed() -> None:
    assert block_bytes(options(), "read", None) == 4096
    assert block_bytes(options(complete=False), "read", None) is None
    assert threads(options(complete=False), 1) is None


@pytest.mark.parametrize(
    ("content", "job", "complete"),
    [
        ({"fio version": "fio-3.19"}, {"job options": {}}, True),
        ({"fio version": "fio-2.16"}, {"job options": {}}, False),
        ({"fio version": "fio-2.16", "global options": {}}, {"job options": {}}, True),
        ({"fio version": "fio-3.19"}, {}, False),
        ({}, {"job options": {}}, False),
    ],
)
def test_that_options_are_complete_from_the_version_that_lists_them_all(
    content: dict[str, Any], job: dict[str, Any], complete: bool
) -> None:
    assert options_of(job, content).complete is complete


@pytest.mark.parametrize("stated", [{"bs": "8k"}, [{"bs": "8k"}], ["bs=8k"]])
def test_that_global_options_are_an_object_or_a_list_and_job_options_override_them(stated: object) -> None:
    content = {"fio version": "fio-3.1", "global options": stated}
    assert options_of({"job options": {}}, content).get("bs") == "8k"
    assert options_of({"job options": {"bs": "16k"}}, content).get("bs") == "16k"


@pytest.mark.parametrize(
    ("values", "ios", "expected"),
    [
        ({"rw": "randread", "rwmixread": "30"}, {"read": 9.0}, 100.0),
        ({"rw": "randrw", "rwmixread": "65"}, {"read": 648.0, "write": 352.0}, 65.0),
        ({"rw": "randrw", "rwmixwrite": "20"}, {"read": 81.0, "write": 19.0}, 80.0),
        ({"rw": "randrw"}, {"read": 30.0, "write": 10.0}, 75.0),
        ({"rw": "randrw", "rwmixread": "100"}, {"read": 5.0}, 100.0),
        ({"rw": "randrw"}, {"read": 5.0, "write": 5.0}, 50.0),
        ({"rw": "randrw"}, {"read": 0.0, "write": 0.0}, None),
        ({"rw": "randrw"}, {"mixed": 5.0}, 50.0),
        ({"rw": "randrw", "rwmixread": "70"}, {"mixed": 5.0}, 70.0),
        ({"rw": "write"}, {"mixed": 5.0}, 0.0),
        ({}, {"mixed": 5.0}, None),
        ({"rw": "trim"}, {"trim": 5.0}, None),
    ],
)
def test_that_the_share_of_reads_is_the_stated_mix_or_else_the_measured_one(
    values: dict[str, str], ios: dict[str, float], expected: float | None
) -> None:
    assert read_percent(options(**values), ios) == expected


@pytest.mark.parametrize(
    ("values", "expected", "meant"),
    [
        ({"rw": "randrw"}, "random", ("read", "write")),
        ({"readwrite": "read"}, "sequential", ("read",)),
        ({"rw": "randwrite:8"}, "random", ("write",)),
        ({"rw": "trimwrite"}, "sequential", ("write", "trim")),
        ({"rw": "randread", "percentage_random": "85"}, None, ("read",)),
        ({}, None, ()),
    ],
)
def test_that_the_pattern_and_the_directions_come_from_rw(
    values: dict[str, str], expected: str | None, meant: tuple[str, ...]
) -> None:
    assert pattern(options(**values)) == expected
    assert directions(options(**values)) == meant


def test_that_clones_count_as_threads_only_if_one_entry_has_them_all() -> None:
    assert threads(options(numjobs="8"), 1) == 8
    assert threads(options(numjobs="8"), 8) == 1
    assert threads(options(numjobs="8"), 3) is None
    assert threads(options(numjobs="08"), 1) == 8
