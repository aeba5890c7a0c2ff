"""The damaged study: whole runs to which one defect each is done, and what must be said of it."""
