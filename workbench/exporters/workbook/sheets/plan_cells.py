"""The cells of a sizing plan's inputs and results, for charts and sentences that follow them."""

from __future__ import annotations

import math
from dataclasses import dataclass

from workbench.answers.sizing.compute import Plan
from workbench.answers.sizing.figures import PANELS
from workbench.charts.figure import Bars, FigureSource, Panel
from workbench.exporters.workbook.cells import exported, grouped, quoted
from workbench.words.numbers import plural
from workbench.words.translated import spoken_words


@dataclass(frozen=True, eq=False)
class PlanCells:
    """The cells of inputs and results: (name, plan index) -> cell."""

    sheet: str
    plans: tuple[Plan, ...]
    cells: dict[tuple[str, int], str]

    @property
    def desktops(self) -> str:
        """Text like `500 desktops`, as in sentences; empty without a plan."""
        return plural(self.plans[0].givens["desktops"].number or 0, "desktop") if self.plans else ""

    def live(self, text: str) -> str:
        """The formula of a sentence that names the number of desktops; empty for any other."""
        if not self.desktops or self.desktops not in text or '"' in text:
            return ""
        said, named = spoken_words(text), spoken_words(self.desktops)
        if named not in said:
            said, named = text, self.desktops
        before, _, behind = said.partition(named)
        noun = named.partition(" ")[2]
        cell = f"{quoted(self.sheet)}!{self.cells['desktops', 0]}"
        return f'"{before}"&{grouped(cell)}&" {noun}{behind}"'

    def dated(self, text: str) -> str:
        """The formula of a title over numbers that do not follow the plan; empty if it does not name the number of
        desktops. The title says "not recalculated", and adds the present number of desktops if that has changed."""
        if not self.live(text):
            return ""
        cell, was = f"{quoted(self.sheet)}!{self.cells['desktops', 0]}", self.plans[0].givens["desktops"].number
        words = spoken_words(exported(text))
        before, _, behind = spoken_words("the plan has 0 desktops now").partition("0")
        return f'IF({cell}={was:.15g},"{words}","{words}: {before}"&{grouped(cell)}&"{behind}")'

    def formula(self, source: FigureSource, value: float, of_decider: bool = True) -> str | None:
        """The formula of the input or step that explains a number; None for any other number. `of_decider`: also for a
        step that is the bottleneck now but may not be after inputs change."""
        for explanation in source.explanations[:1]:
            for index, plan in enumerate(self.plans):
                key = explanation.figure
                if (plan.configuration or "") != explanation.configuration or (key, index) not in self.cells:
                    continue
                known = plan.givens[key].number if key in plan.givens else plan.result(key)
                if key not in plan.givens and plan.step(key).bottleneck and not of_decider:
                    return None
                if known is not None and math.isclose(known, value, rel_tol=1e-9, abs_tol=1e-12):
                    cell = f"{quoted(self.sheet)}!{self.cells[key, index]}"
                    return f'IF(ISNUMBER({cell}),{cell},"")'
        return None

    def link(self, panel: Panel, bars: Bars, index: int) -> str | None:
        """The cell of a bar in the sizing figure: the result of its step. None if there is none."""
        key = next(
            (
                key
                for title, _, _, parts in PANELS
                for name, key, _ in parts
                if (title, name) == (panel.title, bars.name)
            ),
            "",
        )
        if index >= len(self.plans) or (key, index) not in self.cells:
            return None
        value = self.plans[index].result(key)
        named = self.plans[index].configuration == panel.x.names[index]
        if not named or value is None or not math.isclose(value, float(bars.values[index]), rel_tol=1e-9):
            return None
        return f"{quoted(self.sheet)}!{self.cells[key, index]}"
