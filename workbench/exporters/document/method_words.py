"""How the figures are made, in sentences."""

METHODS = (
    "A rate sample is the average over the interval that ends at its time stamp; it counts for the part of that "
    "interval inside the phase [start, end).",
    "Total I/O is the sum over the measured VMs of these samples times their seconds. IOPS = total I/O ÷ duration.",
    "Intervals longer than three times the median interval are gaps: they hold no I/O and are in the import report.",
    "Latency is the mean over I/Os (weighted with the rate of the same sample). Percentiles are over all samples of "
    "all VMs in the phase.",
    "Runs are the unit: figures of a configuration are means over its runs, never over pooled VMs.",
    "One run: the difference alone, no uncertainty is known. Two runs: their range. Three or more: the ratio with its "
    "95 % Welch interval on logarithms; five or more: an exact permutation test as well, with Holm's correction.",
    "A change counts as better or worse when its interval lies beyond no change and the margin says that it matters; "
    "what is not known is called inconclusive.",
    "Missing is never 0: what was not measured is an empty cell and a gap in the chart.",
)

# The same in a few words, for a document that answers first.
SHORT_METHODS = (
    "I/O of each VM is summed over a phase; IOPS are that sum per second.",
    "A configuration is the mean of its runs; VMs are never pooled.",
    "Three runs or more give a 95 % interval, two a range, one no uncertainty.",
    "Better or worse: the whole interval is beyond the margin.",
    "What was not measured is empty, never 0.",
)

BOTH, HOW, CANNOT = "How we measured, and what it cannot tell", "How we measured", "What it cannot tell"
