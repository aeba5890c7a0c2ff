"""How often the verdicts are false, intervals cover and differences are found: `python -m tests.simulations`.

Prints the tables of docs/statistics.md. Every study is seeded. A small share goes through files and the real command,
and must say what the functions say of the same figures.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path

import numpy as np

from tests.simulations.studies import CONFIGURATIONS, Array, Truth, as_folder, as_groups, drawn
from workbench.answers.compare.compute import compare
from workbench.cli import main as vdiwb
from workbench.measures.judging.differences import Difference
from workbench.measures.statistics import MARGIN, Verdict

NONE = (1.0,) * len(CONFIGURATIONS)
HALF = (1.0, 1.0, 1.0, 0.7, 0.7)
AT_MARGIN = (1.0, *(1 - MARGIN,) * (len(CONFIGURATIONS) - 1))
CLAIMS = frozenset((Verdict.BETTER, Verdict.WORSE, Verdict.HIGHER, Verdict.LOWER))
RUNS, SCATTERS = (2, 3, 5, 10), (0.04, 0.10, 0.20)


@dataclass
class Counts:
    """What was counted over the studies of one cell."""

    studies: int = 0
    with_false_primary: int = 0
    false_shares: float = 0.0
    other_verdicts: int = 0
    covered: int = 0
    intervals: int = 0
    found: int = 0
    findable: int = 0
    other_found: int = 0
    other_findable: int = 0
    same: int = 0
    comparable: int = 0


def simulate(truth: Truth, studies: int, seed: int) -> Counts:
    """The counts of so many studies."""
    rng = np.random.default_rng([seed, truth.runs, int(1000 * truth.scatter)])
    counts = Counts()
    ratios = {c.name: ratio / truth.ratios[0] for c, ratio in zip(CONFIGURATIONS, truth.ratios, strict=True)}
    for _ in range(studies):
        _count(counts, compare(as_groups(drawn(truth, rng))).differences, ratios)
    return counts


def _count(counts: Counts, rows: Sequence[Difference], ratios: dict[str, float]) -> None:
    judged = [
        row for row in rows if row.judged_as is None and row.change is not None and row.measure.key != "duration_s"
    ]
    primary, others = ([row for row in judged if row.tier == tier] for tier in ("primary", "other"))
    counts.studies += 1
    counts.with_false_primary += any(_false(row, ratios) for row in primary)
    said = [row for row in others if row.verdict is not Verdict.INCONCLUSIVE]
    counts.other_verdicts += len(said)
    counts.false_shares += sum(_false(row, ratios) for row in said) / max(1, len(said))
    for row in primary:
        ratio = ratios[row.configuration]
        assert row.change is not None
        if row.change.basis == "interval" and row.change.low is not None and row.change.high is not None:
            counts.intervals += 1
            counts.covered += row.change.low <= ratio <= row.change.high
        counts.comparable += 1
        counts.same += row.verdict is Verdict.SAME
        counts.findable += ratio != 1
        counts.found += ratio != 1 and row.verdict in CLAIMS
    counts.other_findable += sum(ratios[row.configuration] != 1 for row in others)
    counts.other_found += sum(ratios[row.configuration] != 1 and row.verdict in CLAIMS for row in others)


def _false(row: Difference, ratios: dict[str, float]) -> bool:
    """A difference where there is none or to the wrong side; the same where the truth is at the margin or beyond."""
    ratio = ratios[row.configuration]
    if row.verdict is Verdict.SAME:
        return abs(ratio - 1) >= MARGIN - 1e-12
    if row.verdict not in CLAIMS or row.change is None:
        return False
    return ratio == 1 or (row.change.ratio - 1) * (ratio - 1) < 0


def _percent(part: float, whole: float) -> str:
    return f"{100 * part / whole:.1f}" if whole else "—"


def _row(label: str, none: Counts, half: Counts) -> str:
    cells = (
        label,
        _percent(none.with_false_primary, none.studies),
        _percent(half.with_false_primary, half.studies),
        f"{_percent(none.false_shares, none.studies)} / {_percent(half.false_shares, half.studies)}",
        _percent(none.covered + half.covered, none.intervals + half.intervals),
        _percent(half.found, half.findable),
        _percent(half.other_found, half.other_findable),
    )
    return f"| {' | '.join(cells)} |"


def _sum(counts: Sequence[Counts]) -> Counts:
    return Counts(*(sum(column) for column in zip(*map(astuple, counts), strict=True)))


def tables(studies: int, every_n: Sequence[int] = RUNS) -> Iterator[str]:
    """The rows of both tables as Markdown."""
    every: list[tuple[Counts, Counts]] = []
    yield (
        "| n | scatter | false primary, no difference | false primary, half differ | other verdicts false | covered | "
        "−30 % found, primary | −30 % found, others |"
    )
    for runs in every_n:
        for scatter in SCATTERS:
            none = simulate(Truth(runs, scatter, NONE), studies, 1)
            half = simulate(Truth(runs, scatter, HALF), studies, 2)
            yield _row(f"{runs} | {100 * scatter:.0f} %", none, half)
            if runs > 2:
                every.append((none, half))
    yield _row("all from 3 | all", *(_sum(counts) for counts in zip(*every, strict=True)))
    yield ""
    yield "| n | scatter | the same, truth at the margin | studies with any | the same, truth the same |"
    for runs in every_n:
        for scatter in (0.01, 0.02, 0.04):
            at = simulate(Truth(runs, scatter, AT_MARGIN), studies // 2, 3)
            same = simulate(Truth(runs, scatter, NONE), studies // 2, 4)
            yield (
                f"| {runs} | {100 * scatter:g} % | {_percent(at.same, at.comparable)} | "
                f"{_percent(at.with_false_primary, at.studies)} | {_percent(same.same, same.comparable)} |"
            )


def through_the_command(figures: Array) -> bool:
    """Whether `vdiwb compare` on files says what the functions say of the figures they were made from."""
    expected = {
        (row.configuration, row.phase): row for row in compare(as_groups(figures)).differences if _iops_of_steady(row)
    }
    with tempfile.TemporaryDirectory() as folder:
        as_folder(figures, Path(folder) / "study")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            assert vdiwb(["compare", str(Path(folder) / "study"), "--format", "json"]) == 0
    rows = json.loads(printed.getvalue())["differences"]
    said = {(row["configuration"], row["phase"]): row for row in rows if row["metric"] == "iops_per_vm"}
    return all(
        said[key]["verdict"] == row.verdict
        and np.isclose(said[key]["p_holm"], row.p_holm, rtol=1e-6)
        and np.isclose(said[key]["change_percent"], row.change.percent, rtol=1e-6)
        for key, row in expected.items()
        if row.change is not None
    )


def _iops_of_steady(row: Difference) -> bool:
    return row.measure.key == "iops_per_vm" and row.tier == "primary"


def main() -> None:
    """Prints the tables, and whether the command agrees."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=300, help="studies in each cell")
    parser.add_argument("--runs", type=int, nargs="+", default=RUNS, help="runs of each configuration")
    parser.add_argument("--command", type=int, default=6, help="studies that go through files and the command")
    options = parser.parse_args()
    for line in tables(options.studies, options.runs):
        print(line, flush=True)
    rng = np.random.default_rng(9)
    agree = sum(through_the_command(drawn(Truth(3, 0.1, HALF), rng)) for _ in range(options.command))
    print(f"\n{agree} of {options.command} studies through files and `vdiwb compare` say the same")


if __name__ == "__main__":
    main()
