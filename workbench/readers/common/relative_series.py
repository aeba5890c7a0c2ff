"""Time series next to benchmark results, with times counted from the start of the test.

Such a file does not say when the test ran, so the recording is relative and takes no part in phases.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import nan
from pathlib import Path

import numpy as np

from workbench.model.metric import Metric, Quantity
from workbench.model.reading import Reading
from workbench.model.recording import Recording, Series
from workbench.readers.common.flat_columns import write_table
from workbench.readers.text import documents as bt

# A report of thousands of runs would become a table of mostly empty cells.
MOST_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class SeriesMeasure:
    """A column of samples: its word and unit in the file, its quantity, and the factor to the unit of the quantity."""

    word: str
    unit: str
    quantity: Quantity
    scale: float = 1.0


Place = tuple[str, SeriesMeasure]


@dataclass(slots=True)
class RelativeSamples:
    """Samples row by row: microseconds since the start, and the values of one part of the test. `rows` counts the rows
    that state a column; rows of other parts leave it empty, which is not missing data."""

    times: array[int] = field(default_factory=lambda: array("q"))
    columns: dict[Place, array[float]] = field(default_factory=dict)
    rows: Counter[Place] = field(default_factory=Counter)

    def add(self, at_us: int, part: str, values: Mapping[SeriesMeasure, float | None]) -> None:
        """Adds one row. A value that was not measured is None."""
        self.rows.update((part, measure) for measure in values)
        for measure in values:
            if (part, measure) not in self.columns:
                self.columns[part, measure] = array("d", [nan]) * len(self.times)
        for (item, measure), column in self.columns.items():
            value = values.get(measure) if item == part else None
            column.append(nan if value is None else value)
        self.times.append(at_us)

    @property
    def full(self) -> bool:
        """True if no more rows should be added."""
        return len(self.times) * len(self.columns) > MOST_CELLS


def with_series(reading: Reading, samples: RelativeSamples, tool: str, what: str, columns: Path) -> Reading:
    """Returns the reading with the samples as its recording, and writes them to `columns`. `what` names a row in its
    problem.

    Columns without a value are left out. Without any sample the reading is returned unchanged.
    """
    filled = {row: np.array(values) for row, values in samples.columns.items() if not np.isnan(values).all()}
    name = reading.report.path
    if samples.full:
        message = f"The {what} belong to too many parts of the test for one table."
        problem = bt.warning(name, "too-large", message, "only the results were imported; split the file")
        return replace(reading, problems=(*reading.problems, problem))
    if not filled:
        return reading
    order = np.argsort(np.array(samples.times), kind="stable")
    times = np.array(samples.times)[order]
    write_table(columns, times, np.array([values[order] for values in filled.values()]))
    series = tuple(_series(index, tool, *values) for index, values in enumerate(filled))
    recording = Recording(series, len(times), int(times[0]), int(times[-1]), None, (), relative=True)
    problem = bt.info(
        name,
        "relative-time",
        f"The {what} have no time of day, only the time since the start of the test.",
        "samples kept as a separate time series; not used for phases",
    )
    cells = sum(samples.rows[place] for place in filled)
    held = sum(int(np.count_nonzero(~np.isnan(values))) for values in filled.values())
    report = replace(reading.report, cells=cells, missing_cells=cells - held)
    return replace(reading, report=report, problems=(*reading.problems, problem), recording=recording)


def _series(index: int, tool: str, part: str, measure: SeriesMeasure) -> Series:
    counter = f"{measure.word} [{measure.unit}]"
    owner = f"{tool} {part}".strip()
    metric = Metric(measure.quantity, scale=measure.scale)
    return Series(index, f"{owner}: {counter}", "", tool, part, counter, None, metric)
