"""The table of docs/developing/reliability.md: how many damaged files of each format were read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.pages import put_between, today
from tests.tools.fuzz.case import CORPUS
from tests.tools.fuzz.sweep import Progress

PAGE = Path(__file__).parents[3] / "docs" / "developing" / "reliability.md"
_BEGIN, _END = "<!-- fuzz: written by python -m tests.tools fuzz --write-docs -->", "<!-- end of fuzz -->"


def lines(progress: Mapping[str, Progress]) -> Iterator[str]:
    """The table, one row for each format."""
    yield (
        "| format | damaged files | peak memory of the process | longest time for one file "
        "| files that revealed a fault |"
    )
    yield "|---|---|---|---|---|"
    for name, of_format in progress.items():
        kept = sum(_format_of(file.name, progress) == name for file in CORPUS.glob("*.json"))
        cost = f"{of_format.peak_bytes / 2**20:,.0f} MB | {of_format.most_s:.1f} s"
        yield f"| `{name}` | {of_format.tried:,} | {cost} | {kept} |"
    yield ""
    tried = sum(of_format.tried for of_format in progress.values())
    yield f"The table has {tried:,} damaged files. The table was written on {today()}."


def _format_of(file: str, names: Mapping[str, Progress]) -> str:
    """The format of a case file: `fio-log-cut-….json` belongs to `fio-log`, not to `fio`."""
    return max((name for name in names if file.startswith(f"{name}-")), key=len, default="")


def write(progress: Mapping[str, Progress]) -> None:
    """Puts the table into the page."""
    put_between(PAGE, _BEGIN, _END, "".join(f"{line}\n" for line in lines(progress)))
