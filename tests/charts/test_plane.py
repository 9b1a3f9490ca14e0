"""Charts in a plane: points where they belong, signs on top, every size filled, and cells that can be pointed at."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from tuimon.analysis.classifier import rate_curve
from tuimon.analysis.projection import pca
from tuimon.charts.plane import PlaneLine, PlaneMark, PlaneOptions, PlanePoints, render_plane

UNIT = (0.0, 1.0)


def cloud(x, y, sign="●", **more):
    return PlanePoints("", "#53b3fd", sign, np.asarray(x, float), np.asarray(y, float), **more)


def shown(plane):
    return ["".join(segment.text for segment in row) for row in plane.rows]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(), st.floats()), max_size=12),
    st.integers(0, 70),
    st.integers(0, 16),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_any_points_fill_the_box(found, width, height, unicode, equal, signs):
    """Any values, NaN and infinities too, in any size."""
    x, y = np.array([a for a, _ in found]), np.array([b for _, b in found])
    x, y = np.where(np.abs(x) < 1e100, x, np.nan), np.where(np.abs(y) < 1e100, y, np.inf)
    options = PlaneOptions("x", "y", unicode=unicode, equal=equal, signs=signs, colors="none")
    plane = render_plane([], [cloud(x, y)], [PlaneMark(0.0, 0.0, "+", Style())], width, height, options)
    assert [cell_len(line) for line in shown(plane)] == [width] * height


@pytest.mark.parametrize("signs", [True, False])
def test_points_stand_at_their_places(signs):
    """The corners of the range are the corners of the plot; what lies outside is not drawn."""
    points = cloud([0, 1, 0, 1, 9], [0, 0, 1, 1, 0.5])
    lines = shown(
        render_plane([], [points], [], 30, 10, PlaneOptions(x_range=UNIT, y_range=UNIT, axes=False, signs=signs))
    )
    assert [line.strip() for line in lines[1:-1]] == [""] * 8
    assert all(line[0] != " " and line[-1] != " " and not line[1:-1].strip() for line in (lines[0], lines[-1]))


def test_marks_and_cursor_are_on_top():
    """A sign replaces what is in its cell; the cursor stands in free cells only and says its x."""
    line = PlaneLine("", "default", np.array([0.0, 1.0]), np.array([0.5, 0.5]))
    options = PlaneOptions(x_range=UNIT, y_range=UNIT, cursor_x=0.25)
    lines = shown(render_plane([line], [], [PlaneMark(0.25, 0.5, "◆", Style())], 60, 15, options))
    at = lines[0].index("│", 6)
    assert sum(row[at] == "◆" for row in lines) == 1
    assert "0.25" in lines[-1]


def test_the_style_of_a_mark_ends_with_it():
    """Blank cells beside a reversed sign are not reversed, wherever in its row it stands."""
    for x in (0.0, 0.4, 1.0):
        mark = PlaneMark(x, 0.5, "◆", Style(reverse=True))
        options = PlaneOptions(x_range=UNIT, y_range=UNIT, axes=False)
        rows = render_plane([], [cloud([0, 1], [0, 1])], [mark], 40, 9, options).rows
        assert [s.text for row in rows for s in row if s.style is not None and s.style.reverse] == ["◆"]


def test_a_unit_is_as_long_on_both_axes():
    """A square fills as many rows as half its columns, a cell being twice as high as wide."""
    corners = cloud([0, 1, 0, 1], [0, 0, 1, 1])
    lines = shown(render_plane([], [corners], [], 80, 10, PlaneOptions(equal=True, axes=False, signs=True)))
    columns = {at for line in lines for at, char in enumerate(line) if char == "●"}
    assert max(columns) - min(columns) == pytest.approx(20, abs=1)


def test_cells_can_be_pointed_at():
    """The place of a cell is in data units, and beside the plot there is none."""
    options = PlaneOptions("x", "y", x_range=UNIT, y_range=UNIT)
    plane = render_plane([], [cloud([0.5], [0.5])], [], 60, 15, options)
    found = {plane.place(x, y) for x in range(60) for y in range(15)} - {None}
    assert plane.place(0, 0) is None
    assert min(x for x, _ in found) == pytest.approx(0, abs=0.02)
    assert max(y for _, y in found) == pytest.approx(1, abs=0.05)


def test_nothing_to_draw_says_so():
    """Without a finite point."""
    plane = render_plane([], [cloud([np.nan], [1])], [], 40, 6, PlaneOptions(empty="no vectors"))
    assert any("no vectors" in line for line in shown(plane))
    assert plane.place(5, 3) is None


def test_golden_precision_recall(golden):
    """Two classes of different quality; the best threshold of the first one and a cursor are marked."""
    thresholds = np.linspace(0, 1, 101)
    lines = []
    for name, power in (("cat", 6.0), ("dog", 1.5)):
        recall = 1 - thresholds**power
        curve = rate_curve(name, "pr", recall, 1 - 0.8 * recall**power)
        lines.append(PlaneLine(f"{name} AP {curve.area:.3f}", "default", curve.x[curve.order], curve.y[curve.order]))
    mark = PlaneMark(float(lines[0].x[40]), float(lines[0].y[40]), "◆", Style())
    options = PlaneOptions("recall", "precision", x_range=UNIT, y_range=UNIT, colors="none", cursor_x=0.4)
    golden("precision_recall", render_plane(lines, [], [mark], 78, 18, options).rows)


def test_golden_embedding(golden):
    """Three clusters of vectors in the plane of their first two components, each with a sign of its own."""
    rng = np.random.default_rng(5)
    vectors = rng.normal(0, 6, (3, 10))[np.arange(90) % 3] + rng.normal(0, 1, (90, 10))
    points = pca(vectors, 2).points
    groups = [PlanePoints(f"class {at}", "default", sign, *points[at::3].T) for at, sign in enumerate("●■◆")]
    golden(
        "embedding", render_plane([], groups, [], 78, 20, PlaneOptions("PC 1", "PC 2", signs=True, colors="none")).rows
    )


def test_golden_mesh(golden):
    """A torus from the front and without axes, a unit as long in both directions."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 40), np.linspace(0, 2 * np.pi, 12))
    x, z = (3 + np.cos(v)) * np.cos(u), (3 + np.cos(v)) * np.sin(u)
    options = PlaneOptions("x", "z", equal=True, axes=False, colors="none")
    golden("mesh", render_plane([], [cloud(x.ravel(), z.ravel())], [], 60, 20, options).rows)
