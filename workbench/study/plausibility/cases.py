"""Cases: samples of a counter that violate a rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.model.recording import Series

IntArray = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Case:
    """The result of a rule (its `code`) for a counter. `rows` are the samples, `value` the first or highest of them in
    the canonical unit. `left_out` is True if the rule is certain. `why` ends the sentence that is shown, and `against`
    is a second sentence: the contradicting counter."""

    code: str
    series: Series
    rows: IntArray
    value: float
    left_out: bool
    why: str = ""
    against: str = ""
