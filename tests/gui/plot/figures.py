"""Invented figures of the shapes that the pages draw."""

from __future__ import annotations

import numpy as np

from workbench.charts.figure import Axis, Band, Bars, Figure, FloatArray, Heatmap, Line, Look, Mark, Panel, Region

CONFIGURATIONS = (
    ("MCS", Look("MCS", 0, "solid", "circle"), 8.0),
    ("MCSIO 256 MB", Look("MCSIO", 0, "dash", "square"), 1.6),
    ("PVS 256 MB", Look("PVS", 0, "dash-dot", "triangle"), 0.8),
)
TIME = Axis("Time since phase start", "s")


def per_vm_figure(bins: int = 240, vms: tuple[int, ...] = (5, 11, 11), scale: str = "linear") -> Figure:
    """Three configurations: median, band and one named VM over a heatmap of all VMs."""
    random = np.random.default_rng(7)
    panels: list[Panel] = []
    for column, ((name, look, level), count) in enumerate(zip(CONFIGURATIONS, vms, strict=False)):
        values = level * np.exp(0.4 * random.normal(size=(count, bins)))
        values[count // 2, bins // 3 : bins // 2] *= 3
        values[1, -bins // 8 :] = np.nan
        panels += _column(column, name, look, values, scale)
    return Figure("per-vm-iops", "What does each desktop cost?", "guest", tuple(panels), summary="MCS costs most.")


def _column(column: int, name: str, look: Look, values: FloatArray, scale: str) -> list[Panel]:
    count, bins = values.shape
    edges = np.linspace(0.0, 2_700.0, bins + 1)
    middles = (edges[:-1] + edges[1:]) / 2
    names = tuple(f"W10-{number + 1:03d}" for number in range(count))
    odd = count // 2
    low, high = np.nanpercentile(values, 5, axis=0), np.nanpercentile(values, 95, axis=0)
    marks: tuple[Mark, ...] = (
        Band("5–95 % of VMs", middles, low, high, Look(look.hue)),
        Line("median", middles, np.nanmedian(values, axis=0), Look(look.hue)),
        Line(names[odd], middles, values[odd], Look("text", 0, "dash"), vm=names[odd]),
    )
    phases = (Region("logon", 0.0, 600.0), Region("steady", 600.0, 2_700.0))
    y = Axis("IOPS per VM", "IOPS", "log" if scale == "log" else "linear")
    heat = Heatmap(name, edges, names, values, (0.0, 25.0), "IOPS")
    return [
        Panel(name, TIME, y, marks, column, look, f"median and 5–95 % of {count} VMs", phases),
        Panel("", TIME, Axis("VM", categories=names), (heat,), column, look, "", phases),
    ]


def cache_figure(samples: int = 240) -> Figure:
    """Two panels of five configurations, each with faint lines of its VMs."""
    x = np.linspace(0.0, 5_400.0, samples)
    panels = []
    for column, title in enumerate(("RAM used", "Cache disk used")):
        marks: list[Mark] = []
        for number in range(5):
            look = Look("MCSIO", number / 4, "dash" if number % 2 else "solid", "square")
            marks += [
                Line(
                    f"vm {k}",
                    x,
                    x * (number + k / 9) / (column + 1),
                    Look("MCSIO"),
                    vm=f"{number}-{k}",
                    prominent=False,
                )
                for k in range(4)
            ]
            marks.append(Line(f"MCSIO {number}", x, x * number / (column + 1), look))
        panels.append(Panel(title, TIME, Axis(f"{title} per VM", "MB"), tuple(marks), column))
    return Figure("cache", "How much cache is used?", "", tuple(panels), share_y=False)


def bars_figure() -> Figure:
    """Clustered bars with intervals, one of them not measured."""
    x = Axis("", categories=("boot", "logon", "steady"))
    values = np.array([70.0, np.nan, 7.0])
    marks = tuple(
        Bars(name, values / (number + 1), Look(look.hue, 0, look.dash), values * 0.9, values * 1.1)
        for number, (name, look, _) in enumerate(CONFIGURATIONS)
    )
    return Figure("bars", "What does it cost?", "", (Panel("All", x, Axis("IOPS per VM", "IOPS"), marks),))


def line_figure(x: FloatArray, y: FloatArray, y_axis: Axis, name: str = "line") -> Figure:
    """One panel with one line."""
    return Figure("line", "Q", "", (Panel("", TIME, y_axis, (Line(name, x, y, Look("MCS")),)),))
