"""The report as Markdown: one .md file with a folder of images."""
