"""The table of docs/developing/reliability.md: the results of imports on a cluster."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.pages import put_between, today
from tests.tools.cluster.cases import Result

PAGE = Path(__file__).parents[3] / "docs" / "developing" / "reliability.md"
_BEGIN, _END = "<!-- cluster: written by python -m tests.tools cluster --write-docs -->", "<!-- end of cluster -->"
_NAMED = 3


@dataclass(frozen=True)
class Measured:
    """The files of the lab, the seconds of an import on this machine, and the outcome of each case."""

    large: int
    megabytes: float
    small: int
    own_s: float
    results: tuple[Result, ...]


def lines(measured: Measured) -> Iterator[str]:
    """The table of the measurements."""
    heads = ("cluster", "import time (s)", "ratio to one machine", "workers busy", "differing files", "errors")
    yield f"| {' | '.join(heads)} |"
    yield "|---|---:|---:|---:|---:|---:|"
    for result in measured.results:
        # The processor time of a killed worker is lost with it.
        busy = "–" if result.case.kill else f"{result.processor_s / (result.taken_s * result.case.workers):.0%}"
        yield (
            f"| {result.case.name} | {result.taken_s:.1f} | {result.taken_s / measured.own_s:.2f} | {busy} "
            f"| {len(result.differing)} | {len(result.errors)} |"
        )
    yield ""
    yield (
        f"Each import reads {measured.large} perfmon files of {measured.megabytes:g} MB and {measured.small} files of "
        f"1 kB. One machine without a cluster took {measured.own_s:.1f} s. *Workers busy*: processor time of the "
        f"workers ÷ (import time × number of workers). Measured on {today()}."
    )


def functions(result: Result) -> str:
    """The functions of the program that ran most often in Dask's profile of a case, with their share."""
    return ", ".join(f"{name} {share:.0%}" for name, share in list(result.shares.items())[:_NAMED])


def write(measured: Measured) -> None:
    """Puts the table into the page."""
    put_between(PAGE, _BEGIN, _END, "".join(f"{line}\n" for line in lines(measured)))
