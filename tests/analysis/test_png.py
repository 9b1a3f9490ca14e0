"""PNG files into pixels, against a writer of its own that uses every filter and depth."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

from tuimon.analysis.png import PngError, decode_png


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def filtered(rows: np.ndarray, back: int, kinds: list[int]) -> bytes:
    """Rows of bytes as PNG stores them, each with its filter, straight from the standard's formulas."""
    out = bytearray()
    above = np.zeros(rows.shape[1], int)
    for row, kind in zip(rows.astype(int), kinds, strict=True):
        left = np.concatenate([np.zeros(back, int), row[:-back]])
        corner = np.concatenate([np.zeros(back, int), above[:-back]])
        guess = left + above - corner
        distances = np.stack([abs(guess - left), abs(guess - above), abs(guess - corner)])
        paeth = np.choose(distances.argmin(0), [left, above, corner])
        guesses = [np.zeros_like(row), left, above, (left + above) // 2, paeth]
        out += bytes([kind]) + ((row - guesses[kind]) & 255).astype(np.uint8).tobytes()
        above = row
    return bytes(out)


def png(width: int, height: int, depth: int, colour: int, raw: bytes, *extra: bytes, interlace: int = 0) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace)
    parts = [chunk(b"IHDR", head), *extra, chunk(b"IDAT", zlib.compress(raw)), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.parametrize(("colour", "channels"), [(0, 1), (2, 3), (4, 2), (6, 4)])
@pytest.mark.parametrize("kinds", [[0] * 6, [1, 2, 0, 1, 2, 2], [4, 3, 2, 1, 0, 4], [3] * 6])
def test_every_filter_is_undone(colour, channels, kinds):
    """Pixels come back exactly whatever filters their rows were stored with."""
    pixels = np.random.default_rng(colour).integers(0, 256, (6, 9, channels), dtype=np.uint8)
    raw = filtered(pixels.reshape(6, -1), channels, kinds)
    assert np.array_equal(decode_png(png(9, 6, 8, colour, raw)), pixels)


def test_few_and_many_bits():
    """1, 2 and 4 bits are spread over black to white; of 16 bits the upper 8 are kept."""
    assert decode_png(png(8, 1, 1, 0, b"\x00\xa5"))[0, :, 0].tolist() == [255, 0, 255, 0, 0, 255, 0, 255]
    assert decode_png(png(4, 1, 2, 0, b"\x00\x1b"))[0, :, 0].tolist() == [0, 85, 170, 255]
    assert decode_png(png(3, 1, 4, 0, b"\x00\x0f\x80"))[0, :, 0].tolist() == [0, 255, 136]
    assert decode_png(png(2, 1, 16, 0, b"\x00\x12\x34\xff\x01"))[0, :, 0].tolist() == [0x12, 0xFF]


def test_a_palette_and_its_alpha():
    """Numbers become the colours of the palette, and one beyond it is black."""
    palette = chunk(b"PLTE", bytes([255, 0, 0, 0, 255, 0]))
    raw = b"\x00\x00\x01\x05"
    assert decode_png(png(3, 1, 8, 3, raw, palette))[0].tolist() == [[255, 0, 0], [0, 255, 0], [0, 0, 0]]
    with_alpha = decode_png(png(3, 1, 8, 3, raw, palette, chunk(b"tRNS", b"\x80")))
    assert with_alpha[0].tolist() == [[255, 0, 0, 128], [0, 255, 0, 255], [0, 0, 0, 255]]


def test_damage_is_an_error_in_words():
    """Whatever is missing or wrong is said, and nothing else is raised."""
    whole = png(9, 6, 8, 0, filtered(np.zeros((6, 9), np.uint8), 1, [0] * 6))
    for cut in range(whole.index(b"IDAT") + 8):
        with pytest.raises(PngError):
            decode_png(whole[:cut])
    for broken, word in [
        (b"GIF89a", "no PNG"),
        (png(9, 6, 8, 0, b"\0" * 10), "end is missing"),
        (png(9, 6, 8, 0, b"\7" * 60), "filter"),
        (png(9, 6, 3, 0, b""), "header"),
        (png(9, 6, 8, 3, b"\0" * 60), "palette"),
        (png(9, 6, 8, 0, b"\0" * 60, interlace=1), "interlaced"),
        (png(60000, 60000, 8, 0, b""), "too many"),
    ]:
        with pytest.raises(PngError, match=word):
            decode_png(broken)
