"""The import report: every file, and every problem."""

from __future__ import annotations

from workbench.answers.common.lazy import Lazy
from workbench.answers.common.page import PageSpec
from workbench.answers.common.spec import Spec
from workbench.answers.import_report.command import COMMANDS

PROBLEMS, FILES = "Problems", "Files"
PAGE = PageSpec(
    "import-report",
    "Import report",
    Lazy("workbench.answers.import_report.page", "import_report"),
    table_share=100,
    table_names=(PROBLEMS, FILES),
    tables_apart=True,
    of_every_study=True,
    counts_warnings=True,
)
SPEC = Spec(PAGE, COMMANDS)
