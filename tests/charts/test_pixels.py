"""Pictures, waveforms and spectrograms in cells: goldens of their characters, and the colours they come out in."""

from __future__ import annotations

import numpy as np
import pytest

from tuimon.charts.pixels import across_and_down, render_pixels
from tuimon.charts.waveform import pixel_columns, render_spectrogram, render_waveform


def disc(width, height):
    """A light disc on a dark ramp."""
    y, x = np.indices((height, width)) / [[[height]], [[width]]]
    grey = x * 120
    grey[(x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.1] = 250
    return np.repeat(grey[..., None], 3, 2).astype(np.uint8)


def colours(rows):
    """(upper, lower) of each cell as numbers or hex."""
    return [
        [(s.style.color and s.style.color.name, s.style.bgcolor and s.style.bgcolor.name) for s in row for _ in s.text]
        for row in rows
    ]


def test_two_pixels_a_cell():
    """The upper pixel is the colour of the half block, the lower one its ground; an odd last row is half a cell."""
    pixels = np.array([[[255, 0, 0]], [[0, 0, 255]], [[0, 255, 0]]], np.uint8)
    rows = render_pixels(pixels, "truecolor")
    assert [segment.text for row in rows for segment in row] == ["▀", "▀"]
    assert colours(rows) == [[("#ff0000", "#0000ff")], [("#00ff00", None)]]


def test_fewer_colours():
    """256 colours take the nearest of the palette, 16 colours those of a terminal; a light ground changes nothing."""
    pixels = np.array([[[255, 0, 0], [128, 128, 128]], [[0, 0, 95], [255, 255, 255]]], np.uint8)
    assert colours(render_pixels(pixels, "256")) == [[("color(196)", "color(17)"), ("color(244)", "color(231)")]]
    assert colours(render_pixels(pixels, "256-light")) == colours(render_pixels(pixels, "256"))
    flat = np.full((2, 8, 3), 255, np.uint8)
    assert {pair for row in colours(render_pixels(flat, "standard")) for pair in row} == {("color(15)", "color(15)")}


def test_neighbours_of_one_look_share_a_segment():
    """A plain picture costs one colour a row, not one a cell."""
    assert [len(row) for row in render_pixels(np.zeros((4, 80, 3), np.uint8), "truecolor")] == [1, 1]


@pytest.mark.parametrize("ascii_only", [False, True])
def test_without_colours(golden, ascii_only):
    """Shades, or a ramp of ASCII characters."""
    assert across_and_down("none", ascii_only) == (1, 1)
    golden(f"picture_{'ascii' if ascii_only else 'shades'}", render_pixels(disc(40, 12), "none", ascii_only))


def test_ascii_with_colours_is_coloured_blanks():
    """Nothing but blanks is written, so that an ASCII terminal shows the colours all the same."""
    rows = render_pixels(disc(8, 3), "truecolor", ascii=True)
    assert {segment.text.strip() for row in rows for segment in row} == {""}
    assert len(rows) == 3


@pytest.mark.parametrize("ascii_only", [False, True])
def test_waveform(golden, ascii_only):
    """A tone that fades; the middle line goes on where it is silent."""
    columns = pixel_columns(50, ascii_only)
    size = np.exp(-np.arange(columns) / columns * 5).astype(np.float32)
    drawn = render_waveform(-size * np.float32(0.6), size, 7, 1.0, None, ascii=ascii_only)
    golden(f"waveform_{'ascii' if ascii_only else 'braille'}", drawn)


def test_spectrogram(golden):
    """A rising tone, the lowest frequency in the last row."""
    below = -4.0 * np.abs(np.arange(10)[:, None] * 4 - np.arange(40)[None, :])
    golden("spectrogram", render_spectrogram(np.where(below < -60, -np.inf, below), "none"))
