"""The version of the rules for verdicts. Increase it with every change of a rule that can change a verdict.

1  intervals within the margin are the same; Holm over the metrics of one configuration and phase
2  primary metrics by Holm over configurations × phases, all others by Benjamini and Hochberg over the study;
   the same by two one-sided tests; shares are tested on plain values; runs without variation have no test; copies of a
   run count once
3  a verdict must survive the least favourable missing data; metrics without bounds have no verdict if less than 95 % of
   a run was measured; I/O from different measuring points or sides of the write cache has none
4  nothing is strong if the runs of one side came before those of the other, or if their order is unknown; a drift of
   one metric weakens all metrics of its runs; two runs on a side give a range and no strength
"""

from workbench import __version__

METHOD = 4
# The name of the method in exports.
PROGRAM = f"VDI Workbench {__version__}, statistical method version {METHOD}"
