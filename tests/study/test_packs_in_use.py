"""Files that hold many small result files, while programs are killed, run side by side, or find them damaged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.study.packed_lab import Lab, assert_same, samples_of
from workbench.model.reading import Reading
from workbench.study.importing.pool import ImportJob
from workbench.study.importing.source import ImportSource
from workbench.study.store.column_store import Store, clean_up, prune

ROOT = Path(__file__).parents[2]
KILLED = """
import os, signal, sys
from contextlib import contextmanager
from pathlib import Path
from workbench.study.importing.pool import read_each
from workbench.study.importing.source import ImportSource, read_source
from workbench.study.store import pack_file, packs, temporary
from workbench.study.store.column_store import Store
from workbench.study.store.columns import drop_columns
folder, root, moment = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

@contextmanager
def half(file):
    part = temporary.temporary_beside(file)
    yield part
    os.truncate(part, part.stat().st_size // 2)
    die()

save, replace = packs.Packing.save, temporary.replace_file
if moment.startswith("reading"):
    left = int(moment.split()[1])
    def saved(*arguments):
        global left
        left -= 1
        return save(*arguments) if left else die()
    packs.Packing.save = saved
elif moment == "before the pack":
    packs.write_pack = die
elif moment == "half of the pack":
    pack_file.replacing = half
elif moment == "before its name":
    temporary.replace_file = die
elif moment == "after its name":
    temporary.replace_file = lambda *files: (replace(*files), die())

if len(sys.argv) > 4:
    drop_columns(Path(sys.argv[4]))
else:
    read_each(tuple(ImportSource(path, path.name) for path in sorted(folder.iterdir())), Store(root), read_source, {})
"""
IMPORTED = """
import sys, time
from pathlib import Path
from workbench.study.discovery.folders import find_sources
from workbench.study.importing.pool import ImportJob
from workbench.study.store.column_store import Store
from workbench.study.store.columns import read_table

def main():
    folder, root, go = map(Path, sys.argv[1:4])
    print("ready", flush=True)
    while not go.exists():
        time.sleep(0.001)
    job = ImportJob(find_sources([folder]).sources, Store(root), 2)
    job.start()
    readings = []
    while not job.finished:
        readings += job.poll()
        time.sleep(0.005)
    job.join()
    for source, reading in sorted(readings, key=lambda pair: pair[0].name):
        recording = reading.recording
        columns = [] if recording is None else [series.column for series in recording.series]
        samples = [] if recording is None else [list(each) for each in read_table(recording, columns)[1].values()]
        print(source.name, [problem.code for problem in reading.problems], samples)

if __name__ == "__main__":
    main()
"""
MOMENTS = ("reading 1", "reading 7", "before the pack", "half of the pack", "before its name", "after its name")


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path)


def imported(lab: Lab) -> tuple[list[Reading], int]:
    """The import of the folder with workers, in the order of its files, and the bytes that it read again."""
    job = ImportJob(lab.sources, lab.store, 1)
    job.start()
    readings: dict[ImportSource, Reading] = {}
    while not job.finished:
        readings.update(job.poll())
        time.sleep(0.005)
    job.join()
    return [readings[source] for source in lab.sources], job.bytes_to_read


def killed(lab: Lab, *arguments: str) -> None:
    command = [sys.executable, "-c", KILLED, str(lab.sources[0].path.parent), str(lab.store.root), *arguments]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL


def left_half_written(store: Store) -> list[str]:
    return [file.name for file in (store.root / "v1").rglob(".vdiwb-*")]


def grow(lab: Lab) -> list[list[list[float]]]:
    """Adds a row to each log; returns the samples of all logs afterwards."""
    for source in lab.sources:
        if source.name.startswith("vdi_iops"):
            with source.path.open("ab") as stream:
                stream.write(b"21000, 77, 1, 0\n")
    return [
        [[*samples[0], 21.0], [*samples[1], float("nan")], [*samples[2], 77.0]]
        if samples and len(samples) == 3
        else samples
        for samples in lab.samples
    ]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
@pytest.mark.parametrize("moment", MOMENTS)
def test_that_an_import_killed_at_any_moment_leaves_the_old_or_new_pack_and_the_next_start_cleans_up(
    lab: Lab, moment: str
) -> None:
    old, wanted = lab.pack, grow(lab)
    killed(lab, moment)
    whole = sorted(file for file in lab.store.packs.iterdir() if not file.name.startswith("."))
    assert (len(whole), old in whole) == (2 if moment == "after its name" else 1, True)
    clean_up(lab.store)
    assert left_half_written(lab.store) == []
    readings, read_again = imported(lab)
    assert_same([samples_of(reading) for reading in readings], wanted)
    logs = sum(source.path.stat().st_size for source in lab.sources if source.name.startswith("vdi_iops"))
    assert read_again == (0 if moment == "after its name" else logs)


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
@pytest.mark.parametrize("moment", ["half of the pack", "before its name", "after its name"])
def test_that_a_program_killed_while_it_removes_columns_keeps_the_others(lab: Lab, moment: str) -> None:
    recording = lab.first[4].recording
    assert recording is not None
    killed(lab, moment, recording.store_file or "")
    stored = lab.stored()
    assert [at for at, reading in enumerate(stored) if reading is None] == ([4] if moment == "after its name" else [])
    clean_up(lab.store)
    assert left_half_written(lab.store) == []
    assert_same([samples_of(reading) for reading in imported(lab)[0]], lab.samples)


@pytest.mark.parametrize("before", [False, True])
def test_that_two_programs_importing_a_folder_at_once_have_the_same_numbers(
    lab: Lab, tmp_path: Path, before: bool
) -> None:
    go, root = tmp_path / "go", lab.store.root if before else tmp_path / "both"
    if before:
        grow(lab)
    script = tmp_path / "imports.py"
    script.write_text(IMPORTED, encoding="utf-8")
    command = [sys.executable, str(script), str(lab.sources[0].path.parent), str(root), str(go)]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    programs = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)
    ]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    go.touch()
    first, second = (program.communicate(timeout=300)[0] for program in programs)
    assert first == second
    assert first.count("\n") == len(lab.sources)
    assert [program.returncode for program in programs] == [0, 0]
    both = Store(root)
    lab.store = both
    readings, read_again = imported(lab)
    assert read_again == 0
    assert [reading.problems for reading in readings] == [reading.problems for reading in lab.first]
    assert left_half_written(both) == []


@pytest.mark.parametrize("kept", [0, 7, 8, 100, -1, -8, -9, -500])
def test_that_a_cut_pack_is_read_again_silently_with_the_same_numbers(lab: Lab, kept: int) -> None:
    data = lab.pack.read_bytes()
    lab.pack.write_bytes(data[:kept])
    readings, _ = imported(lab)
    assert_same([samples_of(reading) for reading in readings], lab.samples)
    assert [reading.problems for reading in readings] == [reading.problems for reading in lab.first]


def test_that_exchanged_packs_of_two_folders_are_read_again_silently_with_the_same_numbers(
    lab: Lab, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = Lab(tmp_path / "other")
    grow(other)
    other.store = lab.store
    first = lab.pack
    other.samples = [samples_of(reading) for reading in other.read()]
    second = next(file for file in lab.store.packs.iterdir() if file != first)
    data = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(data)
    for each in (lab, other):
        readings, read_again = imported(each)
        assert read_again > 0
        assert_same([samples_of(reading) for reading in readings], each.samples)
        assert [reading.problems for reading in readings] == [reading.problems for reading in lab.first]


def test_that_exchanged_columns_in_a_pack_are_detected_and_read_again(lab: Lab) -> None:
    one, two = (Path(lab.first[at].recording.store_file or "") for at in (3, 4))  # type: ignore[union-attr]
    data = bytearray(lab.pack.read_bytes())
    spans = []
    for columns in (one, two):
        start, size, sums = map(int, columns.name.split("-"))
        spans.append((start, start + size + sums))
    assert len({end - start for start, end in spans}) == 1
    (a, b), (c, d) = spans
    data[a:b], data[c:d] = data[c:d], data[a:b]
    lab.pack.write_bytes(data)
    readings = [reading for reading in lab.stored(thorough=True) if reading is not None]
    assert len(readings) == len(lab.sources) - 2
    assert_same([samples_of(reading) for reading in imported(lab)[0]], lab.samples)


def test_that_an_import_reads_only_the_changed_file_of_a_pack(lab: Lab) -> None:
    source = lab.sources[3]
    with source.path.open("ab") as stream:
        stream.write(b"21000, 5, 1, 0\n")
    readings, read_again = imported(lab)
    assert read_again == source.path.stat().st_size
    assert samples_of(readings[3])[-1][-1] == 5.0
    others = [at for at in range(len(readings)) if at != 3]
    assert_same([samples_of(readings[at]) for at in others], [lab.samples[at] for at in others])
    assert imported(lab)[1] == 0


def test_that_a_pack_removed_by_the_size_limit_is_read_again_with_the_same_numbers(lab: Lab) -> None:
    small = Store(lab.store.root, cap_bytes=1)
    assert prune(small) == 0, "it may be on somebody's screen"
    os.utime(lab.pack, (1, 1))
    size = lab.pack.stat().st_size
    assert prune(small) == size
    readings, read_again = imported(lab)
    assert read_again == sum(source.path.stat().st_size for source in lab.sources)
    assert_same([samples_of(reading) for reading in readings], lab.samples)


def test_that_reading_a_pack_updates_its_last_use(lab: Lab) -> None:
    os.utime(lab.pack, (1, 1))
    assert None not in lab.stored()
    assert prune(Store(lab.store.root, cap_bytes=1)) == 0
    assert imported(lab)[1] == 0


def test_that_packs_whose_files_all_changed_do_not_count_as_used(lab: Lab) -> None:
    outdated = lab.pack
    for source in lab.sources:
        source.path.write_bytes(source.path.read_bytes() + b"\n")
    lab.read()
    (current,) = (file for file in lab.store.packs.iterdir() if file != outdated)
    for file in (outdated, current):
        os.utime(file, (1, 1))
    size = outdated.stat().st_size
    assert None not in lab.stored()
    assert prune(Store(lab.store.root, cap_bytes=1)) == size
    assert list(lab.store.packs.iterdir()) == [current]
