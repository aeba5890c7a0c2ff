"""The words of sizes that were not tested: the prediction, its data, its assumptions and its reliability."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import ceil

from workbench.answers.cache.sentences import mb_words
from workbench.answers.cache.untested.footprint import Part
from workbench.answers.cache.untested.predict import ASSUMED, HeldOutSize, Prediction, Refused, Untested
from workbench.measures.configurations import Mean
from workbench.words.captions import capital, few, named
from workbench.words.numbers import MISSING, POINTS, THIN, bracketed, duration, fixed, number, plural

_FOOTPRINTS = {
    "exact": "no overflow",
    "upper": "caches overflowed, so exact needs are unknown",
    "lower": "without a known overflow",
    "estimate": "estimated from the nonpaged pool",
}
ASSUMED_VMS = "The cache need of VMs and runs is assumed to be log-normal."
_PARTS: dict[Part, str] = {
    "restarted": "restarted",
    "no-disk-counter": "without a cache disk counter",
    "no-counters": "without cache counters",
    "stops-early": "with counters that stop early",
}


def knee_words(kind: Untested) -> str:
    """The RAM need of the largest measured VM, in a sentence."""
    knee = kind.knee_mb
    if knee is None:
        return f"{kind.name}: the required RAM cache size is unknown."
    at_most = "at most " * (kind.bound != "exact")
    return f"{kind.name}: {largest_words(kind)} needs {at_most}{mb_words(ceil(knee))} of RAM cache."


def largest_words(kind: Untested) -> str:
    """The text for the VM with the highest need, `the most demanding of 12 measured VMs`. A VM counts once per run."""
    vms = sum(len(run.vms) for run in kind.runs)
    return "the only measured VM" if vms == 1 else f"the most demanding of {vms} measured VMs"


def bound_words(kind: Untested, vms: float) -> str:
    """The predicted need of more VMs, in a sentence; empty if no cache is large enough."""
    if kind.knee_mb is None:
        return ""
    bound = kind.bound_mb(vms)
    if bound is None:
        needs = "three runs of three VMs, 12 roughly log-normal values, and exact counters"
        return f"It is unknown how much cache other VMs need. A prediction needs {needs}."
    size = mb_words(ceil(bound))
    return f"{size} per VM is enough for {plural(vms, 'VM')} (90{THIN}% confidence). {ASSUMED_VMS}"


def knee_bounds_words(kind: Untested) -> Iterator[str]:
    """The bounds of that need as sentences: by the samples of these runs, and from run to run; none if equal."""
    if kind.knee_mb is None:
        return
    low, high, smallest = ceil(kind.overflows_below_mb), ceil(kind.knee_mb), ceil(min(kind.knees_mb))
    if low < high:
        yield f"Caches below {mb_words(low)} overflow"
    if smallest < high:
        yield f"The largest need differs between runs ({mb_words(smallest)} to {mb_words(high)}). Add runs"


def basis_words(kind: Untested) -> str:
    """The data of the predictions: configurations, runs, VMs."""
    runs, vms = len(kind.runs), sum(len(run.vms) for run in kind.runs)
    parts = ", ".join(f"{count} {_PARTS[part]}" for part, count in kind.parts.items())
    counted = f"; {plural(vms, 'VM')}, of which {parts}: only a minimum is known" if parts else f", {plural(vms, 'VM')}"
    names = ", ".join(map(named, kind.basis))
    filled = f"{plural(runs, 'run')}{counted}"
    return f"predicted from the cache use of {names} ({filled}; {_FOOTPRINTS[kind.bound]})"


def assumed_words(kind: Untested) -> str:
    """The assumptions of the predictions."""
    low, high = (fixed(100 * share, 1) for share in kind.fill.shares)
    filled = f"{high}{THIN}%" if low == high else f"{low}–{high}{THIN}%"
    fills = f". Overflow starts when the cache is {filled} full"
    if kind.fill.both_laws:
        fills += ": the driver leaves the measured share (or MB) unused"
    return f"assumed: {', '.join(ASSUMED)}" + fills * (kind.fill.both_laws or not kind.fill.measured)


def error_words(kind: Untested) -> str:
    """The mean and the largest error of the tested sizes when predicted from the others; empty if no size has both
    values."""
    writes = [abs(100 * size.writes_error) for size in kind.tested if size.writes_error is not None]
    times = [abs(size.overflow_error_s) for size in kind.tested if size.overflow_error_s is not None]
    parts = [_off("remaining writes", writes, lambda value: f"{number(value, 2)}{THIN}{POINTS}")] if writes else []
    parts += [_off("the first overflow", times, duration)] if times else []
    return f"Prediction error for tested sizes: {'; '.join(parts)}." if parts else ""


def unlike_words(kind: Untested) -> str:
    """The tested sizes that contradict the predictions from the others, and the consequence; empty if none does."""
    if not kind.unlike:
        return ""
    parts = " ".join(map(_unlike, kind.unlike))
    basis = " and ".join(map(named, kind.basis))
    return f"The workload differed between runs, so the predictions apply only to the workload of {basis}. {parts}"


def unlike_short(kind: Untested) -> str:
    """The contradicting sizes as a short text for the line under a question."""
    labels = few([tested.cache.label for tested in kind.unlike])
    basis = few(kind.basis)
    return f"The prediction from {basis} does not fit {labels}" if labels else ""


def need_short(kind: Untested, vms: float) -> str:
    """The RAM need of the VMs, for a caption: the bound for more VMs, otherwise the largest measured VM."""
    if kind.knee_mb is None:
        return "The required RAM cache size is unknown"
    if (bound := kind.bound_mb(vms)) is not None:
        return f"{mb_words(ceil(bound))} per VM is enough"
    at_most = "at most " * (kind.bound != "exact")
    return f"The most demanding VM needs {at_most}{mb_words(ceil(kind.knee_mb))}"


def what_if_lines(kind: Untested, vms: float) -> Iterator[str]:
    """The data and the assumptions of the predictions, in lines of a method."""
    runs, counted = len(kind.runs), sum(len(run.vms) for run in kind.runs)
    yield f"Data from {plural(runs, 'run')} with {plural(counted, 'VM')} ({_FOOTPRINTS[kind.bound]})"
    yield from (f"{plural(count, 'VM')} {_PARTS[part]}: only a minimum is known" for part, count in kind.parts.items())
    if kind.unlike:
        yield f"The predictions apply only to the workload of {few(kind.basis)}"
    bound = None if kind.knee_mb is None else kind.bound_mb(vms)
    if bound is not None:
        yield f"{mb_words(ceil(bound))} per VM is enough for {plural(vms, 'VM')} (90{THIN}% confidence)"
        yield ASSUMED_VMS.rstrip(".")
    elif kind.knee_mb is not None:
        yield "It is unknown how much cache other VMs need"
    yield from assumed_lines(kind)


def assumed_lines(kind: Untested) -> Iterator[str]:
    """The assumptions of the predictions, as lines of a method."""
    _, *fills = assumed_words(kind).split(". ")
    yield "Predictions assume the same workload, run length and memory use"
    yield "Predictions also assume no restarts, and counters logged since power-on"
    yield from fills


def _unlike(tested: HeldOutSize) -> str:
    label, seen = tested.cache.label, tested.predicted
    if tested.overflow_s is None or seen is None:
        return f"The cache of {named(label)} did not overflow (predicted: overflow)."
    predicted = "no overflow" if seen.overflows is False else overflow_prediction(seen)
    measured = f"{'about ' * tested.cache.estimate}{duration(tested.overflow_s)}"
    return f"The cache of {named(label)} first overflowed after {measured} (predicted: {predicted})."


def curve_words(kind: Untested) -> str:
    """The reason why there is no curve of the writes; empty if there is one."""
    if kind.curve:
        return ""
    if kind.shares.baseline is None:
        return "To predict remaining writes, add a baseline without RAM cache."
    tested = plural(len(kind.shares.sizes), "size")
    return f"There is no curve of remaining writes: only {tested} tested. Test three or more."


def prediction_words(kind: Untested | Refused, vms: float) -> Sequence[str]:
    """The sentences below a table, which shows the assumptions."""
    if isinstance(kind, Refused):
        return [f"{kind.name}: no prediction is possible. {kind.reason}"]
    needed = [knee_words(kind), bound_words(kind, vms), f"{capital(basis_words(kind))}."]
    sentences = [unlike_words(kind), *needed, error_words(kind), curve_words(kind)]
    return [sentence for sentence in sentences if sentence]


def overflow_prediction(seen: Prediction) -> str:
    """The predicted overflow as text: `32 min [31 min, 33 min]`, `none`, `65 min, 2 of 3 runs`, `between 20 min and 25
    min`, `by 25 min`, `not before 20 min`; — if unknown."""
    if seen.overflows is False:
        return "none"
    if seen.overflow is None and seen.bounds is None:
        known = seen.not_before is not None and seen.not_before > 0
        return f"not before {duration(seen.not_before)}" if known else MISSING
    words = (
        _between(seen.bounds) if seen.overflow is None else f"{duration(seen.overflow.value)}{_interval(seen.overflow)}"
    )
    return words if seen.overflow_runs == seen.runs else f"{words}, {seen.overflow_runs} of {plural(seen.runs, 'run')}"


def _between(bounds: tuple[float, float] | None) -> str:
    if bounds is None:
        return MISSING
    early, late = bounds
    return f"between {duration(early, late)} and {duration(late)}" if early > 0 else f"before {duration(late)}"


def _interval(mean: Mean) -> str:
    return (
        ""
        if mean.low is None or mean.high is None
        else f" {bracketed(duration(mean.low, mean.high), duration(mean.high))}"
    )


def _off(what: str, values: Sequence[float], words: Callable[[float], str]) -> str:
    if len(values) == 1:
        return f"{words(values[0])} for {what}"
    return f"mean {words(sum(values) / len(values))} (maximum {words(max(values))}) for {what}"
