"""The colours of a page: the tokens of both themes as CSS variables, and a class for every look."""

from __future__ import annotations

from dataclasses import fields

from workbench.charts.figure import Look
from workbench.charts.palette import THEMES, ThemeName, Tokens, colour

# The colour scales of the heatmaps in sixteen steps: CET-L17 and inferno, without the end that would be invisible.
HEAT: dict[ThemeName, tuple[str, ...]] = {
    "light": (
        "#f8f5db",
        "#f3e7b5",
        "#f2d599",
        "#f4c385",
        "#f5b076",
        "#f59c6c",
        "#f48768",
        "#f07269",
        "#ea5c6c",
        "#df4673",
        "#d0337c",
        "#bd2286",
        "#a51990",
        "#851d9a",
        "#5c23a1",
        "#002aa8",
    ),
    "dark": (
        "#0c0828",
        "#230c4d",
        "#3e0966",
        "#59106e",
        "#721a6e",
        "#8b2269",
        "#a42c60",
        "#bc3753",
        "#d24643",
        "#e45a30",
        "#f1721d",
        "#f98d09",
        "#fcab10",
        "#f9c933",
        "#f2e865",
        "#fcffa4",
    ),
}
_DASHES = {"dash": "5 3", "dot": "1.2 2.6", "dash-dot": "6 2.6 1.2 2.6"}
_MARKERS = {
    "circle": '<circle cx="13" cy="7" r="3.5"/>',
    "square": '<rect x="9.5" y="3.5" width="7" height="7"/>',
    "triangle": '<path d="M13 2.6 17.4 10.5 8.6 10.5Z"/>',
    "diamond": '<path d="M13 2.6 17.4 7 13 11.4 8.6 7Z"/>',
    "cross": '<path d="M10 4 16 10M10 10 16 4" fill="none" stroke="currentColor" stroke-width="1.8"/>',
}


class Colours:
    """The looks of a page, numbered in the order of first use."""

    def __init__(self) -> None:
        self.looks: list[Look] = []

    def number(self, look: Look) -> int:
        """The number of a look; a new look is added."""
        if look not in self.looks:
            self.looks.append(look)
        return self.looks.index(look)

    def swatch(self, look: Look, kind: str = "line") -> str:
        """The look in a legend: a piece of its line with dash and marker, or a patch of its colour."""
        inside = '<rect x="6" y="1" width="14" height="12" rx="2"/>'
        if kind == "line":
            dash = f' stroke-dasharray="{_DASHES[look.dash]}"' if look.dash in _DASHES else ""
            inside = f'<path d="M0 7H26" fill="none" stroke="currentColor" stroke-width="2"{dash}/>'
        if kind in ("line", "dots"):
            marker = look.marker if look.marker != "none" or kind == "line" else "circle"
            inside = (inside if kind == "line" else "") + _MARKERS.get(marker, "")
        if kind == "outlined":
            inside = inside.replace("/>", ' fill-opacity="0.22" stroke="currentColor" stroke-width="1.5"/>')
        faint = ' fill-opacity="0.3"' if kind == "band" else ""
        return (
            f'<svg class="swatch k{self.number(look)}" width="26" height="14" viewBox="0 0 26 14" fill="currentColor"'
            f'{faint} aria-hidden="true">{inside}</svg>'
        )

    def style(self) -> str:
        """The CSS variables and classes. The dark theme applies only to the screen; print is always light."""
        light = f":root{{color-scheme:light;{_variables(THEMES['light'])}}}{self._classes('light', '')}"
        dark = f"[data-theme=dark]{{color-scheme:dark;{_variables(THEMES['dark'])}}}"
        return f"{light}@media screen{{{dark}{self._classes('dark', '[data-theme=dark] ')}}}"

    def _classes(self, theme: ThemeName, before: str) -> str:
        return "".join(f"{before}.k{number}{{color:{colour(look, theme)}}}" for number, look in enumerate(self.looks))

    def table(self) -> list[list[str]]:
        """The looks for the script: colour in light, in dark, dash, marker."""
        return [[colour(look, "light"), colour(look, "dark"), look.dash, look.marker] for look in self.looks]


def _variables(tokens: Tokens) -> str:
    return "".join(
        f"--{field.name.replace('_', '-')}:{getattr(tokens, field.name)};"
        for field in fields(tokens)
        if field.name != "heat_map"
    )
