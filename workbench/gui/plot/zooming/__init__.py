"""What part of a figure is in view: boxes, the wheel over an axis, the strip under the plots."""
