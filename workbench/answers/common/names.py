"""Keys that more than one question reads: of a page, and of inputs that others ask, too."""

from __future__ import annotations

# Desktops where nobody states how many, and the most that an answer takes.
ASSUMED_DESKTOPS, MOST_DESKTOPS = 100, 1_000_000
# The page that shows chosen counters.
IMPORT_REPORT = "import-report"
TIMELINE = "timeline"

# Inputs of the page Compare that the findings and the exports read as well.
BASELINE, MARGIN_PERCENT = "compare.baseline", "compare.margin"
# Inputs of every page that lists configurations, beyond so many that each has a card: what narrows and orders them,
# which are drawn, and (in files of data) that nothing is left out for want of room.
FILTER, GROUPED, SORTED, DRAWN = (f"configurations.{name}" for name in ("filter", "group", "sort", "drawn"))
# Entries of legends that are hidden in the charts, a line each: the page, a tab, the name.
ENTRIES = "charts.hidden"
# What a saved view keeps of the inputs.
LISTED = frozenset((FILTER, GROUPED, SORTED, DRAWN, ENTRIES))
EVERY = "configurations.every"
# Configurations that have no runs yet and stand in the plan of runs, a line each.
ADDED = "compare.added"
# With the name of a phase behind it: the measure that the user judges the phase by.
PRIMARY = "compare.primary."
