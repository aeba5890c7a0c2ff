"""The user's actions on the slides of the storyboard: order, texts, options, notes; each step can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from PySide6.QtWidgets import QInputDialog

from workbench.answers.common.storyboard import LONGEST_NOTES, SlideWords, Storyboard, StorySlide, Switches
from workbench.answers.storyboard.shown import ShownSlide, ShownStory
from workbench.gui.commands.files.exporting import ExportCommands
from workbench.gui.commands.findings import FindingCommands
from workbench.gui.commands.presenting import Presenter
from workbench.gui.pages.stack import Pages
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.translation import tr
from workbench.gui.storyboard.board import BoardView
from workbench.gui.storyboard.shelf import SlideShelf

_PAGE = "storyboard"


class StoryboardCommands(Commands):
    """The commands for the storyboard, and the requests of the page's widgets."""

    _pages: Pages
    _shelf: SlideShelf
    _presenter: Presenter
    _findings: FindingCommands
    _exports: ExportCommands

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self.dialog: QInputDialog | None = None

    def listen(self, board: BoardView) -> None:
        """Connects the signals of the page."""
        board.use(self._shelf)
        strip, pane = board.strip, board.pane
        strip.placed.connect(lambda key, before, appendix: self._apply(lambda b: b.placed(key, before, appendix)))
        strip.moved.connect(self._move)
        strip.removed.connect(lambda _key: self.remove())
        pane.sentence_typed.connect(self._write)
        pane.notes_typed.connect(lambda text: self._change(notes=text[:LONGEST_NOTES] or None))
        pane.switched.connect(self._switch)
        pane.part_wanted.connect(lambda appendix: self._put(appendix))
        pane.restore_wanted.connect(self.original_words)
        pane.evidence_asked.connect(self.show_evidence)
        board.present_wanted.connect(self._presenter.start)
        board.add_wanted.connect(self.add)
        board.export_wanted.connect(self.export)
        board.default_wanted.connect(self.restore)

    @property
    def chosen(self) -> str:
        """The key of the slide that is selected on the page; empty on other pages."""
        shown = self._shown
        return shown.slide.key if shown is not None else ""

    @command("&Present", "Move slide ear&lier", place=215)
    def move_up(self) -> None:
        """Moves the slide one position to the front."""
        self._move(self.chosen, -1)

    @command("&Present", "Move slide la&ter", place=220)
    def move_down(self) -> None:
        """Moves the slide one position to the back; from the end of the story into the appendix."""
        self._move(self.chosen, 1)

    @command("&Present", "Move to/from append&ix", place=225)
    def change_part(self) -> None:
        """Moves the slide into the appendix, or back into the story."""
        if (shown := self._with_chosen()) is not None:
            self._put(not shown.slide.appendix)

    @command("&Present", "&Edit headline", place=205)
    def edit_sentence(self) -> None:
        """Puts the cursor into the sentence of the slide."""
        if self._with_chosen() is not None and (board := self._board) is not None:
            board.enter_sentence()

    @command("&Present", "&Restore generated text", place=210)
    def original_words(self) -> None:
        """Restores the generated text."""
        if self._with_chosen() is not None:
            self._change(words=None)

    @command("&Present", "Re&move slide", place=235)
    def remove(self) -> None:
        """Removes the slide from the storyboard."""
        if (shown := self._with_chosen()) is not None:
            self._apply(lambda storyboard: storyboard.without(shown.slide.key))
            self._status.tell(tr("Slide removed. Undo: Ctrl+Z."))

    @command("&Present", "S&how evidence", place=230)
    def show_evidence(self) -> None:
        """Goes to the page that the slide's finding is based on."""
        shown = self._with_chosen()
        if shown is not None and shown.findings:
            self._findings.go_to(shown.findings[0])

    @command("&Present", "E&xport slides…", place=110)
    def export(self) -> None:
        """Opens the export with the slides of the storyboard chosen."""
        self._exports.ask_slides()

    @command("&Present", "Restore &default", place=115)
    def restore(self) -> None:
        """Restores the default storyboard."""
        if self._workspace.state.storyboard is None:
            self._status.tell(tr("This is already the default storyboard."))
        else:
            self._workspace.apply(storyboard=None)

    @command("&Present", "&Add slide…", place=105)
    def add(self) -> None:
        """Asks which finding or saved view to add as a slide."""
        board = self._board
        if board is None or board.story is None:
            self._status.tell(_FIRST)
            return
        offered = self._offers(board.story)
        if not offered:
            self._status.tell(tr("All findings and saved views are already slides."))
            return
        self.dialog = dialog = QInputDialog(self._parent)
        dialog.setWindowTitle(tr("Add slide"))
        dialog.setLabelText(tr("Insert after the selected slide:"))
        dialog.setComboBoxItems(list(offered))
        dialog.setOption(QInputDialog.InputDialogOption.UseListViewForComboBoxItems)
        dialog.resize(720, 420)
        dialog.textValueSelected.connect(lambda words: self._add(offered[words]))
        dialog.open()

    @property
    def _board(self) -> BoardView | None:
        own = self._pages.shown.own if self._workspace.state.page == _PAGE else None
        return own if isinstance(own, BoardView) else None

    @property
    def _shown(self) -> ShownSlide | None:
        return None if self._board is None else self._board.shown

    def _with_chosen(self) -> ShownSlide | None:
        if (shown := self._shown) is None:
            self._status.tell(_FIRST)
        return shown

    def _apply(self, change: Callable[[Storyboard], Storyboard]) -> None:
        """Changes the current storyboard. The first change makes the default one the user's own."""
        board = self._board
        if board is not None and board.story is not None:
            self._workspace.apply(storyboard=change(self._workspace.state.storyboard or board.story.storyboard))

    def _change(self, **changes: object) -> None:
        if (shown := self._shown) is not None:
            slide = replace(shown.slide, **changes)  # type: ignore[arg-type]
            self._apply(lambda storyboard: storyboard.changed(slide))

    def _switch(self, switches: Switches) -> None:
        self._change(switches=switches)

    def _put(self, appendix: bool) -> None:
        if (shown := self._shown) is not None:
            self._apply(lambda storyboard: storyboard.placed(shown.slide.key, None, appendix))

    def _move(self, key: str, by: int) -> None:
        board = self._board
        keys = [shown.slide.key for shown in board.slides] if board is not None else []
        if board is None or key not in keys:
            self._status.tell(_FIRST)
            return
        at, parts = keys.index(key), [shown.slide.appendix for shown in board.slides]
        beside = at + by
        if not 0 <= beside < len(keys) or parts[beside] != parts[at]:
            # Moves over the border between story and appendix; nothing comes after the appendix or before the story.
            if parts[at] == (by < 0):
                before = next((k for k, part in zip(keys, parts, strict=True) if part), None) if by > 0 else None
                self._apply(lambda storyboard: storyboard.placed(key, before, by > 0))
            return
        before = keys[beside] if by < 0 else next(iter(keys[beside + 1 : beside + 2]), None)
        if before is not None and parts[keys.index(before)] != parts[at]:
            before = None
        self._apply(lambda storyboard: storyboard.placed(key, before, parts[at]))

    def _write(self, typed: str) -> None:
        """Stores the typed sentence. Numbers of the generated sentence still come from the data."""
        from workbench.answers.storyboard.compute import with_words

        if (shown := self._shown) is None:
            return
        if shown.findings:
            slide = with_words(shown.slide, shown.findings[0], typed)
        else:
            text = " ".join(typed.split())
            slide = replace(shown.slide, words=SlideWords(text) if text else None)
        self._apply(lambda storyboard: storyboard.changed(slide))

    def _offers(self, story: ShownStory) -> dict[str, StorySlide]:
        """Every finding and saved view that is not a slide, by its text."""
        from workbench.answers.storyboard.defaults import finding_slide, on_slides, view_slide

        used = {(slide.study, ref.key) for slide in story.storyboard.slides for ref in slide.findings}
        views = {slide.view for slide in story.storyboard.slides}
        taken = {slide.key for slide in story.storyboard.slides}
        offered: dict[str, StorySlide] = {}
        first = story.studies[0].folder if story.studies else ""
        for view in self._workspace.state.views:
            if view.name not in views:
                offered[f"{tr('Saved view')}: {view.name}"] = view_slide(view.study or first, view)
        for study in story.studies:
            name = f"{study.name}: " if len(story.studies) > 1 else ""
            for finding in on_slides(study.findings):
                if (study.folder, finding.key) not in used:
                    slide = finding_slide(study.folder, [finding])
                    key = slide.key if slide.key not in taken else f"{study.folder}/{slide.key}"
                    offered[f"{name}{finding.text}"] = replace(slide, key=key)
        return offered

    def _add(self, slide: StorySlide) -> None:
        after, board = self._shown, self._board
        appendix = after is not None and after.slide.appendix
        keys = [shown.slide.key for shown in board.slides] if board is not None else []
        at = keys.index(after.slide.key) + 1 if after is not None else len(keys)
        before = keys[at] if at < len(keys) else None

        def with_slide(storyboard: Storyboard) -> Storyboard:
            grown = replace(storyboard, slides=(*storyboard.slides, slide))
            return grown.placed(slide.key, before, appendix)

        self._apply(with_slide)
        if board is not None:
            board.choose_next = slide.key


_FIRST = "Select a slide on the Present page first."
