"""Student's t in plain arithmetic, compared with 40-digit arithmetic, closed forms and scipy."""

from __future__ import annotations

import math
import subprocess
import sys

import numpy as np
import pytest
from scipy.special import stdtr, stdtrit

from workbench.measures.statistics import reach_of, two_sided

# t, degrees of freedom, P(|T| > t) by the incomplete beta function in 40 digits.
TAILS = (
    (0.5, 3, 0.65144796484815099),
    (2.25, 5, 0.074276926383684),
    (12.0, 7.5, 3.6608064556194797e-6),
    (1.5, 30, 0.144065929128646),
    (1.4, 61, 0.16657894959758),
    (8.0, 61, 4.398641846762827e-11),
    (0.01, 200, 0.99203125515328112),
    (2.0, 200, 0.046853186187070977),
    (7.5, 200, 2.0390499152928549e-12),
)
# Confidence, degrees of freedom, and half the width of the interval around 0.
REACHES = (
    (0.95, 1, 12.706204736174693),
    (0.95, 2, 4.3026527297494618),
    (0.95, 4.75, 2.6118130923739654),
    (0.9, 9, 1.8331129326562373),
    (0.99, 29, 2.7563859036706051),
    (0.95, 199, 1.9719565442517534),
)


@pytest.mark.parametrize(("t", "freedom", "expected"), TAILS)
def test_that_tail_probabilities_are_exact_to_the_last_digit(t: float, freedom: float, expected: float) -> None:
    assert two_sided(t, freedom) == pytest.approx(expected, rel=1e-14, abs=0)
    assert two_sided(-t, freedom) == two_sided(t, freedom)


@pytest.mark.parametrize(("confidence", "freedom", "expected"), REACHES)
def test_that_quantiles_are_exact_to_the_last_digit(confidence: float, freedom: float, expected: float) -> None:
    assert reach_of(confidence, freedom) == pytest.approx(expected, rel=1e-14, abs=0)


@pytest.mark.parametrize("t", np.geomspace(1e-8, 1e5, 60).tolist())
def test_that_one_and_two_degrees_of_freedom_equal_the_closed_forms(t: float) -> None:
    assert two_sided(t, 1) == pytest.approx(2 * math.atan2(1, t) / math.pi, rel=1e-14, abs=0)
    root = math.sqrt(2 + t * t)
    assert two_sided(t, 2) == pytest.approx(2 / (root * (root + t)), rel=1e-14, abs=0)


def test_that_tail_probabilities_and_quantiles_equal_those_of_scipy() -> None:
    for freedom in (1.3, 2, 3, 4.5, 8, 15, 29.5, 60, 61, 120, 200, 999, 1001, 20_000):
        for t in np.geomspace(0.05, 40, 40):
            expected = 2 * float(stdtr(freedom, -t))
            if expected > 1e-12:
                assert two_sided(float(t), freedom) == pytest.approx(expected, rel=1e-10, abs=0)
        assert reach_of(0.95, freedom) == pytest.approx(float(stdtrit(freedom, 0.975)), rel=1e-11, abs=0)


def test_that_the_tail_beyond_infinity_is_zero_and_nan_stays_nan() -> None:
    assert two_sided(math.inf, 3) == 0
    assert math.isnan(two_sided(math.nan, 3))


def test_that_computing_intervals_and_trends_does_not_load_scipy() -> None:
    code = (
        "import sys, numpy as np\n"
        "from workbench.measures.statistics import change\n"
        "from workbench.measures.configurations import mean_of\n"
        "from workbench.answers.logons.compute import trend\n"
        "assert change([1.0, 2.0, 4.0], [3.0, 5.0, 9.0]).p is not None\n"
        "assert mean_of([1.0, 2.0, 4.0]).basis == 'interval'\n"
        "assert trend(np.arange(30.0), np.sin(np.arange(30.0))) is not None\n"
        "assert not [name for name in sys.modules if name.startswith('scipy')]\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
