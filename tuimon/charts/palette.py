"""Colours and glyphs of series, and the quiet colours of what surrounds them, for each colour system.

A series keeps its colour by its index, so the same run has the same colour in every chart. The 36 colours lie 10
degrees of hue apart in the OKLCH space, in three lightnesses so that neighbours in hue differ in lightness too; the
order jumps by 130 degrees, so that the first few are far apart.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from rich.style import Style

Colors: TypeAlias = Literal["truecolor", "256", "standard", "none"]
"""What the terminal can show: 24-bit colours, the xterm palette, 16 colours, or none (NO_COLOR)."""

COUNT = 36
_HUES_BETWEEN = 13
_LIGHTNESS = (0.76, 0.66, 0.86)
_CHROMA = 0.15
_FIRST_HUE = 230.0

_STANDARD = (
    *("bright_cyan", "bright_yellow", "bright_magenta", "bright_green", "bright_blue", "bright_red"),
    *("cyan", "yellow", "magenta", "green", "blue", "red"),
)
RAMP_LEVELS = 12
_RAMP_HUE = 235.0
_RAMP_256 = (18, 24, 25, 31, 32, 38, 39, 75, 81, 117, 153, 195)
GLYPHS = "●■◆★○□◇☆◐◧"
"""One a series, for legends and lists, where colour alone must not tell series apart."""
ASCII_GLYPHS = "*+ox#@%&=~"
"""One a series; these draw the lines themselves where the terminal has no braille."""


class ChartStyles(NamedTuple):
    """Styles of everything in a chart that is not data."""

    title: Style
    label: Style
    axis: Style
    cursor: Style
    bad: Style
    warn: Style


def series_color(index: int, colors: Colors = "truecolor") -> str:
    """The colour of series `index` as Rich writes it: "#5fafd7", "color(74)", "bright_cyan", or "default".

    Distinct for 36 series, 12 in a terminal of 16 colours; then they repeat.
    """
    if colors == "truecolor":
        return _hex(_rgb(index % COUNT))
    if colors == "256":
        return f"color({_xterm()[index % COUNT]})"
    return _STANDARD[index % len(_STANDARD)] if colors == "standard" else "default"


def series_glyph(index: int, *, ascii: bool = False) -> str:  # noqa: A002 - the mode's name everywhere
    """The glyph of series `index`, one cell wide; ten, then they repeat, against the colours, only every 180."""
    glyphs = ASCII_GLYPHS if ascii else GLYPHS
    return glyphs[index % len(glyphs)]


@lru_cache(maxsize=4)
def ramp(colors: Colors) -> tuple[str, ...]:
    """Shades for `RAMP_LEVELS` amounts, from little to much: one hue, evenly lighter; "truecolor" and "256" only."""
    if colors == "256":
        return tuple(f"color({number})" for number in _RAMP_256)
    part = [i / (RAMP_LEVELS - 1) for i in range(RAMP_LEVELS)]
    return tuple(_hex(oklch(0.34 + 0.6 * p, 0.07 + 0.07 * math.sin(math.pi * p), _RAMP_HUE)) for p in part)


@lru_cache(maxsize=8)
def chart_styles(colors: Colors = "truecolor") -> ChartStyles:
    """The styles around the data; in "none" only dim, bold and reverse tell things apart."""
    plain = Style()
    if colors == "none":
        return ChartStyles(plain, plain, Style(dim=True), Style(dim=True), Style(bold=True), plain)
    if colors == "standard":
        grey = Style(color="bright_black")
        return ChartStyles(plain, plain, grey, grey, Style(color="bright_red"), Style(color="bright_yellow"))
    names = ("#9aa3b2", "#565f70", "#8b93a3", "#ff5f5f", "#e8c547")
    if colors == "256":
        names = ("color(247)", "color(240)", "color(245)", "color(203)", "color(221)")
    return ChartStyles(plain, *(Style(color=name) for name in names))


@lru_cache(maxsize=1024)
def style_of(color: str, dim: bool = False) -> Style:
    """A style of one foreground colour; kept, because making a style costs more than drawing a row."""
    return Style(color=None if color == "default" else color, dim=dim or None)


Rgb: TypeAlias = tuple[float, float, float]


def oklch(lightness: float, chroma: float, hue: float) -> Rgb:
    """SRGB in 0 .. 1 of an OKLCH colour (Ottosson, "A perceptual color space for image processing").

    A colour outside sRGB loses chroma, not hue, until it is inside.
    """
    while True:
        a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
        roots = (
            lightness + 0.3963377774 * a + 0.2158037573 * b,
            lightness - 0.1055613458 * a - 0.0638541728 * b,
            lightness - 0.0894841775 * a - 1.2914855480 * b,
        )
        l, m, s = (root**3 for root in roots)  # noqa: E741 - the cone responses are called l, m, s
        linear = (
            4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
            -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
            -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
        )
        if all(-1e-4 <= c <= 1.0001 for c in linear) or chroma < 1e-4:
            red, green, blue = (_gamma(min(max(c, 0.0), 1.0)) for c in linear)
            return red, green, blue
        chroma *= 0.97


def _gamma(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def to_oklab(rgb: Rgb) -> Rgb:
    """Lightness, a and b of an sRGB colour: Euclidean distances here are about as far apart as they look."""
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb)
    l = (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b) ** (1 / 3)  # noqa: E741
    m = (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b) ** (1 / 3)
    s = (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b) ** (1 / 3)
    return (
        0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
    )


def _rgb(index: int) -> Rgb:
    place = index * _HUES_BETWEEN % COUNT
    return oklch(_LIGHTNESS[place % 3], _CHROMA, _FIRST_HUE + place * 360 / COUNT)


def _hex(rgb: Rgb) -> str:
    return "#" + "".join(f"{round(c * 255):02x}" for c in rgb)


def xterm_rgb(number: int) -> Rgb:
    """SRGB of a colour of the xterm cube or grey ramp, 16 .. 255."""
    if number >= 232:
        return ((8 + 10 * (number - 232)) / 255,) * 3
    levels = (0, 95, 135, 175, 215, 255)
    cube = number - 16
    return levels[cube // 36] / 255, levels[cube // 6 % 6] / 255, levels[cube % 6] / 255


@lru_cache(maxsize=1)
def _xterm() -> tuple[int, ...]:
    """The nearest colour of the xterm cube for each series colour, each taken once."""
    labs = {number: to_oklab(xterm_rgb(number)) for number in range(16, 232)}
    chosen: list[int] = []
    for index in range(COUNT):
        lab = to_oklab(_rgb(index))
        nearest = min(labs, key=lambda number: math.dist(labs[number], lab))
        chosen.append(nearest)
        del labs[nearest]
    return tuple(chosen)
