"""Pixels into cells: two pixels a cell, one above the other, as half blocks in colour; a ramp of characters without.

A cell is about twice as high as wide, so half of it is about a square.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from rich.color import Color, ColorType
from rich.color_triplet import ColorTriplet
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.palette import Colors

Pixels = NDArray[np.uint8]

RAMP = " .:-=+*#%@"
"""From black to white, as the strokes of a light text on a dark ground."""
SHADES = " ░▒▓█"
_HALF = "▀"
_CUBE = np.array([0, 95, 135, 175, 215, 255])
_STANDARD = np.array(
    [
        *((0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170)),
        *((170, 170, 170), (85, 85, 85), (255, 85, 85), (85, 255, 85), (255, 255, 85), (85, 85, 255)),
        *((255, 85, 255), (85, 255, 255), (255, 255, 255)),
    ]
)
"""The 16 colours of a terminal, as most have them, more or less."""
_BAYER = np.array([[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]) / 16 - 0.47
_DITHER = 72
"""How far ordered dithering moves a value where there are only 16 colours."""
_LUMA = np.array([0.299, 0.587, 0.114])


def across_and_down(colors: Colors, ascii: bool) -> tuple[int, int]:  # noqa: A002 - the mode's name everywhere
    """How many pixels a cell holds, across and down."""
    return (1, 2) if colors != "none" and not ascii else (1, 1)


def render_pixels(pixels: Pixels, colors: Colors, ascii: bool = False) -> list[list[Segment]]:  # noqa: A002
    """Draw pixels.

    Args:
        pixels: Height x width x 3, RGB; as many as `across_and_down` asks for. An odd last row is half a cell.
        colors: What colours the terminal has.
        ascii: Whether only ASCII may be used: then a cell is one pixel, as a coloured blank.

    Returns:
        A row of segments for each row of cells.
    """
    if colors == "none":
        return _ramp(pixels, RAMP if ascii else SHADES)
    system = colors.partition("-")[0]  # a picture is the same on a light ground
    numbers = _numbers(pixels, system)
    if ascii:
        return [_row(" ", -np.ones_like(row), row, system) for row in numbers]
    if len(numbers) % 2:
        numbers = np.concatenate([numbers, np.full_like(numbers[:1], -1)])
    return [_row(_HALF, upper, lower, system) for upper, lower in zip(numbers[0::2], numbers[1::2], strict=True)]


def _row(char: str, upper: NDArray[np.int64], lower: NDArray[np.int64], system: str) -> list[Segment]:
    """A row of cells; neighbours of one look share a segment."""
    pairs = ((upper + 1) << 32) + (lower + 1)
    starts = np.flatnonzero(np.concatenate([[True], pairs[1:] != pairs[:-1]]))
    counts = np.diff(np.append(starts, len(pairs)))
    return [
        Segment(char * count, _style(pair, system))
        for pair, count in zip(pairs[starts].tolist(), counts.tolist(), strict=True)
    ]


@lru_cache(maxsize=16384)
def _style(pair: int, system: str) -> Style:
    return Style.from_color(_color((pair >> 32) - 1, system), _color((pair & 0xFFFFFFFF) - 1, system))


@lru_cache(maxsize=16384)
def _color(number: int, system: str) -> Color | None:
    if number < 0:
        return None
    if system == "truecolor":
        triplet = ColorTriplet(number >> 16, number >> 8 & 255, number & 255)
        return Color(f"#{number:06x}", ColorType.TRUECOLOR, triplet=triplet)
    return Color.from_ansi(number)


def _numbers(pixels: Pixels, system: str) -> NDArray[np.int64]:
    """A number for the colour of each pixel."""
    values = pixels.astype(np.int64)
    if system == "truecolor":
        values = values & 0xFC | values >> 6  # differences that nobody sees would be sent nevertheless
        packed: NDArray[np.int64] = values @ np.array([1 << 16, 1 << 8, 1])
        return packed
    if system == "256":
        return _xterm(values)
    tiles = np.tile(_BAYER, (len(values) // 4 + 1, values.shape[1] // 4 + 1))[: len(values), : values.shape[1]]
    moved = values + (tiles * _DITHER)[..., None]
    nearest: NDArray[np.int64] = ((moved[..., None, :] - _STANDARD) ** 2).sum(-1).argmin(-1)
    return nearest


def _xterm(values: NDArray[np.int64]) -> NDArray[np.int64]:
    """The nearest of the 6x6x6 cube and the greys of the xterm palette."""
    levels = np.abs(values[..., None] - _CUBE).argmin(-1)
    cube = _CUBE[levels]
    grey = np.clip((values.mean(-1) - 8 + 5) // 10, 0, 23).astype(np.int64)
    greys = (8 + 10 * grey)[..., None]
    nearer = ((values - greys) ** 2).sum(-1) < ((values - cube) ** 2).sum(-1)
    number = 16 + 36 * levels[..., 0] + 6 * levels[..., 1] + levels[..., 2]
    chosen: NDArray[np.int64] = np.where(nearer, 232 + grey, number)
    return chosen


def _ramp(pixels: Pixels, ramp: str) -> list[list[Segment]]:
    light = (pixels @ _LUMA) / 256
    places = (light * len(ramp)).astype(int)
    return [[Segment("".join(ramp[place] for place in row))] for row in places.tolist()]
