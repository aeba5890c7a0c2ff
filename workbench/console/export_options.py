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
        help="file to write: .xlsx .pptx .html .pdf .md .csv .parquet .png .svg",
    )
    add(
        "--only",
        type=_only,
        default=(),
        metavar="PAGES",
        help="pages or views, such as overview,cache:sweep; or findings; or data (samples)",
    )
    add("--phase", metavar="PHASE", help="phase to show (default: steady)")
    add(
        "--baseline", metavar="CONFIGURATION", help="configuration to compare with (default: the baseline of the study)"
    )
    add("--title", metavar="TEXT", help="title of the document (default: name of the study)")
    add("--customer", metavar="TEXT", help="text on the cover; '' for none (default: from Preferences)")
    add("--author", metavar="TEXT", help="text on the cover; '' for none (default: from Preferences)")
    add("--logo", type=path_of, metavar="FILE", help=".png or .jpg for the cover (default: from Preferences)")
    add("--template", type=path_of, metavar="FILE", help="template to fill: .xlsx, .xlsm or .pptx")
    add(
        "--length",
        choices=("brief", "review", "full"),
        default="review",
        help="length of a complete document (default: review)",
    )
    add("--language", choices=tuple(LANGUAGES), help="language of a document (default: that of the window)")
    add("--each-study", action="store_true", help="write one workbook (.xlsx) per study")
    add("--theme", choices=("light", "dark"), default="light", help="colour theme (default: light)")
    add("--size", type=_size, default=(1600, 900), metavar="WxH", help="image size (default: 1600x900)")
    add("--verbose", action="store_true", help="list everything that is excluded or shortened, with reasons")
    add("--scale", type=_scale, default=1.0, metavar="N", help="pixel scale of images, such as 2 (default: 1)")
    parser.set_defaults(state=None, painter=None, names=None)
