"""The table of docs/developing/reliability.md: how many damaged files of each format were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.pages import put_between, today
from tests.tools.fuzz.case import CORPUS
from tests.tools.fuzz.sweep import Progress

PAGE = Path(__file__).parents[3] / "docs" / "developing" / "reliability.md"
_BEGIN, _END = "<!-- fuzz: written by python -m tests.tools fuzz --write-docs -->", "<!-- end of fuzz -->"


def lines(progress: Mapping[str, Progress]) -> Iterator[str]:
    """The table: totals of all formats, and the format with the largest value."""
    tried = [of_format.tried for of_format in progress.values()]
    of_each = f"{min(tried):,}" if min(tried) == max(tried) else f"{min(tried):,} to {max(tried):,}"
    largest = max(progress, key=lambda name: progress[name].peak_bytes)
    slowest = max(progress, key=lambda name: progress[name].most_s)
    revealed = Counter(_format_of(file.name, progress) for file in CORPUS.glob("*.json"))
    worst = max(progress, key=lambda name: revealed[name])
    yield "| value | result |"
    yield "|---|---|"
    yield f"| Formats | {len(progress)} |"
    yield f"| Damaged files of each format | {of_each} |"
    yield f"| Damaged files of all formats | {sum(tried):,} |"
    yield f"| Peak memory of the process | {progress[largest].peak_bytes / 2**20:,.0f} MB (`{largest}`) |"
    yield f"| Longest time for one file | {progress[slowest].most_s:.1f} s (`{slowest}`) |"
    yield f"| Files that revealed a fault | {sum(revealed[name] for name in progress)} (`{worst}`: {revealed[worst]}) |"
    yield ""
    yield f"Measured on {today()}."


def _format_of(file: str, names: Mapping[str, Progress]) -> str:
    """The format of a case file: `fio-log-cut-….json` belongs to `fio-log`, not to `fio`."""
    return max((name for name in names if file.startswith(f"{name}-")), key=len, default="")


def write(progress: Mapping[str, Progress]) -> None:
    """Puts the table into the page."""
    put_between(PAGE, _BEGIN, _END, "".join(f"{line}\n" for line in lines(progress)))
