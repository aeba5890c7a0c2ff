"""The history folder: small files with the figures of past studies, to be shared, and read without any import."""
