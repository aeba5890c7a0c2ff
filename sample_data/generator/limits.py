"""The acceptance limits of the cache sweep: each passes, fails or is inconclusive for some of the cache sizes."""

from __future__ import annotations

from pathlib import Path

FILE = "limits.toml"
TEXT = """\
# What was agreed on for this study; docs/formats.md explains each key.

[[limits]]
measure = "p95 of read latency"
phase = "steady state"
at_most = 10          # ms

[[limits]]
measure = "IOPS per VM"
phase = "steady state"
against = "baseline"
at_most = -80         # %: four fifths less than MCS

[[limits]]
measure = "overflow"  # of the RAM cache, in any phase: there must be none

[[limits]]
name = "Stuck sessions as in a clean test"
measure = "stuck_percent"
at_most = 1           # %
"""


def write(folder: Path) -> None:
    """Writes limits.toml into the folder of the runs."""
    (folder / FILE).write_text(TEXT, encoding="utf-8", newline="\n")
