"""PNG files into pixels with zlib and numpy (ISO/IEC 15948): every colour type and depth, not interlaced."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MOST_PIXELS = 64_000_000
"""Larger pictures are not decoded."""
_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
_DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
_PALETTE = 3
_LEFT, _UP, _PAETH = 1, 2, 4
"""Filters of rows: what a byte is the difference to."""

Pixels = NDArray[np.uint8]


class PngError(ValueError):
    """What is wrong with the file, or what of the format is not read here."""


def decode_png(data: bytes) -> Pixels:
    """The pixels of a PNG file.

    Args:
        data: The file.

    Returns:
        Height x width x channels: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha. 16 bits are cut to the upper 8.

    Raises:
        PngError: It is damaged, interlaced or too large.
    """
    if not data.startswith(SIGNATURE):
        raise PngError("no PNG file")
    width = height = depth = colour = interlaced = 0
    palette: Pixels | None = None
    alpha = b""
    packed: list[bytes] = []
    at = len(SIGNATURE)
    while at + 8 <= len(data):
        (length,) = struct.unpack_from(">I", data, at)
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        if len(body) < length and kind != b"IDAT":
            break
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        elif kind == b"PLTE":
            palette = np.frombuffer(body[: len(body) // 3 * 3], np.uint8).reshape(-1, 3)
        elif kind == b"tRNS":
            alpha = body
        elif kind == b"IDAT":
            packed.append(body)
        elif kind == b"IEND":
            break
        at += 12 + length
    if not width or not height or depth not in _DEPTHS.get(colour, ()):
        raise PngError("no valid header")
    if width * height > MOST_PIXELS:
        raise PngError(f"{width}×{height} pixels are too many")
    if interlaced:
        raise PngError("it is interlaced")
    channels = _CHANNELS[colour]
    stride = (width * channels * depth + 7) // 8
    raw = _inflated(b"".join(packed), height * (stride + 1))
    rows = _unfiltered(raw.reshape(height, stride + 1), max(channels * depth // 8, 1))
    values = _values(rows, width * channels, depth).reshape(height, width, channels)
    if colour == _PALETTE:
        return _colours(values[..., 0], palette, alpha)
    return values if depth >= 8 else values * np.uint8(255 // (2**depth - 1))


def _inflated(packed: bytes, wanted: int) -> Pixels:
    try:
        raw = zlib.decompressobj().decompress(packed, wanted)
    except zlib.error as error:
        raise PngError("its pixels cannot be unpacked") from error
    if len(raw) < wanted:
        raise PngError("its end is missing")
    return np.frombuffer(raw, np.uint8)


def _unfiltered(rows: Pixels, back: int) -> Pixels:
    """Undo the filter of each row; ``back`` is the distance in bytes to the pixel at the left."""
    filters, coded = rows[:, 0], rows[:, 1:]
    if not filters.any():
        return coded
    if filters.max() > _PAETH:
        raise PngError("a row has an unknown filter")
    padded = np.zeros((len(coded), -(-coded.shape[1] // back), back), np.uint8)
    padded.reshape(len(coded), -1)[:, : coded.shape[1]] = coded
    if filters.max() <= _UP:
        out = padded
        for y, kind in enumerate(filters.tolist()):
            if kind == _LEFT:
                np.cumsum(padded[y], axis=0, dtype=np.uint8, out=out[y])
            elif kind == _UP and y:
                out[y] += out[y - 1]
    else:
        out = _predicted(padded, filters)
    return out.reshape(len(coded), -1)[:, : coded.shape[1]]


def _predicted(coded: Pixels, filters: Pixels) -> Pixels:
    """Undo all filters along the diagonals: a pixel needs those at the left, above, and above at the left.

    Args:
        coded: Rows x pixels of a row x bytes of a pixel.
        filters: The filter of each row.
    """
    height, width, _ = coded.shape
    out = np.zeros((height + 1, width + 1, coded.shape[2]), np.int16)
    for diagonal in range(height + width - 1):
        y = np.arange(max(0, diagonal - width + 1), min(height, diagonal + 1))
        x = diagonal - y
        left, up, corner = out[y + 1, x], out[y, x + 1], out[y, x]
        by_left, by_up, by_corner = np.abs(up - corner), np.abs(left - corner), np.abs(left + up - 2 * corner)
        paeth = np.where((by_left <= by_up) & (by_left <= by_corner), left, np.where(by_up <= by_corner, up, corner))
        kind = filters[y, None]
        guess = np.choose(kind, [np.zeros_like(left), left, up, (left + up) >> 1, paeth])
        out[y + 1, x + 1] = (coded[y, x] + guess) & 255
    return out[1:, 1:].astype(np.uint8)


def _values(rows: Pixels, count: int, depth: int) -> Pixels:
    """The first ``count`` values of each row."""
    if depth == 8:
        return np.ascontiguousarray(rows[:, :count])
    if depth == 16:
        return np.ascontiguousarray(rows[:, 0 : 2 * count : 2])
    bits = np.unpackbits(rows, axis=1)
    places = 1 << np.arange(depth - 1, -1, -1)
    usable = bits.shape[1] // depth * depth
    return (bits[:, :usable].reshape(len(rows), -1, depth) @ places)[:, :count].astype(np.uint8)


def _colours(index: Pixels, palette: Pixels | None, alpha: bytes) -> Pixels:
    """Colours for the numbers of a palette; a number beyond it is black."""
    if palette is None or not len(palette):
        raise PngError("its palette is missing")
    table = np.zeros((256, 4 if alpha else 3), np.uint8)
    table[: len(palette), :3] = palette[:256]
    if alpha:
        table[:, 3] = 255
        table[: len(alpha[:256]), 3] = np.frombuffer(alpha[:256], np.uint8)
    return table[index]
