"""Keys that more than one question uses: of pages, and of inputs."""

from __future__ import annotations

# The default number of desktops, and the maximum that an answer accepts.
ASSUMED_DESKTOPS, MOST_DESKTOPS = 100, 1_000_000
# The page that shows chosen counters.
IMPORT_REPORT = "import-report"
TIMELINE = "timeline"

# Inputs of the page Compare that the findings and the exports read as well.
BASELINE, MARGIN_PERCENT = "compare.baseline", "compare.margin"
# Inputs of every page that lists many configurations: filter and order, the drawn ones, and (in data files) that
# nothing is omitted for lack of room.
FILTER, GROUPED, SORTED, DRAWN = (f"configurations.{name}" for name in ("filter", "group", "sort", "drawn"))
# Legend entries that are hidden in the charts, one per line: the page, a tab, the name.
ENTRIES = "charts.hidden"
# The inputs that a saved view keeps.
LISTED = frozenset((FILTER, GROUPED, SORTED, DRAWN, ENTRIES))
EVERY = "configurations.every"
# Configurations without runs in the plan of runs, one per line.
ADDED = "compare.added"
# Followed by the name of a phase: the metric that the user judges the phase by.
PRIMARY = "compare.primary."
