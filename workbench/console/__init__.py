"""What the console needs: loading with progress, tables as text."""
