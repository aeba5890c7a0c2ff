"""The seconds that each sample covers, and the joining of several captures of one machine."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

# An interval longer than this many medians is a gap: it contains no I/O.
GAP_MEDIANS = 3.0
# This many long intervals in a row, each this similar to the previous one, are not gaps: the collector was set to a
# slower pace.
PACE_STEPS = 3
PACE_NEAR = 1.5


class Segment(NamedTuple):
    """One file's samples of a counter: ascending ends, the seconds that each covers, and the values."""

    end: FloatArray
    span: FloatArray
    values: FloatArray
    file: str


def spans(end: FloatArray, usual: FloatArray | None = None) -> FloatArray:
    """Returns the seconds that each sample covers: the interval that ends at it. `end` is ascending.

    The file does not contain the first sample's interval; the median is used. Intervals longer than `GAP_MEDIANS`
    medians are gaps and cover nothing, unless they are the pace of that stretch (`paced`). Of samples at one time the
    first covers the interval. `usual` is, with several files, the median interval of each sample's file. It replaces
    the common median if that would make every interval of a slower file a gap.
    """
    if end.size < 2:
        return np.zeros_like(end)
    steps = np.diff(end)
    median = _median(steps)
    values = np.concatenate(([median], steps))
    limit = np.full(end.size, GAP_MEDIANS * median)
    if usual is not None:
        limit = np.where(usual > limit, GAP_MEDIANS * usual, limit)
    beyond = values > limit
    if beyond.any():
        beyond &= ~paced(values, beyond)
    return np.where((values > 0) & ~beyond, values, 0.0)


def paced(steps: FloatArray, long: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Returns a mask of the `long` steps that are a slower pace, not gaps: `PACE_STEPS` or more in a row, each within
    `PACE_NEAR` times the previous one."""
    like = np.zeros(steps.size + 1, dtype=np.bool_)
    near = (steps[1:] <= PACE_NEAR * steps[:-1]) & (steps[:-1] <= PACE_NEAR * steps[1:])
    like[1:-1] = long[1:] & long[:-1] & near
    # Groups of similar steps, each numbered by its first step.
    group = np.cumsum(~like[:-1]) - 1
    slower: npt.NDArray[np.bool_] = long & (np.bincount(group)[group] >= PACE_STEPS)
    return slower


def joined(segments: list[Segment]) -> Segment:
    """Returns the segments joined in time order. Samples that an earlier segment already covers are left out of later
    ones."""
    if len(segments) == 1:
        return segments[0]
    segments = sorted(segments, key=lambda segment: float(segment.end[0]) if segment.end.size else np.inf)
    end, span, values, _ = segments[0]
    usual = _usual(end)
    for later in segments[1:]:
        fresh = ~_covered(later.end, end, span)
        end = np.concatenate((end, later.end[fresh]))
        values = np.concatenate((values, later.values[fresh]))
        usual = np.concatenate((usual, _usual(later.end)[fresh]))
        order = np.argsort(end, kind="stable")
        end, values, usual = end[order], values[order], usual[order]
        span = spans(end, usual)
    return Segment(end, span, values, segments[0].file)


def _covered(moments: FloatArray, end: FloatArray, span: FloatArray) -> npt.NDArray[np.bool_]:
    """Returns a mask of the moments within a covered interval of ascending `end`, or at one of the ends."""
    indices = np.searchsorted(end, moments, side="left")
    inside = indices < end.size
    at = np.minimum(indices, max(0, end.size - 1))
    if not end.size:
        return np.zeros(moments.size, dtype=np.bool_)
    covered: npt.NDArray[np.bool_] = inside & ((end[at] - span[at] < moments) | (end[at] == moments))
    return covered


def _usual(end: FloatArray) -> FloatArray:
    return np.full(end.size, _median(np.diff(end)))


def _median(steps: FloatArray) -> float:
    forward = steps[steps > 0]
    return float(np.median(forward)) if forward.size else 0.0
