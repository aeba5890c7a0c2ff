"""What each file of a vdbench output folder is, by its title.

Source: *Report files* in the Vdbench Users Guide 5.04.07 (as github.com/sine-io/VdbenchUsersGuide-cn holds it, commit
2d0d64e1), the titles in vdbench's own source (`new Report(…)`, github.com/itfanr/vdbench, commit 2a92906b), and whole
folders of two testers (github.com: cloudanimal/Vdbench 30a1dc23, masakioui/vdb 8dce9ec4, masakioui/vdb_oceanstor
d45784f3). `flatfile`, `totals`, `summary` and the log state the results of the whole run. Pages of a host, a slave (a
process on a host), an SD or FSD (storage), and a WD or FWD (workload) state the same run's share of each. The others
hold no results of a run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from workbench.readers.vdbench.tables import flatfile_header


class Kind(Enum):
    """Whether a file speaks of the whole run, of a slice of it, or holds no results."""

    WHOLE = auto()
    SLICE = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class File:
    """What a file is: `flatfile`, `host n1`, `skew report`."""

    part: str
    kind: Kind


# The files that state the whole run, the best first: the flatfile has the most digits.
WHOLE = ("flatfile", "totals", "summary", "log")
HISTOGRAM, ERRORS, LOG = "histogram", "error log", "log"
_HEAD = 4000
# With the time of day that vdbench writes before it: scripts and vdbench's own program hold the words alone.
_STARTS = re.compile(r"\d\d:\d\d:\d\d\.\d{3} Starting RD=")
NO_ERRORS = "Error log. If there "
_OPENS = re.compile(r"\s{0,9}(?:<title>Vdbench [^<\n]{0,400}</title>)?<pre>\s{0,9}")
_SLICES = (
    (re.compile(r"Host summary report\(s\) for host=(\S{1,200})"), "host {}"),
    (re.compile(r"Slave summary report for slave=(\S{1,200})"), "slave {}"),
    (re.compile(r"SD report for sd=(\S{1,200})"), "sd {}"),
    (re.compile(r"(?:Host|Slave) SD report for sd=([^\n]{1,200})"), "sd of one host {}"),
    (re.compile(r"Workload Report for wd=(\S{1,200})"), "wd {}"),
    (re.compile(r"Report for (fsd|fwd) (\S{1,200})"), "{} {}"),
)
_OTHERS = (
    (re.compile(r"(?s)[^<]{0,400}?response time histogram\.\s*$|[^\n]{0,200}histogram\.", re.MULTILINE), HISTOGRAM),
    (re.compile(r"Performance histogram for "), HISTOGRAM),
    (re.compile(r"Workload skew report"), "skew report"),
    (re.compile(r"stdout/stderr for slave="), "messages of a slave"),
    (re.compile(r"\* Vdbench status"), "status"),
    (re.compile(r"Vdbench error log, created|" + NO_ERRORS), ERRORS),
    (re.compile(r"Anchor status report"), "report of its files and directories"),
    (re.compile(r"Output from script [^\n]{0,400}config"), "configuration of a host"),
    (re.compile(r"This file will contain the last 'nn' lines of files"), "system messages of a host"),
    (
        re.compile(r"(?:Host )?Kstat (?:summary|instance) report|Host nfs statistics report"),
        "operating system counters",
    ),
    (re.compile(r"\* Contents of parameter file: "), "parameter file"),
    (re.compile(r"\d\d:\d\d:\d\d\.\d{3} line: "), "trail of its parameters"),
)
_SWAT = re.compile(r"(?s):date \d{8}-\d\d:\d\d:\d\d\.\d{3}\n.{0,3000}?:vdbench\d{1,6}_vdbench_data_for_swat")


def file_of(text: str) -> File | None:
    """What the text is, None where it is no file of vdbench (or a copy of its console)."""
    head = text[:_HEAD]
    opens = _OPENS.match(head)
    if opens is None and _SWAT.match(head):
        return File("data for Swat", Kind.OTHER)
    title = head[opens.end() :] if opens else head
    if opens is None and not title.startswith(NO_ERRORS):
        return _whole(text, head)
    for pattern, part in _SLICES:
        if (match := pattern.match(title)) is not None:
            return File(part.format(*match.groups()), Kind.SLICE)
    for pattern, part in _OTHERS:
        if pattern.match(title) is not None:
            return File(part, Kind.OTHER)
    return _whole(text, head)


def _whole(text: str, head: str) -> File | None:
    if re.search(r"^Run totals\s*$", head, re.MULTILINE) and "<pre>" in head:
        return File("totals", Kind.WHOLE)
    if "Vdbench summary report" in head and "<pre>" in head:
        return File("summary", Kind.WHOLE)
    if "Vdbench distribution: " in head or "input argument scanned: " in head:
        return File(LOG, Kind.WHOLE)
    if any(flatfile_header(line) for line in text.split("\n", 200)[:200]):
        return File("flatfile", Kind.WHOLE)
    # Without its title: the console, copied.
    return File(LOG, Kind.WHOLE) if _STARTS.search(text) else None
