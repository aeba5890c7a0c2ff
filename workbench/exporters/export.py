"""Export: the ending of the file's name decides what is written."""

from __future__ import annotations

from pathlib import Path

from workbench.analysis.phase_table import RunFigures
from workbench.exporters.safe_file import ExportError, write_safely
from workbench.exporters.summary import summary_rows, to_csv
from workbench.exporters.workbook.book import check_workbook, write_workbook
from workbench.model.run import Study

__all__ = ["ENDINGS", "ExportError", "export"]

ENDINGS = (".xlsx", ".csv")


def export(output: Path, studies: tuple[Study, ...], figures: list[RunFigures]) -> str:
    """Writes the studies to `output` and returns one sentence for the user.

    `.xlsx`: the workbook with tables and editable charts; `.csv`: the phase table, one row per run and phase.
    Raises `ExportError` with a sentence when nothing was written; an earlier file is then unchanged.
    """
    ending = output.suffix.lower()
    if ending == ".xlsx":
        return _workbook(output, studies, figures)
    if ending == ".csv":
        return _csv(output, studies, figures)
    known = " or ".join(ENDINGS)
    found = f"ends in '{output.suffix}'" if output.suffix else "has no ending"
    raise ExportError(f"{output.name} {found}. Nothing was written; choose a name that ends in {known}.")


def _workbook(output: Path, studies: tuple[Study, ...], figures: list[RunFigures]) -> str:
    charts = 0

    def write(path: Path) -> None:
        nonlocal charts
        charts = write_workbook(path, studies, figures)

    write_safely(output, write, check_workbook)
    return f"Wrote {output.name}: {_counted(studies, figures)}, {_count(charts, 'chart')}."


def _csv(output: Path, studies: tuple[Study, ...], figures: list[RunFigures]) -> str:
    rows = summary_rows(figures)
    text = to_csv(rows)

    def write(path: Path) -> None:
        # The mark at the start tells Excel that the text is UTF-8.
        path.write_text(text, encoding="utf-8-sig", newline="")

    def check(path: Path) -> None:
        if path.read_text(encoding="utf-8-sig") != text:
            raise OSError("the file on disk differs from what was written")

    write_safely(output, write, check)
    return f"Wrote {output.name}: {_counted(studies, figures)}, {_count(len(rows), 'row')}."


def _counted(studies: tuple[Study, ...], figures: list[RunFigures]) -> str:
    with_runs = sum(bool(study.runs) for study in studies)
    return f"{_count(with_runs, 'study', 'studies')}, {_count(len(figures), 'run')}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
