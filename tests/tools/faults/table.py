"""The table of docs/developing/reliability.md: the results of a sweep of faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tests.pages import put_between, today
from tests.tools.faults import disks
from tests.tools.faults.points import Outcome
from tests.tools.faults.work import OPERATIONS

PAGE = Path(__file__).parents[3] / "docs" / "developing" / "reliability.md"
_BEGIN, _END = "<!-- faults: written by python -m tests.tools faults --write-docs -->", "<!-- end of faults -->"
_SHOWN = {
    "import": "import into the column store",
    "workspace": "workspace file",
    "anonymous-bundle": "bundle without names, and its key",
    "mapping": "column mapping",
    "journal": "journal of unsaved work",
    "history": "file of a history folder",
    "kit": "test kit",
    "junit": "JUnit of `check`",
    "anonymous": "`.csv` without names, and its key",
    "template": "filled template",
    "md": "`.md` and its images",
}
_DISKS = (disks.FULL, disks.STORE_READ_ONLY, disks.FOLDER_READ_ONLY, disks.LOCKED)


def lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The table, one row for each operation, and the total time."""
    yield (
        "| written file | failed calls | kills | full or locked disks "
        "| afterwards: earlier file | afterwards: complete new file | afterwards: old and new files | wrong results |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for operation in OPERATIONS:
        of_it = [outcome for outcome in outcomes if outcome.point.operation == operation.name]
        if not of_it:
            continue
        kinds, left = (Counter(each) for each in (_kinds(of_it), (outcome.left for outcome in of_it)))
        name = _SHOWN.get(
            operation.name, f"`.{operation.name}`" if operation.file.startswith("report") else operation.name
        )
        files = [str(left[each]) if operation.file else "–" for each in ("old", "new", "both")]
        cells = (name, str(kinds["fail"]), str(kinds["kill"]), str(kinds["disk"]), *files)
        yield f"| {' | '.join(cells)} | {sum(bool(outcome.wrong) for outcome in of_it)} |"
    yield ""
    wrong = sum(bool(outcome.wrong) for outcome in outcomes)
    yield f"{len(outcomes):,} faults, {wrong} wrong results. {_calls(outcomes)}"
    yield f"The table was written on {today()}."


def write(outcomes: Sequence[Outcome]) -> None:
    """Puts the table into the page."""
    put_between(PAGE, _BEGIN, _END, "".join(f"{line}\n" for line in lines(outcomes)))


def _kinds(outcomes: Iterable[Outcome]) -> Iterator[str]:
    for outcome in outcomes:
        yield "disk" if outcome.point.mode in _DISKS else outcome.point.mode


def _calls(outcomes: Iterable[Outcome]) -> str:
    """The number of failures of each call."""
    calls = Counter(outcome.call.partition(" ")[0] for outcome in outcomes if outcome.point.mode in ("fail", "kill"))
    named = ", ".join(f"{count} × {call}" for call, count in calls.most_common() if call)
    return f"These calls failed or were interrupted by a kill: {named}."
