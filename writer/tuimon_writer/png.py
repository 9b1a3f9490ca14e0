"""Pictures as PNG files (ISO/IEC 15948), with nothing but zlib."""

from __future__ import annotations

import struct
import zlib

_LEVEL = 4  # pictures of a training are looked at once or never: quick is worth more than small
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOURS = {1: 0, 2: 4, 3: 2, 4: 6}


def png(width: int, height: int, channels: int, data: bytes) -> bytes:
    """A picture as a PNG file.

    Args:
        width: Pixels in a row.
        height: Rows.
        channels: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha; one byte each.
        data: ``height * width * channels`` bytes, row after row from the top.

    Raises:
        ValueError: The sizes do not belong together, or there is no pixel.
    """
    if width < 1 or height < 1 or channels not in _COLOURS or len(data) != width * height * channels:
        raise ValueError(f"{len(data)} bytes are no picture of {width} by {height} with {channels} channels")
    length = width * channels
    rows = b"".join(b"\0" + data[start : start + length] for start in range(0, len(data), length))
    header = struct.pack(">IIBBBBB", width, height, 8, _COLOURS[channels], 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", header)
        + _chunk(b"IDAT", zlib.compress(rows, _LEVEL))
        + _chunk(b"IEND", b"")
    )


def png_size(data: bytes) -> tuple[int, int] | None:
    """Width and height of a PNG file; None when it is none."""
    if len(data) < 24 or not data.startswith(_SIGNATURE):
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
