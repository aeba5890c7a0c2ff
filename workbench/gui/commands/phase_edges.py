"""Edges of phases that are dragged on a chart: cards, table and a label at the edge follow during the drag."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from workbench.answers.common.library import Library
from workbench.charts.content import Content
from workbench.gui.pages.page_view import PageView
from workbench.gui.pages.stack import Pages
from workbench.gui.plot.pointing.drags import Chip
from workbench.gui.services.actions import Commands, command
from workbench.gui.services.translation import tr
from workbench.measures.live_edges import MovingRun
from workbench.measures.phase_table import RunFigures
from workbench.model.edits import PhaseEdit, RunEdits
from workbench.model.phase import Phase
from workbench.session.phase_rows import clock_of
from workbench.study.overrides import edited
from workbench.words.metrics import phase_words
from workbench.words.numbers import duration, signed

# The minimum length of a phase. Edges within this distance count as touching.
_SHORTEST_S = _MEET_S = 1.0


# By the folder of a run: the phase whose edge moves, and the neighbour that moves with it.
_Moved = dict[str, tuple[PhaseEdit, ...]]


@dataclass(frozen=True, eq=False)
class _Held:
    """An edge that is being dragged: the page with its content, and for each run the phase before the drag and the
    other phases."""

    page: PageView
    content: Content | None
    library: Library
    named: str
    phases: dict[str, Phase]
    others: dict[str, tuple[Phase, ...]]
    moving: dict[str, MovingRun]


class PhaseEditor(Commands):
    """Listens to `edge_dragged` and `edge_left` of every page's figure. A drag is one step of undo."""

    _pages: Pages

    def __init__(self, parts: Iterable[object]) -> None:
        super().__init__(parts)
        self._held: _Held | None = None

    def drag(self, label: str, name: str, side: str, seconds: float, finished: bool) -> None:
        """Moves an edge of the phase `name` in each run of the configuration `label`, or in the one run with the folder
        `label`."""
        # The whole drag is measured from the position of the edge at its start.
        self._held = held = self._held or self._take(label, name)
        if held is None:
            return
        moved = {folder: _moved(phase, held.others[folder], side, seconds) for folder, phase in held.phases.items()}
        self._follow(held, moved)
        if held.page.figure is not None:
            held.page.figure.show_chip(None if finished else self._chip(held, moved, side))
        if finished:
            self._held = None
            self._let_go(held, moved, side)

    def leave(self) -> None:
        """Puts the dragged edge back."""
        held, self._held = self._held, None
        if held is None:
            return
        self._workspace.tasks.run("edge", lambda: None, lambda _nothing: None)
        if held.content is not None and held.page.content is held.content:
            listing = held.content.listing
            rows = () if listing is None else (listing.table,)
            held.page.show_live(held.content.cards, held.content.tables or rows)

    @command("&Run", "Reset pha&ses", place=215)
    def reset(self) -> None:
        """Moves every phase of the current study back to its detected place."""
        state = self._workspace.state
        without = (replace(edit, phases=(), dropped=()) for edit in state.edits)
        self._workspace.apply(edits=state.with_edits(*without).edits)

    def _take(self, label: str, name: str) -> _Held | None:
        named, runs = self._runs(label)
        phases = {run.run.folder: row.phase for run in runs if (row := run.phase(name)) is not None}
        if not phases:
            return None
        others = {
            run.run.folder: tuple(row.phase for row in run.phases if row.phase.name != name)
            for run in runs
            if run.run.folder in phases
        }
        page = self._pages.shown
        live = None if page.content is None else page.content.live
        moving = {} if live is None else {r.run.folder: MovingRun(r, live.measures) for r in runs}
        return _Held(page, page.content, self._workspace.library, named, phases, others, moving)

    def _follow(self, held: _Held, moved: _Moved) -> None:
        """Shows the page's answer for the moved phases as soon as it is computed. Only the newest position counts."""
        content, state, as_read = held.content, self._workspace.state, self._workspace.as_read.figures or {}
        if content is None or (live := content.live) is None:
            return
        library, answer = held.library, live.answer

        def work() -> Content:
            figures = dict(library.figures or {})
            for folder, phases in moved.items():
                edits = replace(_with_phases(state.edits_of(folder), phases), excluded=None)
                figures[folder] = held.moving[folder].figures(edited(as_read[folder].run, edits))
            cards, tables = answer(replace(library, figures=figures))
            return replace(content, cards=cards, tables=tables)

        def show(now: Content) -> None:
            # An answer of another page, or of the released edge, is newer.
            if held.page.content is content:
                held.page.show_live(now.cards, now.tables)

        self._workspace.tasks.run("edge", work, show)

    def _let_go(self, held: _Held, moved: _Moved, side: str) -> None:
        state = self._workspace.state
        stated = (_with_phases(state.edits_of(folder), phases) for folder, phases in moved.items())
        edits = state.with_edits(*stated).edits
        if edits == state.edits:
            if held.page.figure is not None:
                held.page.figure.settle_edge()
            return
        self._workspace.apply(edits=edits)
        runs = f" in each of its {len(moved)} runs" if len(moved) > 1 else ""
        # An edge may have stopped at the other end of its phase, or at a neighbour.
        folder, (edit, *_) = next(iter(moved.items()))
        was, name = held.phases[folder], phase_words(edit.name)
        seconds = edit.start - was.start if side == "start" else edit.end - was.end
        self._status.tell(
            f"The {side} of {name} of {held.named} was moved by {signed(seconds, 0)} s{runs}. Undo: Ctrl+Z."
        )

    def _chip(self, held: _Held, moved: _Moved, side: str) -> Chip:
        """The label at the edge: its time in the first run (on that run's clock), the length of its phase, and the
        parts of the page that are not updated yet."""
        folder, (edit, *_) = next(iter(moved.items()))
        run = (held.library.figures or {})[folder].run
        clock, at = clock_of(run), edit.start if side == "start" else edit.end
        lines = [] if clock.first is None else [(tr("After run start"), duration(at - clock.first))]
        lines.append((tr("Length"), duration(edit.end - edit.start)))
        if len(moved) > 1:
            lines.append((tr("Run"), run.name))
        # These results need every sample of the phase again: whether it is steady, and the highest drawn value.
        lines.append((tr("Caption and chart scale"), tr("update when you release the mouse button")))
        edge = tr("start of {}") if side == "start" else tr("end of {}")
        words = phase_words(edit.name)
        known = tr(words.capitalize())
        named = edge.format(words if known == words.capitalize() else known)
        return Chip(f"{clock.text(round(at))[-8:]} {clock.words} · {named}", tuple(lines))

    def _runs(self, label: str) -> tuple[str, Sequence[RunFigures]]:
        """The runs that are moved, and their name."""
        library, state = self._workspace.library, self._workspace.state
        if (run := (library.figures or {}).get(label)) is not None:
            return run.run.name, (run,)
        group = next((group for group in library.shown(state) if group.label == label), None)
        return label, () if group is None else group.runs


def _moved(phase: Phase, others: Sequence[Phase], side: str, seconds: float) -> tuple[PhaseEdit, ...]:
    """The phase with its edge moved. A touching edge of a neighbour moves with it. The edge stops at a more distant
    neighbour, so phases that did not overlap never overlap."""
    if side == "start":
        before = [other for other in others if other.end <= phase.start + _MEET_S and other.start < phase.start]
        near = max(before, key=lambda other: other.end, default=None)
        start = min(phase.start + seconds, phase.end - _SHORTEST_S)
        if near is not None and phase.start - near.end <= _MEET_S:
            start = max(start, min(near.start + _SHORTEST_S, phase.start))
            return PhaseEdit(phase.name, start, phase.end), PhaseEdit(near.name, near.start, start)
        return (PhaseEdit(phase.name, start if near is None else max(start, near.end), phase.end),)
    after = [other for other in others if other.start >= phase.end - _MEET_S and other.end > phase.end]
    near = min(after, key=lambda other: other.start, default=None)
    end = max(phase.end + seconds, phase.start + _SHORTEST_S)
    if near is not None and near.start - phase.end <= _MEET_S:
        end = min(end, max(near.end - _SHORTEST_S, phase.end))
        return PhaseEdit(phase.name, phase.start, end), PhaseEdit(near.name, end, near.end)
    return (PhaseEdit(phase.name, phase.start, end if near is None else min(end, near.start)),)


def _with_phases(edits: RunEdits, phases: Sequence[PhaseEdit]) -> RunEdits:
    names = {phase.name for phase in phases}
    return replace(edits, phases=(*(edit for edit in edits.phases if edit.name not in names), *phases))
