"""Tools that measure the program, or compare it with an earlier state."""
