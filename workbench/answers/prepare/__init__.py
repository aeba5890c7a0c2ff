"""Prepare a test: what to collect so that the questions can be answered, and what a log cannot answer."""
