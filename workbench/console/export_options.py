"""The options of `vdiwb export`. Light to import."""

from __future__ import annotations

import argparse

from workbench.answers.common.options import path_of
from workbench.words.translated import LANGUAGES

_SCALES = (0.25, 8.0)
_SIDES = (200, 10_000)


def _only(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in text.split(","))))


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.partition("x")
    low, high = _SIDES
    if not (cross and all(side.isdigit() and low <= int(side) <= high for side in (width, height))):
        raise argparse.ArgumentTypeError(f"'{text}' is not a size such as 1600x900 (each {low} to {high})")
    return int(width), int(height)


def _scale(text: str) -> float:
    low, high = _SCALES
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"'{text}' is not a scale from {low:g} to {high:g}")
    return value


def export_options(parser: argparse.ArgumentParser) -> None:
    """Adds them to the parser."""
    add = parser.add_argument
    add(
        "-o",
        "--output",
        type=path_of,
        required=True,
        metavar="FILE",
        help="its ending decides: .xlsx .pptx .html .pdf .md .csv .parquet .png .svg",
    )
    add(
        "--only",
        type=_only,
        default=(),
        metavar="PAGES",
        help="pages or views such as overview,cache:sweep; findings; data (every sample: .csv, .parquet)",
    )
    add("--phase", metavar="PHASE", help="the phase that the pages show (default: steady)")
    add("--baseline", metavar="CONFIGURATION", help="what the others are compared with")
    add("--title", metavar="TEXT", help="of slides, page and report (default: the study's name)")
    add("--customer", metavar="TEXT", help="on the cover (default: what the window keeps; '' for none)")
    add("--author", metavar="TEXT", help="on the cover (default: what the window keeps; '' for none)")
    add("--logo", type=path_of, metavar="FILE", help="a .png or .jpg for the cover (default: what the window keeps)")
    add("--template", type=path_of, metavar="FILE", help="your own .xlsx, .xlsm or .pptx to fill")
    add(
        "--length",
        choices=("brief", "review", "full"),
        default="review",
        help="of a document of everything: the answer alone; what a review goes through; all of it (default: review)",
    )
    add(
        "--language",
        choices=tuple(LANGUAGES),
        help="of the fixed texts and the decimal mark of a document (default: that of the window)",
    )
    add("--each-study", action="store_true", help="a workbook (.xlsx) for each study, named after FILE and the study")
    add("--theme", choices=("light", "dark"), default="light", help="default: light")
    add("--size", type=_size, default=(1600, 900), metavar="WxH", help="of pictures (default: 1600x900)")
    add("--verbose", action="store_true", help="name everything that is left out or shortened, with its reason")
    add("--scale", type=_scale, default=1.0, metavar="N", help="2: twice the pixels of the same picture")
    parser.set_defaults(state=None, painter=None, names=None)
