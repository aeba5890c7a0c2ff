"""The data types of the program: frozen dataclasses without I/O and without Qt."""
