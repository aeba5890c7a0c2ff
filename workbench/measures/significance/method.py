"""The version of the rules that make verdicts. Whoever changes a rule so that a verdict can change raises it.

1  intervals within the margin are the same; Holm over the metrics of one configuration and phase
2  primary measures after Holm over configurations × phases, all others after Benjamini and Hochberg over the study;
   the same by two one-sided tests; shares tested on plain values; runs without scatter have no test; copies of a
   run count once
3  a verdict survives what was not measured, as it opposes the verdict most; figures that this cannot be bounded for
   have none where less than 95 % of a run was measured; I/O from unlike vantages or sides of the write cache has none
4  nothing is strong where the runs of one side came before those of the other, or their order is not known; a drift of
   one measure weakens all measures of its runs; two runs on a side give a range and no strength
"""

from workbench import __version__

METHOD = 4
# How exports name what wrote them.
PROGRAM = f"VDI Workbench {__version__}, statistical method {METHOD}"
