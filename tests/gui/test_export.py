"""Exporting from the window: the dialog and its preview, the process that writes, cancel and kill."""

import multiprocessing
import os
import signal
import threading
from io import BytesIO
from pathlib import Path
from typing import Any

import openpyxl
import polars as pl
import pytest
from pptx import Presentation
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot
from syrupy.assertion import SnapshotAssertion

from tests.builders import disk_csv
from tests.damage import damaged
from tests.gui.conftest import LONG_MS, SAMPLE, after, open_and_wait, settle, window_with
from tests.gui.unsaved import lab
from workbench.answers.registry import PAGES
from workbench.charts.figure import Figure
from workbench.exporters.job import Written
from workbench.exporters.safe_file import ExportError
from workbench.exporters.wanted import Wanted
from workbench.gui.commands.files.export_task import ExportTask
from workbench.gui.commands.files.exporting import in_one_line
from workbench.gui.dialogs.export_dialog import ExportDialog
from workbench.gui.plot.picture import render_figure
from workbench.gui.shell.main_window import MainWindow
from workbench.session.settings import Settings, load_settings, save_settings
from workbench.session.state import State
from workbench.study.store.column_store import Store


@pytest.fixture
def opened(request: pytest.FixtureRequest, qtbot: QtBot, own_files: None) -> MainWindow:
    """The window with the smallest study of the sample: two runs."""
    return window_with(request, qtbot, SAMPLE / "xenapp-pvs-ram-cache")


def choose(dialog: ExportDialog, qtbot: QtBot, window: MainWindow, **choices: str) -> None:
    """Sets values in the form and waits for the preview."""
    for name, value in choices.items():
        combo = getattr(dialog.form, name)
        assert combo.findData(value) >= 0, f"{value} cannot be chosen"
        combo.setCurrentIndex(combo.findData(value))
    qtbot.waitUntil(lambda: not window.busy and not dialog._timer.isActive(), timeout=LONG_MS)


@pytest.fixture
def dialog(opened: MainWindow, qtbot: QtBot, tmp_path: Path) -> ExportDialog:
    after(opened, qtbot, opened.exports.ask)
    found = opened.exports.dialog
    assert found is not None
    found.form.place.setText(str(tmp_path / "findings.xlsx"))
    qtbot.waitUntil(lambda: not opened.busy and not found._timer.isActive(), timeout=LONG_MS)
    return found


def names(dialog: ExportDialog) -> list[str]:
    return [dialog.list.item(row).text() for row in range(dialog.list.count())]


def test_that_the_preview_lists_outputs_and_omitted_parts_with_reasons(
    opened: MainWindow, dialog: ExportDialog, qtbot: QtBot, snapshot: SnapshotAssertion
) -> None:
    assert names(dialog)[:3] == ["Overview", "Per VM", "Cache, over time"]
    assert dialog.head.text() == f"{dialog.list.count()} pages and views"
    assert [text for text in dialog.preview.left_out if text.startswith("“Logons, VSImax / EUX” is omitted. ")]
    assert dialog.picture.isVisible()
    choose(dialog, qtbot, opened, what="page")
    assert names(dialog) == ["Overview"]
    choose(dialog, qtbot, opened, what="findings", format=".pptx")
    assert dialog.head.text() == snapshot
    assert dialog.form.place.text().endswith("findings.pptx")


def test_that_each_part_omitted_by_the_length_names_the_choice_that_includes_it(
    opened: MainWindow, dialog: ExportDialog, qtbot: QtBot
) -> None:
    def omitted() -> list[str]:
        return [dialog.left_out.item(row).text() for row in range(dialog.left_out.count())]

    choose(dialog, qtbot, opened, format=".pptx", length="brief")
    longest = dialog.form.length.itemText(dialog.form.length.findData("full"))
    assert sum(longest in text for text in omitted()) == 1
    assert not [text for text in omitted() if "--" in text]
    choose(dialog, qtbot, opened, length="full")
    assert not [text for text in omitted() if longest in text]


def test_that_a_preview_draws_one_chart_after_its_list(
    opened: MainWindow, dialog: ExportDialog, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[int, Figure]] = []

    def counted(figure: Figure, *arguments: Any, **options: Any) -> QImage:
        drawn.append((dialog.list.count(), figure))
        return render_figure(figure, *arguments, **options)

    monkeypatch.setattr("workbench.gui.dialogs.export_dialog.render_figure", counted)
    choose(dialog, qtbot, opened, format=".html")
    qtbot.waitUntil(lambda: not dialog._drawing.isActive(), timeout=LONG_MS)
    assert dialog.preview is not None
    assert drawn == [(len(dialog.preview.entries), dialog.preview.entries[0].figure)]
    for row in range(dialog.list.count()):
        # Like an arrow key that is held down.
        dialog.list.setCurrentRow(row)
    chosen = dialog.list.currentRow()
    qtbot.waitUntil(lambda: not dialog._drawing.isActive(), timeout=LONG_MS)
    last = dialog.preview.entries[chosen].figure
    assert [figure for _, figure in drawn[1:]] == ([last] if last is not None else [])


def test_that_the_dialog_keeps_the_window_usable_and_shows_its_changes(
    opened: MainWindow, dialog: ExportDialog, qtbot: QtBot
) -> None:
    assert not dialog.isModal()
    before = len(names(dialog))
    labels = frozenset(group.label for group in opened.workspace.library.groups(opened.workspace.state))
    after(opened, qtbot, lambda: opened.workspace.apply(hidden=labels))
    qtbot.waitUntil(lambda: not opened.busy and not dialog._timer.isActive(), timeout=LONG_MS)
    assert len(names(dialog)) < before


def test_that_only_options_of_the_format_can_be_chosen(opened: MainWindow, dialog: ExportDialog, qtbot: QtBot) -> None:
    def shown() -> set[str]:
        return {key for key, (label, _field) in dialog.form._rows.items() if label.isVisible()}

    always = {"what", "format", "names", "where"}
    assert shown() == always | {"template", "length"}
    choose(dialog, qtbot, opened, format=".png")
    assert shown() == always | {"theme", "size"}
    choose(dialog, qtbot, opened, format=".csv")
    assert shown() == always | {"data"}
    choose(dialog, qtbot, opened, format=".parquet")
    assert shown() == always


@pytest.mark.usefixtures("exports_here")
def test_that_the_export_writes_the_previewed_parts_and_saves_the_choices(
    opened: MainWindow, dialog: ExportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    choose(dialog, qtbot, opened, what="page", format=".parquet")
    place = Path(dialog.form.place.text())
    dialog.export.click()
    settle(opened, qtbot)
    assert opened.strip.message.full.startswith(f"Wrote {place.name}: ")
    frame = pl.read_parquet(place)
    figure = opened.page.content.figure
    bars = figure.panels[0].marks[0]
    assert frame[f"{figure.panels[0].title} · {bars.name} [IOPS]"][0] == bars.values[0]
    assert opened.exports.dialog is None
    assert save_settings(opened.settings)
    remembered = load_settings()
    assert (remembered.export.what, remembered.export.ending) == ("page", ".parquet")
    assert remembered.export_folder == str(tmp_path)


def test_that_a_dialog_closed_before_its_preview_arrives_causes_no_error(opened: MainWindow, qtbot: QtBot) -> None:
    opened.exports.ask()
    assert opened.exports.dialog is not None
    opened.exports.dialog.close()
    settle(opened, qtbot)
    assert opened.exports.dialog is None
    after(opened, qtbot, opened.exports.ask)
    assert opened.exports.dialog is not None


def test_that_a_missing_folder_is_reported_before_anything_is_written(dialog: ExportDialog) -> None:
    dialog.form.place.setText(str(Path(dialog.form.place.text()).parent / "none" / "a.xlsx"))
    assert "does not exist" in dialog.hint.text()


def test_that_the_root_of_a_drive_can_be_typed_on_the_way_to_a_folder(dialog: ExportDialog) -> None:
    dialog.form.place.setText("/")
    assert dialog.form.wanted.path == Path("/findings.xlsx")
    dialog.form.place.setText("")
    assert dialog.form.wanted.path == Path("findings.xlsx")


def test_that_a_typed_ending_is_the_format_and_a_missing_one_is_added(dialog: ExportDialog) -> None:
    folder = Path(dialog.form.place.text()).parent
    dialog.form.place.setText(str(folder / "review.pptx"))
    assert dialog.form.ending == ".pptx"
    assert dialog.form.wanted.path == folder / "review.pptx"
    dialog.form.place.setText(str(folder / "review v1.2"))
    assert dialog.form.wanted.path == folder / "review v1.2.pptx"
    dialog.form.template.setText(str(folder / "none.pptx"))
    dialog._say_where()
    assert dialog.hint.text() == f"The template {folder / 'none.pptx'} does not exist."


@pytest.mark.usefixtures("exports_here")
@pytest.mark.parametrize("ending", [".xlsx", ".pptx"])
@pytest.mark.parametrize(
    ("content", "reason"), [(None, "There is no template"), (b"no archive", ""), (b"PK\x05\x06" + bytes(18), "")]
)
def test_that_a_template_that_cannot_be_used_keeps_the_dialog_open_with_the_reason(
    opened: MainWindow, dialog: ExportDialog, qtbot: QtBot, ending: str, content: bytes | None, reason: str
) -> None:
    place = Path(dialog.form.place.text()).with_suffix(ending)
    template = place.parent / f"none{ending}"
    if content is not None:
        template.write_bytes(content)
    choose(dialog, qtbot, opened, what="findings", format=ending)
    dialog.form.place.setText(str(place))
    dialog.form.template.setText(str(template))
    qtbot.waitUntil(lambda: not opened.busy and not dialog._timer.isActive(), timeout=LONG_MS)
    after(opened, qtbot, dialog.export.click)
    assert dialog.isVisible()
    assert dialog.form.template_fault.isVisible()
    words = dialog.form.template_fault.text()
    assert template.name in words
    assert words.startswith(reason.replace("none.is", f"{template.name} is"))
    assert not place.exists()
    assert dialog.export.isEnabled()
    dialog.form.template.setText("")
    assert not dialog.form.template_fault.isVisible()
    if content is not None:
        return
    # Without it the export goes on.
    qtbot.waitUntil(lambda: not opened.busy and not dialog._timer.isActive(), timeout=LONG_MS)
    after(opened, qtbot, dialog.export.click)
    assert place.exists()


def test_that_an_earlier_file_is_named_before_it_is_replaced(dialog: ExportDialog) -> None:
    Path(dialog.form.place.text()).write_text("old")
    dialog._say_where()
    assert "will be replaced" in dialog.hint.text()


@pytest.mark.usefixtures("exports_here")
def test_that_slides_of_the_findings_are_written_from_the_window(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    after(opened, qtbot, lambda: opened.exports.to(Wanted(tmp_path / "a.pptx", "findings")))
    assert opened.strip.message.full.startswith("Wrote a.pptx")
    assert len(Presentation(str(tmp_path / "a.pptx")).slides) > 3


def test_that_images_are_drawn_in_a_process_without_a_screen(opened: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    after(opened, qtbot, lambda: opened.exports.to(Wanted(tmp_path / "a.png", "page", size=(640, 360))))
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")


def test_that_a_cancelled_export_keeps_the_earlier_file_and_is_reported(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    target = tmp_path / "a.xlsx"
    target.write_text("old")
    opened.exports.to(Wanted(target))
    qtbot.waitUntil(lambda: "Exporting" in opened.strip.message.full, timeout=LONG_MS)
    opened.strip.cancel.click()
    settle(opened, qtbot)
    assert opened.strip.message.full == snapshot
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".vdiwb")] == []
    assert not opened.exports.running


@pytest.mark.skipif(os.name == "nt", reason="needs a signal that cannot be caught")
@pytest.mark.parametrize("share", [0.0, 0.2, 0.5])
def test_that_a_killed_export_keeps_the_earlier_file_and_is_reported(
    opened: MainWindow, tmp_path: Path, share: float
) -> None:
    target = tmp_path / "a.xlsx"
    target.write_text("old")

    def kill(_what: str, done: float) -> None:
        if done >= share:
            for child in multiprocessing.active_children():
                if child.name == "export" and child.pid is not None:
                    os.kill(child.pid, signal.SIGKILL)

    task = ExportTask(opened.workspace.library, opened.workspace.state, Wanted(target))
    with pytest.raises(ExportError, match=r"was stopped\. The earlier file is unchanged"):
        task.run(kill)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".vdiwb")] == []


def test_that_an_export_with_damaged_columns_is_reported_and_keeps_the_earlier_file(
    request: pytest.FixtureRequest, window: MainWindow, qtbot: QtBot, tmp_path: Path, snapshot: SnapshotAssertion
) -> None:
    store, study, target = Store(tmp_path / "own-store"), tmp_path / "lab", tmp_path / "a.xlsx"
    disk_csv(study / "MCS" / "a.csv", "A", [1.0] * 24, [1.0] * 24)
    own = MainWindow(store, State(), Settings(), remembers=False)
    qtbot.addWidget(own)
    open_and_wait(own, qtbot, study)
    target.write_text("earlier")
    for columns in store.root.rglob("*.arrow"):
        columns.write_bytes(damaged(columns.read_bytes(), 1))
    after(own, qtbot, lambda: own.export_to(target))
    assert own.strip.message.full == snapshot
    assert target.read_text() == "earlier"
    open_and_wait(own, qtbot, study)
    request.getfixturevalue("exports_here")
    after(own, qtbot, lambda: own.export_to(target))
    assert own.strip.message.full.startswith("Wrote a.xlsx")
    own.close()


@pytest.mark.usefixtures("exports_here")
def test_that_a_study_can_be_exported_after_every_page_was_opened(
    opened: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    for page in PAGES:
        after(opened, qtbot, lambda key=page.key: opened.show_page(key))  # type: ignore[misc]
    after(opened, qtbot, lambda: opened.export_to(tmp_path / "a.csv"))
    assert opened.strip.message.full.startswith("Wrote a.csv")


def test_that_a_second_export_waits_for_the_first(opened: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    opened.exports.to(Wanted(tmp_path / "a.csv"))
    opened.exports.to(Wanted(tmp_path / "b.csv"))
    assert opened.strip.message.full.startswith("An export is still running")
    settle(opened, qtbot)
    assert (tmp_path / "a.csv").exists()
    assert not (tmp_path / "b.csv").exists()


@pytest.mark.usefixtures("exports_here")
def test_that_the_numbers_of_window_and_workbook_are_the_same(opened: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    after(opened, qtbot, lambda: opened.export_to(tmp_path / "a.xlsx"))
    book = openpyxl.load_workbook(BytesIO((tmp_path / "a.xlsx").read_bytes()), read_only=True, data_only=True)
    sheet = book["Phase table"]
    written = {cell.value for row in sheet.iter_rows() for cell in row if isinstance(cell.value, float)}
    figures = next(iter(opened.workspace.library.figures.values()))
    assert any(abs(figures.phases[0].total_io - value) < 1e-6 for value in written)


def test_that_closing_the_window_ends_an_export(opened: MainWindow, tmp_path: Path) -> None:
    task = ExportTask(opened.workspace.library, opened.workspace.state, Wanted(tmp_path / "a.xlsx"))
    told: list[Exception | Written] = []

    def run() -> None:
        try:
            told.append(task.run(lambda _what, _share: task.cancel()))
        except ExportError as error:
            told.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(60)
    assert str(told[0]).startswith("Cancelled")


def test_that_a_template_with_macros_makes_a_workbook_with_macros(dialog: ExportDialog, tmp_path: Path) -> None:
    form = dialog.form
    form.template.setText(str(tmp_path / "Review.xlsm"))
    assert form.wanted.path == tmp_path / "findings.xlsm"
    assert form.wanted.template == tmp_path / "Review.xlsm"
    form.place.setText(str(tmp_path / "other.xlsm"))
    assert form.format.currentData() == ".xlsx"
    assert form.wanted.path == tmp_path / "other.xlsm"
    form.template.setText("")
    assert form.wanted.path == tmp_path / "other.xlsx"


@pytest.mark.usefixtures("exports_here")
def test_that_customer_and_author_are_asked_once_and_shown_on_the_cover(
    opened: MainWindow, dialog: ExportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    assert not dialog.form.face.isVisible()
    choose(dialog, qtbot, opened, what="findings", format=".pptx")
    assert dialog.form.face.isVisible()
    dialog.form.face.customer.setText("ACME <b>")
    dialog.form.face.author.setText("Ann")
    dialog.form.face.logo.setText(str(tmp_path / "gone.png"))
    qtbot.waitUntil(lambda: "The logo" in dialog.hint.text(), timeout=LONG_MS)
    dialog.form.face.logo.setText("")
    qtbot.waitUntil(lambda: not opened.busy and dialog.export.isEnabled(), timeout=LONG_MS)
    dialog.export.click()
    settle(opened, qtbot)
    words = [shape.text_frame.text for shape in Presentation(tmp_path / "findings.pptx").slides[0].shapes]
    assert any("ACME <b> · Ann" in text for text in words)
    assert save_settings(opened.settings)
    kept = load_settings().face
    assert (kept.customer, kept.author, kept.logo) == ("ACME <b>", "Ann", "")
    after(opened, qtbot, opened.exports.ask)
    again = opened.exports.dialog
    assert isinstance(again, ExportDialog)
    assert again.form.face.customer.text() == "ACME <b>"


@pytest.mark.usefixtures("exports_here")
def test_that_each_of_several_studies_gets_a_workbook(
    opened: MainWindow, dialog: ExportDialog, qtbot: QtBot, tmp_path: Path
) -> None:
    assert not dialog.form.each_study.isVisible()
    dialog.close()
    open_and_wait(opened, qtbot, lab(tmp_path / "one"), lab(tmp_path / "two"))
    after(opened, qtbot, opened.exports.ask)
    several = opened.exports.dialog
    assert isinstance(several, ExportDialog)
    several.form.place.setText(str(tmp_path / "findings.xlsx"))
    assert several.form.each_study.isVisible()
    several.form.each_study.setChecked(True)
    choose(several, qtbot, opened, length="brief")
    qtbot.waitUntil(lambda: "2 files will be written" in several.hint.text(), timeout=LONG_MS)
    several.form.template.setText("T.xlsx")
    assert not several.form.each_study.isVisible()
    assert not several.form.wanted.each_study
    several.form.template.setText("")
    qtbot.waitUntil(lambda: not opened.busy and several.export.isEnabled(), timeout=LONG_MS)
    several.export.click()
    settle(opened, qtbot)
    written = {path.name for path in tmp_path.glob("*.xlsx")}
    assert written == {"findings-one.xlsx", "findings-two.xlsx"}
    assert opened.settings.export.each_study


def test_that_the_status_strip_counts_omitted_parts() -> None:
    template = "The template has no sheet Data."
    omitted = ("Limits is omitted. None are set.", "Logons is omitted. None were timed.", template)
    said = in_one_line(Written("Wrote a.xlsx: 9 charts.", (Path("a.xlsx"),), omitted, (template,)))
    assert said.startswith(f"Wrote a.xlsx: 9 charts. {template} 2 ")
    assert "Limits" not in said
    assert in_one_line(Written("Wrote a.xlsx: 9 charts.", (Path("a.xlsx"),))) == "Wrote a.xlsx: 9 charts."
