"""The import report: every file, and every problem."""

from __future__ import annotations

from workbench.answers.common.names import IMPORT_REPORT
from workbench.answers.common.spec import Command, Lazy, PageSpec, Sign, Spec

COMMANDS = (
    Command(
        "inspect",
        "list the imported files and all problems",
        "vdiwb inspect sample_data --format json",
        Lazy("workbench.answers.import_report.reply", "inspect"),
        ("table", "json"),
        answers_nothing=True,
    ),
)


PROBLEMS, FILES = "Problems", "Files"
BY_CAUSE, ALL_FILES = "causes", "files"
PAGE = PageSpec(
    IMPORT_REPORT,
    "Import report",
    Lazy("workbench.answers.import_report.page", "import_report"),
    table_share=100,
    table_names=(PROBLEMS, FILES),
    tables_apart=True,
    views=((BY_CAUSE, "By cause"), (ALL_FILES, "All files and problems")),
    of_every_study=True,
    place="badge",
    own_view=BY_CAUSE,
    reading={
        BY_CAUSE: (
            Sign("!", "Needs a decision from you"),
            Sign("✓", "Fixed automatically"),
            Sign("i", "Note: nothing to do"),
        ),
        ALL_FILES: (Sign("—", "Not available (this is not 0)"),),
    },
    docs="files.md",
)
SPEC = Spec(PAGE, COMMANDS, place=140)
