"""From arrays of any layout and range to pictures of eight bits: scaled, tiled where needed, with boxes drawn."""

from __future__ import annotations

import sys
from math import ceil, isfinite, sqrt

from tuimon_writer.arrays import Grid
from tuimon_writer.png import png

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from tuimon_writer.values import Json

COLUMNS = 8
"""Pictures beside each other where several are tiled, as TensorBoard has it."""

_SLACK = 0.1  # a little beyond 0 and 1 is the work of interpolation, and is cut off
_COLOUR = (255, 0, 0, 255)
_CHANNELS = (1, 3, 4)
_MODES = ("L", "LA", "RGB", "RGBA")  # of Pillow, which a PNG file holds as they are
_CLEAR = ("P", "PA", "La", "RGBa")  # those that may be transparent


class Raster:
    """A picture of eight bits.

    Attributes:
        width, height: In pixels.
        channels: Bytes of a pixel.
        data: The bytes, row after row.
    """

    __slots__ = ("channels", "data", "height", "width")

    def __init__(self, width: int, height: int, channels: int, data: bytes) -> None:
        self.width = width
        self.height = height
        self.channels = channels
        self.data = data

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        return len(self.data)

    def row(self, number: int) -> bytes:
        """The bytes of one row."""
        length = self.width * self.channels
        return self.data[number * length : (number + 1) * length]

    def png(self) -> bytes:
        """The picture as a PNG file; see `tuimon_writer.png.png`."""
        return png(self.width, self.height, self.channels, self.data)


def from_pillow(image: Any) -> Raster:
    """A picture of Pillow, of any mode, as one of eight bits."""
    if image.mode not in _MODES:
        image = image.convert("L" if image.mode in ("1", "I", "F") else "RGBA" if image.mode in _CLEAR else "RGB")
    return Raster(image.size[0], image.size[1], len(image.getbands()), image.tobytes())


def picture(values: Any, dataformats: str, columns: int = COLUMNS) -> tuple[Raster, dict[str, Json]]:
    """The picture that an array holds.

    Args:
        values: What `tuimon_writer.arrays.snapshot` gives: uint8; or whole numbers up to 255; or floats from 0 to 1.
            Other ranges are spread from their least to their greatest value, and NaN is drawn as the least.
        dataformats: What its dimensions are: "H" height, "W" width, "C" channels, "N" pictures; in any order.
        columns: Pictures beside each other, where there are several.

    Returns:
        The picture, and what is worth saying of it: "channels" where it has others than a picture can have (then
        these are tiled as grey pictures), "range" where the values were spread, and "nan" where there were NaN values.

    Raises:
        ValueError: It has other dimensions than that, or no pixel.
    """
    shape = tuple(int(length) for length in values.shape)
    order = layout(shape, dataformats)
    places = [order.find(letter) for letter in "NHWC"]
    sizes = [shape[place] if place >= 0 else 1 for place in places]
    if isinstance(values, Grid):
        pixels, facts = _from_grid(values, places, sizes)
    else:
        pixels, facts = _from_array(values, places, sizes)
    _, height, width, channels = sizes
    length = height * width * channels
    rasters = [
        Raster(width, height, channels, pixels[start : start + length]) for start in range(0, len(pixels), length)
    ]
    if channels == 2 or channels > 4:
        facts["channels"] = channels
        rasters = [_channels_apart(raster) for raster in rasters]
    return tile(rasters, columns), facts


def layout(shape: tuple[int, ...], dataformats: str) -> str:
    """The letters of an array's dimensions, also where it has others than was said; see `picture`.

    Raises:
        ValueError: It has other dimensions than that, or no pixel.
    """
    order = dataformats.upper()
    if not all(shape):
        raise ValueError(f"there is no pixel in an array of shape {shape}")
    if len(shape) == 2 and len(order) != 2:
        return "HW"
    if len(shape) == 3 and len(order) == 4:
        order = order.replace("N", "")
    if len(shape) == 4 and len(order) == 3:
        order = "N" + order
    if len(shape) != len(order) or len(set(order)) != len(order) or not {"H", "W"} <= set(order) <= set("NHWC"):
        raise ValueError(f"an array of shape {shape} is not {order}")
    if order == "CHW" and shape[0] not in _CHANNELS and shape[2] in _CHANNELS and shape[1] not in _CHANNELS:
        return "HWC"  # a picture in the order of numpy and Pillow, given by mistake
    if order == "HWC" and shape[2] not in _CHANNELS and shape[0] in _CHANNELS and shape[1] not in _CHANNELS:
        return "CHW"
    return order


def _scale(low: float, high: float, whole: bool) -> tuple[float, float] | None:
    """What to take off values, and what to multiply them with; None when they are bytes already."""
    if whole and low >= 0 and 1 < high <= 255:
        return None
    if low >= -_SLACK and high <= 1 + _SLACK:
        return 0.0, 255.0
    return low, (255.0 / (high - low) if high > low else 0.0)


def _range(found: tuple[float, float] | None, low: float, high: float, nan: int) -> dict[str, Json]:
    facts: dict[str, Json] = {}
    if found is not None and found != (0.0, 255.0):
        facts["range"] = [low, high]
    if nan:
        facts["nan"] = nan
    return facts


def _from_array(array: Any, places: list[int], sizes: list[int]) -> tuple[bytes, dict[str, Json]]:
    numpy = sys.modules["numpy"]
    array = array.transpose([place for place in places if place >= 0]).reshape(sizes)
    kind = array.dtype.kind
    if kind == "b":
        array = array * numpy.uint8(255)
    if array.dtype == numpy.uint8:
        return array.tobytes(), {}
    with numpy.errstate(all="ignore"):
        numbers = array.astype(numpy.float64)
        finite = numpy.isfinite(numbers)
        some = numbers[finite]
        low, high = (float(some.min()), float(some.max())) if some.size else (0.0, 0.0)
        found = _scale(low, high, kind in "iu")
        take, times = found or (0.0, 1.0)
        numbers = (numpy.nan_to_num(numbers, nan=low, posinf=high, neginf=low) - take) * times
        pixels = numpy.clip(numbers + 0.5, 0, 255).astype(numpy.uint8).tobytes()
    return pixels, _range(found, low, high, int(numpy.isnan(array).sum()) if kind == "f" else 0)


def _from_grid(grid: Grid, places: list[int], sizes: list[int]) -> tuple[bytes, dict[str, Json]]:
    finite = [value for value in grid.numbers if isfinite(value)]
    low, high = (min(finite), max(finite)) if finite else (0.0, 0.0)
    found = _scale(low, high, all(isinstance(value, int) for value in grid.numbers))
    take, times = found or (0.0, 1.0)
    strides = [1] * len(grid.shape)
    for at in range(len(strides) - 2, -1, -1):
        strides[at] = strides[at + 1] * grid.shape[at + 1]
    n, y, x, c = (strides[place] if place >= 0 else 0 for place in places)
    numbers = grid.numbers
    ordered = (
        numbers[picture_ * n + row * y + column * x + channel * c]
        for picture_ in range(sizes[0])
        for row in range(sizes[1])
        for column in range(sizes[2])
        for channel in range(sizes[3])
    )
    clean = (value if isfinite(value) else high if value > 0 else low for value in ordered)
    pixels = bytes(min(255, max(0, int((value - take) * times + 0.5))) for value in clean)
    return pixels, _range(found, low, high, sum(value != value for value in numbers))


def _channels_apart(raster: Raster) -> Raster:
    """The channels of a picture as grey pictures beside and below each other, with a line between them."""
    parts = [
        Raster(raster.width, raster.height, 1, raster.data[channel :: raster.channels])
        for channel in range(raster.channels)
    ]
    return tile(parts, ceil(sqrt(len(parts))), gap=1)


def tile(rasters: Sequence[Raster], columns: int = COLUMNS, gap: int = 0) -> Raster:
    """Pictures of one kind beside and below each other.

    Args:
        rasters: At least one; those of other sizes than the first are cut or filled up with black.
        columns: Most of them in a row.
        gap: Pixels between them.
    """
    if len(rasters) == 1:
        return rasters[0]
    width, height, channels = rasters[0].width, rasters[0].height, rasters[0].channels
    columns = max(1, min(columns, len(rasters)))
    between = b"\xff" * (gap * channels)
    length = width * channels
    whole_width = columns * width + (columns - 1) * gap
    rows: list[bytes] = []
    for start in range(0, len(rasters), columns):
        line = rasters[start : start + columns]
        if rows:
            rows += [b"\xff" * (whole_width * channels)] * gap
        for number in range(height):
            parts = [_fit(raster, number, length) for raster in line]
            parts += [bytes(length)] * (columns - len(parts))
            rows.append(between.join(parts))
    return Raster(whole_width, len(rows), channels, b"".join(rows))


def _fit(raster: Raster, number: int, length: int) -> bytes:
    return raster.row(number)[:length].ljust(length, b"\0") if number < raster.height else bytes(length)


def draw_boxes(raster: Raster, boxes: Sequence[Sequence[float]]) -> Raster:
    """A picture with the outlines of boxes in red.

    Args:
        raster: The picture; a grey one becomes one in colour.
        boxes: Left, top, right and bottom of each in pixels; what lies outside is cut off.
    """
    if raster.channels < 3:
        grey = raster.data[:: raster.channels]
        data = bytearray(3 * len(grey))
        data[0::3] = data[1::3] = data[2::3] = grey
        raster = Raster(raster.width, raster.height, 3, bytes(data))
    width, height, channels = raster.width, raster.height, raster.channels
    pixels, colour = bytearray(raster.data), bytes(_COLOUR[:channels])
    for box in boxes:
        left, top, right, bottom = (float(edge) if isfinite(edge) else 0.0 for edge in box)
        x0, x1 = (min(max(round(x), 0), width - 1) for x in sorted((left, right)))
        y0, y1 = (min(max(round(y), 0), height - 1) for y in sorted((top, bottom)))
        for y in (y0, y1):
            start = (y * width + x0) * channels
            pixels[start : start + (x1 - x0 + 1) * channels] = colour * (x1 - x0 + 1)
        for x in (x0, x1):
            for y in range(y0, y1 + 1):
                start = (y * width + x) * channels
                pixels[start : start + channels] = colour
    return Raster(width, height, channels, bytes(pixels))


def resize(raster: Raster, factor: float) -> Raster:
    """A picture made larger or smaller; each pixel is the nearest one."""
    width, height = max(1, round(raster.width * factor)), max(1, round(raster.height * factor))
    if (width, height) == (raster.width, raster.height):
        return raster
    size = raster.channels
    starts = [min(int(x / factor), raster.width - 1) * size for x in range(width)]
    rows: dict[int, bytes] = {}
    lines: list[bytes] = []
    for y in range(height):
        number = min(int(y / factor), raster.height - 1)
        if number not in rows:
            row = raster.row(number)
            rows = {number: b"".join([row[start : start + size] for start in starts])}
        lines.append(rows[number])
    return Raster(width, height, size, b"".join(lines))
