"""The console for users and scripts: words, formats, exit status, and silence in a pipe."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NoReturn

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.damage import damaged
from tests.processes import wait_until_gone
from workbench.cli import main
from workbench.console import export as export_command
from workbench.console.streams import printable
from workbench.gui.shell import start
from workbench.measures.phase_table import RunFigures
from workbench.model.run import Run
from workbench.study.series.vm_series import forget_samples
from workbench.study.store.column_sums import DamagedError

pytestmark = pytest.mark.usefixtures("own_store")

ROOT = Path(__file__).parents[1]
COMMANDS = ("inspect", "summary", "compare", "benchmarks", "export", "import")


def piped(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command as a separate program, with both of its outputs in pipes."""
    return subprocess.run(
        [sys.executable, "-m", "workbench.cli", *map(str, arguments)],
        capture_output=True,
        cwd=ROOT,
        env=os.environ | environment,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_that_help_shows_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"example: vdiwb {command} " in " ".join(capsys.readouterr().out.split())


def test_that_a_worker_of_a_frozen_program_starts_before_anything_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen Windows program starts again for each worker, and must detect that before it reads its arguments."""

    def turn_into_a_worker() -> NoReturn:
        raise SystemExit("a worker")

    def too_late(*_: object, **__: object) -> NoReturn:
        raise AssertionError("something happened before")

    monkeypatch.setattr("multiprocessing.freeze_support", turn_into_a_worker)
    monkeypatch.setattr("argparse.ArgumentParser.__init__", too_late)
    monkeypatch.setattr("workbench.cli.speak_utf8", too_late)
    for program in (main, start.main):
        with pytest.raises(SystemExit, match="a worker"):
            program(["--multiprocessing-fork", "parent_pid=1", "pipe_handle=2"])


@pytest.mark.parametrize(
    "arguments",
    [[], ["summary"], ["nonsense", "x"], ["summary", "x", "--format", "xml"], ["export", "x"], ["import", "x"]],
)
def test_that_wrong_usage_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: vdiwb" in capsys.readouterr().err


def test_that_the_program_prints_nothing_to_stderr_in_a_pipe_and_writes_utf8(lab: Path) -> None:
    done = piped("summary", lab, FORCE_COLOR="1", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode("utf-8")
    assert "MCSIO 512 MB" in text
    assert "—" in text
    assert "\x1b" not in text


def test_that_summary_json_equals_the_phase_table(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(lab), "--format", "json"]) == 0
    table = json.loads(capsys.readouterr().out)
    found = {run["run"]: run["phases"][0] for run in table["runs"]}
    assert {name: row["iops_per_vm"] for name, row in found.items()} == {
        "mcs": pytest.approx(24.0),
        "mcsio-512": pytest.approx(6.0),
    }
    assert {row["evidence"] for row in found.values()} == {"run.toml"}
    assert any(problem["code"] == "inferred-provisioning" for problem in table["problems"])


def test_that_summary_csv_has_the_same_figures(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(lab), "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["run"] for row in rows] == ["mcs", "mcsio-512"]
    assert [float(row["total_io"]) for row in rows] == pytest.approx([24 * 180, 6 * 180])


def test_that_a_run_without_phases_is_in_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lab" / "mcs-lost").mkdir(parents=True)
    (tmp_path / "lab" / "mcs-lost" / "run.toml").write_text("vms = 3\n")
    assert main(["summary", str(tmp_path / "lab")]) == 0
    assert "mcs-lost" in capsys.readouterr().out


def test_that_inspect_shows_the_type_of_each_file(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (lab / "notes.txt").write_text("hello")
    assert main(["inspect", str(lab), "--format", "json"]) == 0
    out, err = capsys.readouterr()
    files = {row["path"]: row for row in json.loads(out)["files"]}
    assert {path: row["reader"] for path, row in files.items()} == {
        "mcs/guest/W10-001.csv": "perfmon",
        "mcs/run.toml": "run.toml",
        "mcsio-512/guest/W10-001.csv": "perfmon",
        "mcsio-512/run.toml": "run.toml",
        "notes.txt": None,
    }
    one = files["mcs/guest/W10-001.csv"]
    assert (one["rows"], one["rejected_rows"], one["cells"], one["first"]) == (24, 0, 48, "2016-05-10T08:00:00Z")
    assert err == ""
    assert main(["inspect", str(lab)]) == 0
    assert "This file has an unknown format." in capsys.readouterr().out


def test_that_control_characters_in_a_file_never_reach_the_terminal(
    lab: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (lab / "mcs" / "events.csv").write_text("time,event\n2016-05-10T08:00:00Z,\x1b[2Jboom\n")
    assert main(["inspect", str(lab)]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[2Jboom" in out


def test_that_thin_spaces_in_formatted_numbers_are_not_control_characters() -> None:
    assert printable("±5\u2009% \x1b[31m\u202e") == "±5\u2009% \\x1b[31m\\u202e"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
@pytest.mark.parametrize("command", ["inspect", "summary"])
def test_that_control_characters_in_a_name_never_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    disk_csv(tmp_path / "lab" / "run\x1b[31m\nred" / "a.csv", "A", [1.0] * 24, [1.0] * 24)
    assert main([command, str(tmp_path / "lab")]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "run\\x1b[31m\\nred" in out


def test_that_rejected_files_are_named_and_others_are_processed(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (lab / "mcs" / "run.toml").write_text("vms =")
    assert main(["summary", str(lab), str(lab.parent / "nowhere")]) == 1
    out, err = capsys.readouterr()
    assert "mcsio-512" in out
    assert [line.split(": ")[1] for line in err.splitlines()] == [str(lab.parent / "nowhere"), "lab/mcs/run.toml:1"]
    assert all(line.startswith("not imported: ") for line in err.splitlines())


@pytest.mark.parametrize("command", [["summary"], ["inspect"], ["benchmarks"], ["summary", "--format", "json"]])
def test_that_an_empty_folder_ends_with_3_and_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert main([command[0], str(tmp_path / "empty"), *command[1:]]) == 3
    said = f"'{tmp_path / 'empty'}': no files. Enter a folder that contains results."
    assert capsys.readouterr().err == f"Nothing was recognised in {said}\n"


def test_that_a_folder_of_unknown_files_ends_with_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "photo.jpg").write_bytes(b"\xff\xd8\xff")
    assert main(["summary", str(tmp_path / "x")]) == 3
    assert capsys.readouterr().err.endswith("x': no file in a known format (1 file). See docs/formats.md.\n")
    assert main(["inspect", str(tmp_path / "x"), "--format", "json"]) == 3
    assert json.loads(capsys.readouterr().out)["files"][0]["recognised"] is False


def test_that_a_missing_path_ends_with_3_and_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(tmp_path / "nowhere")]) == 3
    assert capsys.readouterr() == ("", f"{tmp_path / 'nowhere'} does not exist. Check the path.\n")


@pytest.mark.parametrize("name", ["out.docx", "out"])
def test_that_an_unwritable_file_type_ends_with_2_before_files_are_read(
    lab: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert main(["export", str(lab), "-o", str(lab.parent / name)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), "Choose .xlsx, " in err) == ("", 1, True)
    assert not (lab.parent / "store").exists()


@pytest.mark.parametrize("ending", [".csv", ".xlsx"])
def test_that_export_writes_the_file_and_reports_it(lab: Path, capsys: pytest.CaptureFixture[str], ending: str) -> None:
    target = lab.parent / f"findings{ending}"
    assert main(["export", str(lab), "-o", str(target)]) == 0
    assert f"Wrote findings{ending}" in capsys.readouterr().out
    assert target.stat().st_size > 100


def test_that_export_into_a_missing_folder_ends_with_2(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(lab), "-o", str(lab / "no" / "where.csv")]) == 2
    assert "does not exist" in capsys.readouterr().err


def test_that_import_fills_the_chosen_store(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = lab.parent / "shared store"
    assert main(["import", str(lab), "--store", str(store)]) == 0
    assert len(list((store / "v1" / "columns").glob("*.arrow"))) == 2
    assert str(store) in capsys.readouterr().out


def test_that_a_store_that_cannot_be_created_is_reported_in_a_sentence(
    lab: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (lab.parent / "file").write_text("")
    monkeypatch.setenv("VDI_WORKBENCH_STORE", str(lab.parent / "file" / "store"))
    assert main(["summary", str(lab)]) == 2
    assert capsys.readouterr().err.startswith("The column store ")


def _cut_in_the_middle(data: bytes) -> bytes:
    return data[: len(data) // 2].replace(b"ARROW1", b"ABCDEF") + data[-6:]


@pytest.mark.parametrize("damage", [_cut_in_the_middle, *(partial(damaged, seed=seed) for seed in range(8))])
def test_that_damaged_columns_are_read_again_from_their_files_and_named(
    lab: Path, capsys: pytest.CaptureFixture[str], damage: Callable[[bytes], bytes]
) -> None:
    assert main(["summary", str(lab)]) == 0
    before = capsys.readouterr().out
    store = Path(os.environ["VDI_WORKBENCH_STORE"])
    for columns in store.rglob("*.arrow"):
        columns.write_bytes(damage(columns.read_bytes()))
    assert main(["summary", str(lab)]) == 0
    after = capsys.readouterr()
    assert after.out == before
    # The store detects shortened columns without reading them.
    assert after.err == "" or "was damaged; the file was imported again." in after.err
    assert main(["summary", str(lab)]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("ending", [".xlsx", ".parquet"])
def test_that_an_export_with_damaged_columns_is_complete(
    lab: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    ending: str,
    monkeypatch: pytest.MonkeyPatch,
    snapshot: SnapshotAssertion,
) -> None:
    export = ["export", str(lab), "-o", str(tmp_path / f"a{ending}")]
    assert main(export) == 0
    before = capsys.readouterr().out
    genuine = export_command.run_figures

    def damages_what_it_has_read(run: Run) -> RunFigures:
        figures = genuine(run)
        seen.append(run)
        if len(seen) == 2:  # the last one, because the following reads are samples for charts
            for columns in Path(os.environ["VDI_WORKBENCH_STORE"]).rglob("*.arrow"):
                columns.write_bytes(damaged(columns.read_bytes(), 1))
        return figures

    seen: list[Run] = []
    monkeypatch.setattr(export_command, "run_figures", damages_what_it_has_read)
    forget_samples()
    assert main(export) == 0
    after = capsys.readouterr()
    assert after.out == before
    assert after.err == snapshot


def test_that_a_store_that_always_fails_ends_with_a_sentence(
    lab: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["summary", str(lab)]) == 0

    def spoils(_columns: Path, _table: object) -> None:
        raise DamagedError("column 0 is not as it was written")

    monkeypatch.setattr("workbench.study.store.columns.check", spoils)
    assert main(["summary", str(lab)]) == 2
    told = capsys.readouterr().err
    assert os.environ["VDI_WORKBENCH_STORE"] in told
    assert "Traceback" not in told


@pytest.mark.skipif(sys.platform == "win32", reason="Windows calls such a path absent")
def test_that_a_path_that_the_system_rejects_is_reported_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["summary", "x" * 300])
    told = capsys.readouterr().err.splitlines()
    assert status in (2, 3)
    assert len(told) == 1


def test_that_closing_the_output_pipe_early_is_not_an_error(lab: Path) -> None:
    program = [sys.executable, "-m", "workbench.cli", "summary", str(lab)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=os.environ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(60) == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no signal to a group of processes")
def test_that_ctrl_c_ends_with_a_sentence_and_leaves_no_worker(lab: Path) -> None:
    for number in range(400):
        disk_csv(lab / "mcs" / "guest" / f"V{number}.csv", f"V{number}", [1.0] * 20, [1.0] * 20)
    program = [sys.executable, "-m", "workbench.cli", "summary", str(lab)]
    with subprocess.Popen(
        program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT, env=os.environ, start_new_session=True
    ) as running:
        assert running.stderr is not None
        store = lab.parent / "store" / "v1" / "readings"
        end = time.monotonic() + 60
        while not (store.is_dir() and any(store.iterdir())):
            assert time.monotonic() < end
            time.sleep(0.01)
        os.killpg(running.pid, signal.SIGINT)
        assert running.stderr.read() == b"Stopped. Imported files stay in the column store.\n"
        assert running.wait(30) == 130
    wait_until_gone(running.pid)


def test_that_a_name_that_starts_with_a_dash_is_reported_with_the_right_notation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    disk_csv(tmp_path / "-lab" / "mcs" / "W10-001.csv", "W10-001", [1.0] * 24, [1.0] * 24)
    with pytest.raises(SystemExit) as ended:
        main(["summary", "-lab"])
    assert ended.value.code == 2
    assert "write ./-lab" in capsys.readouterr().err
    assert main(["summary", "./-lab"]) == 0
    with pytest.raises(SystemExit):
        main(["summary", "-nowhere"])
    assert "./" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["summary", "compare"])
def test_that_results_without_a_run_give_a_sentence(
    command: str, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main([command, str(ROOT / "sample_data" / "storage-benchmarks")]) == 0
    said = capsys.readouterr().out
    assert said == snapshot
    assert "─" not in said


def test_that_inspect_shows_offsets_in_clock_notation(lab: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(lab)]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if "W10-001.csv" in line)
    assert "+01:00" in row.split()


def test_that_an_unknown_option_and_an_invalid_number_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, words in (
        (["findings", "x", "--formt", "json"], "To list the options, use 'vdiwb findings --help'."),
        (["findings", "x", "--margin", "abc"], "argument --margin: 'abc' is not a number"),
        (["cache", "x", "--desktops", "2.5"], "argument --desktops: '2.5' is not a whole number"),
    ):
        with pytest.raises(SystemExit):
            main(arguments)
        assert words in capsys.readouterr().err


def test_that_import_reports_the_number_of_files_and_the_command_to_open_them(
    lab: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "filled"
    assert main(["import", str(lab / "mcs" / "guest"), "--store", str(store)]) == 0
    assert capsys.readouterr().out == (
        f"1 file is in the column store '{store}'. To use this store, set VDI_WORKBENCH_STORE to its folder.\n"
    )
