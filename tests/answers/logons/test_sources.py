"""The sources of a figure on the logon page are exactly the lines that it was computed from."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.answers.logons.login_storms import sessions, timer
from tests.builders import run
from workbench.answers.logons.compute import logon_figures
from workbench.answers.logons.sources import explain_logons, explain_vsimax
from workbench.answers.logons.vsimax import vsimax
from workbench.answers.logons.vsimax_models import load_models
from workbench.measures.phase_table import RunFigures
from workbench.measures.sources import UnknownFigureError


def test_that_the_source_of_vsimax_is_the_timers_of_complete_loops() -> None:
    model = next(iter(load_models(None).values()))
    names = [name for name, _ in model.weights]
    whole = [replace(timer(at, name, 100), file="t.csv", line=at + 2) for at, name in enumerate(names)]
    alone = replace(timer(60, names[0], 100), file="t.csv", line=99)
    other = replace(timer(61, "no timer of the model", 100), file="t.csv", line=100)
    (source,) = explain_vsimax(run(), vsimax([*whole, alone, other], model)).sources
    assert (source.samples, source.first_line, source.last_line) == (len(names), 2, len(names) + 1)


def test_that_the_source_of_the_trend_is_logons_with_a_start_and_of_the_mean_all_with_a_duration() -> None:
    timed = [replace(one, file="l.csv", line=place + 2) for place, one in enumerate(sessions(np.arange(1.0, 31.0)))]
    unplaced = [replace(one, logon_start=None, logon_end=None) for one in timed[:5]]
    figures = RunFigures(run(sessions=(*unplaced, *timed[5:])), (), ())
    known = logon_figures(figures.run)
    assert known is not None
    assert known.per_100_logons is not None
    (trend,) = explain_logons(figures, "trend_s_per_100_logons").sources
    (mean,) = explain_logons(figures, "logon_s_mean").sources
    assert (trend.samples, trend.first_line, mean.samples, mean.first_line) == (25, 7, 30, 2)


def test_that_an_unknown_application_statistic_is_rejected() -> None:
    with pytest.raises(UnknownFigureError, match="There is no logon value 'app_start_s_p42'"):
        explain_logons(RunFigures(run(sessions=sessions(np.ones(3))), (), ()), "app_start_s_p42", "Word")
