"""The Open XML SDK's validator, if installed, and checks of charts and fonts that replace it otherwise."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest
from lxml import etree

# The path of the program, if it is not on the PATH.
VARIABLE = "OOXML_VALIDATOR"
# The order of a font's children (ECMA-376 part 1, CT_Font).
FONT = (
    *("b", "i", "strike", "condense", "extend", "outline", "shadow", "u"),
    *("vertAlign", "sz", "color", "name", "family", "charset", "scheme"),
)
_MOST_ID = 2**31 - 1


def validator() -> str:
    """The path of the program; skips the test without it."""
    program = os.environ.get(VARIABLE) or shutil.which("ooxml-validator")
    if not program:
        pytest.skip(f"the Open XML validator is not installed: no ooxml-validator on the PATH, no {VARIABLE}")
    return program


def errors(path: Path) -> list[str]:
    """The errors that the validator finds in an Office file, one per line."""
    done = subprocess.run([validator(), str(path)], capture_output=True, text=True, timeout=300, check=False)
    if done.returncode not in (0, 1):
        pytest.skip(f"the Open XML validator does not run here: {done.stderr[-300:]}")
    return [f"{error['path']} {error['xPath']}: {error['description']}" for error in json.loads(done.stdout)["errors"]]


def faults(path: Path) -> list[str]:
    """Fonts with parts in the wrong order, and charts with unpaired axes or invalid axis numbers."""
    with zipfile.ZipFile(path) as archive:
        trees = {name: etree.fromstring(archive.read(name)) for name in archive.namelist() if name.endswith(".xml")}
    lines = [f"{name}: {fault}" for name, tree in trees.items() if "/charts/chart" in name for fault in _of_axes(tree)]
    styles = trees.get("xl/styles.xml")
    fonts = (
        [] if styles is None else [[etree.QName(child).localname for child in font] for font in styles.iter("{*}font")]
    )
    return [*lines, *(f"font {font}" for font in fonts if font != sorted(font, key=FONT.index))]


def _of_axes(chart: etree._Element) -> list[str]:
    area = chart.find(".//{*}plotArea")
    axes = {child.find("{*}axId").get("val"): child for child in area if child.find("{*}crossAx") is not None}
    lines = [f"the axis number {number} is not from 0 to 2³¹ − 1" for number in axes if not _legal(number)]
    for number, axis in axes.items():
        other = axes.get(axis.find("{*}crossAx").get("val"))
        if other is None or other.find("{*}crossAx").get("val") != number:
            lines.append(f"the axis {number} is crossed by none")
    for plot in (child for child in area if child.find("{*}ser") is not None):
        used = [axis.get("val") for axis in plot.findall("{*}axId")]
        if len(used) != 2 or not set(used) <= set(axes):
            lines.append(f"{etree.QName(plot).localname} is drawn on the axes {used}, there are {list(axes)}")
    return lines


def _legal(number: str) -> bool:
    return number.isdigit() and int(number) <= _MOST_ID
