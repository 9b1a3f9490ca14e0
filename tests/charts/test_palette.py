"""Series colours are stable, distinct and readable in each colour system."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from rich.color import Color

from tuimon.charts.palette import (
    COUNT,
    RAMP_LEVELS,
    chart_styles,
    ramp,
    series_color,
    series_glyph,
)


def lab(name):
    """Lightness, a and b in OKLab, where distances are about as far as colours look apart."""
    red, green, blue = (
        c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4
        for c in Color.parse(name).get_truecolor()
    )
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


@pytest.mark.parametrize(("colors", "count", "distance"), [("truecolor", COUNT, 0.06), ("256", COUNT, 0.045)])
def test_any_runs_have_distinct_colours(colors, count, distance):
    """Of 36 runs, any selection is pairwise distinct to the eye; the first six are far apart (case F15)."""
    labs = [lab(series_color(i, colors)) for i in range(count)]
    assert min(math.dist(a, b) for i, a in enumerate(labs) for b in labs[:i]) > distance
    assert min(math.dist(a, b) for i, a in enumerate(labs[:6]) for b in labs[:i]) > 0.085


def test_any_six_of_thirty_runs_differ_in_colour_or_glyph():
    """Colours and glyphs together tell any selected runs apart, in sixteen colours too (case F15)."""
    rng = random.Random(0)
    for colors in ("truecolor", "256", "standard"):
        for _ in range(50):
            chosen = rng.sample(range(30), 6)
            assert len({(series_color(i, colors), series_glyph(i)) for i in chosen}) == 6


def test_sixteen_colour_terminals_get_named_colours_and_no_color_gets_none():
    """Twelve ANSI names; "default" where colours are off (case I7)."""
    names = [series_color(i, "standard") for i in range(12)]
    assert len(set(names)) == 12
    assert all(Color.parse(name).number < 16 for name in names)
    assert {series_color(i, "none") for i in range(50)} == {"default"}
    assert all(style.color is None for style in chart_styles("none"))


def test_256_colours_are_of_the_palette():
    """No 24-bit code is sent to a terminal of 256 colours."""
    styles = [style.color for style in chart_styles("256") if style.color]
    assert all(c.number is not None for c in styles)
    assert all(Color.parse(series_color(i, "256")).number >= 16 for i in range(COUNT))


def test_colours_stand_out_from_a_dark_background():
    """No series colour is darker than a middle grey."""
    assert min(lab(series_color(i))[0] for i in range(COUNT)) > 0.58


@pytest.mark.parametrize("colors", ["truecolor", "256"])
def test_the_ramp_gets_lighter_step_by_step(colors):
    """More values are lighter, never darker."""
    lightness = [lab(name)[0] for name in ramp(colors)]
    assert len(lightness) == RAMP_LEVELS
    assert all(a < b for a, b in pairwise(lightness))


def test_ascii_glyphs_are_ascii():
    """Lists in terminals of uncertain widths use plain characters."""
    assert "".join(series_glyph(i, ascii=True) for i in range(12)).isascii()
