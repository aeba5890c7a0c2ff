"""How far a turn of the wheel zooms an axis."""

from __future__ import annotations

from workbench.charts.scales import Span

# A notch of a common wheel is 120 of Qt's units; this many of them halve the range, about as fast as pyqtgraph zooms x.
_NOTCH, _HALVE = 120.0, 4.0
_DEEPEST = 1 / 2000


def wheeled(shown: Span, full: Span, at: float, turned: float) -> Span:
    """The range after a turn of the wheel by `turned` units (positive: away from the hand, nearer) around `at`; never
    beyond `full`, never shorter than 1/2000 of it."""
    low, high = shown
    whole = full[1] - full[0]
    wide = (high - low) * 0.5 ** (turned / _NOTCH / _HALVE)
    wide = min(max(wide, whole * _DEEPEST), whole)
    return within(at - (at - low) / (high - low) * wide, wide, full)


def within(low: float, wide: float, full: Span) -> Span:
    """The stretch that begins at `low`, moved into `full`."""
    low = max(full[0], min(low, full[1] - wide))
    return (low, min(full[1], low + wide))
