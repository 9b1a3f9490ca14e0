"""Text from a log is safe on the screen and fits its cells exactly."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tuimon.text import clean, elide_middle, fit, take, take_end, width

ANY_TEXT = st.text(alphabet=st.characters(), max_size=40)
WIDE_TEXT = st.text(alphabet="aé中文🚀한e\u0301 \x1b\n\u202e\u200d", max_size=40)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("loss", "loss"),
        ("训练/损失 %", "训练/损失 %"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x9b2J", "\\x9b2J"),
        ("\x7f\x00", "\\x7f\\x00"),
        ("abc\u202egnp.exe", "abc\\u202egnp.exe"),
        ("zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"),
        ("\u2028para\u2029", "\\u2028para\\u2029"),
        ("bad\ud800half", "bad\\ud800half"),
        ("\U000e0041tag", "\\U000e0041tag"),
        ("👨\u200d👩", "👨\\u200d👩"),
        ("❤\ufe0f", "❤"),
        ("e\u0301te\u0301", "e\u0301te\u0301"),
        ("\u0301lead", "\\u0301lead"),
        ("\u3164filler", "\\u3164filler"),
        ("👍🏽", "👍🏽"),
        ("a🏽", "a\\U0001f3fd"),
    ],
)
def test_clean_shows_what_could_act_on_the_terminal(raw: str, shown: str) -> None:
    """Control, format, bidirectional, zero width characters and lone surrogates are escaped, letters are not."""
    assert clean(raw) == shown


def test_clean_keeps_at_most_four_marks_on_a_letter() -> None:
    """A pile of combining marks cannot spill over the rows above."""
    shown = clean("e" + "\u0301" * 9)
    assert shown.count("\u0301") == 4
    assert shown.endswith("\\u0301" * 5)


@settings(deadline=None)
@given(ANY_TEXT)
def test_clean_text_is_one_line_without_control(text: str) -> None:
    """Nothing of a log reaches the terminal as a control or format character, and it can be encoded."""
    shown = clean(text)
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp", "Cn"}]
    shown.encode("utf-8")
    assert clean(shown) == shown


@settings(deadline=None)
@given(ANY_TEXT | WIDE_TEXT, st.integers(-1, 50), st.sampled_from(["left", "right", "middle-elide"]))
def test_fit_fills_exactly_its_cells(text: str, size: int, align: str) -> None:
    """Whatever the text, it takes exactly the cells asked for, also with CJK, emoji and escapes."""
    assert cell_len(fit(text, size, align)) == max(size, 0)  # type: ignore[arg-type]


def test_fit_never_splits_a_wide_character() -> None:
    """A cut inside a two cell character leaves a blank instead of half of it."""
    assert fit("训练损失曲线", 8) == "训练损… "
    assert fit("训练损失曲线", 7) == "训练损…"
    assert fit("训练损失曲线", 8, "middle-elide") == "训练…线 "
    assert fit("训练", 1) == "…"


def test_fit_aligns_and_takes_a_plain_ellipsis() -> None:
    """Numbers go to the right; terminals of uncertain widths get a plain sign for what was cut."""
    assert fit("1.5", 5, "right") == "  1.5"
    assert fit("abcdef", 4, ellipsis="~") == "abc~"
    assert fit("abcdef", 4, "middle-elide") == "ab…f"


@settings(deadline=None)
@given(WIDE_TEXT, st.integers(0, 20))
def test_take_gives_the_longest_start_and_end_that_fit(text: str, size: int) -> None:
    """The start and the end of a text fit their cells and are a start and an end of it."""
    text = clean(text)
    start, end = take(text, size), take_end(text, size)
    assert text.startswith(start)
    assert text.endswith(end)
    assert cell_len(start) <= size
    assert cell_len(end) <= size
    assert not end or cell_len(end[0]) > 0


def test_width_is_of_what_is_shown() -> None:
    """A control character counts with the cells of its escape."""
    assert width("损失\n") == 6


@pytest.mark.parametrize("size", [6, 8, 12, 20, 40])
def test_names_that_share_a_hundred_characters_stay_apart(size: int) -> None:
    """Five names of 120 characters of which 100 are the same are told apart at any width (case F22)."""
    values = ["lr0.1", "lr0.01", "lr3e-4", "lr1", "lr22"]
    names = ["experiments/" + "x" * 38 + value.ljust(20, "z") + "y" * 50 for value in values]
    short = elide_middle(names, size)
    assert len(set(short)) == 5
    assert all(cell_len(name) <= size for name in short)


def test_elision_keeps_whole_words_around_the_difference() -> None:
    """The part of a name that differs is shown as a whole word where there is room."""
    names = [f"experiments/resnet50-imagenet-{v}-bs64" for v in ("lr0.1", "lr0.01", "lr0.001")]
    assert elide_middle(names, 25) == [
        "experiments/…lr0.1-bs64",
        "experiments/…lr0.01-bs64",
        "experiments/…lr0.001-bs64",
    ]


def test_short_and_equal_names_are_left_alone() -> None:
    """A name that fits is not touched, and equal names look equal."""
    assert elide_middle(["baseline", "b" * 30, "b" * 30], 10)[0] == "baseline"
    first, second = elide_middle(["b" * 30, "b" * 30], 10)
    assert first == second
    assert elide_middle([], 10) == []


@settings(deadline=None)
@given(st.lists(WIDE_TEXT, max_size=6), st.integers(0, 30))
def test_elided_names_always_fit(names: list[str], size: int) -> None:
    """No name is wider than asked for, and none is lost."""
    short = elide_middle(names, size)
    assert len(short) == len(names)
    assert all(cell_len(name) <= size for name in short)


@settings(deadline=None)
@given(st.lists(st.integers(0, 10**6), min_size=2, max_size=6, unique=True))
def test_numbered_runs_stay_distinct(numbers: list[int]) -> None:
    """Names that differ in a number only can be told apart at a width that holds the number."""
    names = [f"runs/a_rather_long_common_name_{number}_with_a_common_tail" for number in numbers]
    assert len(set(elide_middle(names, 12))) == len(names)


def test_escapes_are_plain_ascii() -> None:
    """What is escaped has the same width in every terminal."""
    assert re.fullmatch(r"[\x20-\x7e]*", clean("\x1b\u202e\ud800\u200b\U000e0001"))
