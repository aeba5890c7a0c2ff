"""Whether the user's own workbook or deck can be filled, before anything is computed for it."""

from __future__ import annotations

from workbench.exporters.safe_file import ExportError
from workbench.exporters.wanted import Wanted
from workbench.model.failure import failures


def template_fault(request: Wanted) -> str:
    """Why the template of an export cannot be used, with what to do, as a sentence; empty where it can, or where there
    is none. Reads the file: not for the window's thread."""
    if request.template is None:
        return ""
    name = request.template.name
    if not request.template.is_file():
        return f"There is no template {request.template}. Choose another, or leave the field empty."
    try:
        _open(request)
    except ExportError as error:
        return str(error)
    except failures() as error:
        reason = f"{type(error).__name__}: {error}"
        return f"The template {name} could not be opened ({reason}). Save it again in Office, or choose another."
    return ""


def _open(request: Wanted) -> None:
    # Imported here, like every library that one format alone needs.
    assert request.template is not None
    if request.path.suffix.lower() == ".pptx":
        from workbench.exporters.slides.template import open_template

        open_template(request.template, request.theme)
    else:
        from workbench.exporters.workbook.package import open_package
        from workbench.exporters.workbook.sheets.template import template_sheets

        template_sheets(open_package(request.template))
