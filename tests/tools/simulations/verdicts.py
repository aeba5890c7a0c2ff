"""How often verdicts are false, intervals cover and differences are found, in studies with a known truth.

A small share goes through files and the real command, and must give the results of the functions.
"""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.tools.simulations.cells import Cell, Job
from tests.tools.simulations.studies import CONFIGURATIONS, Array, Truth, as_folder, as_groups, drawn
from workbench.answers.compare.compute import compare
from workbench.cli import main as vdiwb
from workbench.measures.significance.differences import Difference
from workbench.measures.statistics import MARGIN, Verdict

NONE = (1.0,) * len(CONFIGURATIONS)
HALF = (1.0, 1.0, 1.0, 0.7, 0.7)
AT_MARGIN = (1.0, *(1 - MARGIN,) * (len(CONFIGURATIONS) - 1))
CLAIMS = frozenset((Verdict.BETTER, Verdict.WORSE, Verdict.HIGHER, Verdict.LOWER))
RUNS, SCATTERS, NARROW = (2, 3, 5, 10), (0.04, 0.10, 0.20), (0.01, 0.02, 0.04)
THROUGH_FILES = 6


def jobs(studies: int) -> Iterator[Job]:
    """All cells: no difference, half of the configurations differ; the truth at the margin, and the same."""
    for runs in RUNS:
        for scatter in SCATTERS:
            for seed, name, ratios in ((1, "none", NONE), (2, "half", HALF)):
                truth = Truth(runs, scatter, ratios)
                yield f"{name} {runs} {scatter}", partial(simulate, truth, studies, seed)
        for scatter in NARROW:
            for seed, name, ratios in ((3, "margin", AT_MARGIN), (4, "same", NONE)):
                truth = Truth(runs, scatter, ratios)
                yield f"{name} {runs} {scatter}", partial(simulate, truth, studies // 2, seed)
    yield "command", through_files


def simulate(truth: Truth, studies: int, seed: int) -> Cell:
    """The shares of each study, by their kind."""
    rng = np.random.default_rng([seed, truth.runs, int(1000 * truth.scatter)])
    ratios = {c.name: ratio / truth.ratios[0] for c, ratio in zip(CONFIGURATIONS, truth.ratios, strict=True)}
    cell: Cell = defaultdict(list)
    for _ in range(studies):
        for name, shares in _shares(compare(as_groups(drawn(truth, rng))).differences, ratios):
            if shares:
                cell[name].append(sum(shares) / len(shares))
    return dict(cell)


def _shares(rows: Sequence[Difference], ratios: dict[str, float]) -> Iterator[tuple[str, Sequence[bool]]]:
    """The counts of a study: for each verdict or interval, whether it is true."""
    judged = [
        row for row in rows if row.judged_as is None and row.change is not None and row.measure.key != "duration_s"
    ]
    primary, others = ([row for row in judged if row.tier == tier] for tier in ("primary", "other"))
    said = [row for row in others if row.verdict is not Verdict.INCONCLUSIVE]
    yield "false primary", [any(_false(row, ratios) for row in primary)]
    yield "false others", [_false(row, ratios) for row in said] or [False]
    yield "covered", [_covered(row, ratios) for row in primary if _ends(row)]
    yield "same", [row.verdict is Verdict.SAME for row in primary]
    for name, tier in (("found", primary), ("found others", others)):
        yield name, [row.verdict in CLAIMS for row in tier if ratios[row.configuration] != 1]


def _ends(row: Difference) -> bool:
    return row.change is not None and row.change.low is not None and row.change.high is not None


def _covered(row: Difference, ratios: dict[str, float]) -> bool:
    """True if the interval (for two runs the range) contains the true ratio."""
    change = row.change
    if change is None or change.low is None or change.high is None:
        return False
    return change.low <= ratios[row.configuration] <= change.high


def _false(row: Difference, ratios: dict[str, float]) -> bool:
    """A difference without a true one or in the wrong direction; "the same" if the truth is at the margin or beyond."""
    ratio = ratios[row.configuration]
    if row.verdict is Verdict.SAME:
        return abs(ratio - 1) >= MARGIN - 1e-12
    if row.verdict not in CLAIMS or row.change is None:
        return False
    return ratio == 1 or (row.change.ratio - 1) * (ratio - 1) < 0


def through_files() -> Cell:
    """True for each study in which the command gives the results of the functions."""
    rng = np.random.default_rng(9)
    truths = [Truth(3, 0.1, HALF)] * THROUGH_FILES
    return {"agree": [float(through_the_command(drawn(truth, rng))) for truth in truths]}


def through_the_command(figures: Array) -> bool:
    """True if `vdiwb compare` on files gives the results of the functions for the figures in the files."""
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
        and said[key]["p_holm"] == pytest.approx(row.p_holm, rel=1e-6)
        and said[key]["change_percent"] == pytest.approx(row.change.percent, rel=1e-6)
        for key, row in expected.items()
        if row.change is not None
    )


def _iops_of_steady(row: Difference) -> bool:
    return row.measure.key == "iops_per_vm" and row.tier == "primary"
