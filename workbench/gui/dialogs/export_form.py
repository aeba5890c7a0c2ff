"""The choices of the Export dialog: content, format, theme, size, template, place. Shows only the choices that the
format supports.

Also the cover of documents: customer, author and logo. They are asked once, and stored for all documents.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QFileDialog, QFormLayout, QLineEdit, QSizePolicy, QSpinBox, QWidget

from workbench.charts.palette import ThemeName
from workbench.exporters.assemble import DATA_ENDINGS, SAMPLES
from workbench.exporters.export import ENDINGS
from workbench.exporters.wanted import Face, Length, Wanted, What
from workbench.gui.dialogs.fields import FormRow, NamesField, add_rows, choose_button, in_a_row
from workbench.gui.services.layout import in_column
from workbench.gui.services.plain import breakable
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import language_of, tr
from workbench.gui.widgets.boxes import choice_box, decimal_box, whole_number_box
from workbench.session.settings import DocumentFace, ExportChoices, load_settings

FORMATS = {
    ".xlsx": "Excel workbook (.xlsx)",
    ".pptx": "PowerPoint slides (.pptx)",
    ".html": "Web page (.html)",
    ".pdf": "Report (.pdf)",
    ".md": "Markdown (.md)",
    ".png": "Images (.png)",
    ".svg": "Vector images (.svg)",
    ".csv": "Table (.csv)",
    ".parquet": "Data (.parquet)",
}
_THEMED = (".pptx", ".png", ".svg", ".html", ".md")
_SIZED = (".png", ".svg")
_TEMPLATES = {".xlsx": ("*.xlsx", "*.xlsm"), ".pptx": ("*.pptx",)}
# A workbook filled from a template with macros also contains the macros.
_MACROS = ".xlsm"
# Documents with a cover or a head.
_FACED = (".pptx", ".html", ".pdf")
# Documents of everything, whose length can be chosen.
_LONG = (".xlsx", ".pptx", ".html", ".pdf", ".md")
LENGTH_WORDS = (("brief", "Brief: main result"), ("review", "Review"), ("full", "Full: everything, with appendix"))
DATA = (("phases", "Phase table"), ("samples", "Every sample"))


class ExportForm(QWidget):
    """`changed` is emitted when anything is chosen; `wanted` is the choice. `names` are the texts for what can be
    exported, `face` the cover, `several` is True if there are several studies."""

    changed = Signal()

    def __init__(
        self, choices: ExportChoices, folder: Path, names: Sequence[tuple[What, str]], face: DocumentFace, several: bool
    ) -> None:
        super().__init__()
        self._several = several
        self._stem = "findings"
        self._templates = dict(choices.templates)
        self.what = _combo(names, choices.what)
        formats = [(ending, tr(FORMATS.get(ending, ending))) for ending in sorted(ENDINGS, key=_order)]
        self.format = _combo(formats, choices.ending)
        self.data = _combo([(key, tr(words)) for key, words in DATA], choices.data)
        self.length = _combo([(key, tr(words)) for key, words in LENGTH_WORDS], choices.length)
        self.theme = _combo([("light", tr("Light")), ("dark", tr("Dark"))], choices.theme)
        self.wide, self.tall = _spin(choices.width), _spin(choices.height)
        self.scale = decimal_box(0.25, 8.0, step=0.5)
        self.scale.setValue(choices.scale)
        self.scale.setPrefix("× ")
        self.template, self.place = QLineEdit(), QLineEdit(str(folder))
        self.template.setPlaceholderText(tr("default layout"))
        self.names = NamesField(choices.anonymise)
        self.face = FaceFields(face)
        self.each_study = QCheckBox(tr("One workbook per study"))
        self.each_study.setChecked(choices.each_study)
        self.template_fault = labelled("", "quiet", "warning")
        self.template_fault.setWordWrap(True)
        self.template_fault.hide()
        self._build()
        self._show_rows()

    @property
    def ending(self) -> str:
        """The chosen file ending."""
        return str(self.format.currentData())

    @property
    def wanted(self) -> Wanted:
        """The request that the form contains."""
        what: What = self.what.currentData()
        samples = what == "all" and self.ending in DATA_ENDINGS and self.data.currentData() == "samples"
        template = self.template.text().strip()
        theme: ThemeName = self.theme.currentData()
        length: Length = self.length.currentData()
        path, ending = Path(self.place.text().strip()).expanduser(), self._written_ending
        if path.suffix.lower() in (self.ending, _MACROS):
            path = path.with_suffix(ending) if path.suffix.lower() != ending else path
        else:
            # The root of a drive has no name that could get an ending.
            path = path.with_name(path.name + ending) if path.name else path / (self._stem + ending)
        return Wanted(
            path,
            "all" if samples else what,
            only=(SAMPLES,) if samples else (),
            template=Path(template).expanduser() if template and self.ending in _TEMPLATES else None,
            theme=theme,
            size=(self.wide.value(), self.tall.value()),
            scale=self.scale.value(),
            anonymise=self.names.anonymise,
            key=self.names.key,
            face=self.face.face if self.ending in _FACED else Face(),
            each_study=self._can_split and self.each_study.isChecked(),
            length=length,
            language=language_of(load_settings().language),
        )

    @property
    def _written_ending(self) -> str:
        macros = Path(self.template.text().strip()).suffix.lower() == _MACROS
        return _MACROS if macros and self.ending == ".xlsx" else self.ending

    def _everything_as(self, *endings: str) -> bool:
        return self.ending in endings and self.what.currentData() == "all"

    @property
    def _can_split(self) -> bool:
        """True if each study can have a separate workbook: a template is filled only once."""
        return self._several and self._everything_as(".xlsx") and not self.template.text().strip()

    @property
    def choices(self) -> ExportChoices:
        """The choices to store."""
        self._keep_template()
        return ExportChoices(
            what=self.what.currentData(),
            ending=self.ending,
            data=self.data.currentData(),
            theme=self.theme.currentData(),
            width=self.wide.value(),
            height=self.tall.value(),
            scale=self.scale.value(),
            templates=self._templates,
            anonymise=self.names.anonymise,
            each_study=self.each_study.isChecked(),
            length=self.length.currentData(),
        )

    def refuse_template(self, words: str) -> None:
        """Shows below the field why its template cannot be used; shows nothing if it can."""
        self.template_fault.setText(breakable(words))
        self.template_fault.setVisible(bool(words))
        if words:
            self.template.setFocus()

    def _build(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(10)
        form.setHorizontalSpacing(14)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        size = in_a_row(self.wide, labelled("×"), self.tall, self.scale)
        where = in_a_row(self.place, choose_button(tr("Choose a folder"), self._ask_place))
        template = QWidget()
        chosen = in_a_row(self.template, choose_button(tr("Choose a template"), self._ask_template))
        in_column(chosen, self.template_fault, on=template, margins=(0, 0, 0, 0))
        rows = {
            "what": FormRow(tr("What"), self.what),
            "format": FormRow(tr("Format"), self.format),
            "data": FormRow(tr("Contains"), self.data, shown=lambda: self._everything_as(".csv")),
            "length": FormRow(tr("Length"), self.length, shown=lambda: self._everything_as(*_LONG)),
            "theme": FormRow(tr("Theme"), self.theme, shown=lambda: self.ending in _THEMED),
            "size": FormRow(tr("Size"), size, shown=lambda: self.ending in _SIZED),
            "template": FormRow(tr("Template"), template, self.template, lambda: self.ending in _TEMPLATES),
            "studies": FormRow(tr("Studies"), self.each_study, shown=lambda: self._can_split),
            "cover": FormRow(tr("Cover"), self.face, shown=lambda: self.ending in _FACED),
            "names": FormRow(tr("Names"), self.names),
            "where": FormRow(tr("Where"), where, self.place),
        }
        self._rows = dict(zip(rows, add_rows(form, rows.values()), strict=True))
        self.wide.setAccessibleName(tr("Width in pixels"))
        self.tall.setAccessibleName(tr("Height in pixels"))
        self.scale.setAccessibleName(tr("Scale"))
        self._show_template()
        self.format.currentIndexChanged.connect(self._format_changed)
        for combo in (self.what, self.data, self.length, self.theme):
            combo.currentIndexChanged.connect(self._changed)
        for spin in (self.wide, self.tall):
            spin.valueChanged.connect(self.changed)
        self.scale.valueChanged.connect(self.changed)
        self.template.textChanged.connect(lambda _: self.refuse_template(""))
        self.template.textChanged.connect(self._changed)
        self.each_study.toggled.connect(self.changed)
        self.face.changed.connect(self.changed)
        self.names.changed.connect(self.changed)
        self.place.textChanged.connect(self._place_changed)
        self._format_changed()

    def _format_changed(self) -> None:
        path = Path(self.place.text())
        if path.suffix.lower() in (*ENDINGS, _MACROS):
            path = path.with_suffix(self.ending)
        else:
            path = path / f"{self._stem}{self.ending}"
        self.place.setText(str(path))
        self._show_template()
        self._changed()

    def _place_changed(self) -> None:
        """Selects the format whose ending the user has typed."""
        ending = Path(self.place.text()).suffix.lower()
        at = self.format.findData(".xlsx" if ending == _MACROS else ending)
        if at >= 0 and at != self.format.currentIndex():
            self.format.setCurrentIndex(at)
        self.changed.emit()

    def _changed(self) -> None:
        self._show_rows()
        self.changed.emit()

    def _show_rows(self) -> None:
        for label, row in self._rows.values():
            for widget in (label, row.field):
                widget.setVisible(row.shown())
        self.scale.setVisible(self.ending == ".png")

    def _keep_template(self) -> None:
        if self.ending in _TEMPLATES:
            self._templates[self.ending] = self.template.text().strip()

    def _show_template(self) -> None:
        self.template.setText(self._templates.get(self.ending, ""))

    def _ask_place(self) -> None:
        dialog = QFileDialog(self, tr("Export"), self.place.text(), f"*{self.ending}")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        # The program's own dialog asks before an existing file is replaced.
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        dialog.setDefaultSuffix(self.ending.removeprefix("."))
        dialog.selectFile(self.place.text())
        dialog.fileSelected.connect(self.place.setText)
        dialog.open()

    def _ask_template(self) -> None:
        dialog = QFileDialog(self, tr("Template"), str(Path(self.place.text()).parent))
        dialog.setNameFilters([" ".join(_TEMPLATES.get(self.ending, ("*",)))])
        dialog.fileSelected.connect(self._take_template)
        dialog.open()

    def _take_template(self, name: str) -> None:
        self.template.setText(name)
        self._keep_template()


def _order(ending: str) -> int:
    return list(FORMATS).index(ending) if ending in FORMATS else len(FORMATS)


def _combo(entries: Sequence[tuple[str, str]], chosen: str) -> QComboBox:
    made = choice_box((words, key) for key, words in entries)
    made.setCurrentIndex(max(0, made.findData(chosen)))
    # A long name must not widen the dialog.
    made.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return made


def _spin(value: int) -> QSpinBox:
    made = whole_number_box(200, 10_000, step=100)
    made.setValue(value)
    return made


class FaceFields(QWidget):
    """`changed` is emitted when anything is typed; `face` is for the document, `kept` for the settings."""

    changed = Signal()

    def __init__(self, kept: DocumentFace) -> None:
        super().__init__()
        self.customer, self.author, self.logo = QLineEdit(kept.customer), QLineEdit(kept.author), QLineEdit(kept.logo)
        named = ((self.customer, tr("Customer")), (self.author, tr("Author")), (self.logo, tr("Logo (.png, .jpg)")))
        for field, words in named:
            field.setPlaceholderText(words)
            field.setAccessibleName(words)
            field.textChanged.connect(self.changed)
        people, logo = (self.customer, self.author), (self.logo, choose_button(tr("Choose a logo"), self._ask_logo))
        in_column(in_a_row(*people), in_a_row(*logo), on=self, margins=(0, 0, 0, 0), spacing=6)

    @property
    def face(self) -> Face:
        """The cover data for the document."""
        kept = self.kept
        return Face(
            customer=kept.customer, author=kept.author, logo=Path(kept.logo).expanduser() if kept.logo else None
        )

    @property
    def kept(self) -> DocumentFace:
        """The cover data to store."""
        customer, author, logo = (field.text().strip() for field in (self.customer, self.author, self.logo))
        return DocumentFace(customer=customer, author=author, logo=logo)

    def _ask_logo(self) -> None:
        dialog = QFileDialog(self, tr("Choose a logo"), str(Path(self.logo.text()).parent))
        dialog.setNameFilters(["*.png *.jpg *.jpeg"])
        dialog.fileSelected.connect(self.logo.setText)
        dialog.open()
