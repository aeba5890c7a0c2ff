"""The size of the view What-if put into the plan of runs, or taken out of it."""

from __future__ import annotations

from workbench.answers.common.names import ADDED
from workbench.gui.services.workspace import Workspace


def plan_size(workspace: Workspace) -> None:
    """Adds the chosen size to the plan of Compare and shows the plan; removes it where it is in it."""
    # Pages are loaded when they are first shown.
    from workbench.answers.cache.page import planned_sizes

    state = workspace.state
    before = str(state.input(ADDED, "")).splitlines()
    planned = planned_sizes(workspace.library, state)
    state = state.with_input(ADDED, "\n".join(planned))
    if len(planned) > len(before):
        workspace.apply(
            inputs=state.inputs, page="compare", page_views=state.with_page_view("compare", "plan").page_views
        )
    else:
        workspace.apply(inputs=state.inputs)
