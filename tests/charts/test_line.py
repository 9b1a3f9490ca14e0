"""Line charts fill their box, tell the truth, and say what they cannot draw."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tuimon.charts.canvas import BRAILLE
from tuimon.charts.line import ChartLine, ChartOptions, Marks, render_chart

NAN, INF = math.nan, math.inf
VALUES = st.floats(-1e9, 1e9) | st.sampled_from([NAN, INF, -INF, 0.0, 1e300, -1e300, 1e-320])
OPTIONS = st.builds(
    ChartOptions,
    title=st.text(max_size=12),
    log_y=st.booleans(),
    x_kind=st.sampled_from(["step", "seconds", "wall"]),
    x_range=st.none() | st.just((2.0, 9.5)),
    unicode=st.booleans(),
    cursor_x=st.none() | st.floats(-5, 30),
    legend=st.sampled_from(["direct", "row", "none"]),
    colors=st.sampled_from(["truecolor", "256", "standard", "none"]),
)


@st.composite
def chart_lines(draw):
    lines = []
    for _ in range(draw(st.integers(0, 4))):
        y = np.array(draw(st.lists(VALUES, max_size=20)))
        x = np.sort(np.array(draw(st.lists(st.floats(-100, 1e6), min_size=len(y), max_size=len(y)))))
        marks = Marks(nan=x[np.isnan(y)], posinf=x[y == INF], neginf=x[y == -INF]) if draw(st.booleans()) else Marks()
        lines.append(ChartLine(draw(st.text(max_size=12)), "#00afff", x, y, y, draw(st.booleans()), marks))
    return lines


@settings(max_examples=150, deadline=None)
@given(chart_lines(), st.integers(0, 90), st.integers(0, 20), OPTIONS)
def test_any_chart_fills_its_box_exactly(lines, width, height, options):
    """Whatever is logged, a chart is `height` rows of `width` cells without a control character, in any mode."""
    rows = render_chart(lines, width, height, options)
    assert len(rows) == height
    for row in rows:
        text = "".join(segment.text for segment in row)
        assert cell_len(text) == width
        assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in text)


def plot(rows, text):
    """The rows between the first and the axis, from the axis line on."""
    return [row[row.index("┤") + 1 :] if "┤" in row else row[row.index("│") + 1 :] for row in text(rows)[1:-2]]


def test_a_title_cannot_colour_the_screen(line, text):
    """Escape sequences in titles and labels are shown, not sent."""
    lines = [line([0, 1], [0, 1], "\x1b[31mrun"), line([0, 1], [1, 0], "b\nc")]
    shown = "\n".join(text(render_chart(lines, 80, 12, ChartOptions(title="\x1b]0;title\x07"))))
    assert "\x1b" not in shown
    assert "\\x1b]0;title\\x07" in shown


def test_mostly_nan_shows_points_marks_and_the_count(line, text):
    """Ten points, forty marks, and their number with the first step (case A1)."""
    x = np.arange(50.0)
    y = np.where(x % 5 == 0, x, NAN)
    rows = render_chart([line(x, y, marks=Marks(nan=x[np.isnan(y)]))], 120, 15, ChartOptions(title="loss"))
    assert "NaN ×40 first @1" in text(rows)[0]
    assert text(rows)[-2].count("×") == 40
    drawn = [c for row in plot(rows, text) for c in row if BRAILLE < ord(c) <= BRAILLE + 255]
    assert len(drawn) == 10


def test_marks_stand_at_their_true_columns(line, text):
    """Each sign is in the column of its x, in red or yellow, and the chart keeps its size (cases A7, A16)."""
    marks = Marks(nan=np.array([0.0]), posinf=np.array([25.0]), neginf=np.array([50.0]), null=np.array([100.0]))
    rows = render_chart([line(np.arange(101), np.arange(101), marks=marks)], 107, 15, ChartOptions())
    axis = text(rows)[-2]
    assert (axis[6], axis[6 + 25], axis[6 + 50], axis[6 + 100]) == ("×", "▲", "▼", "○")
    colors = {s.text: s.style.color.name for s in rows[-2] if s.style and s.style.color and len(s.text) == 1}
    assert colors["×"] == "#ff5f5f"
    assert colors["○"] == "#e8c547"


def test_the_first_nan_does_not_shift_the_chart(line, text):
    """The plot keeps every cell when a mark appears on the axis."""
    x = np.arange(100.0)
    clean = render_chart([line(x, x)], 60, 15, ChartOptions(title="t"))
    marked = render_chart([line(x, x, marks=Marks(nan=np.array([50.0])))], 60, 15, ChartOptions(title="t"))
    assert text(clean)[1:-2] == text(marked)[1:-2]


def test_counts_exceed_thinned_positions_and_add_up_over_runs(line, text):
    """The count is of all values, also where fewer positions are given, over all runs, once for raw and smoothed."""
    first = Marks(nan=np.array([7.0]), counts={"nan": 1000})
    second = Marks(nan=np.array([3.0]), counts={"nan": 200})
    lines = [
        line([0, 9], [0, 1], "a", dim=True, marks=first),
        line([0, 9], [0, 1], "a", marks=first),
        line([0, 9], [1, 0], "b", "#ff0000", marks=second),
    ]
    assert "NaN ×1,200 in 2 first @3" in text(render_chart(lines, 60, 12))[0]


def test_marks_of_all_lines_of_a_series_are_counted_once(line, text):
    """A superseded line, the raw and the smoothed one of a run share its count; none hides the raw line's NaN."""
    x = np.arange(4.0)
    lines = [
        line(x, [1, -1, -1, 1], "a", dim=True),
        line(x, [1, 0, NAN, 1], "a", dim=True, marks=Marks(nan=np.array([2.0]))),
        line(x, [1, 1, 1, 1], "a"),
    ]
    head = text(render_chart(lines, 60, 12, ChartOptions(log_y=True)))[0]
    assert "NaN ×1 first @2" in head
    assert "≤0 ×2 first @1" in head


def test_gaps_stay_empty_and_nothing_falls_to_zero(line, text):
    """A13: values 0, 1, NaN, NaN, 4 at 100..104: axis 0 to 4, a gap between 101 and 104."""
    rows = render_chart([line(range(100, 105), [0, 1, NAN, NAN, 4])], 66, 15, ChartOptions(label_width=5))
    shown = text(rows)
    assert [row[:5].strip() for row in shown if "┤" in row] == ["4", "3", "2", "1", "0"]
    columns = [i for i in range(60) if any(row[6 + i] != " " for row in shown[:-2])]
    assert not [c for c in columns if 16 < c < 58]
    assert max(columns) >= 58


def test_infinities_never_enter_the_range(line, text):
    """The curve is scaled to its finite part (case A16)."""
    labels = [r[:5].strip() for r in text(render_chart([line(range(4), [INF, 1000, 100, 3])], 60, 15)) if "┤" in r]
    assert labels[0] == "1000"
    assert labels[-1] == "0"


def test_a_constant_is_flat_in_the_middle(line, text):
    """One row, the middle one, labelled with the value: not noise, not blank."""
    rows = text(render_chart([line(range(1000), [1e-4 * (1 + 1e-16 * i) for i in range(1000)])], 60, 15))
    drawn = [i for i, row in enumerate(rows[:-2]) if any(ord(c) > BRAILLE for c in row)]
    assert len(drawn) == 1
    assert rows[drawn[0]].startswith(" 1e-4┤") or rows[drawn[0]].startswith("0.0001┤")
    assert abs(drawn[0] - (len(rows) - 3) / 2) <= 1


def test_log_axis_counts_what_it_cannot_show(line, text):
    """Values of zero and below are marks with a count, the rest is drawn."""
    rows = text(render_chart([line(range(5), [1, 10, 0, -5, 100])], 60, 12, ChartOptions(log_y=True)))
    assert "≤0 ×2 first @2" in rows[0]
    assert rows[-2].count("▽") == 2


def test_powers_of_ten_are_a_straight_line_on_a_log_axis(line, text):
    """10^-k lies on the diagonal (case E6)."""
    rows = text(render_chart([line(range(9), 10.0 ** -np.arange(9))], 62, 18, ChartOptions(log_y=True)))
    body = [row[6:] for row in rows[:-2]]
    first = [next(i for i, c in enumerate(row) if c != " ") for row in body]
    ideal = np.linspace(0, 55, len(first) + 1)[:-1]
    assert np.abs(np.array(first) - ideal).max() <= 2


def test_outliers_are_shown(line, text):
    """Nothing is clipped by default: four far points of a hundred set the range (case E8)."""
    y = np.ones(100)
    y[:4] = 1e6
    assert text(render_chart([line(range(100), y)], 60, 12))[0].startswith(" 1.0M┤")


@pytest.mark.parametrize("size", [(10, 3), (10, 1), (3, 3), (1, 1), (19, 4)])
def test_a_tiny_box_holds_stable_short_text_or_the_bare_line(line, text, assert_box, size):
    """Ten by three cells without data say the same each time (case I10)."""
    assert_box(render_chart([], *size, ChartOptions(title="loss")), *size)
    assert_box(render_chart([line(range(50), range(50))], *size, ChartOptions(title="loss")), *size)
    assert text(render_chart([], 10, 3)) == ["          ", "no data y…", "          "]


@pytest.mark.parametrize("count", [0, 1, 2, 10_000])
def test_any_number_of_points_renders(line, assert_box, count):
    """No point, one, two, ten thousand (case C17)."""
    assert_box(render_chart([line(range(count), np.sin(np.arange(count)))], 60, 15), 60, 15)


def test_it_says_why_there_is_nothing(line, text):
    """Empty, all NaN, nothing positive, nothing in the window: four different words."""
    x = np.arange(5.0)

    def words(lines, **options):
        return "".join(text(render_chart(lines, 50, 9, ChartOptions(**options)))).strip()

    assert words([]) == "no data yet"
    assert words([], empty="waiting for data") == "waiting for data"
    assert words([line(x, [NAN] * 5)]) == "no finite value"
    assert "no positive value for a log axis" in words([line(x, -x)], log_y=True)
    assert words([line(x, x)], x_range=(10, 20)) == "no point in this range"


def test_growing_data_in_a_fixed_range_change_no_earlier_column(line, text):
    """Twenty refreshes of a growing noisy run leave every cell left of the newest point as it was (case C3)."""
    rng = np.random.default_rng(5)
    y = rng.normal(0, 1, 20_000)
    options = ChartOptions(x_range=(0, 20_000), y_range=(-6, 6))
    before, reached = None, 0
    for end in range(1000, 20_001, 1000):
        now = [row[6 : 6 + reached] for row in text(render_chart([line(range(end), y[:end])], 66, 12, options))[:-2]]
        if before is not None:
            assert now == [row[6 : 6 + reached] for row in before]
        before = text(render_chart([line(range(end), y[:end])], 66, 12, options))[:-2]
        reached = int((end - 1) / 20_000 * 59)


def test_names_stand_at_the_ends_of_their_lines(line, text):
    """Two lines that end apart: each name is in the row of its end, in the colour of its line."""
    rows = render_chart([line([0, 1], [0, 10], "up", "#ff0000"), line([0, 1], [10, 0], "down", "#00ff00")], 80, 14)
    shown = text(rows)
    assert shown[1].endswith(" up  ")
    assert shown[-3].endswith(" down")
    assert [s.style.color.name for s in rows[1] if "up" in s.text] == ["#ff0000"]


def test_a_lone_run_is_named_in_the_first_row(line, text):
    """One line needs no margin: its name is beside the title."""
    assert text(render_chart([line([0, 1], [0, 1], "run")], 60, 12, ChartOptions(title="loss")))[0].startswith(
        "loss  ━ run"
    )


def test_many_names_in_a_row_are_counted_when_they_do_not_fit(line, text):
    """Names that find no room are counted, not dropped in silence."""
    lines = [line([0, 1], [i, i], f"run-{i}") for i in range(30)]
    head = text(render_chart(lines, 60, 12, ChartOptions(title="loss", legend="row")))[0]
    assert "━ run-0" in head
    assert head.rstrip().endswith(f"+{30 - head.count('━')}")


def test_a_cursor_marks_its_column_and_names_its_x(line, text):
    """A vertical line in free cells, the x in words below it."""
    rows = text(render_chart([line(range(101), range(101))], 107, 15, ChartOptions(cursor_x=50.0)))
    assert [row[56] for row in rows[:-2]].count("│") == len(rows) - 3
    assert rows[-2][56] == "┴"
    assert rows[-1][56:58] == "50" or rows[-1][55:57] == "50"


def test_plain_ascii_is_plain_ascii(line, text):
    """For terminals of uncertain widths: no character beyond ASCII, each line its own sign (case I6)."""
    x = np.arange(50.0)
    lines = [line(x, x, "a", marks=Marks(nan=np.array([5.0]))), line(x, 50 - x, "b"), line(x, x * 0, "c", dim=True)]
    shown = "\n".join(text(render_chart(lines, 60, 12, ChartOptions(title="t", unicode=False, log_y=False))))
    assert shown.isascii()
    assert {"*", "+", ".", "x"} <= set(shown)


def test_both_of_two_equal_lines_are_seen(line):
    """Coincident lines alternate in colour along their way."""
    x = np.arange(100.0)
    rows = render_chart([line(x, x, "", "#ff0000"), line(x, x, "", "#00ff00")], 66, 12)
    cells = {"#ff0000": 0, "#00ff00": 0}
    for row in rows:
        for segment in row:
            name = segment.style.color.name if segment.style and segment.style.color else ""
            if name in cells:
                cells[name] += len(segment.text.strip())
    assert min(cells.values()) > 20


def test_no_colour_in_no_color_mode(line):
    """Without colours nothing but dim and bold is used; lines take the colour they are given, "default"."""
    x = np.arange(9.0)
    marked = line(x, x, "run", "default", marks=Marks(nan=np.array([3.0])))
    for row in render_chart([marked], 60, 12, ChartOptions(title="t", colors="none")):
        assert all(segment.style is None or segment.style.color is None for segment in row)
