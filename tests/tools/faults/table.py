"""The table of docs/developing/reliability.md: the results of a sweep of faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.pages import put_between, today
from tests.tools.faults.points import Outcome
from tests.tools.faults.work import OPERATIONS

PAGE = Path(__file__).parents[3] / "docs" / "developing" / "reliability.md"
_BEGIN, _END = "<!-- faults: written by python -m tests.tools faults --write-docs -->", "<!-- end of faults -->"
_SHOWN = {
    "import": "import into the column store",
    "workspace": "workspace file",
    "anonymous-bundle": "anonymised bundle and its key",
    "mapping": "column mapping",
    "journal": "journal of unsaved work",
    "history": "file of a history folder",
    "kit": "test kit",
    "junit": "JUnit file of `check`",
    "anonymous": "anonymised `.csv` and its key",
    "template": "filled template",
    "md": "`.md` and its images",
}


def lines(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The table, one row for each operation, and the totals."""
    yield "| written file | faults | earlier file remained | complete new file | old and new files |"
    yield "|---|---:|---:|---:|---:|"
    for operation in OPERATIONS:
        of_it = [outcome for outcome in outcomes if outcome.point.operation == operation.name]
        if not of_it:
            continue
        left = Counter(outcome.left for outcome in of_it)
        name = _SHOWN.get(
            operation.name, f"`.{operation.name}`" if operation.file.startswith("report") else operation.name
        )
        files = [str(left[each]) if operation.file else "–" for each in ("old", "new", "both")]
        if wrong := sum(bool(outcome.wrong) for outcome in of_it):
            name = f"{name}, **{wrong} wrong results**"
        cells = (name, str(len(of_it)), *files)
        yield f"| {' | '.join(cells)} |"
    yield ""
    total = sum(bool(outcome.wrong) for outcome in outcomes)
    yield f"In total: {len(outcomes):,} faults, {total} wrong results. Measured on {today()}."


def write(outcomes: Sequence[Outcome]) -> None:
    """Puts the table into the page."""
    put_between(PAGE, _BEGIN, _END, "".join(f"{line}\n" for line in lines(outcomes)))
