"""Answers from samples that are in scratch files are those from samples in memory, to the last digit."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.samples import shared_store
from workbench import disk_arrays
from workbench.answers.compare.distribution import distribution
from workbench.answers.sources import explain_answers
from workbench.console.loading import load_studies
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import group_runs
from workbench.measures.phase_table import run_figures
from workbench.measures.sources import explain_run
from workbench.model.run import Study
from workbench.study.store.column_store import Store

SAMPLES = Path(__file__).parents[2] / "sample_data"
STUDIES = (
    *(pytest.param(name, marks=pytest.mark.slow) for name in ("windows-7-mcs-and-pvs", "simulated-cache-sweep")),
    "damaged/step-at-overflow",
    "damaged/sampling-slows",
)


def _answers(studies: tuple[Study, ...]) -> list[object]:
    figures = [run_figures(run) for study in studies for run in study.runs]
    groups = group_runs(figures)
    found: list[object] = [*figures, *map(explain_run, figures)]
    found += [explanation for study in studies for explanation in explain_answers(study, groups)]
    for group in groups:
        for phase in {row.phase.name for run in group.runs for row in run.phases}:
            for measure in MEASURES.values():
                if (known := distribution(group, phase, measure)) is not None:
                    lasting = known.over_time.until
                    seconds = None if lasting is None else lasting.tolist()
                    found.append((known.label, known.over_time.values.tolist(), seconds, known.runs, known.without))
    return found


@pytest.mark.parametrize("name", STUDIES)
def test_that_answers_computed_from_scratch_files_equal_those_computed_in_memory(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded() -> tuple[Study, ...]:
        return tuple(load_studies([SAMPLES / name], Store(shared_store())))

    in_memory, mapped = _answers(loaded()), []
    take = disk_arrays._mapped
    monkeypatch.setattr(disk_arrays, "_mapped", lambda size: mapped.append(size) or take(size))
    monkeypatch.setattr(disk_arrays, "LARGE_BYTES", 1)
    in_files = _answers(loaded())
    assert len(mapped) > 50
    assert repr(in_files) == repr(in_memory)
