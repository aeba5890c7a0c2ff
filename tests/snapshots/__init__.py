"""What is shown of the sample study as text, kept in files that are reviewed when they change."""
