"""Keys that more than one question reads: of a page, and of inputs that others ask, too."""

from __future__ import annotations

# The page that shows chosen counters.
TIMELINE = "timeline"

# Inputs of the page Compare that the findings and the exports read as well.
BASELINE, MARGIN_PERCENT = "compare.baseline", "compare.margin"
# With the name of a phase behind it: the measure that the user judges the phase by.
PRIMARY = "compare.primary."
