"""Which colour a run has."""

from __future__ import annotations

from tuimon.ui.colors import RunColors
from tuimon.ui.state import RunKey


def keys(*pairs: tuple[str, float | None]) -> list[RunKey]:
    """Run keys from pairs."""
    return [RunKey(name, started) for name, started in pairs]


def test_the_order_of_start_decides_whatever_the_order_of_arrival() -> None:
    """The same directory gives the same colours each time, though newer runs are read first (case F16)."""
    again = RunColors("truecolor")
    again.assign(keys(("a", 1.0), ("b", 2.0), ("c", 3.0)), settle=False)
    colors = RunColors("truecolor")
    colors.assign(keys(("c", 3.0)), settle=False)
    assert colors.assign(keys(("b", 2.0), ("c", 3.0), ("a", 1.0)), settle=False)
    assert [colors.color(name) for name in "abc"] == [again.color(name) for name in "abc"]


def test_a_new_run_takes_no_colour_away() -> None:
    """Once loaded, runs keep their colours when others come or go."""
    colors = RunColors("truecolor")
    colors.assign(keys(("a", 5.0), ("b", 6.0)), settle=True)
    before = colors.color("a"), colors.color("b")
    assert not colors.assign(keys(("old", 1.0), ("a", 5.0), ("b", 6.0)), settle=True)
    colors.assign(keys(("b", 6.0)), settle=True)
    assert (colors.color("a"), colors.color("b")) == before
    assert colors.color("old") not in before


def test_thirty_runs_differ_in_colour_or_sign() -> None:
    """Any few of many runs can be told apart (case F15), in every kind of terminal."""
    for system in ("truecolor", "256", "standard", None):
        colors = RunColors(system)
        looks = {(colors.color(f"r{i}"), colors.glyph(f"r{i}")) for i in range(30)}
        assert len(looks) == (30 if system else 10)


def test_without_colour_there_is_no_colour() -> None:
    """NO_COLOR leaves the signs."""
    assert RunColors(None).style("a").color is None
