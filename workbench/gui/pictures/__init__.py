"""Pictures: what only the window's own drawing can write. Loaded when a picture or the report is asked for."""
