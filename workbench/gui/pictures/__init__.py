"""Images: files that only the window's drawing code can write. Imported when an image or the report is requested."""
