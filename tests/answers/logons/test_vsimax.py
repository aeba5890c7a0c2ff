"""VSImax: each shipped model compared with an example computed by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.logons.login_storms import timer
from tests.builders import T0, run
from workbench.answers.logons.vsimax import RunVsimax, responses, run_vsimax, vsimax
from workbench.answers.logons.vsimax_models import ModelFileError, Number, VsimaxModel, load_models
from workbench.model.session import Measurement, MeasurementKind, VsiSummary

MODELS = load_models()
V41, V40, V3 = MODELS["VSImax 4.1"], MODELS["VSImax 4.0"], MODELS["VSImax dynamic (v3)"]
TIMERS = ("NSLD", "NFO", "ZHC", "ZLC", "CPU")


def _loop(at: float, each: float, session: str, active: int) -> list[Measurement]:
    return [timer(at + place, name, each, session, active) for place, name in enumerate(TIMERS)]


def _test(values: list[float]) -> list[Measurement]:
    """One loop per session; each loop is a new session; every timer takes `value` ms."""
    return [one for place, value in enumerate(values, start=1) for one in _loop(10.0 * place, value, str(place), place)]


def test_that_vsimax_4_1_averages_the_lowest_15_without_the_lowest_2_and_adds_1000_ms(
    snapshot: SnapshotAssertion,
) -> None:
    # Weights 0.75 + 0.75 + 0.125 + 0.2 + 0.75 = 2.575. Twenty sessions of 100 to 119 ms per timer.
    found = vsimax(_test([100.0 + place for place in range(20)]), V41)
    assert found.baseline_ms == pytest.approx(2.575 * np.mean(range(102, 115)))  # 278.1
    assert found.threshold_ms == pytest.approx(2.575 * 108 + 1000)
    assert (found.vsimax, found.reached, found.most_active) == (None, False, 20)
    assert found.why == snapshot


def test_that_vsimax_4_1_is_reached_at_the_first_trimmed_mean_of_5_plus_40_percent() -> None:
    # 15 sessions at 100 ms per timer (257.5 ms), then 1,000 ms per timer (2,575 ms); threshold 1,257.5 ms.
    # At session 20 the window is int(5 + 0.4 x 20) = 13: 8 old and 5 new; one cut at each end leaves 7 x 257.5
    # + 4 x 2,575 = 12,102.5 over 11 = 1,100.2. At session 21 (still 13): 6 x 257.5 + 5 x 2,575 over 11 = 1,310.9.
    found = vsimax(_test([100.0] * 15 + [1_000.0] * 10), V41)
    assert found.threshold_ms == pytest.approx(1_257.5)
    assert found.index_ms[19] == pytest.approx(12_102.5 / 11)
    assert found.index_ms[20] == pytest.approx(14_420.0 / 11)
    assert (found.vsimax, found.reached) == (21, True)
    # The window at session 7 is int(5 + 0.4 x 7) = 7: the first that is full.
    assert np.isnan(found.index_ms[:6]).all()
    assert np.isfinite(found.index_ms[6:]).all()


def test_that_vsimax_4_0_averages_30_of_the_first_200_without_the_top_15_and_lowest_2() -> None:
    values = [float(value) for value in range(300, 100, -1)] + [1.0] * 30
    found = vsimax(_test(values), V40)
    # The lowest 30 of the first 200 are 101 to 130; without 101, 102 and 116 to 130 they are 103 to 115.
    assert found.baseline_ms == pytest.approx(2.575 * 109)
    assert found.threshold_ms == pytest.approx(2.575 * 109 + 1_000)


def test_that_vsimax_v3_multiplies_the_first_15_sessions_by_1_25_and_adds_3000_ms() -> None:
    # All five timers unweighted: sessions of 100 to 114 ms per timer have responses of 500 to 570 ms.
    first = [100.0 + place for place in range(15)]
    found = vsimax(_test(first + [2_000.0] * 20), V3)
    assert found.baseline_ms == pytest.approx(5 * 107)
    assert found.threshold_ms == pytest.approx(1.25 * 535 + 3_000)
    # 2 % of fewer than 50 are none: the plain mean of int(5 + 0.4 n). At session 18 (12): 9 old ones of 106 to
    # 114 ms and three of 2,000 ms: (5 x 990 + 30,000) / 12 = 2,912.5. At 19 (12): (5 x 884 + 40,000) / 12 = 3,701.7
    # passes the threshold of 3,668.75.
    assert found.index_ms[17] == pytest.approx(34_950 / 12)
    assert found.index_ms[18] == pytest.approx(44_420 / 12)
    assert found.vsimax == 19


def test_that_a_loop_with_a_missing_timer_is_ignored_and_counted() -> None:
    samples = _test([100.0] * 4)
    del samples[6]  # the second session's NFO
    found, incomplete = responses(samples, V41)
    assert ([one.session for one in found], incomplete) == (["1", "3", "4"], 1)


def test_that_a_repeated_timer_begins_the_next_loop() -> None:
    samples = [*_loop(0, 100, "1", 1), *_loop(60, 200, "1", 1)]
    found, _ = responses(samples, V41)
    assert [one.value_ms for one in found] == pytest.approx([257.5, 515.0])


def test_that_too_few_responses_are_reported_and_give_no_value() -> None:
    found = vsimax(_test([100.0] * 10), V41)
    assert (found.baseline_ms, found.vsimax, found.reached) == (None, None, None)
    assert "too few" in found.why
    nothing = vsimax([timer(0, "NSLD", 5)], V41)
    assert nothing.reached is None
    assert "every timer" in nothing.why


def test_that_started_sessions_replace_missing_active_sessions() -> None:
    samples = [timer(10.0 * n + place, name, 100.0, str(n)) for n in range(1, 9) for place, name in enumerate(TIMERS)]
    assert vsimax(samples, V41).active.tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_that_the_value_of_the_analyzer_is_shown_separately_and_raw_timers_of_login_enterprise_are_not_used() -> None:
    summary = VsiSummary("test", T0, 700.0, 180.0, 183.0)
    raw = Measurement(T0, MeasurementKind.TIMER, "Open Window", 900.0, "ms", "1", unit_assumed=True)
    found = run_vsimax(run(summaries=(summary,), measurements=(raw,)), V3)
    assert isinstance(found, RunVsimax)
    assert found.figures is None
    assert found.summaries == (summary,)
    assert not found.empty
    assert run_vsimax(run(), V41).empty


def test_that_documented_constants_are_distinguished_from_assumed_ones() -> None:
    assert {key for key in V41.assumed if key.startswith("weights")} == {f"weights.{name}" for name in TIMERS}
    assert "threshold.add_ms" not in V41.assumed
    assert "threshold.add_ms" in V40.assumed
    assert V3.assumed == ("index.fixed", "index.share", "index.trim_least")
    sources = [one.source for model in MODELS.values() for _, one in (*model.numbers, *model.weights)]
    assert all(sources)


def test_that_a_custom_number_is_marked_as_custom_and_used() -> None:
    mine = V41.with_value("threshold.add_ms", 100.0).with_value("weights.CPU", 0.0)
    assert dict(mine.numbers)["threshold.add_ms"] == Number(100.0, "yours", "set by you")
    assert vsimax(_test([100.0] * 20), mine).threshold_ms == pytest.approx(100 * 1.825 + 100)


def test_that_a_model_file_adds_a_model_whose_plain_numbers_count_as_user_values(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        '[[model]]\nname = "ours"\nbaseline.lowest = 3\nthreshold.factor = 2\nindex.fixed = 4\nweights.NSLD = 1\n'
    )
    found = load_models(file)
    assert set(found) == {*MODELS, "ours"}
    assert dict(found["ours"].weights)["NSLD"] == Number(1.0, "yours")
    values = [timer(float(n), "NSLD", 10.0 + n, str(n), n) for n in range(1, 8)]
    assert vsimax(values, found["ours"]).threshold_ms == 2 * 12.0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("model = 3", "no [[model]]"),
        ("[[model]]\nabout = 'x'", "no name"),
        ("[[model]]\nname = 'x'\nindex.fixed = 'five'\nthreshold.factor = 1", "not a number"),
        ("[[model]]\nname = 'x'\nindex.fixed = -5\nthreshold.factor = 1", "between 0 and"),
        ("[[model]]\nname = 'x'\nindex.fixed = 5", "threshold.factor above 0"),
        ("[[model]]\nname = 'x'\nbaseline.pool = 'some'", "the unknown pool"),
        ("[[model]]\nname = 'x'\nbaseline.pool = 'first'\nindex.fixed = 5\nthreshold.factor = 1", "baseline.first"),
        ("[[model]]\nname = 'x'\nindex.fixed = { value = 5, origin = 'heard' }", "origin"),
        ("[[model]\nname", "not a TOML file"),
    ],
)
def test_that_an_invalid_model_file_is_reported_with_the_reason(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(ModelFileError, match=r"mine\.toml") as error:
        load_models(file)
    assert said in str(error.value)


def test_that_a_model_can_count_every_timer_once() -> None:
    model = VsimaxModel(
        "any", "", "all", (("threshold.factor", Number(1, "yours")), ("index.fixed", Number(1, "yours")))
    )
    found, incomplete = responses([timer(0, "a", 3), timer(1, "b", 4)], model)
    assert ([one.value_ms for one in found], incomplete) == ([7.0], 0)
