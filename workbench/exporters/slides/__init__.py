"""Slides: a deck of findings with native, editable charts. The only room that knows python-pptx."""
