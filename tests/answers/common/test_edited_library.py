"""The library with the user's edits."""

from __future__ import annotations

from tests.answers.common.test_looks_stay import library
from workbench.answers.common.choices import Choices
from workbench.answers.common.library import edited_library
from workbench.model.edits import RunEdits


def test_that_a_library_without_edits_is_the_library_as_read() -> None:
    lab = library(None, 256)
    edited = edited_library(lab, lab, Choices(edits=(RunEdits("lab/256-r1", configuration="Pilot"),)))
    assert {run.configuration.name for run in edited.studies[0].runs} > {"Pilot"}
    assert edited_library(lab, edited, Choices()) is lab
    # A run is excluded when runs are grouped.
    assert edited_library(lab, edited, Choices(edits=(RunEdits("lab/256-r1", excluded="fan broke"),))) is lab
