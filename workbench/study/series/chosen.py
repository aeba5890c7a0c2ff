"""Chooses the counters of a run for its metrics: for each VM those of one vantage and one object, `_Total` if it is
logged, otherwise the single disks. Reads no sample.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.model.metric import Quantity, Tier, Vantage
from workbench.model.recording import Recording, Series
from workbench.model.run import Run
from workbench.model.run_cache import KeptBytes, kept_with_run

_VANTAGES = (Vantage.GUEST, Vantage.HOST, Vantage.ARRAY)
# If several objects have the same data, the first one counts; any other comes after these.
_OBJECTS = ("physicaldisk", "logicaldisk", "citrix mcs storage driver", "virtualdisk", "user input delay per session")
# The instance that represents all others, if it is not this one.
_TOTAL = "_total"
_WHOLE = {"user input delay per session": "max"}
HALVES = (Quantity.READ_IOPS, Quantity.WRITE_IOPS)
# A mean over disks is a mean over their I/Os: an idle disk's latency of 0 has no meaning.
_WEIGHTED_BY = {
    Quantity.LATENCY: Quantity.IOPS,
    Quantity.READ_LATENCY: Quantity.READ_IOPS,
    Quantity.WRITE_LATENCY: Quantity.WRITE_IOPS,
}


class _Choice(NamedTuple):
    vantage: Vantage
    object: str


class Part(NamedTuple):
    """A counter of a file, and the weight of its values when several disks are combined."""

    recording: Recording
    series: Series
    weight: Series | None = None

    @property
    def table(self) -> str:
        """Returns the key of its table in `load`: the file or, for a counter with separate times, those rows of the
        file."""
        series = self.series
        if not series.own_times:
            return self.recording.file
        return "\0".join((self.recording.file, series.vm or series.host, series.object, series.counter))


Parts = dict[str, list[Part]]
Candidates = Mapping[Tier | None, Mapping[Quantity, Parts]]

# Maximum size of the cache, whose least recently used entry goes first, and the size of a list with one counter in a
# table.
MAX_BYTES = 32 * 10**6
_COUNTER_BYTES = 256
_KEPT: KeptBytes[Candidates] = KeptBytes()


class ChosenCounters(NamedTuple):
    """The chosen counters of each VM (its name in lower case) per quantity. `halves` are the reads and the writes of
    those VMs whose IOPS are the sum of both."""

    whole: dict[Quantity, Parts]
    halves: dict[Quantity, Parts]


def chosen_parts(run: Run, quantities: Sequence[Quantity], tier: Tier | None = None) -> ChosenCounters:
    """Returns the counters that `samples_of` uses; reads no sample."""
    # Most runs have no counters for most quantities and tiers, so check that first.
    asked = {*quantities, *(HALVES if Quantity.IOPS in quantities else ())}
    logged = any(kind.of_vm and kind.tier is tier and kind.quantity in asked for kind in kinds(run))
    candidates = _kept_candidates(run).get(tier, {}) if logged else {}
    chosen = {quantity: candidates.get(quantity, {}) for quantity in quantities}
    halves: dict[Quantity, Parts] = {}
    if Quantity.IOPS in chosen:
        reads, writes = (candidates.get(half, {}) for half in HALVES)
        better = {vm for vm in reads.keys() & writes.keys() if _says_more(chosen[Quantity.IOPS], reads, writes, vm)}
        halves = {half: {vm: parts[vm] for vm in better} for half, parts in zip(HALVES, (reads, writes), strict=True)}
    return ChosenCounters(chosen, halves)


# Less than the descriptions of these machines' counters.
@kept_with_run
def spellings(run: Run) -> Mapping[str, str]:
    """Returns each machine once, in its first spelling: guests and hosts differ in case."""
    by_spelling: dict[str, str] = {}
    for name in {series.vm: None for recording in run.recordings for series in recording.series if series.vm}:
        by_spelling.setdefault(name.casefold(), name)
    return by_spelling


class CounterKind(NamedTuple):
    """The common properties of some counters of a run."""

    vantage: Vantage
    tier: Tier | None
    quantity: Quantity
    of_vm: bool
    estimate: bool


@kept_with_run
def kinds(run: Run) -> frozenset[CounterKind]:
    """Returns the kinds of counters that have a metric."""
    # Thousands of counters share a few metrics.
    meanings = {
        (id(series.metric), bool(series.vm)): series.metric
        for recording in run.recordings
        for series in recording.series
    }
    return frozenset(
        CounterKind(metric.vantage, metric.tier, metric.quantity, of_vm, metric.estimate)
        for (_, of_vm), metric in meanings.items()
        if metric is not None
    )


def _kept_candidates(run: Run) -> Candidates:
    """Returns the candidates, cached: the metrics of a run are computed together, and the next view needs its counters
    again."""
    candidates = _KEPT.get(run, _candidates)
    if candidates is None:
        candidates = _candidates(run)
        every = (by_vm for of_tier in candidates.values() for by_vm in of_tier.values())
        counters = sum(len(parts) for by_vm in every for parts in by_vm.values())
        # The entry of the last run stays, with any number of counters.
        _KEPT.put(run, _candidates, candidates, min(counters * _COUNTER_BYTES, MAX_BYTES), MAX_BYTES)
    return candidates


def _candidates(run: Run) -> Candidates:
    """Returns, for each tier and quantity with counters in the run, the counters to use for each VM."""
    candidates: dict[Tier | None, dict[Quantity, Parts]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    folded = {
        name: name.casefold() for name in {series.vm for one in run.recordings for series in one.series if series.vm}
    }
    for recording in run.recordings:
        for series in recording.series:
            metric = series.metric
            if metric is not None and series.vm:
                candidates[metric.tier][metric.quantity][folded[series.vm]].append(Part(recording, series))
    return {
        tier: {
            quantity: {vm: parts if len(parts) == 1 else _chosen(parts, quantity) for vm, parts in by_vm.items()}
            for quantity, by_vm in of_tier.items()
        }
        for tier, of_tier in candidates.items()
    }


def _chosen(parts: list[Part], quantity: Quantity) -> list[Part]:
    """Returns those of one VM's candidates with one vantage and object: per file `_Total`, otherwise every single
    disk."""
    choice = min({_choice(part.series) for part in parts}, key=_rank)
    per_file: dict[str, dict[str, Part]] = defaultdict(dict)
    for part in parts:
        if _choice(part.series) == choice:
            # A counter that a file lists twice counts once.
            per_file[part.recording.file].setdefault(part.series.instance.lower(), part)
    chosen: list[Part] = []
    for instances in per_file.values():
        if (whole := _WHOLE.get(choice.object.casefold(), _TOTAL)) in instances:
            chosen.append(instances[whole])
        else:
            chosen += [part._replace(weight=_weight(part, quantity)) for part in instances.values()]
    return chosen


def _weight(part: Part, quantity: Quantity) -> Series | None:
    """Returns the rate of the same disk in the same file."""
    rate = _WEIGHTED_BY.get(quantity)
    if rate is None:
        return None
    ours = part.series
    return next(
        (
            series
            for series in part.recording.series
            if series.metric is not None
            and series.metric.quantity is rate
            and series.vm == ours.vm
            and (series.object, series.instance) == (ours.object, ours.instance)
        ),
        None,
    )


def _says_more(totals: Parts, reads: Parts, writes: Parts, vm: str) -> bool:
    """True if reads + writes replace the total: there is no total, or only one measured farther away."""
    if vm in totals and _alike(totals[vm][0].series, reads[vm][0].series):
        # In most runs one object counts the total, its reads and its writes.
        return False
    half = _choice(reads[vm][0].series)
    if half != _choice(writes[vm][0].series):
        return False
    if vm not in totals:
        return True
    whole = _choice(totals[vm][0].series)
    return half != whole and _rank(half) < _rank(whole)


def _alike(one: Series, other: Series) -> bool:
    assert one.metric is not None
    assert other.metric is not None
    return one.object == other.object and one.metric.vantage is other.metric.vantage


def _choice(series: Series) -> _Choice:
    assert series.metric is not None
    return _Choice(series.metric.vantage, series.object)


def _rank(choice: _Choice) -> tuple[int, int, str]:
    name = choice.object.lower()
    index = _OBJECTS.index(name) if name in _OBJECTS else len(_OBJECTS)
    return _VANTAGES.index(choice.vantage), index, name
