"""Colours of the provisioning types in both themes; dash and marker differ too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from workbench.charts.figure import Emphasis, Look

ThemeName = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Tokens:
    """The colours of one theme. Tests check the contrast with `ground` and `card`."""

    ground: str
    card: str
    line: str
    text: str
    quiet: str
    accent: str
    on_accent: str
    danger: str
    heat_map: str


THEMES: dict[ThemeName, Tokens] = {
    "light": Tokens("#f5f6f8", "#ffffff", "#e2e5ea", "#1b1f24", "#5c6672", "#0b66b0", "#ffffff", "#b3261e", "CET-L17"),
    "dark": Tokens("#15181d", "#1c2027", "#2b313b", "#e7eaf0", "#9aa4b2", "#5aa9e6", "#10141a", "#ff8a80", "inferno"),
}

# Share of its colour that a bar keeps if a finding is not about it, and share for the baseline.
EMPHASIS: dict[ThemeName, dict[Emphasis, float]] = {
    "light": {"all": 1.0, "baseline": 0.42, "others": 0.24},
    "dark": {"all": 1.0, "baseline": 0.50, "others": 0.30},
}

HUES: dict[ThemeName, dict[str, str]] = {
    "light": {
        "MCS": "#0072B2",
        "MCSIO": "#D55E00",
        "PVS": "#009E73",
        "instant clone": "#8a6d00",
        "ephemeral OS disk": "#b0307a",
        "persistent write-back": "#7a4a21",
        "AVD pooled": "#00798c",
        "other": "#6b5b95",
        "curve 1": "#D1495B",
        "curve 2": "#2364AA",
        "curve 3": "#7A5195",
        "curve 4": "#B86E00",
        "curve 5": "#00897B",
        "curve 6": "#5B6470",
        "curve 7": "#B5179E",
        "curve 8": "#6A8500",
        "curve 9": "#8B5A2B",
        "curve 10": "#0088B0",
        "accent": "#0b66b0",
        "quiet": "#5c6672",
        "text": "#1b1f24",
        "danger": THEMES["light"].danger,
    },
    "dark": {
        "MCS": "#4aa8de",
        "MCSIO": "#f08a45",
        "PVS": "#2fc79b",
        "instant clone": "#d9b83c",
        "ephemeral OS disk": "#e884bd",
        "persistent write-back": "#cf9a6b",
        "AVD pooled": "#4fc3d4",
        "other": "#b3a1e0",
        "curve 1": "#f2808f",
        "curve 2": "#6aa9ee",
        "curve 3": "#c39be0",
        "curve 4": "#e3a54a",
        "curve 5": "#3cc4b2",
        "curve 6": "#a6b0bc",
        "curve 7": "#ef86dc",
        "curve 8": "#b5cc52",
        "curve 9": "#cf9f7a",
        "curve 10": "#5fd0f0",
        "accent": "#5aa9e6",
        "quiet": "#9aa4b2",
        "text": "#e7eaf0",
        "danger": THEMES["dark"].danger,
    },
}


def _rgb(colour: str) -> tuple[int, int, int]:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _mix(colour: str, other: str, share: float) -> str:
    mixed = (round(a + (b - a) * share) for a, b in zip(_rgb(colour), _rgb(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def luminance(colour: str) -> float:
    """Relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2)."""
    parts = [v / 255 for v in _rgb(colour)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(text: str, other: str) -> float:
    """Contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    high, low = sorted((luminance(text), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@cache
def colour(look: Look, theme: ThemeName) -> str:
    """The `#rrggbb` colour of a look in a theme.

    Tints move the hue toward black in the light theme and toward white in the dark one, so each keeps at least the
    contrast of the full colour with the card.
    """
    away = "#000000" if theme == "light" else "#ffffff"
    return _mix(HUES[theme].get(look.hue, HUES[theme]["other"]), away, 0.55 * look.tint)
