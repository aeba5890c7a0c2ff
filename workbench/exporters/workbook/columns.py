"""The columns of the phase table (header, unit, value, and formula for the value) and its rows.

The rows are in the order of the workbook: study, configuration, phase, then the runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from workbench.answers.common.choices import KeptLook
from workbench.answers.common.looks import placed
from workbench.exporters.workbook.cells import FIGURE, MOMENT, PERCENT, WHOLE, Value
from workbench.measures.catalogue import MEASURES
from workbench.measures.configurations import Group, baseline_of, group_runs, phase_names
from workbench.measures.formulas import evaluate, keys
from workbench.measures.measure import Measure, Section, Tables
from workbench.measures.phase_table import PhaseFigures, RunFigures
from workbench.model.run import Study
from workbench.words.metrics import phase_words

MEASURED: Section = "Measured"
_LEAST_WIDTH = 9


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """One column. `formula` uses the keys of other columns, for example `{total_io}/{duration_s}`.

    `part` is the band above the header. `mean` columns are averaged on the Configurations sheet, under the field of
    PhaseFigures named by `key`. `estimated` columns show a star at estimates.
    """

    key: str
    part: str
    header: str
    value: Callable[[Row], Value]
    number_format: str = ""
    formula: str = ""
    mean: bool = False
    width: float = 10
    estimated: bool = False

    @property
    def typed_in(self) -> bool:
        """True if the value was measured or stated and formulas use it: a reviewer may want to change it."""
        return self.part == MEASURED or self.mean or self.key == "ram_cache_mb"

    @property
    def numeric(self) -> bool:
        """True if it has numbers, which are aligned right."""
        return bool(self.number_format)


def utc(at: float | None) -> datetime | None:
    """Seconds since 1970 as an Excel date and time, to the millisecond."""
    return None if at is None else datetime.fromtimestamp(round(at, 3), UTC)


def _ram_basis(row: Row) -> Value:
    if row.figures.cache_ram_used_mb_peak is None:
        return None
    return "estimate: nonpaged pool" if row.figures.cache_ram_estimate else "cache counter"


def _format_of(measure: Measure) -> str:
    if measure.moment:
        return MOMENT
    if measure.unit == "" and measure.section == "Measured":
        return "0"
    return {"%": PERCENT, "s": WHOLE, "I/O": WHOLE}.get(measure.unit, FIGURE)


def _column(measure: Measure) -> SheetColumn:
    """The column of a metric. A moment is shown as a date and has no mean."""

    def value(row: Row) -> Value:
        value: float | None = getattr(row.figures, measure.key)
        return utc(value) if measure.moment else value

    width = 18 if measure.moment else max(_LEAST_WIDTH, len(measure.header) / 2.5)
    return SheetColumn(
        measure.key,
        measure.section,
        measure.header,
        value,
        _format_of(measure),
        measure.formula,
        not measure.moment,
        width,
        measure.of_cache_ram,
    )


def _measures(section: Section) -> tuple[SheetColumn, ...]:
    """The columns of the metrics of a section; the inputs of a formula come before it."""
    shown = [
        measure for measure in MEASURES.values() if Tables.WORKBOOK in measure.tables and measure.section == section
    ]
    placed: dict[str, Measure] = {}

    def place(measure: Measure) -> None:
        for used in (other for other in shown if other.key in keys(measure.formula) and other.key not in placed):
            place(used)
        placed[measure.key] = measure

    for measure in shown:
        place(measure)
    return tuple(_column(measure) for measure in placed.values())


def _of_other_sections(*placed: Section) -> tuple[SheetColumn, ...]:
    """The columns of the metrics of all remaining sections."""
    sections = dict.fromkeys(measure.section for measure in MEASURES.values() if measure.section not in placed)
    return tuple(column for section in sections for column in _measures(section))


COLUMNS: tuple[SheetColumn, ...] = (
    SheetColumn("set", "Run", "Set", lambda row: row.number, "0", width=6),
    SheetColumn("study", "Run", "Study", lambda row: row.study.name, width=24),
    SheetColumn("configuration", "Run", "Configuration", lambda row: row.group.label, width=22),
    SheetColumn("run", "Run", "Run", lambda row: row.run.run.name, width=18),
    SheetColumn("phase", "Run", "Phase", lambda row: phase_words(row.figures.phase.name), width=12),
    SheetColumn("excluded", "Run", "Reason for exclusion", lambda row: row.run.run.excluded, width=16),
    *_measures(MEASURED),
    SheetColumn("reads", MEASURED, "Reads", lambda row: row.figures.reads, WHOLE, width=11),
    SheetColumn("writes", MEASURED, "Writes", lambda row: row.figures.writes, WHOLE, width=11),
    *_measures("I/O"),
    *_measures("Latency"),
    SheetColumn(
        "ram_cache_mb", "Cache", "RAM cache size (MB)", lambda row: row.group.configuration.ram_cache_mb, WHOLE
    ),
    SheetColumn("ram_basis", "Cache", "Source of cache RAM", _ram_basis, width=20),
    *_measures("Cache"),
    *_of_other_sections(MEASURED, "I/O", "Latency", "Cache"),
    SheetColumn("vantage", "Evidence", "Measured at", lambda row: row.figures.vantage, width=11),
    SheetColumn("start", "Evidence", "Phase start (UTC)", lambda row: utc(row.figures.phase.start), MOMENT, width=18),
    SheetColumn("end", "Evidence", "Phase end (UTC)", lambda row: utc(row.figures.phase.end), MOMENT, width=18),
    SheetColumn("evidence", "Evidence", "Source of phase", lambda row: row.figures.phase.evidence, width=11),
    SheetColumn("rule", "Evidence", "Phase rule", lambda row: row.figures.phase.rule, width=44),
    SheetColumn(
        "provisioning", "Set-up", "Provisioning", lambda row: row.group.configuration.provisioning.value, width=12
    ),
    SheetColumn("write_cache", "Set-up", "Write cache", lambda row: row.group.configuration.write_cache, width=20),
    SheetColumn("session_type", "Set-up", "Session type", lambda row: row.group.session_type.value, width=9),
    SheetColumn("line", "Set-up", "Line", lambda row: row.line, "0", width=7),
)
PLACES = {column.key: index for index, column in enumerate(COLUMNS, start=1)}


def formula_of(column: SheetColumn, row: Row) -> str:
    """The formula for the value of the column in this row; empty if there is none.

    If some VMs lack a counter, rates are over those that have it, and users are those of the measured VMs. The formula
    then counts these VMs, and a share that no total gives is a plain number.
    """
    value = column.value(row)
    if not column.formula or not isinstance(value, int | float):
        return ""
    for formula in (column.formula, _partly(column.key, row)):
        result = evaluate(formula, {key: _number(key, row) for key in keys(formula)}) if formula else None
        if result is not None and math.isclose(result, value, rel_tol=1e-12, abs_tol=1e-300):
            return formula
    return ""


def _partly(key: str, row: Row) -> str:
    """The formula for a run of which only a part was measured."""
    figures, run = row.figures, row.run.run
    if key == "iops_per_user" and run.vms:
        return f"{{iops}}/({{users}}*{{vms}}/{run.vms})"
    for rate, amount in (("read_iops", "reads"), ("write_iops", "writes")):
        whole, per_vm = getattr(figures, rate), getattr(figures, f"{rate}_per_vm")
        if key == f"{rate}_per_vm" and whole and per_vm:
            return f"{{{amount}}}/{{duration_s}}/{round(whole / per_vm)}"
    return ""


def _number(key: str, row: Row) -> float | None:
    value = COLUMNS[PLACES[key] - 1].value(row)
    return value if isinstance(value, int | float) else None


@dataclass(frozen=True, eq=False)
class StudyGroups:
    """A study with the metrics of its runs, grouped into configurations."""

    study: Study
    figures: tuple[RunFigures, ...]
    groups: tuple[Group, ...]

    @property
    def baseline(self) -> Group | None:
        """The baseline of the study."""
        return baseline_of(self.groups)


@dataclass(frozen=True, eq=False)
class Row:
    """One line of the phase table. `number` is the number of its set of runs; None: excluded. `line` identifies the
    line in any sort order of the table."""

    study: Study
    group: Group
    run: RunFigures
    figures: PhaseFigures
    number: int | None
    line: int = 0


@dataclass(frozen=True, eq=False)
class Set:
    """The runs of one configuration in one phase: a line of the Configurations sheet."""

    number: int
    study: StudyGroups
    group: Group
    phase: str


def by_study(
    studies: Sequence[Study], figures: Sequence[RunFigures], looks: Sequence[KeptLook] = ()
) -> tuple[StudyGroups, ...]:
    """Each study with the metrics of its runs; `looks` are those of their configurations."""
    gathered = []
    for study in studies:
        folders = {(run.folder, run.name) for run in study.runs}
        own = tuple(figure for figure in figures if (figure.run.folder, figure.run.name) in folders)
        gathered.append(StudyGroups(study, own, placed(group_runs(own), looks)))
    return tuple(gathered)


def sets_of(studies: Sequence[StudyGroups]) -> tuple[Set, ...]:
    """Every configuration and phase with a run that counts, numbered from 1 across the workbook."""
    sets: list[Set] = []
    for study in studies:
        for group in study.groups:
            for phase in phase_names([group]):
                sets.append(Set(len(sets) + 1, study, group, phase))
    return tuple(sets)


def rows_of(studies: Sequence[StudyGroups], sets: Sequence[Set]) -> tuple[Row, ...]:
    """The lines of the phase table: runs of one set together, then excluded runs."""
    rows: list[Row] = []
    for study in studies:
        for group in study.groups:
            numbers = {run_set.phase: run_set.number for run_set in sets if run_set.group is group}
            every = [figures.phase.name for run in group.excluded for figures in run.phases]
            for phase in dict.fromkeys([*numbers, *every]):
                rows += _rows(study.study, group, group.runs, phase, numbers.get(phase))
                rows += _rows(study.study, group, group.excluded, phase, None)
    return tuple(replace(row, line=line) for line, row in enumerate(rows, start=1))


def _rows(study: Study, group: Group, runs: Sequence[RunFigures], phase: str, number: int | None) -> list[Row]:
    return [
        Row(study, group, run, figures, number) for run in runs for figures in run.phases if figures.phase.name == phase
    ]
