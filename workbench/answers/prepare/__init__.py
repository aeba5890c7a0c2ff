"""Prepare a test: what to collect so the questions can be answered, and what a log cannot answer."""
