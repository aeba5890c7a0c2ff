"""Ticks live with the charts, where page and pictures find them too; the drawing imports them from here."""

from workbench.charts.ticks import DASH, Ticks, linear, log, moment, reading, time, wording

__all__ = ["DASH", "Ticks", "linear", "log", "moment", "reading", "time", "wording"]
