"""Draws a picture in a number of cells: fitted or zoomed, with boxes, a cursor and what is known of it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from tuimon.analysis.images import Picture, as_rgb, on_checks, resized, toned
from tuimon.analysis.png import Pixels
from tuimon.charts.palette import series_color
from tuimon.charts.pixels import across_and_down, render_pixels
from tuimon.numbers import format_value
from tuimon.text import fit
from tuimon.text import width as cells
from tuimon.ui.media.base import Content, Item, Lines, Look
from tuimon.ui.media.kitty import CELL, MARKS

ZOOMS = (1.0, 2.0, 4.0, 8.0, 16.0)
"""Screen pixels for a pixel of the picture, above what fits."""
LARGEST = 8
"""Up to so many times a small picture is made larger to fill its place."""
TONE = 0.1
"""Share of white that a step of brightness adds; a step of contrast is twice that factor."""


@dataclass
class PictureState:
    """What the keys change.

    Attributes:
        zoom: How many steps beyond what fits.
        x, y: The place of the cursor, as a share of width and height.
        cursor: Whether the cursor is shown.
        brightness, contrast: In steps.
        boxes: Whether boxes and their labels are drawn.
        frame: Of an animation.
        drawn: For each run that is shown the part of its picture, the first line that it is on, and how many it has.
    """

    zoom: int = 0
    x: float = 0.5
    y: float = 0.5
    cursor: bool = False
    brightness: int = 0
    contrast: int = 0
    boxes: bool = True
    frame: int = 0
    drawn: dict[str, tuple[Window, int, int]] = field(default_factory=dict)


class Window(NamedTuple):
    """Which part of a picture is shown, in its pixels, and how large.

    Attributes:
        left, top, right, bottom: The part.
        width, height: Of what is drawn, in pixels of the screen that are square.
        scale: Screen pixels for a pixel of the picture.
    """

    left: int
    top: int
    right: int
    bottom: int
    width: int
    height: int
    scale: float


def window_for(size: tuple[int, int], room: tuple[int, int], zoom: int = 0, x: float = 0.5, y: float = 0.5) -> Window:
    """Fit a picture into some room, or zoom into it around a place.

    Args:
        size: Width and height of the picture.
        room: Square pixels of the screen across and down.
        zoom: Steps beyond what fits; clamped to what there is.
        x: The place to zoom into, as a share of the width.
        y: The same of the height.
    """
    fits = min(room[0] / size[0], room[1] / size[1])
    fits = min(float(int(fits)), LARGEST) if fits >= 1 else fits
    scales = [fits, *(scale for scale in ZOOMS if scale > fits * 1.01)]
    scale = scales[max(0, min(zoom, len(scales) - 1))]
    spans = []
    for length, space, at in ((size[0], room[0], x), (size[1], room[1], y)):
        seen = min(max(int(space / scale), 1), length)
        start = max(0, min(int(at * length - seen / 2), length - seen))
        spans.append((start, start + seen, max(min(round(seen * scale), space), 1)))
    (left, right, width), (top, bottom, height) = spans
    return Window(left, top, right, bottom, width, height, scale)


def zoom_steps(size: tuple[int, int], room: tuple[int, int]) -> int:
    """How many steps a picture can be zoomed into."""
    fits = min(room[0] / size[0], room[1] / size[1])
    return sum(scale > fits * 1.01 for scale in ZOOMS)


def picture_lines(picture: Picture, item: Item, width: int, height: int, look: Look) -> Lines:
    """The picture alone, in at most this many cells."""
    state = look.state if look.full and isinstance(look.state, PictureState) else PictureState()
    frame = picture.frames[min(state.frame, len(picture.frames) - 1)]
    graphics = look.graphics if look.colors.startswith("truecolor") and not look.ascii else None
    if graphics is not None:
        width, height = min(width, len(MARKS)), min(height, len(MARKS))
    across, down = across_and_down(look.colors, look.ascii) if graphics is None else CELL
    window = window_for((frame.shape[1], frame.shape[0]), (width, 2 * height), state.zoom, state.x, state.y)
    rows = max(-(-window.height // 2), 1)
    size = (window.width * across, max(round(window.height * down / 2), 1))
    whole = (window.right - window.left, window.bottom - window.top) == (frame.shape[1], frame.shape[0])
    small = picture.preview if whole and frame is picture.frames[0] and size[0] <= picture.preview.shape[1] else None
    part = small if small is not None else frame[window.top : window.bottom, window.left : window.right]
    pixels = toned(resized(part, *size), state.brightness * TONE, 1 + state.contrast * 2 * TONE)
    pixels = np.array(on_checks(as_rgb(pixels), 2 * across))
    stretch = (size[0] / (window.right - window.left), size[1] / (window.bottom - window.top))
    labels = _draw_boxes(pixels, item, window, stretch, look) if state.boxes else []
    if state.cursor:
        at = (int(state.x * frame.shape[1]) - window.left + 0.5, int(state.y * frame.shape[0]) - window.top + 0.5)
        _draw_cursor(pixels, int(at[0] * stretch[0]), int(at[1] * stretch[1]), 3 * across)
    if graphics is not None:
        lines = graphics.lines(pixels, window.width, rows)
    else:
        lines = render_pixels(pixels, look.colors, look.ascii)
    placed = [(x // across, y // down, text, style) for x, y, text, style in labels]
    return _with_labels(lines, placed, window.width)


def value_at(picture: Picture, item: Item, state: PictureState) -> str:
    """Place and value of the pixel under the cursor."""
    frame = picture.frames[min(state.frame, len(picture.frames) - 1)]
    x, y = (min(int(at * size), size - 1) for at, size in ((state.x, frame.shape[1]), (state.y, frame.shape[0])))
    values = frame[y, x].tolist()
    said = " ".join(map(str, values))
    if len(values) >= 3:
        said += f" #{values[0]:02x}{values[1]:02x}{values[2]:02x}"
    spread = item.body.get("range")
    if len(values) < 3 and isinstance(spread, list) and len(spread) == 2:
        low, high = (float(end) for end in spread)
        said += f" = {format_value(low + (high - low) * values[0] / 255, 3)}"
    return f"x {x} y {y}: {said}"


def facts(picture: Picture, content: Content, window: Window, look: Look) -> list[tuple[str, bool]]:
    """What is to be said of a picture: texts, and whether each of them is a warning."""
    item, state = content.item, look.state
    assert isinstance(state, PictureState)
    height, width, channels = picture.frames[0].shape
    kinds = {1: "grey", 2: "grey + alpha", 3: "RGB", 4: "RGB + alpha"}
    found: list[tuple[str, bool]] = [(value_at(picture, item, state), False)] if state.cursor else []
    found.append((f"{width}×{height} {kinds[channels]} {picture.kind}", False))
    if look.graphics is None:  # how large the terminal makes pixels is its own affair
        found.append((f"shown {_ratio(window.scale)}", False))
    if picture.count > 1:
        more = f" ({len(picture.frames)} kept)" if len(picture.frames) < picture.count else ""
        found.append((f"frame {min(state.frame, len(picture.frames) - 1) + 1} of {picture.count}{more}", False))
    if state.brightness:
        found.append((f"brightness {state.brightness:+d}", False))
    if state.contrast:
        found.append((f"contrast {state.contrast:+d}", False))
    nan = item.number("nan")
    if nan:
        found.append((f"{nan:.0f} NaN", True))
    spread = item.body.get("range")
    if isinstance(spread, list) and len(spread) == 2 and all(isinstance(end, int | float) for end in spread):
        found.append((f"black to white {format_value(spread[0], 3)} to {format_value(spread[1], 3)}", False))
    boxes = item.body.get("boxes")
    if isinstance(boxes, list) and boxes:
        found.append((f"{len(boxes)} boxes{'' if state.boxes else ' hidden'}", False))
    return found


def _ratio(scale: float) -> str:
    return f"{scale:g}:1" if scale >= 1 else f"1:{1 / scale:.3g}"


# -- boxes, labels, cursor -----------------------------------------------------------------------------------------


def _boxes(item: Item) -> list[tuple[list[float], str]]:
    boxes, labels = item.body.get("boxes"), item.body.get("labels")
    if not isinstance(boxes, list):
        return []
    names = labels if isinstance(labels, list) else [labels] * len(boxes)
    found = []
    for number, box in enumerate(boxes):
        if isinstance(box, list) and len(box) == 4 and all(isinstance(end, int | float) for end in box):
            name = names[number] if number < len(names) else ""
            found.append(([float(end) for end in box], str(name or "")))
    return found


def _draw_boxes(
    pixels: Pixels, item: Item, window: Window, stretch: tuple[float, float], look: Look
) -> list[tuple[int, int, str, Style]]:
    """Draw the outlines of boxes; what is to be written at them: column, row of pixels, text, style."""
    labels = []
    for number, (box, name) in enumerate(_boxes(item)):
        style_color = series_color(number, "truecolor")
        rgb = Color.parse(style_color).get_truecolor()
        x0, x1 = (math.ceil((edge - window.left) * stretch[0]) for edge in (box[0], box[2]))
        y0, y1 = (math.ceil((edge - window.top) * stretch[1]) for edge in (box[1], box[3]))
        height, width = pixels.shape[:2]
        across = slice(max(x0, 0), max(min(x1 + 1, width), 0))
        down = slice(max(y0, 0), max(min(y1 + 1, height), 0))
        for y in (y0, y1):
            if 0 <= y < height:
                pixels[y, across] = rgb
        for x in (x0, x1):
            if 0 <= x < width:
                pixels[down, x] = rgb
        if name and look.full and 0 <= x0 < width and 0 <= y0 < height:
            ink = Style(bold=True, color="black", bgcolor=series_color(number, look.colors))
            labels.append((x0, y0, name, Style(reverse=True) if look.colors == "none" else ink))
    return labels


def _draw_cursor(pixels: Pixels, x: int, y: int, length: int) -> None:
    """Four strokes around a pixel, light on dark and dark on light."""
    for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        for far in range(1, length + 1):
            at = (y + dy * far, x + dx * far)
            if 0 <= at[0] < pixels.shape[0] and 0 <= at[1] < pixels.shape[1]:
                pixels[at] = 0 if pixels[at].mean() > 127 else 255


def _with_labels(lines: Lines, labels: list[tuple[int, int, str, Style]], width: int) -> Lines:
    """Write the names of boxes into their upper left corners."""
    for x, row, name, style in labels:
        if row >= len(lines):
            continue
        text = fit(name, min(cells(name), width - x))
        strip = Strip(lines[row])
        lines[row] = [*strip.crop(0, x), Segment(text, style), *strip.crop(x + cells(text), width)]
    return lines
