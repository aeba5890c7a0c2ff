"""What the hand and the keyboard do on a plot: cursors, drags, legends, and what is under the pointer."""
