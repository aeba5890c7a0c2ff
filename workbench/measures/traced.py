"""The measures that each VM is drawn with over time, by the quantity of their samples: what the choosers offer."""

from __future__ import annotations

from workbench.measures.catalogue import MEASURES

TRACED = {measure.trace: measure for measure in MEASURES.values() if measure.trace is not None}
