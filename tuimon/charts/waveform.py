"""Sounds in cells: the waveform as the span of each column of pixels, the spectrogram as shades."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style

from tuimon.charts.canvas import BRAILLE
from tuimon.charts.palette import Colors
from tuimon.charts.pixels import render_pixels

FLOOR = -70.0
"""dB below the loudest place that are black."""
_HEAT = np.array(
    [(0, 0, 4), (40, 11, 84), (101, 21, 110), (159, 42, 99), (212, 72, 66), (245, 125, 21), (250, 193, 39),
     (252, 255, 164)]
)  # fmt: skip
"""Evenly lighter, from black over violet and orange to a light yellow (after matplotlib's "inferno")."""
_DOTS = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])


def pixel_columns(width: int, ascii: bool) -> int:  # noqa: A002 - the mode's name everywhere
    """How many columns of pixels a waveform of so many cells has."""
    return width if ascii else 2 * width


def render_waveform(
    low: NDArray[np.float32],
    high: NDArray[np.float32],
    height: int,
    scale: float,
    style: Style,
    *,
    ascii: bool = False,  # noqa: A002
) -> list[list[Segment]]:
    """Draw a waveform.

    Args:
        low: The least value of each column of pixels; see `pixel_columns`.
        high: The greatest.
        height: Rows.
        scale: The value at the upper edge; minus that is the lower one.
        style: Style of the wave.
        ascii: Whether only ASCII may be used.
    """
    down = 1 if ascii else 4
    rows = height * down
    middle = (rows - 1) / 2
    top = np.clip(np.rint(middle - np.nan_to_num(high) / scale * middle), 0, rows - 1)
    bottom = np.clip(np.rint(middle - np.nan_to_num(low) / scale * middle), 0, rows - 1)
    y = np.arange(rows)[:, None]
    filled = (y >= top) & (y <= bottom)
    if ascii:
        signs = np.where(filled, ord("#"), np.where(y == int(middle), ord("-"), ord(" ")))
        return [[Segment("".join(map(chr, row)), style)] for row in signs.tolist()]
    if filled.shape[1] % 2:
        filled = np.concatenate([filled, np.zeros((rows, 1), bool)], axis=1)
    cells = filled.reshape(height, 4, -1, 2)
    codes = BRAILLE + np.einsum("hdwa,da->hw", cells.astype(int), _DOTS)
    return [[Segment("".join(map(chr, row)), style)] for row in codes.tolist()]


def render_spectrogram(
    decibels: NDArray[np.float64],
    colors: Colors,
    *,
    ascii: bool = False,  # noqa: A002
) -> list[list[Segment]]:
    """Draw a spectrogram.

    Args:
        decibels: Rows (the lowest frequency first) x columns, relative to the loudest; as many as
            `tuimon.charts.pixels.across_and_down` asks for.
        colors: What colours the terminal has.
        ascii: Whether only ASCII may be used.
    """
    share = np.clip(1 - decibels[::-1] / FLOOR, 0, 1)
    place = share * (len(_HEAT) - 1)
    lower = np.minimum(place.astype(int), len(_HEAT) - 2)
    part = (place - lower)[..., None]
    pixels = _HEAT[lower] * (1 - part) + _HEAT[lower + 1] * part
    if colors == "none":  # what is lighter is louder, evenly
        pixels = np.repeat(share[..., None] * 255, 3, axis=2)
    return render_pixels(pixels.astype(np.uint8), colors, ascii)
