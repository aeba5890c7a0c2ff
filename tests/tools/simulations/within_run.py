"""How often the interval of a percentile within its run covers the truth.

Run with `python -m tests.tools.simulations.within_run`.

Prints the table of docs/statistics.md: 540 samples of 5 s, log-normal rates that correlate with their neighbours in
time.
"""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from workbench.measures.percentile import within_run

COUNT, SERIES = 540, 100
SPAN, END = np.full(COUNT, 5.0), 5.0 * np.arange(1, COUNT + 1)
TRUTH = 10 * np.exp(0.8 * NormalDist().inv_cdf(0.95))


def row(vms: int, memory: float) -> str:
    """The share of intervals that contain the true p95, of those that are below it, and their width."""
    rng = np.random.default_rng([vms, int(100 * memory), 0])
    ends = []
    for _ in range(SERIES):
        # The first row is not used.
        noise = rng.normal(size=(vms + 1, COUNT + 300))
        for at in range(1, COUNT + 300):
            noise[:, at] = memory * noise[:, at - 1] + np.sqrt(1 - memory**2) * noise[:, at]
        rates = 10 * np.exp(0.8 * noise[1:, 300:])
        within = within_run([(END, SPAN, rates)], 95, float(np.percentile(rates, 95)))
        assert within is not None
        ends.append((within.low, within.high))
    low, high = np.array(ends).T
    covered, below = (100 * np.mean(one) for one in ((low <= TRUTH) & (high >= TRUTH), high < TRUTH))
    width = 100 * np.mean(high - low) / TRUTH
    return f"| {vms} VM{'s'[: vms > 1]} | {memory:g} | {covered:.0f} % | {below:.0f} % | {width:.0f} % |"


def main() -> None:
    """Prints the table."""
    print(
        "| number of VMs | correlation between neighbouring samples "
        "| share of intervals that contain the true percentile | share of intervals below the true percentile "
        "| width of the interval |\n|---|---|---|---|---|"
    )
    for vms in (1, 5):
        for memory in (0.0, 0.6, 0.9, 0.97):
            print(row(vms, memory), flush=True)


if __name__ == "__main__":
    main()
