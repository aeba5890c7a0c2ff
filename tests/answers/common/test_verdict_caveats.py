"""The reasons of inconclusive verdicts as caveats."""

from __future__ import annotations

from dataclasses import replace

from workbench.answers.common.change_words import as_caveats, verdict_caveats
from workbench.measures.significance.verdicts import Judgement
from workbench.measures.statistics import Verdict

DETECT = "Add runs to detect decreases under 33\u2009% or increases under 50\u2009%."
RUNS = "Equality within ±5\u2009% needs 92 runs per configuration."


def test_that_short_sentences_share_a_caveat() -> None:
    assert as_caveats("the runs vary too much", "Add runs.") == ("The runs vary too much. Add runs.",)
    long = "this sentence alone already has far more than half of the words of a caveat"
    assert as_caveats(long, "", "and so has this one, so each of both is a separate caveat") == (
        f"T{long[1:]}.",
        "And so has this one, so each of both is a separate caveat.",
    )
    assert as_caveats("") == ()


def test_that_the_reason_has_the_number_of_runs_otherwise_the_detectable_change() -> None:
    judgement = Judgement(Verdict.INCONCLUSIVE, "the runs vary too much", (DETECT, RUNS))
    assert verdict_caveats(judgement) == (f"The runs vary too much. {RUNS}",)
    assert verdict_caveats(replace(judgement, outlook=(DETECT,))) == (f"The runs vary too much. {DETECT}",)


def test_that_a_verdict_without_an_outlook_has_only_its_reason() -> None:
    assert verdict_caveats(None) == ()
    named = Judgement(Verdict.INCONCLUSIVE, "missing samples: VM-1.2 lacks 5 % of its samples", named=True)
    assert verdict_caveats(named) == ("Missing samples: VM-1.2 lacks 5 % of its samples.",)
