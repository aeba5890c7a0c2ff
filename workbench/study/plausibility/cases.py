"""Cases: samples of a counter that a rule points at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.model.recording import Series

IntArray = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Case:
    """What a rule (by its `code`) says of a counter: `rows` are its samples, `value` the first or highest of them in
    the canonical unit, `left_out` whether the rule is certain; `why` ends the sentence that is shown."""

    code: str
    series: Series
    rows: IntArray
    value: float
    left_out: bool
    why: str = ""
