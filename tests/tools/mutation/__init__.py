"""The mutation run: single changes to the computing code; some test should detect each of them.

    uv run python -m tests.tools mutation --seed 1 --count 1000 --workers 2 --results mutants.jsonl

Written by hand because neither of the maintained tools fits. mutmut 3 forks the process that has loaded the code, and
polars hangs in a forked process. Cosmic Ray runs one test command for every mutant, draws no sample, changes type
annotations, and needs thirteen more libraries. The choice of tests, the sample, the limits and the report would still
be missing.
"""
