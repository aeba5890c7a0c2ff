"""One entry of the catalogue, added before the rest of the program is loaded, as if it were in the catalogue file."""

from __future__ import annotations

from workbench.measures.catalogue import MEASURES
from workbench.measures.measure import Measure
from workbench.measures.rules import MeanOverTime
from workbench.model.metric import Quantity

# A name that no measure of the program will ever have.
KEY, NAME = "toy_queue", "Toy queue"

MEASURES[KEY] = Measure(
    KEY,
    NAME,
    MeanOverTime(Quantity.QUEUE_DEPTH),
    "mean over the measured time of the phase, then over VMs",
    # Little's law; Windows computes the counter in the same way.
    "({read_iops_per_vm}*{read_latency_ms}+{write_iops_per_vm}*{write_latency_ms})/1000",
    unit="",
    section="Toys",  # type: ignore[arg-type]  # a separate section: the workbook needs no edit for it
    change="ratio",
    trace=Quantity.QUEUE_DEPTH,
)
