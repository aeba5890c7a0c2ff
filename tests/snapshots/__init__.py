"""The displayed texts of the sample study, kept in files that are reviewed when they change."""
