"""What the window names of the pages before they are loaded: views, tables, and inputs that others ask, too."""

from __future__ import annotations

OVER_TIME, BY_SIZE, FILLING, DIP = "over-time", "sweep", "filling", "dip"
CACHE_VIEWS = (
    (OVER_TIME, "Over time"),
    (BY_SIZE, "By cache size"),
    (FILLING, "Filling"),
    (DIP, "Overflow dip"),
)
CACHE_TABLES = ("By configuration", "By VM")

TIMELINE_TABLES = ("Report",)

LOGON_VIEWS = (
    ("times", "Logon times"),
    ("active", "Active sessions"),
    ("vsimax", "VSImax / EUX"),
    ("apps", "Application starts"),
)
LOGON_TABLES = ("Logon times", "Sessions")

BENCHMARK_VIEWS = (
    ("side-by-side", "Side by side"),
    ("sweeps", "Queue depth and threads"),
    ("repeats", "Repeated runs"),
    ("latency", "Latency"),
)
# Up to two tables stand on a view; each names itself.
BENCHMARK_TABLES = ("Benchmark results", "Repeated tests")

COMPARE_VIEWS = (("metric", "The metric"), ("duration", "How long phases take"))
COMPARE_TABLES = ("Comparison",)
BASELINE, MARGIN_PERCENT = "compare.baseline", "compare.margin"

PLAN, WHAT_IF = "plan", "what-if"
SIZING_VIEWS = ((PLAN, "Capacity plan"), (WHAT_IF, "Boot and logon what-if"))
SIZING_TABLES = ("Steps", "Configurations", "Inputs")

PROBLEMS, FILES = "Problems", "Files"
