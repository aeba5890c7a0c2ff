"""`vdiwb import`: reports what was put into the column store."""

from __future__ import annotations

import argparse

from workbench.model.run import Study


def stored(options: argparse.Namespace, studies: tuple[Study, ...]) -> str:
    """How many files are in the store, and how to open them in the window. The files were read before."""
    files = sum(report.recognised for study in studies for report in study.files)
    count = "1 file is" if files == 1 else f"{files:,} files are"
    where = f"{count} in the column store {options.store}."
    return f"{where} Set VDI_WORKBENCH_STORE so that the window and the command line find it."
