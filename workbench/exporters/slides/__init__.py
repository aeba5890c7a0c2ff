"""Slides: a deck of findings with native, editable charts. Only this package uses python-pptx."""
