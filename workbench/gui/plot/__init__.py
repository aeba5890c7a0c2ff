"""Draws a Figure: the widget for pages and the picture for exports."""
