"""Scales live with the charts, where the page finds them too; the drawing imports them from here."""

from workbench.charts.scales import Scales, Span, exponents, heat_limits, scales_of, y_values

__all__ = ["Scales", "Span", "exponents", "heat_limits", "scales_of", "y_values"]
