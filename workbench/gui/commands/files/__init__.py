"""Commands that read and write: folders, sessions, exports."""
