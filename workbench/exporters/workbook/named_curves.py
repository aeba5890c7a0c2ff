"""Lines, bands and dots over an axis of names: one value for each name."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.charts.figure import Band, FloatArray, Line, Mark, Points
from workbench.exporters.curves import MAX_SERIES, Curve

# More dots over one name than this are a smear.
_MAX_LAYERS = 40


def over_names(marks: Sequence[Mark], count: int) -> list[Curve]:
    """The curves of marks that stand over `count` names; bars are not among them."""
    curves = [curve for mark in marks for curve in _curves(mark, np.arange(count, dtype=np.float64))]
    return curves[: MAX_SERIES // 2]


def _curves(mark: Mark, places: FloatArray) -> list[Curve]:
    if isinstance(mark, Line):
        weight = "main" if mark.prominent else "faint"
        return [Curve(mark.name, places, _at(places, mark.x, mark.y), mark.look, weight)]  # type: ignore[arg-type]
    if isinstance(mark, Band):
        return [
            Curve(f"{mark.name}, {end}", places, _at(places, mark.x, y), mark.look, "edge")
            for end, y in (("low", mark.low), ("high", mark.high))
        ]
    if isinstance(mark, Points):
        return _layers(mark, places)
    return []


def _at(places: FloatArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """The values at the names: those that stand there, else between their neighbours (a line from edge to edge)."""
    if not x.size:
        return np.full(places.size, np.nan)
    found = np.interp(places, x, y, left=np.nan, right=np.nan)
    for at, value in zip(x.tolist(), y.tolist(), strict=True):
        if at == round(at) and 0 <= at < places.size:
            found[int(at)] = value
    return found


def _layers(mark: Points, places: FloatArray) -> list[Curve]:
    """Several dots over one name become several series of one look."""
    layers: list[FloatArray] = []
    for at, value in zip(np.rint(mark.x).astype(int).tolist(), mark.y.tolist(), strict=True):
        if not 0 <= at < places.size or not np.isfinite(value):
            continue
        free = next((layer for layer in layers if np.isnan(layer[at])), None)
        if free is None and len(layers) < _MAX_LAYERS:
            free = np.full(places.size, np.nan)
            layers.append(free)
        if free is not None:
            free[at] = value
    return [Curve(mark.name, places, layer, mark.look, "points") for layer in layers]
