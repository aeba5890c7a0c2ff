"""The user's choices that answers read. State adds the choices that only the window needs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, Self, TypeVar

from workbench.answers.common.names import ENTRIES, LISTED, PRIMARY, TIMELINE
from workbench.answers.common.storyboard import Storyboard
from workbench.answers.common.traces.traces import Alignment, View
from workbench.charts.inputs import Value
from workbench.charts.tables import OwnColumn
from workbench.measures.catalogue import MEASURES
from workbench.model.edits import FindingEdit, Note, RunEdits
from workbench.model.metric import Quantity
from workbench.model.phase import STEADY
from workbench.model.recording import SeriesKey
from workbench.model.run import BaselineEvidence, Study

Scale = Literal["linear", "log", "own"]


Rule = Literal["sum", "difference", "derivative"]


@dataclass(frozen=True, slots=True)
class Derived:
    """A curve of the timeline that is computed from counters, or from curves before it, of one run. Its `key` is in the
    timeline's list like that of a counter. A difference has two parts, a derivative one."""

    key: SeriesKey
    rule: Rule
    of: tuple[SeriesKey, ...]


@dataclass(frozen=True, slots=True)
class SavedView:
    """A page as the user saw it, under a name. `span` is the zoomed stretch of x, `counters` those of the timeline
    (None: the default ones), `listed` the filter and order of configurations. `placed` are the plots of those counters;
    None for another page, and for a view that an earlier program saved."""

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
    placed: tuple[tuple[SeriesKey, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class KeptVerdict:
    """A verdict in a workspace file: the study's folder, both configurations, phase, metric and verdict."""

    study: str
    baseline: str
    configuration: str
    phase: str
    measure: str
    verdict: str


@dataclass(frozen=True, slots=True)
class KeptLook:
    """The colour and marker of a run as part of a configuration: its provisioning, and the `place` of the `Group`."""

    run: str
    configuration: str
    hue: str
    index: int
    tint: float


@dataclass(frozen=True, slots=True)
class Choices:
    """The user's choices that answers read.

    `study` is the folder of the current study. `hidden` are labels of configurations, `edits` the user's statements
    about runs, `notes` the notes at moments, `findings` the edits of findings in the user's order, `views` the saved
    views. `page_views` are pairs of a page and the view chosen on it, `alone` pairs of a page and the name of the study
    that it shows alone (empty: all studies), `inputs` pairs of an input's key and its value. `timeline` are the
    counters of the timeline in their order (None: the default ones), `pinned` the user's favourites among the counters.
    `derived` are the computed curves. `placed` are pairs of a counter and the number of its plot among those of its
    unit, if it is not the first one. `own_columns` are the columns that the user has made of others. `verdicts` are
    those saved in the workspace file, `method` is the version that computed them (0: a file without it). `storyboard`
    is the user's (None: the default one). `looks` are the looks given to configurations: they stay when anything is
    renamed, hidden or excluded. `history_seen` identifies the state of the history folder when the window last looked:
    an older answer does not apply to a folder with other files. It is not stored in any file.
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
    alone: tuple[tuple[str, str], ...] = ()
    inputs: tuple[tuple[str, Value], ...] = ()
    timeline: tuple[SeriesKey, ...] | None = None
    pinned: tuple[SeriesKey, ...] = ()
    derived: tuple[Derived, ...] = ()
    placed: tuple[tuple[SeriesKey, int], ...] = ()
    own_columns: tuple[OwnColumn, ...] = ()
    verdicts: tuple[KeptVerdict, ...] = ()
    method: int = 0
    storyboard: Storyboard | None = None
    history_seen: str = ""
    looks: tuple[KeptLook, ...] = ()

    @property
    def view(self) -> View:
        """The values of the choosers."""
        return View(self.phase, self.metric, self.alignment)

    @property
    def excluded(self) -> dict[str, str]:
        """The reason to exclude a run, by run folder; empty if the run is included against its run.toml."""
        return {edit.run: edit.excluded for edit in self.edits if edit.excluded is not None}

    @property
    def baselines(self) -> dict[str, BaselineEvidence]:
        """The person or option that chose the configuration of a run as the baseline of its study, by run folder."""
        return {edit.run: edit.baseline for edit in self.edits if edit.baseline is not None}

    def with_baseline(
        self, study: Study, runs: Iterable[str] = (), by: BaselineEvidence = BaselineEvidence.CHOICE
    ) -> Self:
        """These choices with the configuration of these run folders as the study's baseline (none: its default
        rule)."""
        chosen = dict.fromkeys(runs, by)
        folders = dict.fromkeys(folder for run in study.runs for folder in (run.folder, run.split_from) if folder)
        edits = map(self.edits_of, folders)
        return self.with_edits(*(replace(edit, baseline=chosen.get(edit.run)) for edit in edits))

    @property
    def preferred(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The metric for judging a phase, by phase, if the user states one."""
        stated = ((key.removeprefix(PRIMARY), str(value)) for key, value in self.inputs if key.startswith(PRIMARY))
        return tuple((phase, (measure,)) for phase, measure in stated if measure in MEASURES)

    def edits_of(self, run: str) -> RunEdits:
        """The user's edits of the run in a folder."""
        return next((edit for edit in self.edits if edit.run == run), RunEdits(run))

    def with_edits(self, *changed: RunEdits) -> Self:
        """These choices with these edits of runs; runs without edits are dropped."""
        runs = {edits.run for edits in changed}
        kept = [edit for edit in self.edits if edit.run not in runs]
        return replace(self, edits=(*kept, *(edits for edits in changed if not edits.nothing)))

    def page_view(self, page: str) -> str:
        """The view chosen on a page, empty for its first view."""
        return dict(self.page_views).get(page, "")

    def with_page_view(self, page: str, view: str) -> Self:
        """These choices with the view of one page chosen."""
        return replace(self, page_views=_with_pair(self.page_views, page, view))

    def study_alone(self, page: str) -> str | None:
        """The name of the study that a page of every study shows alone, empty for all; None without a choice."""
        return dict(self.alone).get(page)

    def with_study_alone(self, page: str, study: str) -> Self:
        """These choices with one study chosen on a page of every study, or all of them."""
        return replace(self, alone=_with_pair(self.alone, page, study))

    def input(self, key: str, default: Value) -> Value:
        """The user's value of an input, otherwise the default. A value of the wrong type is ignored."""
        value = dict(self.inputs).get(key, default)
        return value if isinstance(value, str) == isinstance(default, str) else default

    def number(self, key: str, default: float) -> float:
        """The user's number of an input, otherwise the default."""
        value = self.input(key, default)
        return default if isinstance(value, str) else value

    def hidden_entries(self, page: str) -> frozenset[str]:
        """The legend entries that are hidden in the charts of a page; configurations are not included."""
        pairs = (line.partition("\t") for line in str(self.input(ENTRIES, "")).split("\n"))
        return frozenset(name for on, _, name in pairs if name and on == page)

    def with_hidden_entries(self, page: str, names: frozenset[str]) -> Self:
        """These choices with exactly these legend entries of the page hidden."""
        lines = str(self.input(ENTRIES, "")).split("\n")
        kept = [line for line in lines if line and line.partition("\t")[0] != page]
        kept += [f"{page}\t{name}" for name in sorted(names)]
        return self.with_input(ENTRIES, "\n".join(kept)) if kept else self.without_inputs(frozenset((ENTRIES,)))

    def saved_view(self, name: str, span: tuple[float, float] | None = None) -> SavedView:
        """The current view as a saved view with this name."""
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
            self.placed if self.page == TIMELINE else None,
        )

    def looking_at(self, view: SavedView) -> Self:
        """These choices with a saved view as the current one."""
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
            placed = self.placed if view.placed is None else view.placed
            seen = replace(seen, timeline=view.counters, placed=placed)
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
