"""The machinery of the simulations: no cell is computed twice, and the tables show the counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy import stats

from tests.tools.simulations.__main__ import written
from tests.tools.simulations.cells import Cell, TimeOverError, computed, mark_of, percent


def test_that_an_interrupted_run_resumes_and_changed_code_starts_again(tmp_path: Path) -> None:
    made: list[str] = []

    def make() -> Cell:
        made.append("cell")
        return {"share": [0.0, 1.0]}

    for mark in ("old", "old", "new"):
        assert computed([("none 3", make)], tmp_path, mark) == {"none 3": {"share": [0.0, 1.0]}}
    assert len(made) == 2


def test_that_no_cell_starts_after_the_time_limit_and_finished_ones_need_no_time(tmp_path: Path) -> None:
    jobs = [(name, lambda: {"share": [1.0]}) for name in ("a", "b")]
    computed(jobs[:1], tmp_path, "mark")
    assert list(computed(jobs[:1], tmp_path, "mark", end=0.0)) == ["a"]
    with pytest.raises(TimeOverError):
        computed(jobs, tmp_path, "mark", end=0.0)
    assert list(computed(jobs, tmp_path, "mark")) == ["a", "b"]


def test_that_a_fingerprint_changes_with_every_source_file_and_ignores_python_caches(tmp_path: Path) -> None:
    (tmp_path / "__pycache__").mkdir()
    marks = []
    for name in ("a.py", "table.csv", "__pycache__/a.pyc"):
        (tmp_path / name).write_text("1", encoding="ascii")
        marks.append(mark_of([str(tmp_path)]))
    assert marks[0] != marks[1] == marks[2]


def test_that_shares_have_the_interval_of_their_number_of_studies() -> None:
    # Exact, from the beta distribution: 3 of 100 studies.
    low, high = 100 * stats.beta.ppf(0.025, 3, 98), 100 * stats.beta.ppf(0.975, 4, 97)
    assert percent([1.0] * 3 + [0.0] * 97) == f"3.0 % ({low:.1f}–{high:.1f} %)"
    assert percent([0.25, 0.75] * 50) == "50.0 % (45.1–54.9 %)"
    assert percent([]) == "—"


def test_that_only_text_between_the_marks_is_written() -> None:
    page = "a\n<!-- simulated x: written by python -m tests.tools simulations -->\nold\n<!-- end of x -->\nb\n"
    assert written(page, "x", ["new"]).splitlines()[::2] == ["a", "", "", "b"]
    assert "new" in written(page, "x", ["new"])
    assert written(written(page, "x", ["new"]), "x", ["new"]) == written(page, "x", ["new"])
    with pytest.raises(AssertionError, match="no marks of y"):
        written(page, "y", [])
