"""Draws a Figure: the widget for pages (`view.py`) and the picture for exports (`picture.py`)."""
