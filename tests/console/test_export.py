"""`vdiwb export`: options, workspace files, and messages."""

import shutil
import zipfile
from pathlib import Path

import polars as pl
import pytest
from openpyxl import Workbook, load_workbook
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from syrupy.assertion import SnapshotAssertion

from workbench.cli import main
from workbench.console.loading import load_studies
from workbench.model.edits import RunEdits
from workbench.session.document import SessionDocument, save_session
from workbench.session.state import State
from workbench.study.store.column_store import default_store

SAMPLE = Path(__file__).parents[2] / "sample_data" / "xenapp-pvs-ram-cache"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["-o", "a.doc"], ".doc files cannot be exported. Choose .xlsx, "),
        (["-o", "a"], "The file name has no ending. Choose .xlsx, "),
        (["-o", "a.png", "--only", "cash"], "There is no page or view 'cash'"),
        (["-o", "a.png", "--template", "t.xlsx"], "With a template, the output must be an .xlsx, .xlsm or .pptx file."),
        (["-o", "a.xlsx", "--template", "t.pptx"], "t.pptx cannot be the template of a.xlsx"),
        (["-o", "a.xlsx", "--template", "none.xlsx"], "The template none.xlsx does not exist. Check the path."),
        (["-o", "a.pptx", "--logo", "none.png"], "The logo none.png does not exist. Check the path."),
        (["-o", "a.xlsx", "-o", "a.doc"], ".doc files cannot be exported. Choose .xlsx, "),
        (["-o", "a.xlsx", "-o", "a.xlsx"], "a.xlsx is named twice with -o."),
        (["-o", "a.pptx", "-o", "t.xlsx", "--template", "t.xlsx"], "t.xlsx cannot be the template of a.pptx"),
        (
            ["-o", "a.pptx", "--each-study"],
            "--each-study requires an .xlsx output file and cannot be combined with --template.",
        ),
    ],
)
def test_that_impossible_exports_are_reported_before_files_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert main(["export", str(tmp_path / "nowhere"), *options]) == 2
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.parametrize("option", [["--size", "1600"], ["--size", "10x10"], ["--scale", "99"], ["--theme", "blue"]])
def test_that_an_invalid_option_ends_with_2(capsys: pytest.CaptureFixture[str], option: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["export", "x", "-o", "a.png", *option])
    assert ended.value.code == 2


def test_that_an_unknown_phase_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    assert main(["export", str(SAMPLE), "-o", str(tmp_path / "a.csv"), "--phase", "lunch"]) == 2
    assert capsys.readouterr().err == snapshot
    assert not list(tmp_path.iterdir())


def test_that_an_image_has_the_requested_size_times_the_scale(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], qapp: QApplication
) -> None:
    target = tmp_path / "a.png"
    said = main(
        ["export", str(SAMPLE), "-o", str(target), "--only", "cache:sweep", "--size", "640x360", "--scale", "2"]
    )
    assert said == 0
    assert capsys.readouterr().out == "Wrote a.png.\n"
    assert (QImage(str(target)).width(), QImage(str(target)).height()) == (1280, 720)


def test_that_every_file_of_several_exports_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(SAMPLE), "-o", str(tmp_path / "a.csv"), "--only", "overview,compare"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "Wrote 6 files."
    assert {line.strip() for line in said[1:7]} == {path.name for path in tmp_path.iterdir()}


def test_that_a_workspace_file_is_exported_with_its_edits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(SAMPLE), "-o", str(tmp_path / "all.csv")]) == 0
    rows = pl.read_csv(tmp_path / "all.csv")
    runs = rows["run"].unique(maintain_order=True).to_list()
    session = tmp_path / "review.vdiwb"
    (study,) = load_studies([SAMPLE], default_store())
    run = next(one for one in study.runs if one.name == runs[0])
    state = State(edits=(RunEdits(run.folder, excluded="wrong build"),))
    save_session(session, SessionDocument(paths=(str(SAMPLE),), state=state))
    assert main(["export", str(session), "-o", str(tmp_path / "edited.csv")]) == 0
    edited = pl.read_csv(tmp_path / "edited.csv")
    assert edited.filter(pl.col("run") == runs[0])["excluded"].unique().to_list() == ["wrong build"]
    assert edited.filter(pl.col("run") == runs[1])["excluded"].null_count() > 0


def test_that_a_damaged_workspace_file_ends_with_2_and_a_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    (tmp_path / "a.vdiwb").write_text("{}")
    assert main(["export", str(tmp_path / "a.vdiwb"), "-o", str(tmp_path / "a.csv")]) == 2
    assert capsys.readouterr().err == snapshot


def test_that_images_without_qt_are_rejected_with_an_explanation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "workbench.gui.pictures.painter", None)
    assert main(["export", str(SAMPLE), "-o", str(tmp_path / "a.png")]) == 2
    assert capsys.readouterr().err == snapshot
    assert not list(tmp_path.iterdir())


def test_that_excluded_parts_are_counted_unless_they_were_requested(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    storm = str(SAMPLE.parent / "vdi-login-storm")
    assert main(["export", storm, "-o", str(tmp_path / "a.xlsx")]) == 0
    brief = capsys.readouterr().out.splitlines()
    assert main(["export", storm, "-o", str(tmp_path / "a.xlsx"), "--verbose"]) == 0
    head, *named = capsys.readouterr().out.splitlines()
    assert len(named) > 3
    assert all(" is omitted. " in line for line in named)
    counted = f"{len(named)} pages or views have nothing to show. To list them, use --verbose."
    assert brief == [head, counted]


def test_that_a_misspelt_placeholder_of_a_template_is_named_on_every_export(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Workbook()
    book.active["A1"], book.active["C7"] = "{{text:study}}", "{{figur:cache}}"
    book.save(tmp_path / "T.xlsx")
    storm = str(SAMPLE.parent / "vdi-login-storm")
    assert main(["export", storm, "-o", str(tmp_path / "a.xlsx"), "--template", str(tmp_path / "T.xlsx")]) == 0
    named = [line for line in capsys.readouterr().out.splitlines() if "{{figur:cache}}" in line]
    assert len(named) == 1
    assert "C7" in named[0]


def test_that_a_page_that_fails_is_always_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.exporters.job import Written

    told = ("A is omitted. It could not be computed (ValueError: x).", *(f"{n} is cut." for n in range(9)))
    written = Written("Wrote a.pdf.", (tmp_path / "a.pdf",), told)
    monkeypatch.setattr("workbench.exporters.export.export", lambda _job, _painter: written)
    assert main(["export", str(SAMPLE), "-o", str(tmp_path / "a.csv")]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Wrote a.pdf.",
        told[0],
        "9 parts are shortened or omitted. To list them, use --verbose.",
    ]


def _exported(path: Path, *options: str) -> bytes:
    assert main(["export", str(SAMPLE), "-o", str(path), *options]) == 0
    return path.read_bytes()


def test_that_the_export_uses_the_requested_baseline_and_phase(tmp_path):
    usual = _exported(tmp_path / "a.csv", "--only", "compare:metric").decode("utf-8-sig")
    turned = _exported(tmp_path / "b.csv", "--only", "compare:metric", "--baseline", "PVS 3 GB").decode("utf-8-sig")
    # Its configurations are compared with the baseline, which has no row.
    assert {line.split(",")[0] for line in usual.splitlines()[1:]} == {"PVS 3 GB"}
    assert {line.split(",")[0] for line in turned.splitlines()[1:]} == {"PVS 1 GB"}
    logon, steady = (
        _exported(tmp_path / f"{phase}.csv", "--only", "per-vm-iops", "--phase", phase) for phase in ("logon", "steady")
    )
    assert logon != steady


def test_that_the_export_uses_the_requested_theme_and_template(tmp_path):
    light, dark = (
        _exported(tmp_path / f"{theme}.html", "--only", "overview", "--theme", theme).decode("utf-8")
        for theme in ("light", "dark")
    )
    assert '<html lang="en" data-theme="light"' in light
    assert '<html lang="en" data-theme="dark"' in dark
    template = Workbook()
    template.active["A1"], template.active["B2"] = "{{text:study}}", "=1+1"
    template.save(tmp_path / "T.xlsx")
    _exported(tmp_path / "a.xlsx", "--template", str(tmp_path / "T.xlsx"))
    sheet = load_workbook(tmp_path / "a.xlsx").active
    assert (sheet["A1"].value, sheet["B2"].value) == (SAMPLE.name, "=1+1")


@pytest.mark.parametrize(
    "command", [["export", "--only", "findings"], ["check", "--limits", "{limits}", "--format", "csv"]]
)
def test_that_an_export_never_overwrites_an_input_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    lab, limits = tmp_path / "lab", tmp_path / "agreed.csv"
    shutil.copytree(SAMPLE.parent / "rds-mcsio-cache-sweep" / "mcs-r1", lab / "mcs-r1")
    limits.write_text('[[limits]]\nmeasure = "overflow"\n', encoding="utf-8")
    measured = next(path for path in sorted(lab.rglob("*.csv")) if path.name != "events.csv")
    before = measured.read_bytes()
    options = [word.format(limits=limits) for word in command]
    assert main([*options, str(lab), "-o", str(measured)]) == 2
    assert "is a source file of the results" in capsys.readouterr().err
    assert measured.read_bytes() == before
    assert main([*options, str(lab), "-o", str(tmp_path / "new.csv")]) in (0, 4)
    if "check" in command:
        assert main([*options, str(lab), "-o", str(limits)]) == 2
        assert "is an input of this command" in capsys.readouterr().err
        assert main([*options, str(lab), "-o", str(tmp_path / "none" / "a.csv")]) == 2
        assert not (tmp_path / "none").exists()


def test_that_several_files_of_one_reading_are_those_of_several_commands(tmp_path, capsys):
    alone, together = tmp_path / "alone", tmp_path / "together"
    for folder in (alone, together):
        folder.mkdir()
    names = ("a.csv", "a.xlsx", "a.pptx", "a.svg")
    chosen = ["--only", "overview"]
    for name in names:
        assert main(["export", str(SAMPLE), "-o", str(alone / name), *chosen]) == 0
    every = [option for name in names for option in ("-o", str(together / name))]
    capsys.readouterr()
    assert main(["export", str(SAMPLE), *every, *chosen]) == 0
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines() if line.startswith("Wrote")] == [
        "Wrote a.csv",
        "Wrote a.xlsx",
        "Wrote a.pptx",
        "Wrote a.svg.",
    ]
    for name in ("a.csv", "a.svg"):
        assert (together / name).read_bytes() == (alone / name).read_bytes()
    for name in ("a.xlsx", "a.pptx"):
        with zipfile.ZipFile(together / name) as one, zipfile.ZipFile(alone / name) as other:
            # Other parts name the moment, or have random names.
            parts = [part for part in one.namelist() if "/charts/chart" in part and part.endswith(".xml")]
            assert parts
            assert [one.read(part) for part in parts] == [other.read(part) for part in parts]


def test_that_a_file_that_fails_leaves_and_names_those_before_it(tmp_path, capsys):
    (tmp_path / "a.pptx").mkdir()
    assert main(["export", str(SAMPLE), "-o", str(tmp_path / "a.csv"), "-o", str(tmp_path / "a.pptx")]) == 2
    error = capsys.readouterr().err
    assert "Wrote a.csv" in error
    assert "a.pptx" in error
    assert (tmp_path / "a.csv").is_file()
