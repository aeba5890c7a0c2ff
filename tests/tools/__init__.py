"""Tools that measure the program or hold it to what it was."""
