"""Choices: what the user chose, as far as the answers read it; the window's State adds what only the window needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, Self, TypeVar

from workbench.answers.common.names import ENTRIES, LISTED, PRIMARY, TIMELINE
from workbench.answers.common.storyboard import Storyboard
from workbench.answers.common.traces.traces import Alignment, View
from workbench.charts.inputs import Value
from workbench.measures.catalogue import MEASURES
from workbench.model.edits import FindingEdit, Note, RunEdits
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY
from workbench.model.recording import SeriesKey
from workbench.model.run import BaselineEvidence, Study

Scale = Literal["linear", "log", "own"]


@dataclass(frozen=True, slots=True)
class SavedView:
    """A page as it was looked at, under a name; `span` is the stretch of x that was zoomed to, `counters` those of
    the timeline (None: its own choice), `listed` how many configurations were narrowed and ordered."""

    name: str
    study: str | None
    page: str
    phase: str
    metric: Quantity
    alignment: Alignment
    scale: Scale
    page_view: str = ""
    lit_vm: str | None = None
    hidden: tuple[str, ...] = ()
    span: tuple[float, float] | None = None
    counters: tuple[SeriesKey, ...] | None = None
    listed: tuple[tuple[str, Value], ...] = ()


@dataclass(frozen=True, slots=True)
class KeptVerdict:
    """A verdict as a workspace file keeps it: the study's folder, both configurations, phase, measure and verdict."""

    study: str
    baseline: str
    configuration: str
    phase: str
    measure: str
    verdict: str


@dataclass(frozen=True, slots=True)
class KeptLook:
    """The colour and marker that a run had as a part of a configuration: its provisioning, and the `place` of the
    `Group`."""

    run: str
    configuration: str
    hue: str
    index: int
    tint: float


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user chose, as far as an answer reads it.

    `study` is the folder of the study that is looked at; `hidden` are labels of configurations, `edits` what the
    user states about runs, `notes` what was pinned to moments, `findings` what was done to findings, in the order
    the user gave them, `views` the saved views, `page_views` pairs of page and the view chosen on it, `inputs`
    pairs of an input's key and its value, `timeline` the counters of the timeline in their order (None: the page's
    own choice), `pinned` the user's favourites among them. `verdicts` are those that the workspace file was saved
    with, by which version of the `method` (0: a file that does not say). `storyboard` is the user's (None: the default
    one). `looks` are the looks that configurations were given: whatever is renamed, hidden or left out, they stay.
    `history_seen` is by what the history folder was known when the window looked at it last: an answer of then
    does not stand for a folder with other files. No file keeps it.
    """

    study: str | None = None
    page: str = "overview"
    phase: str = STEADY
    metric: Quantity = Quantity.IOPS
    alignment: Alignment = Alignment.PHASE_START
    scale: Scale = "linear"
    per_run: bool = False
    lit_vm: str | None = None
    hidden: frozenset[str] = frozenset()
    edits: tuple[RunEdits, ...] = ()
    notes: tuple[Note, ...] = ()
    findings: tuple[FindingEdit, ...] = ()
    views: tuple[SavedView, ...] = ()
    page_views: tuple[tuple[str, str], ...] = ()
    inputs: tuple[tuple[str, Value], ...] = ()
    timeline: tuple[SeriesKey, ...] | None = None
    pinned: tuple[SeriesKey, ...] = ()
    verdicts: tuple[KeptVerdict, ...] = ()
    method: int = 0
    storyboard: Storyboard | None = None
    history_seen: str = ""
    looks: tuple[KeptLook, ...] = ()

    @property
    def view(self) -> View:
        """What the choosers say."""
        return View(self.phase, self.metric, self.alignment)

    @property
    def excluded(self) -> dict[str, str]:
        """By run folder the reason to keep the run out; empty where it counts against its run.toml."""
        return {edit.run: edit.excluded for edit in self.edits if edit.excluded is not None}

    @property
    def baselines(self) -> dict[str, BaselineEvidence]:
        """By run folder who chose the configuration of this run as the baseline of its study."""
        return {edit.run: edit.baseline for edit in self.edits if edit.baseline is not None}

    def with_baseline(
        self, study: Study, runs: Iterable[str] = (), by: BaselineEvidence = BaselineEvidence.CHOICE
    ) -> Self:
        """These choices with the study compared with the configuration of these run folders (none: its own rule)."""
        chosen = dict.fromkeys(runs, by)
        folders = dict.fromkeys(folder for run in study.runs for folder in (run.folder, run.split_from) if folder)
        edits = map(self.edits_of, folders)
        return self.with_edits(*(replace(edit, baseline=chosen.get(edit.run)) for edit in edits))

    @property
    def preferred(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """By phase the measure that the user judges it by, where the user states one."""
        stated = ((key.removeprefix(PRIMARY), str(value)) for key, value in self.inputs if key.startswith(PRIMARY))
        return tuple((phase, (measure,)) for phase, measure in stated if measure in MEASURES)

    def edits_of(self, run: str) -> RunEdits:
        """What the user changed about the run in a folder."""
        return next((edit for edit in self.edits if edit.run == run), RunEdits(run))

    def with_edits(self, *changed: RunEdits) -> Self:
        """These choices with the edits of these runs set; a run without any is forgotten."""
        runs = {edits.run for edits in changed}
        kept = [edit for edit in self.edits if edit.run not in runs]
        return replace(self, edits=(*kept, *(edits for edits in changed if not edits.nothing)))

    def page_view(self, page: str) -> str:
        """The view chosen on a page, empty for its first."""
        return dict(self.page_views).get(page, "")

    def with_page_view(self, page: str, view: str) -> Self:
        """These choices with the view of one page chosen."""
        return replace(self, page_views=_with_pair(self.page_views, page, view))

    def input(self, key: str, default: Value) -> Value:
        """The user's value of an input, else the default; a value of the wrong kind counts as none."""
        value = dict(self.inputs).get(key, default)
        return value if isinstance(value, str) == isinstance(default, str) else default

    def number(self, key: str, default: float) -> float:
        """The user's number of an input, else the default."""
        value = self.input(key, default)
        return default if isinstance(value, str) else value

    def hidden_entries(self, page: str) -> frozenset[str]:
        """The entries of legends that are hidden in the charts of a page; configurations are not among them."""
        pairs = (line.partition("\t") for line in str(self.input(ENTRIES, "")).split("\n"))
        return frozenset(name for on, _, name in pairs if name and on == page)

    def with_hidden_entries(self, page: str, names: frozenset[str]) -> Self:
        """These choices with these entries of the page's legends hidden, and no others of the page."""
        lines = str(self.input(ENTRIES, "")).split("\n")
        kept = [line for line in lines if line and line.partition("\t")[0] != page]
        kept += [f"{page}\t{name}" for name in sorted(names)]
        return self.with_input(ENTRIES, "\n".join(kept)) if kept else self.without_inputs(frozenset((ENTRIES,)))

    def saved_view(self, name: str, span: tuple[float, float] | None = None) -> SavedView:
        """What is looked at now, under a name."""
        return SavedView(
            name,
            self.study,
            self.page,
            self.phase,
            self.metric,
            self.alignment,
            self.scale,
            self.page_view(self.page),
            self.lit_vm,
            tuple(sorted(self.hidden)),
            span,
            self.timeline if self.page == TIMELINE else None,
            tuple(pair for pair in self.inputs if pair[0] in LISTED),
        )

    def looking_at(self, view: SavedView) -> Self:
        """These choices that looks at a saved view."""
        seen = replace(
            self,
            study=view.study,
            page=view.page,
            phase=view.phase,
            metric=view.metric,
            alignment=view.alignment,
            scale=view.scale,
            lit_vm=view.lit_vm,
            hidden=frozenset(view.hidden),
            inputs=(*self.without_inputs(LISTED).inputs, *view.listed),
        )
        if view.page == TIMELINE:
            seen = replace(seen, timeline=view.counters)
        return seen.with_page_view(view.page, view.page_view) if view.page_view else seen

    def with_input(self, key: str, value: Value) -> Self:
        """These choices with one input set."""
        return replace(self, inputs=_with_pair(self.inputs, key, value))

    def without_inputs(self, keys: frozenset[str]) -> Self:
        """These choices with these inputs back at their defaults."""
        return replace(self, inputs=tuple(pair for pair in self.inputs if pair[0] not in keys))


_T = TypeVar("_T")


def _with_pair(pairs: tuple[tuple[str, _T], ...], key: str, value: _T) -> tuple[tuple[str, _T], ...]:
    return (*(pair for pair in pairs if pair[0] != key), (key, value))
