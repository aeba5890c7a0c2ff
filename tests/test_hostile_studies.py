"""Hostile studies: every console command and every page gives a plain sentence and the remaining results, without
warnings from libraries (pytest makes each warning an error)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import perfmon_csv
from workbench.answers.common.library import Library
from workbench.answers.registry import PAGES
from workbench.cli import OK, USAGE, main
from workbench.console import running
from workbench.console.loading import load_studies
from workbench.measures.phase_table import run_figures
from workbench.session.state import State
from workbench.study.store.column_store import Store, default_store

Cells = Sequence[float | None]
MB = 2.0**20
ROWS = 120  # of 15 s: half an hour
DRIVER = "Citrix MCS Storage Driver"


def vm_file(path: Path, vm: str, reads: Cells, writes: Cells | None = None, **more: Cells) -> None:
    """A VM's disk counters, and others by the part of the path after its host."""
    host = f"\\\\{vm}"
    columns: dict[str, Cells] = {f"{host}\\PhysicalDisk(_Total)\\Disk Reads/sec": reads}
    if writes is not None:
        columns[f"{host}\\PhysicalDisk(_Total)\\Disk Writes/sec"] = writes
    columns |= {f"{host}\\{_NAMES[name]}": cells for name, cells in more.items()}
    perfmon_csv(path / f"{vm}.csv", columns)


_NAMES: Mapping[str, str] = {
    "read_latency": "PhysicalDisk(_Total)\\Avg. Disk sec/Read",
    "write_latency": "PhysicalDisk(_Total)\\Avg. Disk sec/Write",
    "cpu": "Processor(_Total)\\% Processor Time",
    "ram": f"{DRIVER}\\Cache memory used",
    "size": f"{DRIVER}\\Cache memory target size",
    "disk": f"{DRIVER}\\Cache disk used",
    "pool": "Memory\\Pool Nonpaged Bytes",
}


def manifest(
    run: Path, configuration: str, provisioning: str = "MCS", phases: str = "steady 1 29", more: str = ""
) -> None:
    """A run.toml; phases are 'name from to' in minutes from 09:00, separated by commas."""
    lines = [f'configuration = "{configuration}"', f'provisioning = "{provisioning}"', more]
    for one in filter(None, phases.split(",")):
        name, start, end = one.split()
        lines += ["[[phases]]", f'name = "{name}"', f"start = {_at(start)}", f"end = {_at(end)}"]
    run.mkdir(parents=True, exist_ok=True)
    (run / "run.toml").write_text("\n".join(lines) + "\n")


def _at(minutes: str) -> str:
    hours, rest = divmod(int(minutes), 60)
    return f"2016-05-10T{9 + hours:02d}:{rest:02d}:00+01:00"


def usual(
    run: Path, configuration: str, provisioning: str = "MCS", scale: float = 1.0, rows: int = ROWS, **more: str
) -> None:
    """A run without a defect."""
    for vm in ("A", "B", "C"):
        vm_file(
            run,
            vm,
            [10.0 * scale] * rows,
            [30.0 * scale] * rows,
            cpu=[20.0] * rows,
            read_latency=[0.002] * rows,
            write_latency=[0.004] * rows,
        )
    manifest(run, configuration, provisioning, **more)


def phase_without_samples(lab: Path) -> None:
    usual(lab / "mcs", "MCS", phases="steady 1 29,patch 300 310")
    usual(lab / "mcsio", "MCSIO 256 MB", "MCSIO", 0.5, phases="steady 1 29,patch 300 310")


def zero_length_phase(lab: Path) -> None:
    usual(lab / "mcs", "MCS", phases="steady 1 29,boot 5 5")
    usual(lab / "pvs", "PVS", "PVS", phases="steady 9 9,boot 5 6")


def no_phase(lab: Path) -> None:
    for name in ("mcs", "pvs"):
        usual(lab / name, name.upper(), name.upper(), rows=3, phases="")


def cache_that_resets(lab: Path) -> None:
    usual(lab / "mcs", "MCS")
    grown = [n * 4 * MB for n in range(40)] * 3
    for vm in ("A", "B"):
        vm_file(
            lab / "mcsio",
            vm,
            [5.0] * ROWS,
            [1.0] * ROWS,
            ram=grown,
            size=[256 * MB] * ROWS,
            disk=[0.0] * 70 + [n * 8 * MB for n in range(50)],
        )
    manifest(lab / "mcsio", "MCSIO 256 MB", "MCSIO")


def cache_of_nothing(lab: Path) -> None:
    usual(lab / "mcs", "MCS")
    nothing: list[float | None] = [None] * ROWS
    vm_file(lab / "mcsio", "A", [5.0] * ROWS, [1.0] * ROWS, ram=nothing, size=[0.0] * ROWS, disk=nothing)
    vm_file(lab / "mcsio", "B", [5.0] * ROWS, [1.0] * ROWS, ram=[0.0] * ROWS, size=nothing, disk=[0.0] * ROWS)
    manifest(lab / "mcsio", "MCSIO", "MCSIO")


def vanishing_vm(lab: Path) -> None:
    usual(lab / "mcs", "MCS", more="vms = 3")
    for vm, rows in (("A", ROWS), ("B", 20), ("C", 1)):
        vm_file(lab / "mcsio", vm, [5.0] * rows, [1.0] * rows, ram=[MB * n for n in range(rows)])
    manifest(lab / "mcsio", "MCSIO 512 MB", "MCSIO", more="vms = 3")


def one_vm(lab: Path) -> None:
    for name, kind in (("mcs", "MCS"), ("pvs", "PVS")):
        vm_file(lab / name, "A", [10.0] * ROWS, [1.0] * ROWS)
        manifest(lab / name, kind, kind)


def all_equal(lab: Path) -> None:
    for n in (1, 2, 3, 4, 5):
        usual(lab / f"mcs-{n}", "MCS")
        usual(lab / f"mcsio-{n}", "MCSIO 256 MB", "MCSIO")


def all_zero(lab: Path) -> None:
    zero = [0.0] * ROWS
    for n in (1, 2, 3):
        for kind in ("MCS", "MCSIO"):
            run = lab / f"{kind}-{n}"
            vm_file(run, "A", zero, zero, cpu=zero, read_latency=zero, write_latency=zero)
            manifest(run, kind, kind)


def rise_from_zero(lab: Path) -> None:
    for n in (1, 2, 3):
        vm_file(lab / f"mcs-{n}", "A", [10.0] * ROWS, [0.0] * ROWS)
        manifest(lab / f"mcs-{n}", "MCS")
        vm_file(lab / f"mcsio-{n}", "A", [10.0] * ROWS, [500.0 + n] * ROWS)
        manifest(lab / f"mcsio-{n}", "MCSIO 256 MB", "MCSIO")


def nothing_measured(lab: Path) -> None:
    nothing: list[float | None] = [None] * ROWS
    for n in (1, 2, 3):
        for kind in ("MCS", "PVS"):
            vm_file(lab / f"{kind}-{n}", "A", nothing, nothing, cpu=nothing, pool=nothing)
            manifest(lab / f"{kind}-{n}", kind, kind)


def two_runs_of_one_name(lab: Path) -> None:
    for folder in ("one/run", "two/run"):
        usual(lab / folder, "pilot", "MCS" if "one" in folder else "PVS")


def runs_of_other_lengths(lab: Path) -> None:
    usual(lab / "mcs", "MCS")
    usual(lab / "mcs-short", "MCS", rows=12, phases="steady 0 3")
    usual(lab / "mcsio", "MCSIO 256 MB", "MCSIO", rows=3500, phases="steady 1 850")


def wild_numbers(lab: Path) -> None:
    for n, size in enumerate((1e300, 3e300, 1.7e308), 1):
        wild = [size, 0.0, size, None] * (ROWS // 4)
        for kind in ("MCS", "MCSIO"):
            run = lab / f"{kind}-{n}"
            for vm in ("A", "B", "C"):
                vm_file(
                    run,
                    vm,
                    wild,
                    wild,
                    cpu=wild,
                    read_latency=wild,
                    write_latency=wild,
                    ram=wild,
                    size=wild,
                    disk=wild,
                    pool=wild,
                )
            manifest(run, kind, kind)


def tiny_numbers(lab: Path) -> None:
    for n, size in enumerate((5e-324, 1e-300, 1e-200), 1):
        tiny = [size, 0.0, size, None] * (ROWS // 4)
        for kind in ("MCS", "MCSIO"):
            run = lab / f"{kind}-{n}"
            for vm in ("A", "B", "C"):
                vm_file(
                    run, vm, tiny, tiny, cpu=tiny, read_latency=tiny, write_latency=tiny, ram=tiny, size=tiny, disk=tiny
                )
            manifest(run, kind, kind)


def one_wild_sample(lab: Path) -> None:
    for n in (1, 2, 3):
        for kind in ("MCS", "PVS"):
            usual(lab / f"{kind}-{n}", kind, kind)
            cells = [10.0] * ROWS
            cells[40] = 1.7e308
            vm_file(lab / f"{kind}-{n}", "A", cells, cells, pool=cells, cpu=cells)


def everything_excluded(lab: Path) -> None:
    for kind in ("MCS", "PVS"):
        usual(lab / kind, kind, kind, more='exclude = "the lab lost power"')


def sessions_without_end(lab: Path) -> None:
    for kind in ("MCS", "PVS"):
        usual(lab / kind, kind, kind, phases="")
        rows = ["time,event,vm,user"]
        rows += [f"2016-05-10T09:{n:02d}:00+01:00,logon_start,A,user{n}" for n in range(10)]
        (lab / kind / "events.csv").write_text("\n".join(rows) + "\n")


STUDIES: tuple[Callable[[Path], None], ...] = (
    phase_without_samples,
    zero_length_phase,
    no_phase,
    cache_that_resets,
    cache_of_nothing,
    vanishing_vm,
    one_vm,
    all_equal,
    all_zero,
    rise_from_zero,
    nothing_measured,
    two_runs_of_one_name,
    runs_of_other_lengths,
    wild_numbers,
    tiny_numbers,
    one_wild_sample,
    everything_excluded,
    sessions_without_end,
)
# Every page is tested with these each time, the commands only in the slow tests.
AS_PAGES = (
    all_equal,
    phase_without_samples,
    no_phase,
    zero_length_phase,
    vanishing_vm,
    nothing_measured,
    two_runs_of_one_name,
    runs_of_other_lengths,
    tiny_numbers,
    one_wild_sample,
    sessions_without_end,
)
COMMANDS = (
    ("inspect",),
    ("summary",),
    ("summary", "--explain"),
    ("compare",),
    ("compare", "--explain"),
    ("compare", "--margin", "0"),
    ("cache", "--vms"),
    ("logons",),
    ("sizing", "--desktops", "500"),
    ("what-if", "--desktops", "500", "--minutes", "4"),
    ("benchmarks",),
    ("findings", "--all"),
)


_AS_ROWS = (("summary",), ("compare", "--explain"), ("cache", "--vms"), ("logons",), ("findings", "--all"))


@pytest.fixture(params=STUDIES, ids=lambda one: one.__name__)
def lab(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    request.param(tmp_path / "lab")
    return tmp_path / "lab"


@pytest.mark.parametrize(
    "lab",
    [pytest.param(one, id=one.__name__, marks=[pytest.mark.slow] if one in AS_PAGES else []) for one in STUDIES],
    indirect=True,
)
def test_that_every_command_handles_a_hostile_study(
    lab: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The studies are read once, not for each command.
    studies = load_studies([lab], default_store())
    monkeypatch.setattr(running, "load_studies", lambda *_: studies)
    for command in COMMANDS:
        for form in ("table", "json", "csv"):
            if form == "csv" and command not in _AS_ROWS:
                continue
            status = main([command[0], str(lab), *command[1:], "--format", form])
            out, err = capsys.readouterr()
            assert status in (OK, USAGE), f"{command} {form}: {err}"
            if status == USAGE:
                assert err.strip().endswith((".", ";")) or "There is no phase" in err, err
                continue
            _readable(out, form, " ".join(command))


def _readable(out: str, form: str, command: str) -> None:
    if form == "json":
        assert json.loads(out, parse_constant=_no_constant) or command == "benchmarks"
    elif form == "csv":
        rows = list(csv.reader(io.StringIO(out)))
        assert all(len(row) == len(rows[0]) for row in rows), command
        assert not [cell for row in rows for cell in row if cell.casefold() in ("nan", "inf", "-inf")], command
    else:
        assert out.strip(), command
        words = out.replace("│", " ").split()
        assert not {"nan", "inf", "-inf"} & set(words), command


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


def test_that_every_page_handles_a_hostile_study(lab: Path, tmp_path: Path) -> None:
    studies = load_studies([lab], Store(tmp_path / "store"))
    library = Library(studies, {run.folder: run_figures(run) for study in studies for run in study.runs})
    for page in PAGES:
        for view, _ in page.views or (("", ""),):
            state = State(page=page.key)
            content = page.answer(library, state.with_page_view(page.key, view) if view else state)
            assert content.question, page.key
            assert content.empty or content.figure is not None or content.tables, page.key
            told = [content.caption, content.empty, *(card.value + card.note + card.detail for card in content.cards)]
            told += [cell.text for table in content.tables for row in table.rows for cell in row]
            assert not [text for text in told if {"nan", "inf", "-inf"} & set(text.split())], page.key


def test_that_impossible_numbers_are_reported_and_excluded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    one_wild_sample(tmp_path / "lab")
    assert main(["summary", str(tmp_path / "lab"), "--format", "json"]) == OK
    found = json.loads(capsys.readouterr().out)
    # 28 minutes: two VMs at 40/s, one at 20/s with one impossible sample of 15 s.
    assert {row["phases"][0]["total_io"] for row in found["runs"]} == {2 * 40.0 * 1680 + 20.0 * (1680 - 15)}
    told = [one for one in found["problems"] if one["code"] == "impossible-sample"]
    assert {(one["line"], one["action"].split("; ")[0]) for one in told} == {
        (42, "4 samples of 4 counters (line 42) rejected")
    }
    assert len(told) == 6


def test_that_a_figure_of_impossible_latencies_is_reported_and_excluded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    """Latencies are never removed: the figure is omitted instead."""
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    usual(tmp_path / "lab" / "mcs", "MCS")
    rates = [10.0] * ROWS
    vm_file(tmp_path / "lab" / "mcs", "A", rates, rates, read_latency=[*rates[:40], 1.7e308, *rates[41:]])
    assert main(["summary", str(tmp_path / "lab"), "--format", "json"]) == OK
    found = json.loads(capsys.readouterr().out)
    assert found["runs"][0]["phases"][0]["read_latency_ms"] is None
    codes = {one["code"]: one for one in found["problems"]}
    assert codes["impossible-value"]["message"] == snapshot
    assert codes["long-latency"]["line"] == 42
    assert "longer than the recording" in codes["long-latency"]["message"]


def test_that_an_unknown_baseline_is_reported_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(tmp_path / "store"))
    one_vm(tmp_path / "lab")
    for command in ("compare", "findings"):
        assert main([command, str(tmp_path / "lab"), "--baseline", "Xen"]) == USAGE
        assert capsys.readouterr().err == snapshot
