"""How the overview divides its space."""

from __future__ import annotations

from itertools import product

import pytest

from tuimon.ui.overview_layout import BEST, LEAD, NAME_LEAST, SPARK_GOOD, SPARK_LEAST, plan


@pytest.mark.parametrize("tags", [0, 1, 9])
def test_it_always_fits(tags: int) -> None:
    """At every width the columns together are not wider than the screen, unless there is hardly a screen."""
    for width, height in product(range(1, 260), (5, 50)):
        layout = plan(width, height, 6, 30, tags, eta=True, found=True)
        assert layout.left + layout.block * layout.tags <= max(width, LEAD + 3)
        assert layout.tags <= tags
        assert layout.tags == 0 or layout.spark >= SPARK_LEAST


def test_a_tiny_terminal_has_name_and_curve() -> None:
    """At 40 columns a run is its sign, its name and one curve."""
    layout = plan(40, 10, 5, 24, 3)
    assert (layout.lines, layout.state, layout.tags, layout.best) == (1, 1, 1, 0)
    assert layout.name >= NAME_LEAST


def test_more_space_shows_more() -> None:
    """80 columns have one or two tags with best values, 200 have more."""
    assert plan(80, 22, 5, 20, 9).tags == 1
    assert plan(140, 38, 5, 20, 9).tags == 2
    assert plan(200, 48, 12, 20, 9).tags == 4


def test_few_runs_have_wider_curves() -> None:
    """Where runs have many lines, curves are as wide as that needs and tags are fewer, but never less than two."""
    few, many = plan(200, 48, 5, 20, 9), plan(200, 48, 12, 20, 9)
    assert (few.tags, few.lines) == (3, 7)
    assert few.spark > many.spark
    assert plan(140, 38, 1, 20, 9).tags == 2


def test_findings_have_a_place() -> None:
    """Where a run has one line, a letter and a count stand behind its state; else they are told in a line."""
    assert plan(140, 38, 40, 20, 9, found=True).found == 3
    assert plan(40, 10, 5, 24, 3, found=True).found == 1
    assert plan(140, 38, 5, 20, 9, found=True).found == 0
    assert plan(140, 38, 40, 20, 9).found == 0


def test_a_long_best_value_takes_its_cells_from_the_curve() -> None:
    """Beside or under the last value the best one grows, the block does not, and the curve stays good."""
    for runs in (5, 40):
        layout = plan(200, 48, runs, 20, 9)
        wider = layout.with_best(16)
        assert wider.block == layout.block
        assert (wider.best if runs == 40 else wider.value) == 16
        assert layout.with_best(BEST) == layout
        assert layout.with_best(99).spark == SPARK_GOOD
    small = plan(40, 10, 5, 24, 3)
    assert small.with_best(99) == small


def test_fewer_lines_a_run_when_there_are_many() -> None:
    """A run gets as many lines as all runs can have, as far as its curves can use; then there is a blank line."""
    expected = {1: (5, 1), 6: (5, 1), 7: (4, 1), 9: (3, 1), 10: (3, 0), 12: (3, 0), 13: (2, 0), 19: (2, 0)}
    expected |= {20: (1, 0), 900: (1, 0)}
    for runs, lines_and_gap in expected.items():
        layout = plan(140, 38, runs, 20, 2)
        assert (layout.lines, layout.gap) == lines_and_gap
