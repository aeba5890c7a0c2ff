"""Sources of a value: its formula, its phase, and the rows of the files that it was computed from."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.model.phase import Phase

# The phase of a value that belongs to no phase.
NO_PHASE = Phase("", 0.0, 0.0, "")


@dataclass(frozen=True, slots=True)
class SourceRows:
    """The rows of one counter in one file that a value was computed from.

    `column` is the position of the counter in a line; the time is 1. Rows count the data rows of the file from 1, lines
    its physical lines (None if a reader does not report them). `samples` counts known samples, `missing` the unknown
    ones. `interval_s` is the usual interval in seconds. `contribution` has the unit of the value; it is None if the
    value is not a sum. `part` is the role of the counter if a value uses several kinds. Positions are None if the
    reader does not report them or the file has no columns or rows; then `counter` names the place in the words of the
    file.
    """

    file: str
    counter: str
    column: int | None
    vm: str
    first_row: int | None
    last_row: int | None
    first_line: int | None
    last_line: int | None
    samples: int
    missing: int
    interval_s: float | None
    contribution: float | None
    part: str


@dataclass(frozen=True, slots=True)
class WithinRun:
    """Uncertainty of a percentile within its run: the 95 % interval from `low` to `high`, in its unit. `above` of the
    `samples` known samples are above the percentile. `block_s` is the block length of the bootstrap in seconds."""

    low: float
    high: float
    above: int
    samples: int
    block_s: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A value with its formula and sources.

    `value` is the value in the table. `note` is the reason why there is no value, or a limitation of the value. `run`,
    `folder`, `configuration` and `phase` are set if the value belongs to exactly one of them. `moment`: the value is a
    time (seconds since 1970 UTC). If `is_sum` is False, the contributions do not add up to the value, except by chance.
    `within` is the uncertainty of a percentile within its run. `is_input`: the value is an input of a plan, and
    `formula` is its name and origin; `choice` is its value if that is not a number.
    """

    figure: str
    value: float | None
    formula: str
    sources: tuple[SourceRows, ...] = ()
    note: str = ""
    run: str = ""
    folder: str = ""
    configuration: str = ""
    phase: Phase = NO_PHASE
    moment: bool = False
    is_sum: bool = True
    within: WithinRun | None = None
    is_input: bool = False
    choice: str = ""

    @property
    def adds_up(self) -> bool:
        """True if the contributions add up to the value."""
        known = any(source.contribution is not None for source in self.sources)
        return self.is_sum and self.value is not None and known

    @property
    def rule(self) -> str:
        """The rule by which the phase was found."""
        return self.phase.rule or self.phase.evidence


def stated_source(
    file: str, line: int | None, value: float | None, words: str, counter: str = "", vm: str = ""
) -> SourceRows:
    """The source of a value in a file without columns and rows. `counter` names the place of the value."""
    return SourceRows(file, counter, None, vm, None, None, line, line, 1, 0, None, value, words)
