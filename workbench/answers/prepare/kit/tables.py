"""The files of the kit and the load of its storage test, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.answers.prepare.kit.contents import Kit, KitFile
from workbench.answers.prepare.kit.mix import Mix
from workbench.answers.prepare.kit.runs import PLANNED
from workbench.charts.tables import Cell, Column, TableData
from workbench.words.metrics import phase_words
from workbench.words.numbers import THIN, number

FILES = "Files of the kit"


def files_table(kit: Kit) -> TableData:
    """The files in their order; one row for the run.toml of all runs."""
    columns = (Column("File", numeric=False), Column("Used on", numeric=False), Column("What it is", numeric=False))
    manifests = [file for file in kit.files if file.path.endswith("/run.toml")]
    others = [file for file in kit.files if not file.path.endswith("/run.toml")]
    rows = [_row(file) for file in others]
    text = f"one for each of {len(manifests)} runs: its known facts"
    rows.append(_row(KitFile(f"{PLANNED}/…/run.toml", "", text)))
    return TableData(columns, tuple(rows), "", FILES)


def mix_table(mixes: Sequence[Mix]) -> TableData:
    """Each number of the load, measured or assumed, and its origin."""
    columns = (
        Column("Phase", numeric=False),
        Column("What", numeric=False),
        Column("Value"),
        Column("Basis", numeric=False),
        Column("From", numeric=False),
    )
    rows = tuple(
        (
            Cell(phase_words(mix.phase), mix.phase),
            Cell(value.name, value.name),
            Cell(f"{number(value.value)}{THIN if value.unit else ''}{value.unit}", value.value),
            Cell(value.origin, value.origin),
            Cell(value.source, value.source),
        )
        for mix in mixes
        for value in mix.values
    )
    return TableData(columns, rows, f"Of {mixes[0].desktop_words}" if mixes else "", "Load of the storage test")


def _row(file: KitFile) -> tuple[Cell, ...]:
    return (Cell(file.path, file.path), Cell(file.place, file.place), Cell(file.about, file.about))
