"""Cases in words: one problem per rule and file, with counter, line or time, and the number of further cases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from math import isinf

import numpy as np

from workbench.model.metric import Quantity
from workbench.model.problem import Problem, Severity, few_named
from workbench.model.reading import Reading
from workbench.model.recording import Series
from workbench.study.plausibility.cases import Case
from workbench.study.plausibility.rules import LATENCIES, most
from workbench.study.plausibility.spikes import FloatArray, Standstill
from workbench.study.series.segments import GAP_MEDIANS, paced

_MIB = 2**20
# A long latency that no stall explains: longer than the whole recording.
_IMPLAUSIBLE = "implausible-latency"
_KEPT = {
    "spike": "kept, because no other counter contradicts this; check the Timeline page",
    "long-latency": "kept, possibly a stall; check the Timeline page",
    _IMPLAUSIBLE: "kept, but implausible; check the counter",
}
_WORDS = {
    "impossible-sample": ", above the maximum of {most}",
    "counter-wrap": "",
    "spike": "",
    "long-latency": ", longer than the interval",
    _IMPLAUSIBLE: ", longer than the recording",
}


def notes(
    reading: Reading, times: FloatArray, cases: Sequence[Case], standstills: Sequence[Standstill]
) -> list[Problem]:
    """Returns the problems of a file's cases, one per rule: certain cases and others are separate."""
    groups: dict[tuple[str, bool], list[Case]] = defaultdict(list)
    for case in cases:
        groups[_words_of(case, np.ptp(times)), case.left_out].append(case)
    problems = [_case_problem(reading, times, group, words) for (words, _), group in groups.items()]
    for whole in (True, False):
        some = [standstill for standstill in standstills if standstill.whole is whole]
        problems += [_standstill_problem(reading, times, some)] if some else []
    return problems


def _words_of(case: Case, span: float) -> str:
    """Returns the key of the case's words. `span`: seconds from the first to the last sample."""
    return _IMPLAUSIBLE if case.code == "long-latency" and case.value > span else case.code


def _case_problem(reading: Reading, times: FloatArray, cases: Sequence[Case], words: str) -> Problem:
    worst = max(cases, key=lambda case: case.value)
    row = int(worst.rows[0])
    number = sum(case.rows.size for case in cases)
    message = (
        f"'{worst.series.path}' was {_amount(worst.series, worst.value)} at {place(reading, times, row)}"
        f"{_WORDS[words].format(most=_amount(worst.series, most(worst.series)))}{worst.why}.{worst.against}"
    )
    done, advice = ("rejected", "check the collector") if worst.left_out else _KEPT[words].split("; ")
    action = f"{_samples(reading, times, cases, number)} {done}; {advice}"
    return _problem(reading, worst.code, message, action, row, worst.series.column)


def _samples(reading: Reading, times: FloatArray, cases: Sequence[Case], number: int) -> str:
    """Returns the number of samples, with their counters and places: `3 samples (lines 12, 32 and 52)`."""
    if number == 1:
        return "1 sample"
    counters = list(dict.fromkeys(case.series.path for case in cases))
    rows = sorted({int(row) for case in cases for row in case.rows})
    shown = few_named([place(reading, times, row, short=True) for row in rows], 2)
    if len(rows) > 1 and shown.startswith("line "):
        shown = f"lines {shown.replace('line ', '')}"
    of = f" of {len(counters):,} counters" if len(counters) > 1 else ""
    return f"{number:,} samples{of} ({shown})"


def _standstill_problem(reading: Reading, times: FloatArray, standstills: Sequence[Standstill]) -> Problem:
    longest = max(standstills, key=lambda standstill: standstill.last - standstill.first)
    first, last, still = longest.first, longest.last, longest.stills[0]
    machines = list(dict.fromkeys(still.series.vm or still.series.host for still in longest.stills))
    what = (
        f"All rate counters of {few_named(machines)} are constant"
        if longest.whole
        else f"'{still.series.path}' is constant ({still.value:,.6g})"
    )
    others = len(standstills) - 1
    span = _span(reading, times, first, last)
    if others:
        more = f"{others:,} more such range{'s' * (others > 1)}"
        span += f"; {more}"
    message = f"{what} in {last - first + 1:,} consecutive samples ({span})."
    action = (
        "repeated samples rejected, because the collector stopped updating; repeat the run"
        if longest.whole
        else "samples kept, because other counters change; check the collector"
    )
    return _problem(reading, "frozen-counter", message, action, first, still.series.column)


def _problem(reading: Reading, code: str, message: str, action: str, row: int, column: int) -> Problem:
    line = reading.line(row)
    cell = None if line is None else column + 2
    return Problem(Severity.WARNING, reading.report.path, code, message, action, line, cell)


def place(reading: Reading, times: FloatArray, row: int, short: bool = False) -> str:
    """Returns the time of a row as the file writes it; if `short`, its line if it is known, otherwise its time of
    day."""
    moment = datetime.fromtimestamp(float(times[row]), UTC)
    if short and (line := reading.line(row)) is not None:
        return f"line {line:,}"
    return f"{moment:%H:%M:%S}" if short else f"{moment:%Y-%m-%d %H:%M:%S}"


def _span(reading: Reading, times: FloatArray, first: int, last: int) -> str:
    """Returns the lines of several rows if they are known, and the time of the first."""
    begin, end = reading.line(first), reading.line(last)
    if begin is None or end is None:
        return f"{place(reading, times, first)} to {place(reading, times, last, short=True)}"
    return f"lines {begin:,} to {end:,}, from {place(reading, times, first)}"


def _amount(series: Series, value: float) -> str:
    """Returns a value of a counter in the unit that people use."""
    metric = series.metric
    assert metric is not None
    if isinf(value):
        return "infinite"
    if metric.quantity in LATENCIES:
        return f"{value:,.3g} s"
    unit = metric.quantity.unit
    if unit in ("B", "B/s") and metric.quantity is not Quantity.IO_SIZE:
        value, unit = value / _MIB, f"Mi{unit}"
    number = f"{value:,.0f}" if 100 <= value < 1e9 else f"{value:.4g}"
    return f"{number}/s" if unit == "1/s" else f"{number} {unit}".rstrip()


def pace_problem(reading: Reading, times: FloatArray) -> Problem | None:
    """Returns the problem of a file whose samples become less frequent from some row on, or for a while; None for any
    other."""
    steps = np.diff(times)
    forward = steps[steps > 0]
    if not forward.size or steps.max() <= GAP_MEDIANS * (usual := float(np.median(forward))):
        return None
    slower = np.flatnonzero(paced(steps, steps > GAP_MEDIANS * usual))
    if not slower.size:
        return None
    row = int(slower[0]) + 1
    return Problem(
        Severity.INFO,
        reading.report.path,
        "pace-changes",
        f"{slower.size:,} samples from {place(reading, times, row)} are {np.median(steps[slower]):g} s apart; "
        f"all other samples are {usual:g} s apart.",
        "no gaps assumed; percentiles and peaks mix both intervals",
        reading.line(row),
    )
