"""The evidence of a finding: the very answer of the page it rests on."""

from __future__ import annotations

from workbench.analysis.findings import Finding
from workbench.pages.answers import PAGES
from workbench.pages.contents import answered
from workbench.pages.known_findings import evidence_state
from workbench.pages.page import Content
from workbench.session.library import Library
from workbench.session.state import State


def finding_content(finding: Finding, library: Library, state: State) -> Content | None:
    """What the page of a finding's evidence shows (its figure, cards and tables); None for one without evidence.

    Of a page that fails, its `empty` says why.
    """
    spec = next((one for one in PAGES if one.key == finding.page), None)
    return None if spec is None else answered(spec, library, evidence_state(state, finding))
