"""EUX scores are between 0 and 10; any other number is not a score and is not drawn."""

from __future__ import annotations

import pytest

from tests.builders import T0, run
from workbench.answers.logons.vsimax import run_vsimax
from workbench.answers.logons.vsimax_models import load_models
from workbench.model.session import Measurement, MeasurementKind

MODEL = next(iter(load_models().values()))


def drawn(*values: float) -> list[float]:
    """The scores of a run that are drawn over time."""
    scores = tuple(
        Measurement(T0 + 60 * minute, MeasurementKind.EUX, "EUX score", value) for minute, value in enumerate(values)
    )
    shown: list[float] = run_vsimax(run(measurements=scores), MODEL).eux_score.tolist()
    return shown


@pytest.mark.parametrize("score", [0.0, 7.25, 10.0])
def test_that_a_score_from_0_to_10_is_drawn(score: float) -> None:
    assert drawn(8.5, score) == [8.5, score]


@pytest.mark.parametrize("score", [-0.01, 10.01, 100.0])
def test_that_a_score_beyond_0_to_10_is_not_drawn(score: float) -> None:
    assert drawn(8.5, score, 8.0) == [8.5, 8.0]
