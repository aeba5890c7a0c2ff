"""Figures of a phase while one of its edges is dragged: fast enough for every step of the hand."""
