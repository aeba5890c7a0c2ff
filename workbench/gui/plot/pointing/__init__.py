"""Mouse and keyboard actions on a plot: cursors, drags, legends, and reading values."""
