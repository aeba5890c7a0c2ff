"""The metrics that charts over time show per VM, by the quantity of their samples. The choosers offer them."""

from __future__ import annotations

from workbench.measures.catalogue import MEASURES

TRACED = {measure.trace: measure for measure in MEASURES.values() if measure.trace is not None}
