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
    has_ramp,
    ramp,
    series_color,
    series_glyph,
)

GROUNDS = {"": "#1a2129", "-light": "#f1f3f5"}
"""The least favourable backgrounds that colours for dark and for light themes are seen on: those of header lines."""
CONES = {  # linear RGB as it is seen without one sort of cones (Machado, Oliveira and Fernandes, severity 1)
    "all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
}


def linear(name):
    """Amounts of red, green and blue light."""
    channels = Color.parse(name).get_truecolor()
    return [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in channels]


def contrast(name, other):
    """The ratio that WCAG defines."""
    light, dark = sorted((0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in map(linear, (name, other))), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def lab(name, cones="all"):
    """Lightness, a and b in OKLab, where distances are about as far as colours look apart."""
    light = linear(name)
    red, green, blue = (min(max(sum(a * b for a, b in zip(row, light, strict=True)), 0), 1) for row in CONES[cones])
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


@pytest.mark.parametrize(
    ("colors", "distance"), [("truecolor", 0.055), ("truecolor-light", 0.045), ("256", 0.045), ("256-light", 0.045)]
)
def test_any_runs_have_distinct_colours(colors, distance):
    """Of 36 runs, any selection is pairwise distinct to the eye; the first eight are far apart (case F15)."""
    labs = [lab(series_color(i, colors)) for i in range(COUNT)]
    assert min(math.dist(a, b) for i, a in enumerate(labs) for b in labs[:i]) > distance
    assert min(math.dist(a, b) for i, a in enumerate(labs[:8]) for b in labs[:i]) > 0.12


@pytest.mark.parametrize("colors", ["truecolor", "truecolor-light", "256", "256-light"])
@pytest.mark.parametrize("cones", ["no green", "no red"])
def test_colours_differ_for_the_colour_blind(colors, cones):
    """Without green or red cones the first eight are still well apart, and the first twelve can be told apart."""
    labs = [lab(series_color(i, colors), cones) for i in range(12)]
    assert min(math.dist(a, b) for i, a in enumerate(labs[:8]) for b in labs[:i]) > 0.08
    assert min(math.dist(a, b) for i, a in enumerate(labs) for b in labs[:i]) > 0.06


@pytest.mark.parametrize("ground", ["", "-light"])
@pytest.mark.parametrize("system", ["truecolor", "256"])
def test_colours_stand_out_from_their_background(system, ground):
    """Series, marks and labels have a contrast of 3:1 at least, also on a header line."""
    colors = system + ground
    names = [series_color(i, colors) for i in range(COUNT)]
    styles = chart_styles(colors)
    names += [style.color.name for style in (styles.label, styles.cursor, styles.bad, styles.warn)]
    assert min(contrast(name, GROUNDS[ground]) for name in names) >= 3


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


@pytest.mark.parametrize("colors", ["truecolor", "256"])
def test_the_ramp_goes_away_from_the_background_step_by_step(colors):
    """More values are lighter on a dark background, and darker on a light one."""
    lightness = [lab(name)[0] for name in ramp(colors)]
    assert len(lightness) == RAMP_LEVELS
    assert all(a < b for a, b in pairwise(lightness))
    assert ramp(f"{colors}-light") == ramp(colors)[::-1]
    assert has_ramp(f"{colors}-light")
    assert not has_ramp("standard")


def test_ascii_glyphs_are_ascii():
    """Lists in terminals of uncertain widths use plain characters."""
    assert "".join(series_glyph(i, ascii=True) for i in range(12)).isascii()
