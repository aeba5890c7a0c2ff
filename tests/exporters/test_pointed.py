"""The findings of the sample highlight their subject in the chart of their evidence."""

from __future__ import annotations

from tests.samples import sample
from workbench.answers.storyboard.compute import shown_story
from workbench.charts.figure import Bars
from workbench.charts.marked import marked_figure
from workbench.exporters.document.slides import finding_content
from workbench.session.state import State


def test_that_sweep_sizes_shared_storage_knee_and_sizing_are_marked_in_their_charts() -> None:
    library, marked = sample("rds-mcsio-cache-sweep", "storage-benchmarks"), {}
    for study in shown_story(library, State(), True).studies:
        for finding in study.findings:
            content = finding_content(finding, library, study.choices)
            kind = "/".join(finding.key.split("/")[-5:]) if not finding.page else f"{finding.page}:{finding.figure}"
            if content is not None and content.figure is not None and finding.pointed is not None:
                figure = marked_figure(content.figure, finding.pointed)
                marked.setdefault(kind, []).append((figure is not content.figure, figure, finding))
    for kind in ("cache:enough", "cache:iops", "cache:shared_iops", "sizing:disks", "benchmarks:knee"):
        assert [
            finding.text for shown, _, finding in marked[kind] if not shown and "still rise" not in finding.text
        ] == []
    _, sweep, enough = marked["cache:enough"][0]
    panel = sweep.panels[0]
    lit = {
        panel.x.of[place]
        for bar in panel.marks
        if isinstance(bar, Bars)
        for place in range(len(panel.x.of))
        if bar.strength(place) == "all"
    }
    assert lit == set(enough.lit) == {"MCSIO 4 GB"}
    _, knee, _ = marked["benchmarks:knee"][0]
    assert [moment.words.partition(":")[0] for moment in knee.panels[0].moments] == ["knee"]
