"""The contents of a run's files: the quantities that each machine logged, how often, and over which part of a phase."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import replace
from functools import cached_property

import numpy as np

from workbench.answers.prepare.questions import CounterNeed, Part, Place
from workbench.measures.caches.use import has_ram_cache, run_cache
from workbench.measures.catalogue import MEASURES
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.metric import Quantity, Vantage
from workbench.model.phase import Phase
from workbench.model.recording import Recording
from workbench.model.run import Configuration, Provisioning, Run
from workbench.model.session import EventKind
from workbench.study.plausibility.machines import states_vms
from workbench.study.series.chosen import spellings
from workbench.study.store.columns import read_table

# The quantities that the phase table reads: without values in a phase, the phase has no samples.
_IN_TABLE = frozenset(quantity for measure in MEASURES.values() for quantity in measure.rule.quantities)
_STANDS_IN = {Quantity.POOL_NONPAGED: Quantity.CACHE_RAM_USED}

_OF_DESKTOPS = (EventKind.POWER_ON, EventKind.REGISTERED, EventKind.LOGON_START)


class Logged:
    """The counters of a run by machine. It reads no samples except the times of each file, once."""

    def __init__(self, figures: RunFigures) -> None:
        self.figures = figures
        self.run: Run = figures.run
        self._by_quantity: dict[Quantity, set[str]] = defaultdict(set)
        self._vantages: dict[Quantity, set[Vantage]] = defaultdict(set)
        self._files: dict[Quantity, dict[str, Recording]] = defaultdict(dict)
        self._intervals: dict[str, float | None] = {}
        self._lowered: dict[tuple[str, ...], frozenset[str]] = {}
        self._having_samples: dict[tuple[Quantity, Phase | None], frozenset[str]] = {}
        for recording in self.run.recordings:
            self._note(recording)

    @cached_property
    def configuration(self) -> Configuration:
        """The configuration; MCSIO if its provisioning is unknown and its counters show a RAM cache."""
        stated = self.run.configuration
        unknown = stated.provisioning is Provisioning.OTHER and has_ram_cache(self.run)
        return replace(stated, provisioning=Provisioning.MCSIO) if unknown else stated

    @property
    def provisioning(self) -> Provisioning:
        """The provisioning of the desktops."""
        return self.configuration.provisioning

    @cached_property
    def machines(self) -> tuple[str, ...]:
        """Every VM that counters or events name, sorted by name; only those of counters if there are as many as
        run.toml states."""
        logged = spellings(self.run)
        if states_vms(self.run, len(logged)):
            return tuple(sorted(logged.values()))
        known = {_short(name) for name in (*logged, *self.run.left_out)}
        of_events: dict[str, str] = {}
        for event in self.run.events:
            if event.kind in _OF_DESKTOPS and event.vm and _short(event.vm) not in known:
                of_events.setdefault(_short(event.vm), event.vm)
        return tuple(sorted((*logged.values(), *of_events.values())))

    @cached_property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """The machines as pairs of name and name in lower case."""
        return tuple((name, name.casefold()) for name in self.machines)

    @property
    def cache_size_known(self) -> bool:
        """True if the run states the size of its RAM cache, or a counter shows it."""
        stated = self.run.configuration.ram_cache_mb
        return bool(stated) or any(vm.size_mb for vm in run_cache(self.figures).vms)

    @cached_property
    def recorded(self) -> tuple[PhaseFigures, ...]:
        """The phases that something other than activity shows."""
        return tuple(row for row in self.figures.phases if row.phase.evidence != "activity")

    @property
    def phases_recorded(self) -> bool:
        """True if anything other than the counters shows the phases."""
        return bool(self.run.events or self.run.sessions or self.run.stated_phases)

    @property
    def why_no_phase(self) -> str:
        """The reason why a phase is missing."""
        if self.phases_recorded:
            return "neither in run.toml nor in events.csv"
        return "there is no events.csv, and run.toml has no phase"

    def place(self, need: CounterNeed) -> Place | None:
        """The machine to collect missing counters on; None if the files do not distinguish this machine from others,
        such as the PVS server from desktops."""
        if need.places == (Place.PVS_SERVER,):
            return None
        of_hosts = self._vantages[Quantity.IOPS] | self._vantages[Quantity.READ_IOPS]
        from_host = of_hosts == {Vantage.HOST} and Place.HOST in need.places
        return Place.HOST if from_host else need.places[0]

    def on_host(self, need: CounterNeed) -> bool:
        """True if a host logged any alternative of the need."""
        return any(all(Vantage.HOST in self._vantages[part] for part in _quantities(way)) for way in need.alternatives)

    def machines_with(self, need: CounterNeed, row: PhaseFigures | None) -> set[str]:
        """The VMs (in lower case) that have any alternative of a need completely, with samples in the phase."""
        return set().union(*(self._having(_quantities(way), row) for way in need.alternatives))

    def lacking_parts(self, need: CounterNeed, vms: Sequence[str] = ()) -> tuple[Part, ...]:
        """The parts that no VM has, or that one of `vms` does not have: of the alternative with the fewest missing
        parts."""
        wanted = {vm.casefold() for vm in vms}

        def lacks(part: Part) -> bool:
            having = self._by_quantity[part] if isinstance(part, Quantity) else set()
            return not having if not wanted else bool(wanted - having)

        ways = [tuple(part for part in way if lacks(part)) for way in need.alternatives]
        # If all alternatives have their counter but no samples, the counters of the first one are the ones to check.
        return min((way for way in ways if way), key=len, default=need.alternatives[0])

    def measured(self, need: CounterNeed, row: PhaseFigures, *, of_all: bool = False) -> float | None:
        """The share of the phase with samples, of the quantity with fewest: the mean over the VMs with any samples in
        the phase, or with `of_all` in the run. 0 if no VM has any. None if the phase table does not read it, or no
        machine logs it."""
        shares: list[float] = []
        for way in need.alternatives:
            parts = _quantities(way)
            if parts and all(_STANDS_IN.get(part, part) in _IN_TABLE and self._with(part, None) for part in parts):
                shares.append(min(self._share(part, row, of_all) for part in parts))
        return max(shares, default=None)

    def _share(self, part: Quantity, row: PhaseFigures, of_all: bool) -> float:
        extent = row.extent(_STANDS_IN.get(part, part))
        if extent is None or not extent.vms:
            return 0.0
        having = len(extent.vms)
        share = having - extent.missing_s / row.duration_s
        return share / (max(having, len(self._with(part, None))) if of_all else having)

    def encloses(self, need: CounterNeed, row: PhaseFigures) -> bool:
        """True if every VM's log begins before the phase and ends after it, with a tolerance of two intervals."""
        quantities = {part for way in need.alternatives for part in _quantities(way)}
        slack = 2 * (self.interval(need) or 0.0)
        spans: dict[str, tuple[float, float]] = {}
        for recording in self.run.recordings:
            start, end = recording.span_s
            for series in recording.series:
                if series.vm and series.metric is not None and series.metric.quantity in quantities:
                    known = spans.get(series.vm.casefold(), (start, end))
                    spans[series.vm.casefold()] = min(start, known[0]), max(end, known[1])
        return bool(spans) and all(
            start <= row.phase.start + slack and end >= row.phase.end - slack for start, end in spans.values()
        )

    def interval(self, need: CounterNeed) -> float | None:
        """The seconds between samples: the median of each file, the longest over the files. None without samples."""
        parts = [part for way in need.alternatives for part in way]
        files = {name: recording for part in parts for name, recording in self._files_of(part)}
        seconds = [step for recording in files.values() if (step := self._interval(recording)) is not None]
        return max(seconds, default=None)

    def _interval(self, recording: Recording) -> float | None:
        # By the file's name: comparing a recording compares all its series.
        if recording.file not in self._intervals:
            self._intervals[recording.file] = _interval(recording)
        return self._intervals[recording.file]

    def _files_of(self, part: Part) -> list[tuple[str, Recording]]:
        return list(self._files[part].items()) if isinstance(part, Quantity) else []

    def _having(self, quantities: Sequence[Quantity], row: PhaseFigures | None) -> frozenset[str]:
        having = [self._with(quantity, row) for quantity in quantities]
        return frozenset.intersection(*having) if having else frozenset()

    def _with(self, quantity: Quantity, row: PhaseFigures | None) -> frozenset[str]:
        """The VMs that logged a quantity, with samples in the phase."""
        key = quantity, None if row is None else row.phase
        if key not in self._having_samples:
            self._having_samples[key] = frozenset(self._worked_out(quantity, row))
        return self._having_samples[key]

    def _worked_out(self, quantity: Quantity, row: PhaseFigures | None) -> Set[str]:
        logged: Set[str] = self._by_quantity[quantity]
        if quantity is Quantity.IOPS:
            logged = logged | (self._by_quantity[Quantity.READ_IOPS] & self._by_quantity[Quantity.WRITE_IOPS])
        if row is None or not logged:
            return logged
        extent = row.extent(_STANDS_IN.get(quantity, quantity))
        if quantity in (Quantity.READ_LATENCY, Quantity.WRITE_LATENCY) and extent is not None:
            # A VM without I/O has no latency, but its counter exists.
            return logged
        return logged if extent is None and quantity not in _IN_TABLE else self._lower(extent.vms if extent else ())

    def _lower(self, names: tuple[str, ...]) -> frozenset[str]:
        # Most quantities and phases have the same VMs.
        if names not in self._lowered:
            self._lowered[names] = frozenset(name.casefold() for name in names)
        return self._lowered[names]

    def _note(self, recording: Recording) -> None:
        named: dict[Quantity, set[str]] = defaultdict(set)
        for series in recording.series:
            if series.metric is None:
                continue
            quantity = series.metric.quantity
            self._vantages[quantity].add(series.metric.vantage)
            if series.vm:
                named[quantity].add(series.vm)
        for quantity, names in named.items():
            self._by_quantity[quantity] |= self._lower(tuple(sorted(names)))
            self._files[quantity][recording.file] = recording


def _quantities(way: Sequence[Part]) -> tuple[Quantity, ...]:
    return tuple(part for part in way if isinstance(part, Quantity))


def _short(name: str) -> str:
    """The name without its domain, in which counters and events differ."""
    return name.casefold().partition(".")[0]


def _interval(recording: Recording) -> float | None:
    """The median of the seconds between the rows of a file; None for fewer than two times."""
    times, _ = read_table(recording, [])
    steps = np.diff(np.sort(times))
    steps = steps[steps > 0]
    return float(np.median(steps)) if steps.size else None
