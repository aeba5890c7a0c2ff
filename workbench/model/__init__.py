"""The nouns: frozen dataclasses, no I/O, no Qt."""
