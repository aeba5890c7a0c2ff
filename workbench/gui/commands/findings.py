"""The user's actions on findings: go to the evidence, edit, remove, move, write own ones; each step can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QMenu

from workbench.answers.common.library import Library
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.edits import (
    as_edited,
    dropped,
    followed,
    kept_as_own,
    moved,
    of_study,
    removed,
    restored,
    with_own,
    with_text,
    without,
)
from workbench.answers.findings.known import evidence_state, known_findings, study_key
from workbench.answers.findings.tables import BENCHMARKS, MORE, NAME, SENTENCE, UNMATCHED
from workbench.charts.figure import FigureSource
from workbench.charts.tables import Cell
from workbench.gui.dialogs.excerpt_window import open_excerpt
from workbench.gui.dialogs.text_question import TextQuestion
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.plain import plain_button
from workbench.gui.services.translation import tr
from workbench.gui.widgets.table_card import TableCard
from workbench.model.edits import About, FindingEdit
from workbench.model.source import Explanation
from workbench.session.state import State

_PAGE = "overview"
# If any of these changes, the page shows a chart without the marks.
_MARKED_IN = ("study", "phase", "metric", "page_views", "lit_vm")
_CHOOSE = "Choose a finding in the list on the Overview page first."


class FindingCommands(Commands):
    """The commands for findings, and the actions on rows of the list."""

    _pages: Pages
    _sources: SourceCommands

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._chosen_next = ""
        # True if the next page drawn is the evidence of a finding, with its marks.
        self._marks_next = False
        self.dialog: TextQuestion | None = None
        self._pages.drawn.connect(self._choose_again)
        self._workspace.library_changed.connect(self._complete)
        self._workspace.changed.connect(self._looked_elsewhere)
        self._pages.each(self._listen)

    def _listen(self, page: PageView) -> None:
        """Sets the keys of the list: Delete removes, F2 edits, Alt and an arrow move. Elsewhere Alt+Down opens a
        chooser."""
        if page.spec.key != _PAGE:
            return
        moves = (("Alt+Up", self.move_up), ("Alt+Down", self.move_down))
        for key, act in (("Del", self.drop), ("F2", self.edit_text), *moves):
            shortcut = QShortcut(QKeySequence(key), page.tables[0])
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(act)

    @property
    def kept(self) -> tuple[Finding, ...]:
        """The findings with the user's edits; empty while they are still being computed."""
        state, library = self._workspace.state, self._workspace.library
        findings = known_findings(library, state)
        if findings is None:
            self._tasks.run("findings", lambda: _found(library, state), lambda _found: None)
            return ()
        return as_edited(findings, of_study(state.findings, study_key(library, state)))

    @property
    def chosen(self) -> Finding | None:
        """The selected finding, None if there is none."""
        if (card := self._card) is None or self._pages.shown is not self._pages[_PAGE]:
            return None
        table = card.table
        index = table.currentIndex()
        if not index.isValid() or table.name not in (NAME, MORE, BENCHMARKS):
            return None
        return self._by_key(table.row(index.row())[SENTENCE].key)

    @command("F&indings", "&Go to evidence", place=105)
    def show_evidence(self) -> None:
        """Goes to the page, view, phase and metric of the finding's evidence."""
        self._with_chosen(self.go_to)

    @command("F&indings", "&Edit text…", place=205)
    def edit_text(self) -> None:
        """Asks for another text for the chosen finding."""
        self._with_chosen(
            lambda finding: self._ask(
                tr("Edit the finding"),
                tr("Text of the finding. Leave the field empty to restore the generated text:"),
                finding.text,
                lambda text: self._apply(with_text(self._edits, finding, text), finding.key),
            )
        )

    @command("F&indings", "Restore generated &text", place=210)
    def as_generated(self) -> None:
        """Restores the generated text of the chosen finding."""
        self._with_chosen(self._regenerate)

    @command("F&indings", "Re&move", place=225)
    def drop(self) -> None:
        """Removes the chosen finding from the list, or an edit without a finding."""
        if key := self._unmatched_key():
            self._apply(removed(self._edits, key))
        else:
            self._with_chosen(self._drop)

    @command("F&indings", "&Keep as finding", place=310)
    def keep_unmatched(self) -> None:
        """Turns the text of the chosen edit, whose finding no longer exists, into the user's own sentence."""
        key, study = self._unmatched_key(), study_key(self._workspace.library, self._workspace.state)
        edits = kept_as_own(self._edits, study, key) if key else self._edits
        if edits == self._edits:
            self._status.tell(f"First select an entry in the table “{UNMATCHED}” on the Overview page.")
        else:
            self._apply(edits)

    @command("F&indings", "Move &up", place=215)
    def move_up(self) -> None:
        """Moves the chosen finding one place up."""
        self._move(-1)

    @command("F&indings", "Move dow&n", place=220)
    def move_down(self) -> None:
        """Moves the chosen finding one place down."""
        self._move(1)

    @command("F&indings", "&Write a finding…", place=305)
    def write_own(self) -> None:
        """Asks for a sentence of the user."""
        state, library = self._workspace.state, self._workspace.library
        if not library.studies:
            self._status.tell("Open a result folder first.")
            return
        key = study_key(library, state)
        self._ask(
            tr("Write a finding"),
            tr("Your own finding (listed first until you move it):"),
            "",
            lambda text: self._apply(with_own(self._edits, key, text)),
        )

    @command("F&indings", "&Restore removed findings", place=315)
    def restore(self) -> None:
        """Restores every removed finding."""
        findings = known_findings(self._workspace.library, self._workspace.state) or ()
        gone = [finding.key for finding in dropped(findings, self._edits)]
        if not gone:
            self._status.tell("There are no removed findings to restore.")
            return
        self._apply(restored(self._edits, gone))

    @command("F&indings", "Show sour&ce", place=110)
    def explain(self, figure: str = "") -> None:
        """Shows the source of the chosen finding's value: files, counters and rows."""
        self._with_chosen(lambda finding: self._explain(finding, figure))

    def open_row(self, table: str, cells: tuple[Cell, ...]) -> None:
        """Goes to the finding's evidence."""
        if cells and (finding := self._by_key(cells[SENTENCE].key)) is not None:
            self.go_to(finding)
        elif table == UNMATCHED:
            self._status.tell(
                "This text no longer belongs to a finding. Keep it as your own finding, or remove it with Del."
            )

    def show_menu(self, table: str, cells: tuple[Cell, ...], menu: QMenu) -> None:
        """Fills the menu of a finding, or of an edit without a finding."""
        if cells and table == UNMATCHED:
            self._select(cells[SENTENCE].key)
            if cells[SENTENCE].value:
                menu.addAction(tr("Keep as finding"), self.keep_unmatched)
            menu.addAction(tr("Remove\tDel"), self.drop)
        elif cells and (finding := self._by_key(cells[SENTENCE].key)) is not None:
            self._select(finding.key)
            self.menu_of(finding, menu)

    def menu_of(self, finding: Finding, menu: QMenu | None = None) -> QMenu:
        """The commands for a finding, added to `menu` if one is given."""
        if menu is None:
            menu = QMenu(self._parent)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if finding.page:
            menu.addAction(tr("Go to evidence"), self.show_evidence)
        figures = list(dict.fromkeys(source.figure for source in _sources(finding)))
        for figure in figures:
            what = plain_button(f": {figure}") if len(figures) > 1 else ""
            menu.addAction(f"Show source{what}", partial(self.explain, figure))
        menu.addSeparator()
        menu.addAction(tr("Edit text…\tF2"), self.edit_text)
        if finding.edited:
            menu.addAction(tr("Restore generated text"), self.as_generated)
        menu.addAction(tr("Move up\tAlt+Up"), self.move_up)
        menu.addAction(tr("Move down\tAlt+Down"), self.move_down)
        menu.addAction(tr("Remove\tDel"), self.drop)
        menu.addSeparator()
        menu.addAction(tr("Write a finding…"), self.write_own)
        menu.addAction(tr("Restore removed findings"), self.restore)
        return menu

    def choose_row(self, _table: str, cells: tuple[Cell, ...]) -> None:
        """Marks the bar of the chosen finding on the page."""
        if cells and (finding := self._by_key(cells[SENTENCE].key)) is not None:
            self._pages.shown.point_at(finding.pointed)

    def go_to_key(self, key: str) -> None:
        """Shows the evidence page of the finding with this key."""
        if (finding := self._by_key(key)) is not None:
            self.go_to(finding)

    def go_to(self, finding: Finding, merge: str = "") -> None:
        """Shows the evidence of a finding. See `History.apply` for `merge`."""
        if not finding.page:
            self._status.tell("This is your own finding. It has no evidence page.")
            return
        for page in self._pages.made:
            page.point_at(None)
        seen = evidence_state(self._workspace.state, finding, self._workspace.library)
        self._workspace.apply(
            page=seen.page,
            page_views=seen.page_views,
            phase=seen.phase,
            metric=seen.metric,
            inputs=seen.inputs,
            lit_vm=seen.lit_vm,
            merge=merge,
        )
        self._pages[finding.page].point_at(finding.pointed)
        self._marks_next = finding.pointed is not None

    @property
    def _edits(self) -> tuple[FindingEdit, ...]:
        state = self._workspace.state
        return followed(known_findings(self._workspace.library, state) or (), state.findings)

    @property
    def _card(self) -> TableCard | None:
        """The card of the list; None while nothing has been opened yet."""
        return next(iter(self._pages[_PAGE].tables), None)

    def _complete(self) -> None:
        """Adds their subject to edits that an earlier version saved: their keys contain names, so this must happen
        before anything is renamed."""
        state, library = self._workspace.state, self._workspace.library
        known = all(edit.own or edit.about is not None for edit in state.findings)
        if not known and self._workspace.settled:
            self._tasks.run("abouts", lambda: _abouts(library, state), self._workspace.complete_findings)

    def _apply(self, edits: tuple[FindingEdit, ...], chosen: str = "") -> None:
        self._chosen_next = chosen
        self._workspace.apply(findings=edits)

    def _unmatched_key(self) -> str:
        """The key of the chosen edit without a finding, empty if there is none."""
        if (card := self._card) is None:
            return ""
        table = card.table
        index = table.currentIndex()
        here = self._pages.shown is self._pages[_PAGE] and table.name == UNMATCHED
        return table.row(index.row())[SENTENCE].key if here and index.isValid() else ""

    def _with_chosen(self, act: Callable[[Finding], object]) -> None:
        if (finding := self.chosen) is None:
            self._status.tell(_CHOOSE)
        else:
            act(finding)

    def _regenerate(self, finding: Finding) -> None:
        if not finding.own:
            self._apply(with_text(self._edits, finding, ""), finding.key)

    def _drop(self, finding: Finding) -> None:
        keys = [kept_finding.key for kept_finding in self.kept]
        index = keys.index(finding.key)
        neighbours = [*keys[index + 1 : index + 2], *keys[max(0, index - 1) : index]]
        self._apply(without(self._edits, finding), next(iter(neighbours), ""))

    def _move(self, by: int) -> None:
        def moved_within(finding: Finding) -> None:
            beside = [kept_finding for kept_finding in self.kept if bool(kept_finding.apart) == bool(finding.apart)]
            self._apply(moved(self._edits, beside, finding.key, by), finding.key)

        self._with_chosen(moved_within)

    def _by_key(self, key: str) -> Finding | None:
        return next((finding for finding in self.kept if key and finding.key == key), None)

    def _explain(self, finding: Finding, figure: str) -> None:
        known = self._workspace.library.figures or {}
        sources = [source for source in _sources(finding) if not figure or source.figure == figure]
        for source in sources:
            runs = tuple(
                run
                for run in source.runs
                if run in known and (source.answer or known[run].phase(finding.phase) is not None)
            )
            if runs or source.explanations:
                self._sources.show(replace(source, runs=runs))
                return
        self._status.tell("This finding has no linked source data. See the values on its page.")

    def _ask(self, title: str, words: str, text: str, answered: Callable[[str], None]) -> None:
        self.dialog = TextQuestion(self._parent, title, words, text)
        self.dialog.answered.connect(answered)
        self.dialog.open()

    def _looked_elsewhere(self, before: State, after: State) -> None:
        """Removes the marks if the user has chosen another phase, metric, view or VM than that of the finding."""
        if any(getattr(before, name) != getattr(after, name) for name in _MARKED_IN):
            for page in self._pages.made:
                page.point_at(None)

    def _choose_again(self) -> None:
        """Keeps the row selected after the list was redrawn; after the page of a finding was drawn, the status line
        says how to remove its marks."""
        if self._marks_next and self._pages.shown.marked:
            self._status.tell(tr("The chart highlights the finding. Press Esc to remove the highlight."))
        self._marks_next = False
        key, self._chosen_next = self._chosen_next, ""
        if key and self._pages.shown is self._pages[_PAGE]:
            self._select(key)

    def _select(self, key: str) -> None:
        if (card := self._card) is None:
            return
        for index in range(card.tabs.count()):
            table = card.table_at(index)
            if table.choose(key):
                card.tabs.setCurrentIndex(index)
                table.setFocus()
                return


# The window starts without the code that computes findings and explains values.


def _found(library: Library, state: State) -> tuple[Finding, ...]:
    from workbench.answers.findings.page import found_findings

    return found_findings(library, state)


def _abouts(library: Library, state: State) -> dict[str, About]:
    """The subjects of the findings of every study, by key. The current study is last, so its findings stay in
    memory."""
    states = [replace(state, study=study.folder) for study in library.with_runs]
    findings = [finding for seen_state in (*states, state) for finding in _found(library, seen_state)]
    return {finding.key: finding.about for finding in findings if finding.about is not None}


def _sources(finding: Finding) -> tuple[FigureSource, ...]:
    from workbench.answers.findings.figure_sources import finding_sources

    return finding_sources(finding)


class SourceCommands(Commands):
    """Runs on double-clicks and right-clicks on numbers of tables."""

    def show(self, source: FigureSource) -> None:
        """Opens the window with the sources of a number."""
        library = self._workspace.library
        self._tasks.run(
            "source",
            lambda: _explanations(library, source),
            lambda explanations: self._show(explanations, source),
            self._failed,
        )

    def _show(self, explanations: list[Explanation], source: FigureSource) -> None:
        if not explanations:
            self._status.tell("The run of this value is no longer open.")
            return
        from workbench.gui.dialogs.source_window import SourceWindow

        dialog = SourceWindow(self._parent, explanations, source, self._workspace.state.theme)
        dialog.row_opened.connect(self.open_source)
        dialog.show()

    def _failed(self, error: Exception) -> None:
        self._status.tell(f"The samples behind this number can no longer be read. Open the folder again. ({error})")

    def open_source(self, cells: tuple[Cell, ...]) -> None:
        """Opens the text of the file at the first of the rows."""
        from workbench.answers.common.sources import FILE, LINE

        name, line, rows = str(cells[FILE].value), cells[LINE].value, cells[LINE - 1].text
        cell = cells[FILE + 2]
        message = f"{cells[FILE + 1].text}, cell {cell.text}, rows {rows}"
        if not open_excerpt(self._parent, self._tasks, self._workspace.library, name, message, line, cell.value):
            self._status.tell(f"{name}, rows {rows}: no text can be shown, because its line numbers are unknown.")


def _explanations(library: Library, source: FigureSource) -> list[Explanation]:
    # Imported when the user opens the source of a number, because the window starts without this module.
    from workbench.answers.sources import explanations_of

    return explanations_of(library, source)
