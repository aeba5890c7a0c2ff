"""Where a number comes from: its formula, its phase, and the rows of the files that it rests on."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.model.phase import Phase

# The phase of a figure that belongs to none.
NO_PHASE = Phase("", 0.0, 0.0, "")


@dataclass(frozen=True, slots=True)
class SourceRows:
    """The rows of one counter of one file that a figure rests on.

    `column` is the counter's place in a line, the time being 1; rows count the file's data rows from 1, lines its
    physical lines (None where a reader cannot tell). `samples` are known, `missing` are not; `interval_s` is the
    usual seconds between two. `contribution` is in the figure's unit, None where the figure is no sum. `part` says
    what the counter stands for where a figure takes several kinds. Places that a reader does not tell, and those of
    files without columns or rows, are None; `counter` names the place in the file's own words then.
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
    """How sure a percentile is within its run: the 95 % interval from `low` to `high`, in its unit; of `samples` known
    samples `above` are above it. `block_s`: the seconds that were drawn together."""

    low: float
    high: float
    above: int
    samples: int
    block_s: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A figure with its formula and sources; `value` is what the table shows, `note` says why there is no value, or
    what limits it. `run`, `folder`, `configuration` and `phase` say what it is of, as far as it is of one; `moment`:
    the value is a time (seconds since 1970 UTC). `is_sum` False: what the sources contribute does not add up to it,
    unless by chance. `within` is what is known of a percentile's uncertainty within its run."""

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

    @property
    def adds_up(self) -> bool:
        """Whether the contributions sum to the value."""
        known = any(source.contribution is not None for source in self.sources)
        return self.is_sum and self.value is not None and known

    @property
    def rule(self) -> str:
        """The rule by which the phase was found."""
        return self.phase.rule or self.phase.evidence


def stated_source(
    file: str, line: int | None, value: float | None, words: str, counter: str = "", vm: str = ""
) -> SourceRows:
    """The one place of a file without columns and rows at which a value stands; `counter` names it."""
    return SourceRows(file, counter, None, vm, None, None, line, line, 1, 0, None, value, words)
