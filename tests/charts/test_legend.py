"""The first row keeps what matters most, whatever the width."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from tuimon.charts.legend import Entry, legend_row
from tuimon.charts.palette import chart_styles

STYLES = chart_styles("none")
MARKS = [("NaN ×40 first @1", "nan"), ("≤0 ×2 first @7", "nonpositive")]


def shown(title, names, marks, width, unicode=True):
    entries = [Entry(name, Style(), "━") for name in names]
    return "".join(s.text for s in legend_row(title, entries, marks, width, STYLES, unicode))


@settings(deadline=None)
@given(st.text(max_size=20), st.lists(st.text(max_size=10), max_size=5), st.booleans(), st.integers(0, 90))
def test_the_row_is_exactly_as_wide_as_asked(title, names, marked, width):
    """Any title and names fit any width."""
    assert cell_len(shown(title, names, MARKS if marked else [], width)) == width


def test_counts_of_nan_come_before_names_and_survive_narrow_rows():
    """A narrow row loses names, then first steps, then the title's middle, and the count last."""
    names = ["run-a", "run-b"]
    assert shown("train/loss", names, MARKS[:1], 60).rstrip() == "train/loss  NaN ×40 first @1  ━ run-a  ━ run-b"
    assert shown("train/loss", names, MARKS[:1], 40).rstrip() == "train/loss  NaN ×40 first @1  +2"
    assert shown("train/loss", names, MARKS[:1], 24).rstrip() == "tra…ss  NaN ×40 first @1"
    assert "NaN ×40" in shown("train/loss", names, MARKS[:1], 16)


def test_plain_ascii_has_plain_signs():
    """× and ≤ have uncertain widths in some terminals."""
    assert shown("t", [], MARKS, 60, unicode=False).isascii()
