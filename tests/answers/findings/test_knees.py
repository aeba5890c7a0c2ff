"""Findings on the knees of sweeps: one sentence for all machines with the same knee, and no repeated sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.benchmarks.test_sweeps import of_depths
from workbench.answers.findings.compute import Finding
from workbench.answers.findings.rules.benchmarks import benchmark_findings
from workbench.answers.findings.words import Asked
from workbench.console.loading import load_studies
from workbench.model.benchmark import Benchmark
from workbench.study.store.column_store import Store

REAL = Path(__file__).parents[4] / "shared" / "data" / "benchmarks" / "diskspd" / "vineethac_summary.csv"


def knees(rows: list[Benchmark]) -> list[Finding]:
    return [each for each in benchmark_findings(Asked("lab", (), rows)) if each.figure == "knee"]


def flat(most: float, **changes: object) -> list[Benchmark]:
    """A sweep that stops rising at queue depth 2."""
    return of_depths((1, most / 2), (2, most), (4, most), (8, most), **changes)


def test_that_machines_with_the_same_knee_share_a_sentence(snapshot: SnapshotAssertion) -> None:
    (found,) = knees([*flat(100.0, host="a"), *flat(110.0, host="b")])
    assert found.text == snapshot
    assert len(found.explanations) == 8


def test_that_machines_with_different_knees_are_named(snapshot: SnapshotAssertion) -> None:
    rising = of_depths((1, 100.0), (2, 200.0), (4, 400.0), (8, 800.0), host="c")
    first, second = knees([*flat(100.0, host="a"), *flat(110.0, host="b"), *rising])
    assert first.text == snapshot
    assert second.text.endswith(", job 'c')")
    assert first.inputs != second.inputs


def test_that_jobs_of_one_file_are_distinguished() -> None:
    texts = [each.text for each in knees([*flat(100.0, job="random"), *flat(110.0, job="seq")])]
    assert [text.rpartition(", ")[2].rstrip(")") for text in texts] == ["job 'random'", "job 'seq'"]
    # A sweep alone needs no job.
    (found,) = knees(flat(100.0, job="random"))
    assert found.text.endswith("1 thread, one run per step)")


@pytest.mark.skipif(not REAL.exists(), reason="real files lie beside the project")
def test_that_no_sentence_of_a_real_summary_occurs_twice(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.prepare()
    (study,) = load_studies([REAL], store)
    found = knees(list(study.benchmarks))
    assert len({each.text.partition(" IOPS")[2] for each in found}) == len(found) == 9
