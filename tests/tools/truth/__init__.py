"""Everything the program says of studies and files, kept outside the repository, and what another version says.

`python -m tests.tools truth freeze FOLDER` writes it, `… compare OLD NEW` lists what differs. To freeze an older
version copy `tests/tools` into a checkout of it: only `workbench.cli.main`, the registries of questions and readers,
and the files of `tests/tools/fuzz` are used.
"""
