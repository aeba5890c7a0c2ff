from __future__ import annotations

from pathlib import Path

from tests.readers.blg_files import (
    AVERAGE_BASE,
    AVERAGE_TIMER,
    COUNTER,
    ELAPSED,
    FRACTION,
    FRACTION_BASE,
    FREQUENCY,
    LARGE_RAW,
    PRECISION,
    PRECISION_BASE,
    SECOND,
    START,
    TIMER_INV,
    catalogue,
    counter_block,
    local,
    log,
    names_message,
    objects,
    one_object,
    read,
    record,
    sample,
)

NAMES = {
    236: "LogicalDisk",
    10: "% Free Space",
    12: "Avg. Disk sec/Read",
    14: "Disk Reads/sec",
    16: "% Idle Time",
    238: "Processor",
    6: "% Processor Time",
    4: "Memory",
    24: "Available Bytes",
    2: "System",
    674: "System Up Time",
}
DISK = [
    (10, FRACTION, 4),
    (10, FRACTION_BASE, 8),
    (12, AVERAGE_TIMER, 16),
    (12, AVERAGE_BASE, 12),
    (14, COUNTER, 24),
    (16, PRECISION, 32),
    (16, PRECISION_BASE, 40),
]


def _entry(name: str, instance: str | None = "*") -> bytes:
    return record(name, "*", 0x10, instance, form=0x10, base=0)


def _disk(n: int, free: int) -> bytes:
    reads = 20 * n
    return counter_block("IIIqI4xqq", free, 200, reads, reads * FREQUENCY // 50, reads, n * 7, n * 10)


def test_that_counters_of_whole_objects_are_computed_with_their_bases(tmp_path: Path) -> None:
    parts = names_message(NAMES) + catalogue(_entry("LogicalDisk"))
    for n in range(3):
        disk = one_object(236, DISK, [("C:", _disk(n, 50)), ("_Total", _disk(n, 100))])
        parts += sample(local(2 * n), objects(2 * n, disk))
    result = read(tmp_path, log(parts))
    recording = result.reading.recording
    assert recording is not None
    figures = {series.path.split("\\", 3)[3]: result.columns[f"c{series.column}"] for series in recording.series}
    assert figures == {
        r"LogicalDisk(C:)\% Free Space": [25, 25, 25],
        r"LogicalDisk(C:)\Avg. Disk sec/Read": [None, 0.02, 0.02],
        r"LogicalDisk(C:)\Disk Reads/sec": [None, 10, 10],
        r"LogicalDisk(C:)\% Idle Time": [None, 70, 70],
        r"LogicalDisk(_Total)\% Free Space": [50, 50, 50],
        r"LogicalDisk(_Total)\Avg. Disk sec/Read": [None, 0.02, 0.02],
        r"LogicalDisk(_Total)\Disk Reads/sec": [None, 10, 10],
        r"LogicalDisk(_Total)\% Idle Time": [None, 70, 70],
    }
    assert result.codes == ["cooked-here"]


def test_that_objects_without_instances_and_with_separate_clocks_are_read(tmp_path: Path) -> None:
    parts = names_message(NAMES) + catalogue(_entry("Memory", None), _entry("Processor"), _entry("System", None))
    for n in range(3):
        memory = one_object(4, [(24, LARGE_RAW, 8)], counter_block("4xq", 4096 * (n + 1)))
        processor = one_object(238, [(6, TIMER_INV, 8)], [("0", counter_block("4xq", n * SECOND // 4))])
        up = START - 100 * SECOND
        system = one_object(2, [(674, ELAPSED, 8)], counter_block("4xq", up), (START + n * SECOND, SECOND))
        parts += sample(local(n), objects(n, memory), objects(n, processor), objects(n, system))
    result = read(tmp_path, log(parts))
    assert result.columns["c0"] == [4096, 8192, 12288]
    assert result.columns["c1"] == [None, 75, 75]
    assert result.columns["c2"] == [100, 101, 102]


def test_that_a_child_instance_has_the_name_of_its_parent(tmp_path: Path) -> None:
    names = {230: "Process", 232: "Thread", 46: "Thread State", 100: "Handle Count"}
    process = one_object(
        230, [(100, LARGE_RAW, 8)], [("cmd", counter_block("4xq", 1)), ("dwm", counter_block("4xq", 2))]
    )
    threads = [("0", counter_block("4xq", 5)), ("0", counter_block("4xq", 6))]
    thread = one_object(232, [(46, LARGE_RAW, 8)], threads, parents=[(230, 0), (230, 1)])
    parts = names_message(names) + catalogue(_entry("Thread")) + sample(local(0), objects(0, process, thread))
    recording = read(tmp_path, log(parts)).reading.recording
    assert recording is not None
    assert [series.instance for series in recording.series] == ["cmd/0", "dwm/0"]


def test_that_counters_without_a_name_are_called_by_their_number(tmp_path: Path) -> None:
    memory = one_object(4, [(24, LARGE_RAW, 8)], counter_block("4xq", 4096))
    result = read(tmp_path, log(catalogue(_entry("Memory", None)) + sample(local(0), objects(0, memory))))
    recording = result.reading.recording
    assert recording is not None
    assert recording.series[0].path == r"\\W10-001\object 4\counter 24"
    assert "2 objects or counters have no name in the log " in result.problem("counter-names-missing").message


def test_that_a_counter_outside_its_block_is_missing(tmp_path: Path) -> None:
    memory = one_object(4, [(24, LARGE_RAW, 8), (10, LARGE_RAW, 400)], counter_block("4xq", 4096))
    parts = names_message(NAMES) + catalogue(_entry("Memory", None)) + sample(local(0), objects(0, memory))
    result = read(tmp_path, log(parts))
    assert (result.columns["c0"], result.columns["c1"]) == ([4096], [None])


def test_that_a_count_of_more_counters_than_bytes_is_ignored(tmp_path: Path) -> None:
    """With overlapping definitions a small block could claim any number of cells."""
    definitions = [(24, LARGE_RAW, 8)] * 80
    memory = one_object(4, definitions, [(str(n), counter_block("4xq", n)) for n in range(400)])
    parts = names_message(NAMES) + catalogue(_entry("Memory")) + sample(local(0), objects(0, memory))
    result = read(tmp_path, log(parts))
    assert result.reading.recording is None
    assert result.codes[-1] == "no-rows"
