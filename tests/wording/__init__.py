"""Plain English in everything that users read: the count of each pattern to avoid only falls."""
