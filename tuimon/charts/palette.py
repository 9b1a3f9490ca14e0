"""Colours and glyphs of series, and the quiet colours of what surrounds them, for each colour system.

A series keeps its colour by its index, so the same run has the same colour in every chart. The colours were chosen in
the OKLab space (Ottosson, "A perceptual color space for image processing"): the first eight have one lightness and lie
far apart in hue, each further one is the farthest from all before it among colours light enough and unlike NaN's red.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from rich.style import Style

Colors: TypeAlias = Literal["truecolor", "256", "standard", "none"]
"""What the terminal can show: 24-bit colours, the xterm palette, 16 colours, or none (NO_COLOR)."""

_TRUECOLOR = (
    *("#53b3fd", "#ea942f", "#4bc680", "#e484d0", "#b1b228", "#aa9afd", "#08c2ca", "#f57fa7", "#fedbd5"),
    *("#b8fe60", "#72fff7", "#a77971", "#5978fd", "#b954cf", "#35a010", "#e14f02", "#fdca1a", "#de4181"),
    *("#2a92bb", "#ffb3f7", "#aed5ff", "#98870a", "#06f6a4", "#dbaaa1", "#2a9b7c", "#b9e092", "#92a67f"),
    *("#857ac4", "#af93b6", "#91c4b1", "#ffe295", "#8bcf23", "#afb4de", "#c474f9", "#b26b9b", "#78a6bd"),
)
_XTERM = (  # the nearest of the xterm cube, each taken once
    *(75, 208, 42, 176, 142, 141, 44, 211, 223, 155, 87, 137, 69, 134, 34, 166, 220, 168),
    *(67, 219, 153, 100, 49, 180, 36, 150, 108, 104, 139, 115, 222, 112, 146, 171, 133, 74),
)
_STANDARD = (
    *("bright_cyan", "bright_yellow", "bright_magenta", "bright_green", "bright_blue", "bright_red"),
    *("cyan", "yellow", "magenta", "green", "blue", "red"),
)
_RAMP = (  # one hue, evenly lighter
    *("#033d57", "#044c6c", "#075c81", "#046d97", "#007daf", "#0e8fc5"),
    *("#0da0dd", "#3ab1ec", "#5cc2f9", "#85d2ff", "#b1e1fe", "#d6efff"),
)
_RAMP_XTERM = (24, 25, 31, 32, 38, 39, 75, 81, 117, 153, 195, 231)

COUNT = len(_TRUECOLOR)
RAMP_LEVELS = len(_RAMP)
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
    """The colour of series `index` as Rich writes it: "#53b3fd", "color(75)", "bright_cyan", or "default".

    Distinct for 36 series, 12 in a terminal of 16 colours; then they repeat.
    """
    if colors == "truecolor":
        return _TRUECOLOR[index % COUNT]
    if colors == "256":
        return f"color({_XTERM[index % COUNT]})"
    return _STANDARD[index % len(_STANDARD)] if colors == "standard" else "default"


def series_glyph(index: int, *, ascii: bool = False) -> str:  # noqa: A002 - the mode's name everywhere
    """The glyph of series `index`, one cell wide; ten, then they repeat, against the colours only every 180."""
    glyphs = ASCII_GLYPHS if ascii else GLYPHS
    return glyphs[index % len(glyphs)]


@lru_cache(maxsize=4)
def ramp(colors: Colors) -> tuple[str, ...]:
    """Shades for `RAMP_LEVELS` amounts, from little to much: one hue, evenly lighter; "truecolor" and "256" only."""
    return tuple(f"color({number})" for number in _RAMP_XTERM) if colors == "256" else _RAMP


@lru_cache(maxsize=8)
def chart_styles(colors: Colors = "truecolor") -> ChartStyles:
    """The styles around the data; in "none" only dim and bold tell things apart."""
    plain = Style()
    if colors == "none":
        return ChartStyles(plain, plain, Style(dim=True), Style(dim=True), Style(bold=True), plain)
    if colors == "standard":
        faint = Style(dim=True)  # "bright_black" is the background of some themes
        return ChartStyles(plain, plain, faint, faint, Style(color="bright_red"), Style(color="bright_yellow"))
    names = ("#9aa3b2", "#565f70", "#8b93a3", "#ff5f5f", "#e8c547")
    if colors == "256":
        names = ("color(247)", "color(240)", "color(245)", "color(203)", "color(221)")
    return ChartStyles(plain, *(Style(color=name) for name in names))


@lru_cache(maxsize=1024)
def style_of(color: str, dim: bool = False) -> Style:
    """A style of one foreground colour; kept, because making a style costs more than drawing a row."""
    return Style(color=None if color == "default" else color, dim=dim or None)
