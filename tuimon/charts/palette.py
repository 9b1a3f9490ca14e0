"""Colours and glyphs of series, and the quiet colours of what surrounds them, for each colour system.

A series keeps its colour by its index, so the same run has the same colour in every chart. The colours were chosen in
the OKLab space (Ottosson, "A perceptual color space for image processing"): after a blue and an orange each further one
is the farthest from all before it, as people see it and as it looks without red or green cones (Machado, Oliveira and
Fernandes, "A physiologically-based model for simulation of color vision deficiency"), among colours that stand out from
the background and are unlike the red of what is not finite.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from rich.style import Style

Colors: TypeAlias = Literal["truecolor", "256", "standard", "truecolor-light", "256-light", "standard-light", "none"]
"""What the terminal can show: 24-bit colours, the xterm palette or 16 colours, each on a dark or a light background; or
no colours (NO_COLOR)."""

_SERIES: dict[str, tuple[str, ...]] = {
    "truecolor": (
        *("#53b3fd", "#ea942f", "#befeca", "#8a5fe9", "#ca40a1", "#23dbc1", "#ded903", "#c488b5", "#b85f10"),
        *("#c4e2fe", "#c8c083", "#6ea078", "#507bbb", "#83f684", "#a4666e", "#7c89e7", "#84cff8", "#dbfe48"),
        *("#95b49a", "#ecb427", "#a8afd1", "#c68206", "#93e7b3", "#c36a99", "#d35b4b", "#79a0d9", "#abfdf9"),
        *("#be51c8", "#5bebdd", "#9c72fe", "#f485fe", "#44b879", "#61883f", "#5ace5e", "#99cda3", "#eaf3a9"),
    ),
    "truecolor-light": (
        *("#0b6fc2", "#c05a00", "#6d3369", "#2d9382", "#4431ac", "#8a70fc", "#940018", "#f13d69", "#9d3e8a"),
        *("#6985c0", "#775256", "#758054", "#6e0c86", "#603d3a", "#1f4fcc", "#ce5ba9", "#4a64e7", "#544fa9"),
        *("#756036", "#386698", "#4c8396", "#b62565", "#2b82d9", "#3c6472", "#b17274", "#de6129", "#92883f"),
        *("#5e3f8c", "#9c4db4", "#8d5403", "#3c5c3b", "#7f3557", "#9b2a03", "#24504c", "#8e634d", "#bd5bd9"),
    ),
    "256": tuple(
        f"color({number})"
        for number in (
            *(75, 208, 230, 133, 115, 220, 189, 175, 33, 84, 166, 168, 226, 215, 104, 182, 159, 210),
            *(37, 35, 193, 38, 77, 150, 108, 106, 176, 183, 50, 31, 64, 223, 112, 132, 155, 143),
        )
    ),
    "256-light": tuple(
        f"color({number})"
        for number in (
            *(25, 130, 17, 52, 99, 30, 19, 23, 125, 101, 90, 88, 60, 32, 62, 133, 18, 124),
            *(53, 132, 31, 134, 167, 166, 95, 100, 131, 94, 54, 168, 29, 96, 97, 55, 61, 28),
        )
    ),
    "standard": (
        *("bright_cyan", "bright_yellow", "bright_magenta", "bright_green", "bright_blue", "bright_red"),
        *("cyan", "yellow", "magenta", "green", "blue", "red"),
    ),
    "standard-light": (
        *("blue", "red", "magenta", "green", "cyan", "yellow"),
        *("bright_blue", "bright_red", "bright_magenta", "bright_green", "bright_cyan", "bright_black"),
    ),
}
_RAMP = (  # one hue, evenly lighter
    *("#033d57", "#044c6c", "#075c81", "#046d97", "#007daf", "#0e8fc5"),
    *("#0da0dd", "#3ab1ec", "#5cc2f9", "#85d2ff", "#b1e1fe", "#d6efff"),
)
_RAMP_XTERM = (24, 25, 31, 32, 38, 39, 75, 81, 117, 153, 195, 231)

COUNT = len(_SERIES["truecolor"])
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
    names = _SERIES.get(colors, ("default",))
    return names[index % len(names)]


def series_glyph(index: int, *, ascii: bool = False) -> str:  # noqa: A002 - the mode's name everywhere
    """The glyph of series `index`, one cell wide; ten, then they repeat, against the colours only every 180."""
    glyphs = ASCII_GLYPHS if ascii else GLYPHS
    return glyphs[index % len(glyphs)]


def has_ramp(colors: Colors) -> bool:
    """Whether there are shades enough to draw amounts with; else characters must do."""
    return colors.startswith(("truecolor", "256"))


@lru_cache(maxsize=8)
def ramp(colors: Colors) -> tuple[str, ...]:
    """Shades for `RAMP_LEVELS` amounts, from little to much: one hue, evenly further from the background.

    Only where there are such shades, see ``has_ramp``.
    """
    names = tuple(f"color({number})" for number in _RAMP_XTERM) if colors.startswith("256") else _RAMP
    return names[::-1] if colors.endswith("-light") else names


_AROUND = {  # as in ChartStyles
    "truecolor": ("default", "#9aa3b2", "#565f70", "#8b93a3", "#ff5f5f", "#e8c547"),
    "truecolor-light": ("default", "#5b6472", "#a3abb7", "#6b7482", "#c81e1e", "#8a6100"),
    "256": ("default", "color(247)", "color(240)", "color(245)", "color(203)", "color(221)"),
    "256-light": ("default", "color(241)", "color(248)", "color(243)", "color(160)", "color(94)"),
}


@lru_cache(maxsize=8)
def chart_styles(colors: Colors = "truecolor") -> ChartStyles:
    """The styles around the data; in "none" only dim and bold tell things apart."""
    plain, faint = Style(), Style(dim=True)  # "bright_black" is the background of some themes
    if colors in _AROUND:
        return ChartStyles(*map(style_of, _AROUND[colors]))
    if colors == "none":
        return ChartStyles(plain, plain, faint, faint, Style(bold=True), plain)
    bright = "" if colors.endswith("-light") else "bright_"
    warn = Style(color="magenta" if colors.endswith("-light") else "bright_yellow")
    return ChartStyles(plain, plain, faint, faint, Style(color=f"{bright}red"), warn)


@lru_cache(maxsize=1024)
def style_of(color: str, dim: bool = False) -> Style:
    """A style of one foreground colour; kept, because making a style costs more than drawing a row."""
    return Style(color=None if color == "default" else color, dim=dim or None)
