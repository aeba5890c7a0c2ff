"""Prepare a test: the counters to collect for each question, and the questions that a log cannot answer."""
