"""The history folder: small shared files with the metrics of past studies, which are read without an import."""
