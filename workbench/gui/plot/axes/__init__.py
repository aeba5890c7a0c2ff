"""The axes of panels: the place of each label, and the gutter that joined columns share."""
