"""The mutation run: single changes to the code that computes, each of which some test should notice.

    uv run python -m tests.tools mutation --seed 1 --count 1000 --workers 2 --results mutants.jsonl

Written by hand because neither tool that is kept up fits. mutmut 3 forks the process that has loaded the code, and
polars hangs in a forked process. Cosmic Ray runs one test command for every mutant, draws no sample, changes type
annotations, and would bring thirteen libraries with it; the choice of tests, the sample, the limits and the report
would still be ours to write.
"""
