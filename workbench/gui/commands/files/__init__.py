"""Commands of what is read and written: folders, sessions, exports."""
