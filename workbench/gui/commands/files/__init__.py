"""Commands that read and write: folders, workspace files, exports."""
