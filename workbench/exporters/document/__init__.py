"""The content of slides, page and report: one description, made from the storyboard."""
