"""The baseline and the margin that the page and an export compare with."""

from __future__ import annotations

from pathlib import Path

from tests.exporters.jobs import library_of
from tests.exporters.studies import replicate_study
from workbench.answers.compare.chosen import against
from workbench.session.state import State


def test_that_a_baseline_that_is_hidden_gives_way_to_the_study_s_own(tmp_path: Path) -> None:
    library = library_of(replicate_study(tmp_path))
    groups = library.groups(State())
    standard, other = groups[0].label, groups[1].label
    choices = State().with_input("compare.baseline", other).with_input("compare.margin", 10.0)
    for shown, label in ((groups, other), (groups[:1], standard)):
        chosen = against(shown, choices)
        assert chosen is not None
        assert (chosen.baseline, chosen.margin) == (label, 0.1)
