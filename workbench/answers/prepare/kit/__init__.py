"""The test kit: its files as text, and writing them."""
