"""Draws a Figure: the widget for pages (`view.py`) and the image for exports (`picture.py`)."""
