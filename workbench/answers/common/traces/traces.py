"""Per-VM traces of a configuration on a common time axis: the data of heatmaps, bands and lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from workbench.charts.figure import Region
from workbench.measures.configurations import Group
from workbench.measures.phase_table import RunFigures
from workbench.model.metric import Quantity
from workbench.model.phase import Phase
from workbench.model.run import Run
from workbench.phases.clock import offset_of
from workbench.phases.integral import binned_all, integrate_all
from workbench.study.series.vm_series import BySeries, Samples, kept_samples
from workbench.words.metrics import phase_words

FloatArray = npt.NDArray[np.float64]

# More bins than a panel has pixels on a wide screen show nothing more.
MAX_BINS = 800
# The context before and after a phase, so its edges are visible: a share of the phase, and its maximum length.
CONTEXT = 0.04
MAX_CONTEXT_S = 60.0
# The percentiles of a band and its median.
_DRAWN = (5, 50, 95)
WHOLE_RUN = "whole run"
DAY_S = 86_400


class Alignment(StrEnum):
    """The meaning of x = 0."""

    PHASE_START = "phase start"
    RUN_START = "run start"
    CLOCK = "clock"


@dataclass(frozen=True, slots=True)
class View:
    """The values of the choosers above a page."""

    phase: str
    metric: Quantity = Quantity.IOPS
    alignment: Alignment = Alignment.PHASE_START


def alignment_lines(view: View) -> tuple[str, ...]:
    """The meaning of x = 0 for the method of a chart, with the phase if it does not begin there."""
    if view.alignment is Alignment.PHASE_START and view.phase != WHOLE_RUN:
        return (f"Times are aligned at the start of {phase_words(view.phase)}",)
    times = "times of day" if view.alignment is Alignment.CLOCK else "times since run start"
    return (f"The chart shows {times}", f"Phase: {phase_words(view.phase)}")


@dataclass(frozen=True, eq=False)
class Traces:
    """`values[trace, bin]` over `edges` seconds since the alignment's zero, NaN if not measured.

    `names` are unique: with several runs, a VM's name contains its run. `focus` is the phase itself, without the
    context around it: scales and odd VMs come from there. `around` also has the samples outside each run's own stretch,
    which are NaN in `values`.
    """

    names: tuple[str, ...]
    edges: FloatArray
    values: FloatArray
    regions: tuple[Region, ...]
    focus: tuple[float, float]
    estimate: bool = False
    around: FloatArray = field(default_factory=lambda: np.empty((0, 0)))
    _percentiles: dict[float, FloatArray] = field(default_factory=dict, init=False, repr=False)

    @property
    def in_focus(self) -> slice:
        """The bins inside the phase itself; all bins if none is."""
        first, end = np.searchsorted(self.centres, self.focus).tolist()
        return slice(first, end) if first < end else slice(None)

    @property
    def centres(self) -> FloatArray:
        """The middle of each bin."""
        middle: FloatArray = (self.edges[:-1] + self.edges[1:]) / 2
        return middle

    def percentile(self, share: float) -> FloatArray:
        """The percentile over the traces, bin by bin, NaN if no trace was measured; do not change it."""
        if share not in self._percentiles:
            # Sorting is most of the work, so percentiles that charts draw together are computed together.
            shares = _DRAWN if share in _DRAWN else (share,)
            self._percentiles.update(zip(shares, self._rows(shares), strict=True))
        return self._percentiles[share]

    def _rows(self, shares: tuple[float, ...]) -> FloatArray:
        values = np.full((len(shares), self.edges.size - 1), np.nan)
        if not self.names:
            return values
        missing = np.isnan(self.values)
        whole = ~missing.any(axis=0)
        values[:, whole] = percentiles(self.values[:, whole], shares)
        # numpy processes these one column after the other, so this is used only if necessary.
        some = ~whole & ~missing.all(axis=0)
        values[:, some] = np.nanpercentile(self.values[:, some], shares, axis=0)
        return values


def percentiles(values: FloatArray, shares: Sequence[float]) -> FloatArray:
    """A row for each share (percent): the percentile of each column, which must not have missing values.

    Identical to the last bit to `np.percentile` with its linear interpolation. numpy sorts a column five times faster
    than it searches six positions in it.
    """
    ordered = np.sort(values, axis=0)
    result = np.empty((len(shares), values.shape[1]))
    for row, share in zip(result, shares, strict=True):
        value = (len(ordered) - 1) * (share / 100)
        below = int(value)
        low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
        # Interpolates from the nearer of both, as numpy does.
        part = value - below
        row[:] = low + (high - low) * part if part < 0.5 else high - (high - low) * (1 - part)
    return result


def window(group: Group, view: View) -> tuple[float, float] | None:
    """The stretch of x (seconds) that the group's runs fill in this view, None without such a phase."""
    stretches = [stretch for run in group.runs if (stretch := _stretch(run, view)) is not None]
    if not stretches:
        return None
    return min(start - zero for start, _, zero in stretches), max(end - zero for _, end, zero in stretches)


def windows(groups: Sequence[Group], view: View) -> dict[str, tuple[float, float]]:
    """Label -> window of every group that has one."""
    generator = ((group.label, window(group, view)) for group in groups)
    return {label: stretch for label, stretch in generator if stretch is not None}


def zero_of(figures: RunFigures, view: View) -> float | None:
    """The x = 0 of a run in UTC seconds; None if the run does not have the phase of the alignment."""
    stretch = _stretch(figures, view)
    return None if stretch is None else stretch[2]


def traces(group: Group, view: View, quantities: Sequence[Quantity], limits: tuple[float, float]) -> Traces:
    """The traces of the first of `quantities` that the runs have, over the bins that fill `limits`."""
    per_run = [(figures, _samples(figures.run, quantities)) for figures in group.runs]
    edges = _edges(limits, [samples for _, by_vm in per_run for samples in by_vm.values()])
    names: list[str] = []
    rows: list[FloatArray] = []
    all_rows: list[FloatArray] = []
    regions: dict[str, Region] = {}
    estimate = False
    for figures, by_vm in per_run:
        stretch = _stretch(figures, view)
        if stretch is None:
            continue
        zero = stretch[2]
        names += trace_names(group, figures, by_vm)
        all_rows.append(binned_all(by_vm, edges + zero))
        rows.append(_only(all_rows[-1], edges + zero, stretch))
        estimate |= any(samples.estimate for samples in by_vm.values())
        for phase in (row.phase for row in figures.phases):
            regions.setdefault(phase.name, Region(phase.name, phase.start - zero, phase.end - zero))
    values, around = (np.vstack(some) if some else np.empty((0, edges.size - 1)) for some in (rows, all_rows))
    shown = tuple(_clipped(regions.values(), limits))
    own = [region for region in regions.values() if region.name == view.phase]
    focus = (own[0].start, own[0].end) if own else limits
    return Traces(tuple(names), edges, values, shown, focus, estimate, around)


def phase_means(group: Group, view: View) -> list[tuple[str, float]]:
    """Each VM's mean of the view's metric over the phase itself, named as in `traces`; unmeasured VMs are left out."""
    means: list[tuple[str, float]] = []
    for figures in group.runs:
        whole = _whole(figures.run, [row.phase for row in figures.phases])
        row = figures.phase(view.phase)
        if view.phase == WHOLE_RUN and whole is not None:
            phase: Phase | None = Phase(WHOLE_RUN, whole[0], whole[1], "")
        else:
            phase = None if row is None else row.phase
        of_vms = {} if phase is None else integrate_all(kept_samples(figures.run, view.metric), phase)
        names = trace_names(group, figures, of_vms)
        means += zip(names, (one.total / one.covered_s for one in of_vms.values()), strict=True)
    return means


def trace_name(group: Group, figures: RunFigures, vm: str) -> str:
    """A VM's name; with its run's name if the configuration has several runs."""
    return trace_names(group, figures, [vm])[0]


def trace_names(group: Group, figures: RunFigures, vms: Iterable[str]) -> list[str]:
    """Like `trace_name`, for several VMs of a run."""
    tag = run_tag(group, figures.run.name)
    return [f"{vm} · {tag}" if tag else vm for vm in vms]


def run_tag(group: Group, name: str) -> str:
    """The part of a run's name that differs from the configuration's other runs: `r1` for mcs-r1, mcs-r2 and mcs-r3;
    empty for a single run."""
    names = [run.run.name for run in group.runs]
    if len(names) == 1:
        return ""
    differing = (index for index, marks in enumerate(zip(*names, strict=False)) if len(set(marks)) > 1)
    shared = names[0][: next(differing, 0)]
    # Cut only at a separator: run10 and run12 get the tags run10 and run12.
    cut = max(shared.rfind(mark) for mark in "-_ ./") + 1
    return name[cut:]


def _only(values: FloatArray, edges: FloatArray, stretch: tuple[float, float, float]) -> FloatArray:
    """Removes bins outside the run's own stretch: so the next phase is not part of the answer."""
    inside = (edges[1:] > stretch[0]) & (edges[:-1] < stretch[1])
    return np.where(inside, values, np.nan)


def _samples(run: Run, quantities: Sequence[Quantity]) -> BySeries:
    for quantity in quantities:
        if samples := kept_samples(run, quantity):
            return samples
    return {}


def _edges(limits: tuple[float, float], samples: list[Samples]) -> FloatArray:
    """Bin edges: no finer than the samples, and at most `MAX_BINS` bins."""
    # By identity: the VMs of one file share its times.
    spans = {id(sample.span): sample.span for sample in samples}.values()
    steps = [float(np.median(span[span > 0])) for span in spans if (span > 0).any()]
    length = max(limits[1] - limits[0], 1e-9)
    bins = int(np.clip(round(length / max(steps, default=length)), 1, MAX_BINS))
    return np.linspace(limits[0], limits[1], bins + 1)


def _stretch(figures: RunFigures, view: View) -> tuple[float, float, float] | None:
    """Start and end of the shown stretch, and x = 0, all in UTC seconds. None if the run does not have the phase."""
    phases = [row.phase for row in figures.phases]
    if view.phase == WHOLE_RUN:
        stretch = _whole(figures.run, phases)
    else:
        phase = next((phase for phase in phases if phase.name == view.phase), None)
        stretch = None if phase is None else _with_context(phase)
    if stretch is None:
        return None
    start, end, phase_start = stretch
    if view.alignment is Alignment.PHASE_START:
        return start, end, phase_start
    if view.alignment is Alignment.RUN_START:
        whole = _whole(figures.run, phases)
        return start, end, start if whole is None else whole[0]
    # Midnight on the clock of the run, as in notes and in the dialogs of a run.
    return start, end, phase_start - (phase_start + 60 * offset_of(figures.run)) % DAY_S


def _with_context(phase: Phase) -> tuple[float, float, float]:
    margin = min(CONTEXT * phase.duration_s, MAX_CONTEXT_S)
    return phase.start - margin, phase.end + margin, phase.start


def _whole(run: Run, phases: list[Phase]) -> tuple[float, float, float] | None:
    placed = [recording for recording in run.recordings if not recording.relative]
    if not placed:
        return None
    start = min([*(recording.span_s[0] for recording in placed), *(phase.start for phase in phases)])
    return start, max([*(recording.span_s[1] for recording in placed), *(phase.end for phase in phases)]), start


def _clipped(regions: Iterable[Region], limits: tuple[float, float]) -> list[Region]:
    shown: list[Region] = []
    for region in regions:
        start, end = max(region.start, limits[0]), min(region.end, limits[1])
        if end > start:
            shown.append(Region(region.name, start, end))
    return shown
