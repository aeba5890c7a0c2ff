"""Properties of the logged files of a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.builders import counter, recording, run
from workbench.answers.prepare.logged import Logged
from workbench.answers.prepare.questions import CounterNeed
from workbench.measures.phase_table import RunFigures
from workbench.model.metric import Quantity


def test_that_the_interval_of_a_file_is_found_without_comparing_counters(tmp_path: Path) -> None:
    file = recording(tmp_path, "a.csv", [0.0, 15.0, 30.0], [(counter("A", Quantity.CPU), [1.0, 2.0, 3.0])])
    # A list has no hash, like an object that compares thousands of counters.
    listed = replace(file, series=list(file.series))  # type: ignore[arg-type]
    logged = Logged(RunFigures(run(listed), (), ()))
    assert logged.interval(CounterNeed(((Quantity.CPU,),))) == 15.0
