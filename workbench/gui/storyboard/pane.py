"""What can be changed about the slide that is selected: sentence, switches, notes, story or appendix."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout

from workbench.answers.common.storyboard import Switches
from workbench.answers.storyboard.shown import ShownSlide
from workbench.gui.services.theme import labelled
from workbench.gui.services.translation import tr

PANE_PX = 348
SWITCHES = (
    ("claim", "Highlight the bar in the headline"),
    ("bracket", "Bracket with difference and interval"),
    ("baseline", "Baseline"),
    ("value_axis", "Value axis"),
    ("source", "Source line"),
)


class _Field(QPlainTextEdit):
    """A text that is `done` when the keyboard leaves it; Ctrl+Enter leaves it, and Enter where it is one sentence."""

    done = Signal(str)

    def __init__(self, name: str, sentence: bool) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self._sentence, self._was = sentence, ""

    def show_text(self, text: str) -> None:
        """Shows a text, unless another one is being typed."""
        if not (self.hasFocus() and self.toPlainText() != self._was):
            self._was = text
            if text != self.toPlainText():
                self.setPlainText(text)

    def finish(self) -> None:
        """Tells what was typed, once."""
        if (text := self.toPlainText()) != self._was:
            self._was = text
            self.done.emit(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter finishes a sentence, Ctrl+Enter any text; Esc takes back what was typed."""
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if enter and (self._sentence or event.modifiers() & Qt.KeyboardModifier.ControlModifier):
            self.finish()
        elif event.key() == Qt.Key.Key_Escape and self.toPlainText() != self._was:
            self.setPlainText(self._was)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was typed holds."""
        super().focusOutEvent(event)
        self.finish()


class SlidePane(QFrame):
    """`sentence_typed` and `notes_typed` tell a text, `switched` the new switches, `part_wanted` whether the slide
    belongs to the appendix; `restore_wanted` asks for the generated words, `evidence_asked` for the page behind."""

    sentence_typed = Signal(str)
    notes_typed = Signal(str)
    switched = Signal(object)
    part_wanted = Signal(bool)
    restore_wanted = Signal()
    evidence_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setFixedWidth(PANE_PX)
        self.title, self.kind, self.notice = labelled("", "heading"), labelled("", "quiet"), labelled("", "quiet")
        self.notice.setWordWrap(True)
        self.sentence, self.notes = _Field(tr("Sentence"), True), _Field(tr("Speaker notes"), False)
        self.evidence, self.restore = QPushButton(tr("Evidence")), QPushButton(tr("Restore original text"))
        self.boxes = {name: QCheckBox(tr(words)) for name, words in SWITCHES}
        self.appendix = QCheckBox(tr("In the appendix"))
        self._switches = Switches()
        self._build()

    def show_slide(self, shown: ShownSlide | None, number: int) -> None:
        """Shows what a slide has; None where there is none."""
        self.setEnabled(shown is not None)
        if shown is None:
            return
        slide, finding = shown.slide, next(iter(shown.findings), None)
        self.title.setText(f"{tr('Slide')} {number}")
        self.kind.setText(" · ".join(filter(None, (tr(finding.strength.value) if finding else "", tr(slide.kind)))))
        self.evidence.setVisible(bool(finding is not None and finding.page))
        self.restore.setVisible(slide.words is not None)
        caveats = " ".join(finding.caveats) if finding is not None else ""
        self.notice.setText(shown.notice or caveats)
        self.notice.setVisible(bool(self.notice.text()))
        self.sentence.show_text(shown.sentence)
        self.notes.show_text(slide.notes or "")
        self._switches = slide.switches
        for name, box in self.boxes.items():
            with QSignalBlocker(box):
                box.setChecked(getattr(slide.switches, name))
                # What a page shows is not dimmed and has no bracket.
                box.setEnabled(bool(shown.claims) or name == "source")
        with QSignalBlocker(self.appendix):
            self.appendix.setChecked(slide.appendix)

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(6)
        head = QHBoxLayout()
        head.addWidget(self.title)
        head.addWidget(self.kind)
        head.addStretch(1)
        head.addWidget(self.evidence)
        column.addLayout(head)
        self.sentence.setMaximumHeight(76)
        self.sentence.setMinimumHeight(60)
        column.addWidget(labelled(tr("Sentence"), "heading"))
        column.addWidget(self.sentence)
        hint = labelled(tr("Numbers update with the data."), "quiet")
        hint.setWordWrap(True)
        column.addWidget(hint)
        column.addWidget(self.restore, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.notice)
        column.addWidget(labelled(tr("Chart"), "heading"))
        for box in self.boxes.values():
            column.addWidget(box)
            box.toggled.connect(self._switch)
        column.addWidget(self.appendix)
        column.addWidget(labelled(tr("Speaker notes"), "heading"))
        self.notes.setMinimumHeight(48)
        column.addWidget(self.notes, 1)
        for button in (self.evidence, self.restore):
            button.setProperty("kind", "link")
        self.sentence.done.connect(self.sentence_typed)
        self.notes.done.connect(self.notes_typed)
        self.evidence.clicked.connect(self.evidence_asked)
        self.restore.clicked.connect(self.restore_wanted)
        self.appendix.toggled.connect(self.part_wanted)

    def _switch(self) -> None:
        self.switched.emit(Switches(**{name: box.isChecked() for name, box in self.boxes.items()}))
