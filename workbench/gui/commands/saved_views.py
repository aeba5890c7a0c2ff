"""Saved views: a page as shown, under a name, to return to it and to present it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtWidgets import QInputDialog

from workbench.answers.common.choices import SavedView
from workbench.gui.pages.stack import Pages
from workbench.gui.plot.view import FigureView
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.translation import said, tr
from workbench.words.metrics import phase_words


class SavedViews(Commands):
    """The commands for saved views."""

    _pages: Pages

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._span: tuple[float, float] | None = None
        self._pages.drawn.connect(self._zoom)

    @command("&View", "Save &view…", "Ctrl+B", place=215)
    def ask_name(self) -> None:
        """Asks for a name for the current view, and saves it."""
        question = QInputDialog(self._parent)
        question.setWindowTitle(tr("Save view"))
        question.setLabelText(tr("View name (shown while presenting):"))
        question.setTextValue(self.suggested_name())
        question.textValueSelected.connect(self.save)
        question.open()

    def suggested_name(self) -> str:
        """The page, its view and its phase as text."""
        spec, state = self._pages.shown.spec, self._workspace.state
        view = dict(spec.views).get(state.page_view(spec.key), "")
        phase = phase_words(state.phase) if "phase" in spec.choosers else ""
        return ", ".join(said(part) for part in (spec.name, view.lower(), phase) if part)

    def save(self, name: str) -> None:
        """Saves the current view. A view with this name is replaced at its position."""
        state = self._workspace.state
        view = state.saved_view(name.strip() or self.suggested_name(), self._shown_span())
        names = [view.name for view in state.views]
        if view.name in names:
            views = tuple(view if saved.name == view.name else saved for saved in state.views)
        else:
            views = (*state.views, view)
        self._workspace.apply(views=views)
        self._status.tell(f"Saved the view “{view.name}”. F5 presents the saved views.")

    def forget(self, name: str) -> None:
        """Removes a view from the list."""
        state = self._workspace.state
        self._workspace.apply(views=tuple(view for view in state.views if view.name != name))

    def show(self, view: SavedView) -> None:
        """Shows a saved view."""
        workspace = self._workspace
        seen = workspace.state.looking_at(view)
        self._span = view.span
        if seen == workspace.state:
            self._zoom()
            return
        workspace.apply(
            study=seen.study,
            page=seen.page,
            phase=seen.phase,
            metric=seen.metric,
            alignment=seen.alignment,
            scale=seen.scale,
            lit_vm=seen.lit_vm,
            hidden=seen.hidden,
            page_views=seen.page_views,
            timeline=seen.timeline,
            placed=seen.placed,
            inputs=seen.inputs,
        )

    def show_named(self, name: str) -> None:
        """Shows the view with this name, if there is one."""
        view = next((view for view in self._workspace.state.views if view.name == name), None)
        if view is not None:
            self.show(view)

    def rename(self, name: str, other: str) -> None:
        """Gives a view another name."""
        views = self._workspace.state.views
        self._workspace.apply(views=tuple(replace(view, name=other) if view.name == name else view for view in views))

    def _shown_span(self) -> tuple[float, float] | None:
        figure = self._figure()
        return figure.zoomed_span if figure is not None else None

    def _figure(self) -> FigureView | None:
        return self._pages.shown.figure

    def _zoom(self) -> None:
        """Restores the zoom of the view once its figure is there."""
        span, self._span = self._span, None
        figure = self._figure()
        if span is not None and figure is not None:
            figure.set_span(*span)
