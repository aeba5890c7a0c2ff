"""The user's words of a slide keep their places for numbers, and the numbers follow the data."""

from __future__ import annotations

from dataclasses import replace

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.answers.storyboard.samples import finding
from workbench.answers.common.storyboard import FindingRef, SlideWords, StorySlide
from workbench.answers.findings.compute import Finding
from workbench.answers.storyboard.compute import as_template, numbers_of, pattern_of, sentence_of, with_words
from workbench.model.edits import About, Members, Stretch

SLIDE = StorySlide("k", findings=(FindingRef("k"),))


def cut(by: str, before: str, now: str, label: str = "MCSIO 4 GB") -> Finding:
    text = f"{label} cuts IOPS per VM in steady state by {by}\u2009% [92.8, 93.2], from {before} (MCS) to {now}, n = 3"
    short = f"{label} cuts IOPS per VM in steady state by {by}\u2009%, from {before} (MCS) to {now}"
    sides = (Members(label, (Stretch("r1"),)),)
    about = About("compare/iops_per_vm", "lab", sides, Members("MCS", (Stretch("r0"),)))
    return replace(finding("k", text=text, short=short, configuration=label), about=about)


def test_that_digits_in_names_are_not_numbers_of_the_sentence(snapshot: SnapshotAssertion) -> None:
    told = cut("93.0", "105", "7.35")
    assert numbers_of(told, "MCSIO 4 GB cuts it by 93.0\u2009%, from 105 (MCS) to 7.35") == snapshot
    assert as_template(told) == snapshot


def test_that_an_edited_text_is_updated_when_a_number_changes(snapshot: SnapshotAssertion) -> None:
    before, after = cut("93.0", "105", "7.35"), cut("91.4", "98.2", "8.44")
    slide = with_words(SLIDE, before, "4 GB saves 93.0\u2009% of all I/O: 7.35 are left of 105")
    assert slide.words is not None
    assert slide.words.text == snapshot
    assert sentence_of(slide.words, before, before.about)[0] == snapshot
    assert sentence_of(slide.words, after, before.about) == snapshot


def test_that_a_number_typed_by_the_user_stays_as_typed(snapshot: SnapshotAssertion) -> None:
    slide = with_words(SLIDE, cut("93.0", "105", "7.35"), "Enough for 500 desktops: 93.0\u2009% less")
    assert slide.words is not None
    assert sentence_of(slide.words, cut("91.4", "98.2", "8.44"), None)[0] == snapshot


def test_that_a_text_whose_numbers_changed_meaning_is_replaced_with_a_notice(snapshot: SnapshotAssertion) -> None:
    before = cut("93.0", "105", "7.35")
    slide = with_words(SLIDE, before, "It saves 93.0\u2009%")
    rises = replace(before, short=before.short.replace("cuts", "raises"))
    sentence, notice = sentence_of(slide.words, rises, before.about)
    assert sentence.startswith("MCSIO 4 GB raises IOPS per VM")
    assert notice == snapshot


# A pattern of an earlier version has no units.
EARLIER = "@ cuts IOPS per VM in steady state by #, from # (@) to #"


@pytest.mark.parametrize(
    ("pattern", "short"),
    [
        (EARLIER, "MCSIO 4 GB reduces the IOPS of a VM by 93.0\u2009%: 105 with MCS, 7.35 with it"),
        (EARLIER, "MCSIO 4 GB cuts IOPS per VM by 93.0\u2009%, from 105 (MCS) to 7.35"),
        ("@ cuts IOPS by #%, from # (@) to #", "MCSIO 4 GB reduces IOPS by 93.0\u2009%: 105 with MCS, now 7.35"),
    ],
)
def test_that_a_text_stays_if_only_the_generated_words_have_changed(pattern: str, short: str) -> None:
    told = replace(cut("93.0", "105", "7.35"), short=short)
    assert sentence_of(SlideWords("It saves {1}: {3}", pattern), told, told.about) == ("It saves 93.0\u2009%: 7.35", "")


@pytest.mark.parametrize(
    ("pattern", "short"),
    [
        ("@ cuts IOPS by #%, from # (@) to #", "MCSIO 4 GB cuts IOPS by 93.0\u2009ms, from 105 (MCS) to 7.35"),
        ("@ cuts IOPS by #%, from # (@) to #", "MCSIO 4 GB cuts IOPS by 93.0, from 105 (MCS) to 7.35"),
        (EARLIER, "MCSIO 4 GB cuts IOPS from 105 (MCS) to 7.35"),
        (EARLIER, "MCSIO 4 GB cuts IOPS by 93.0\u2009%, from 105 (MCS) to 7.35, in 3 runs"),
    ],
)
def test_that_a_text_is_replaced_if_the_values_have_other_units_or_another_number(pattern: str, short: str) -> None:
    told = replace(cut("93.0", "105", "7.35"), short=short)
    assert sentence_of(SlideWords("It saves {1}", pattern), told, told.about)[0] == short


def test_that_a_size_in_bytes_is_one_value_with_and_without_a_blank() -> None:
    told = cut("93.0", "105", "7.35")
    assert numbers_of(told, "4KiB and 4 KiB and 4\u2009KiB, 8KB") == ["4KiB", "4 KiB", "4\u2009KiB", "8KB"]
    assert pattern_of(told, "4KiB of 1 %") == pattern_of(told, "8 KiB of 2\u2009%") == "#KiB of #%"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("4KiB reads cost # with @", "{1} for reads"),
        ("# KiB reads cost # with @", "{2} for reads of {1} KiB"),
        ("#KiB reads cost # with @", "{2} for reads of {1}"),
    ],
)
def test_that_placeholders_of_an_earlier_version_keep_their_numbers_next_to_sizes_in_bytes(
    pattern: str, text: str
) -> None:
    told = replace(cut("93.0", "105", "7.35"), short="With MCSIO 4 GB, reads of 4 KiB cost 7.35")
    shown = sentence_of(SlideWords(text, pattern), told, told.about)
    assert shown in [("7.35 for reads", ""), ("7.35 for reads of 4 KiB", "")]


def test_that_a_text_without_numbers_stays_for_any_finding() -> None:
    before = cut("93.0", "105", "7.35")
    slide = with_words(SLIDE, before, "Cache in RAM pays")
    rises = replace(before, short=before.short.replace("cuts", "raises"))
    assert sentence_of(slide.words, rises, before.about) == ("Cache in RAM pays", "")


def test_that_a_text_is_updated_when_a_configuration_is_renamed() -> None:
    before, after = cut("93.0", "105", "7.35"), cut("93.0", "105", "7.35", "Large cache")
    slide = with_words(SLIDE, before, "Take MCSIO 4 GB: 93.0\u2009% less")
    assert sentence_of(slide.words, after, before.about) == ("Take Large cache: 93.0\u2009% less", "")


@pytest.mark.parametrize(
    "text", ["Use PVS Clean for all", "PVS Clean's cache is enough", "MCS' cache is enough", "'PVS Clean is best'"]
)
def test_that_the_words_of_the_user_stay_as_typed_if_no_name_has_changed(text: str) -> None:
    told = cut("93.0", "105", "7.35", "PVS Clean")
    slide = with_words(SLIDE, told, text)
    assert sentence_of(slide.words, told, told.about) == (text, "")


def test_that_a_new_name_replaces_only_the_name() -> None:
    before, after = cut("93.0", "105", "7.35", "PVS Clean"), cut("93.0", "105", "7.35", "Large cache")
    slide = with_words(SLIDE, before, "'PVS Clean' is best: PVS Clean's cache")
    assert sentence_of(slide.words, after, before.about)[0] == "'Large cache' is best: Large cache's cache"


def test_that_a_name_with_and_without_quotes_has_one_pattern() -> None:
    told = cut("93.0", "105", "7.35", "PVS Clean")
    assert pattern_of(told, "'PVS Clean' cuts it") == pattern_of(told, "PVS Clean cuts it") == "@ cuts it"


@pytest.mark.parametrize("typed", ["", "   ", None])
def test_that_an_empty_or_the_generated_text_removes_the_edit(typed: str | None) -> None:
    told = cut("93.0", "105", "7.35")
    edited = with_words(SLIDE, told, "Mine")
    generated = "MCSIO 4 GB cuts IOPS per VM in steady state by 93.0\u2009%, from 105 (MCS) to 7.35"
    assert with_words(edited, told, generated if typed is None else typed).words is None


@pytest.mark.parametrize("text", ["{9} of it", "{0} of it", "{999} {1}"])
def test_that_a_placeholder_without_a_number_gives_a_notice_and_no_crash(text: str) -> None:
    told = cut("93.0", "105", "7.35")
    pattern = with_words(SLIDE, told, "x 93.0\u2009%").words
    assert pattern is not None
    sentence, notice = sentence_of(SlideWords(text, pattern.pattern), told, None)
    assert sentence.startswith("MCSIO 4 GB cuts")
    assert text in notice


@pytest.mark.parametrize(
    ("pattern", "short", "typed", "said"),
    [
        (
            "@ cuts IOPS per VM in steady state by #%, from # (@) to #",
            "MCSIO 4 GB cuts IOPS per VM in steady state by 93.0\u2009% (7.35 vs. 105 with MCS)",
            "{2} becomes {3}, which saves {1}",
            "105 becomes 7.35, which saves 93.0\u2009%",
        ),
        (
            "@ raises writes from # with @ to #, a difference of #",
            "MCSIO 4 GB raises writes by 5.0 (6.0 vs. 1.0 with MCS)",
            "{1} becomes {2}: {3} more",
            "1.0 becomes 6.0: 5.0 more",
        ),
        (
            "@ needs # disks for # users (assumed), # fewer than @ (#)",
            "MCSIO 4 GB needs 99 fewer disks than MCS for an assumed 500 users (5 vs. 104)",
            "{1} disks instead of {4} for {2} users: {3} saved",
            "5 disks instead of 104 for 500 users: 99 saved",
        ),
    ],
)
def test_that_numbers_of_an_earlier_sentence_with_another_order_keep_their_meaning(
    pattern: str, short: str, typed: str, said: str
) -> None:
    told = replace(cut("93.0", "105", "7.35"), short=short)
    assert sentence_of(SlideWords(typed, pattern), told, told.about) == (said, "")
