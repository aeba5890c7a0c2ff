"""The axes of panels: where each word stands, and what joined columns say once."""
