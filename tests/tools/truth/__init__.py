"""Freezes the output of the program for studies and files outside the repository, to compare two versions.

`python -m tests.tools truth freeze FOLDER` writes it, `… compare OLD NEW` lists the differences. To freeze an older
version copy `tests/tools` into a checkout of it: only `workbench.cli.main`, the registries of questions and readers,
and the files of `tests/tools/fuzz` are used.
"""
