"""What mouse and keyboard do on a plot: cursors, drags, legends, and reading values."""
