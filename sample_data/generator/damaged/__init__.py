"""The damaged study: complete runs with one defect each, and the expected message on it."""
