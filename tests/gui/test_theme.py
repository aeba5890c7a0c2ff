"""The theme: readable in both, one style sheet, one set of icons, one font."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontInfo, QFontMetricsF, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QListWidget,
    QMenu,
    QMenuBar,
    QMessageBox,
    QTableView,
    QTreeView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from workbench.charts.figure import Look
from workbench.charts.palette import HUES, THEMES, ThemeName, colour, contrast
from workbench.gui.services import assets
from workbench.gui.services.theme import SHADES, SIGNS, apply_theme, current_theme, labelled, palette, style_sheet
from workbench.model.resources import resource

pytestmark = pytest.mark.usefixtures("no_kept_window")

THEME_NAMES: tuple[ThemeName, ...] = ("light", "dark")
ICONS = (
    "overview",
    "per-vm-iops",
    "cache",
    "timeline",
    "logons",
    "benchmarks",
    "compare",
    "sizing",
    "import-report",
    "open-folder",
    "export",
    "theme",
    "search",
    "cancel",
    "warning",
    "info",
    "refused",
    "chevron-down",
    "chevron-right",
    "check",
    "better",
    "worse",
    "same",
    "higher",
    "lower",
    "inconclusive",
)


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("token", ["text", "quiet", "accent", "danger"])
def test_that_text_is_readable_on_background_and_card(theme: ThemeName, token: str) -> None:
    tokens = THEMES[theme]
    assert contrast(getattr(tokens, token), tokens.ground) >= 4.5
    assert contrast(getattr(tokens, token), tokens.card) >= 4.5


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_that_text_is_readable_on_each_of_its_backgrounds(theme: ThemeName) -> None:
    tokens, shades = THEMES[theme], SHADES[theme]
    pairs = [
        (tokens.on_accent, tokens.accent),
        (tokens.on_accent, shades.accent_hover),
        (tokens.on_accent, shades.accent_pressed),
        (tokens.accent, shades.selected),
        (tokens.text, shades.selected),
        (tokens.text, shades.hover),
        (tokens.quiet, shades.hover),
        (tokens.danger, shades.hover),
        (shades.good, shades.hover),
        (shades.warning, shades.hover),
        (shades.good, tokens.card),
        (shades.warning, tokens.card),
        (tokens.text, shades.pressed),
        (tokens.text, shades.field),
        (tokens.accent, shades.hover),
    ]
    poor = [(one, other) for one, other in pairs if contrast(one, other) < 4.5]
    assert not poor


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("hue", sorted(HUES["light"]))
def test_that_marks_in_every_tint_contrast_with_background_and_card(theme: ThemeName, hue: str) -> None:
    for tint in (0.0, 0.25, 0.5, 0.75, 1.0):
        mark = colour(Look(hue, tint), theme)
        assert contrast(mark, THEMES[theme].card) >= 3
        assert contrast(mark, THEMES[theme].ground) >= 3


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_that_the_style_sheet_names_only_colours_of_the_theme(theme: ThemeName) -> None:
    sheet = style_sheet(theme)
    known = {str(getattr(part, name)).lower() for part in (THEMES[theme], SHADES[theme]) for name in part.__slots__}
    assert set(re.findall(r"#[0-9a-fA-F]{6}\b", sheet.lower())) <= known
    assert "$" not in sheet


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_that_qt_accepts_the_style_sheet_and_uses_the_colours(qapp: QApplication, theme: ThemeName) -> None:
    # Qt reports an invalid sheet with a warning, and a warning fails the test.
    apply_theme(qapp, theme)
    assert current_theme(qapp) == theme
    assert palette(theme).color(QPalette.ColorRole.Window).name() == THEMES[theme].ground


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_that_every_sign_of_the_style_sheet_is_the_icon_in_a_colour_of_the_theme(theme: ThemeName) -> None:
    found = set(re.findall(r'url\("([^"]+)"\)', style_sheet(theme)))
    assert {Path(path).stem for path in found} == set(SIGNS)
    for path in map(Path, found):
        wanted = assets.svg(path.stem, getattr(THEMES[theme], SIGNS[path.stem])).decode("utf-8")
        assert path.read_text(encoding="utf-8") == wanted, f"{path} should hold: {wanted}"


def test_that_the_bundled_font_is_used_and_its_digits_align(qapp: QApplication) -> None:
    assert assets.FAMILY in assets.load_fonts()
    font = assets.ui_font(10)
    assert QFontInfo(font).family() == assets.FAMILY
    metrics = QFontMetricsF(font)
    assert len({round(metrics.horizontalAdvance(digit * 9), 3) for digit in "0123456789"}) == 1


def test_that_font_and_licence_ship_together_and_stay_small() -> None:
    files = list(resource("fonts").iterdir())
    assert "Open Font License" in resource("fonts", "LICENSE.txt").read_text(encoding="utf-8")
    assert sum(file.stat().st_size for file in files) < 2_000_000


@pytest.mark.parametrize("name", ICONS)
def test_that_every_icon_is_drawn_in_the_requested_colour(qapp: QApplication, name: str) -> None:
    drawn = assets.pixmap(name, "#ff0000", 48).toImage()
    solid = {
        drawn.pixelColor(x, y).name() for x in range(48) for y in range(48) if drawn.pixelColor(x, y).alpha() == 255
    }
    assert solid == {"#ff0000"}


def test_that_a_label_never_reads_markup(qtbot: QtBot) -> None:
    label = labelled("<b>W10-001</b>", "quiet")
    qtbot.addWidget(label)
    assert isinstance(label, QLabel)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text() == "<b>W10-001</b>"


@pytest.mark.parametrize("kind", [QListWidget, QMenu, QMenuBar, QMessageBox, QTableView, QTreeView])
def test_that_widget_types_with_a_separate_font_use_that_of_the_theme(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, kind: type[QWidget]
) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    style_application = QApplication.setStyleSheet

    def as_on_windows(application: QApplication, sheet: str) -> None:
        style_application(application, sheet)
        for name in ("QAbstractItemView", "QMenu", "QMenuBar", "QMessageBox", "QStatusBar", "QTipLabel"):
            application.setFont(QFont("MS Shell Dlg", 8), name)

    with monkeypatch.context() as windows:
        windows.setattr(QApplication, "setStyleSheet", as_on_windows)
        apply_theme(app, "light")
    widget = kind()
    qtbot.addWidget(widget)
    widget.ensurePolished()
    assert widget.font().family() == app.font().family() != "MS Shell Dlg"
