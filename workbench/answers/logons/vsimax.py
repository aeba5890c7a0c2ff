"""VSImax from the timer samples of a test, by a named model, next to the analyzer's own value.

response   sum over the timers of weight x ms, from one loop of one session (a loop with a missing timer is left out)
baseline   the mean of chosen low responses (see resources/vsimax_models.toml), ms
threshold  baseline x factor + plus, ms
index      at each response the trimmed mean of the latest ones; the model defines how many, by the active sessions
VSImax     the active sessions when the index first exceeds the threshold; stuck sessions are not subtracted

Source of the numbers: the models' file states for each if it is documented or assumed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from workbench.answers.logons.session_logons import SessionLogon, active_at
from workbench.answers.logons.vsimax_models import VsimaxModel
from workbench.model.run import Run
from workbench.model.session import EuxSummary, Measurement, MeasurementKind, VsiSummary

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Response:
    """One loop's weighted response: when its last timer was taken (s), in which session, its ms, the number of active
    sessions (None: unknown), and its timers."""

    at: float
    session: str
    value_ms: float
    active: int | None
    timers: tuple[Measurement, ...] = ()


@dataclass(frozen=True, eq=False)
class VsimaxFigures:
    """VSImax of one run by one model; all times in ms, sessions as counts.

    `at`, `active`, `response_ms` and `index_ms` (NaN before there are enough responses) are parallel to the responses.
    `vsimax` is None if the index never exceeds the threshold (`reached` False) or if it cannot be computed (`reached`
    None); `why` gives the reason in a sentence. `most_active` is the highest number of active sessions. `incomplete`
    counts loops left out for a missing timer; `timers` are the samples of the others, in the files' order.
    """

    model: VsimaxModel
    responses: int
    baseline_ms: float | None
    threshold_ms: float | None
    vsimax: int | None
    reached: bool | None
    most_active: int | None
    why: str
    incomplete: int
    at: FloatArray
    active: FloatArray
    response_ms: FloatArray
    index_ms: FloatArray
    timers: tuple[Measurement, ...] = ()


@dataclass(frozen=True, eq=False)
class RunVsimax:
    """A run's limit: by a model (None: no timers), the analyzers' own values, EUX scores."""

    run: Run
    figures: VsimaxFigures | None
    summaries: tuple[VsiSummary, ...]
    eux_summaries: tuple[EuxSummary, ...]
    eux_at: FloatArray
    eux_score: FloatArray

    @property
    def empty(self) -> bool:
        """True if the run has none of them."""
        return self.figures is None and not (self.summaries or self.eux_summaries or self.eux_at.size)


def run_vsimax(run: Run, model: VsimaxModel, logons: Sequence[SessionLogon] = ()) -> RunVsimax:
    """VSImax and EUX of a run. `logons` give the number of active sessions if the samples do not contain it."""
    scores = [
        (measurement.at, measurement.value)
        for measurement in run.measurements
        if measurement.kind is MeasurementKind.EUX and measurement.at is not None and 0 <= measurement.value <= 10
    ]
    at, score = (
        (np.array(column, dtype=np.float64) for column in zip(*scores, strict=True))
        if scores
        else (np.empty(0), np.empty(0))
    )
    # Login Enterprise's raw timers, whose unit is not documented, form its EUX score; the models are for Login VSI.
    timers = [
        measurement
        for measurement in run.measurements
        if measurement.kind is MeasurementKind.TIMER and not measurement.unit_assumed
    ]
    figures = vsimax(timers, model, logons) if any(_used(timer, model) for timer in timers) else None
    return RunVsimax(run, figures, run.summaries, run.eux_summaries, at, score)


def vsimax(timers: Sequence[Measurement], model: VsimaxModel, logons: Sequence[SessionLogon] = ()) -> VsimaxFigures:
    """VSImax from timer samples (ms) by a model."""
    answers, incomplete = responses(timers, model)
    answers = _with_active(answers, logons)
    values = np.array([response.value_ms for response in answers], dtype=np.float64)
    active = np.array(
        [np.nan if response.active is None else response.active for response in answers], dtype=np.float64
    )
    base = baseline(answers, model)
    threshold = None if base is None else base * model.value("threshold.factor") + model.value("threshold.add_ms")
    index = moving_index(values, active, model)
    over = np.flatnonzero(index > threshold) if threshold is not None else np.empty(0, dtype=np.int64)
    most = int(np.nanmax(active)) if np.isfinite(active).any() else None
    known = threshold is not None and bool(np.isfinite(index).any())
    limit = int(active[over[0]]) if over.size else None
    used = {id(timer) for response in answers for timer in response.timers}
    return VsimaxFigures(
        model,
        len(answers),
        base,
        threshold,
        limit,
        bool(over.size) if known else None,
        most,
        _why(answers, base, index, limit, most),
        incomplete,
        np.array([response.at for response in answers], dtype=np.float64),
        active,
        values,
        index,
        tuple(timer for timer in timers if id(timer) in used),
    )


def responses(timers: Iterable[Measurement], model: VsimaxModel) -> tuple[list[Response], int]:
    """The responses in order of time, and the number of loops with a missing timer.

    The samples of a session are processed in order of time; a repeated timer begins the next loop.
    """
    weights = {name.casefold(): number.value for name, number in model.weights}
    used = [timer for timer in timers if timer.at is not None and _used(timer, model)]
    if not weights:
        weights = {measurement.label.casefold(): 1.0 for measurement in used}
    by_session: dict[str, list[Measurement]] = defaultdict(list)
    for measurement in used:
        by_session[measurement.session].append(measurement)
    needed = {name for name, weight in weights.items() if weight > 0}
    whole: list[Response] = []
    incomplete = 0
    for session, samples in by_session.items():
        for loop in _loops(samples):
            if needed <= loop.keys():
                whole.append(_response(session, loop, weights))
            else:
                incomplete += 1
    return sorted(whole, key=lambda response: response.at), incomplete


def baseline(sample: Sequence[Response], model: VsimaxModel) -> float | None:
    """The model's baseline in ms, None if there are too few responses for it."""
    first = int(model.value("baseline.first"))
    if model.pool == "first":
        pool = list(sample[:first])
    elif model.pool == "first-sessions":
        pool = _of_first_sessions(sample, first)
    else:
        pool = list(sample)
    ranked = sorted(response.value_ms for response in pool)
    lowest = int(model.value("baseline.lowest"))
    if lowest:
        if len(ranked) < lowest:
            return None
        ranked = ranked[:lowest]
    stop = len(ranked) - int(model.value("baseline.drop_highest"))
    kept = ranked[int(model.value("baseline.drop_lowest")) : max(stop, 0)]
    return float(np.mean(kept)) if kept else None


def moving_index(values: FloatArray, active: FloatArray, model: VsimaxModel) -> FloatArray:
    """The index at each response (ms); NaN until its window is full, and if the sessions are unknown."""
    fixed, share = model.value("index.fixed"), model.value("index.share")
    trim, least = model.value("index.trim_share"), int(model.value("index.trim_least"))
    indices = np.full(values.size, np.nan)
    for index in range(values.size):
        if not np.isfinite(active[index]):
            continue
        # A value that differs from a whole number only in the last bit of a float counts as that number.
        window = int(fixed + share * active[index] + 1e-9)
        if window > index + 1:
            continue
        latest = np.sort(values[index + 1 - window : index + 1])
        cut = max(int(window * trim + 1e-9), least)
        if window > 2 * cut:
            indices[index] = latest[cut : window - cut].mean()
    return indices


def _used(measurement: Measurement, model: VsimaxModel) -> bool:
    return not model.weights or measurement.label.casefold() in {name.casefold() for name, _ in model.weights}


def _loops(samples: Sequence[Measurement]) -> list[dict[str, Measurement]]:
    loops: list[dict[str, Measurement]] = []
    for measurement in sorted(samples, key=lambda sample: sample.at or 0.0):
        name = measurement.label.casefold()
        if not loops or name in loops[-1]:
            loops.append({})
        loops[-1][name] = measurement
    return loops


def _response(session: str, loop: dict[str, Measurement], weights: dict[str, float]) -> Response:
    last = max(loop.values(), key=lambda measurement: measurement.at or 0.0)
    value = sum(weights[name] * measurement.value for name, measurement in loop.items())
    return Response(last.at or 0.0, session, value, last.active_sessions, tuple(loop.values()))


def _with_active(timed: Sequence[Response], logons: Sequence[SessionLogon]) -> list[Response]:
    """Active sessions from the sessions' own times, otherwise from the samples: sessions that have occurred so far."""
    if all(response.active is not None for response in timed):
        return list(timed)
    by_logons = active_at(logons, np.array([response.at for response in timed]))
    seen: set[str] = set()
    filled = []
    for response, counted in zip(timed, by_logons.tolist(), strict=True):
        seen.add(response.session)
        known = response.active if response.active is not None else len(seen) if np.isnan(counted) else int(counted)
        filled.append(replace(response, active=known))
    return filled


def _of_first_sessions(known: Sequence[Response], count: int) -> list[Response]:
    seen: set[str] = set()
    kept = []
    for response in known:
        seen.add(response.session)
        if len(seen) > count:
            break
        kept.append(response)
    return kept if len(seen) >= count else []


def _why(known: Sequence[Response], base: float | None, index: FloatArray, limit: int | None, most: int | None) -> str:
    if not known:
        return "No session has a sample of every timer that the model sums."
    if base is None:
        return f"{len(known)} responses are too few for the model's baseline."
    if limit is not None:
        return f"The index rises above the threshold at {limit} active sessions."
    if not np.isfinite(index).any():
        return "Too few responses for the index window."
    return f"VSImax is not reached with up to {most} active sessions."
