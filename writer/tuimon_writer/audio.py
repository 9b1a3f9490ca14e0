"""Sounds as WAV files: 16 bits a sample."""

from __future__ import annotations

import struct
import sys
from math import isfinite

from tuimon_writer.arrays import Grid
from tuimon_writer.media import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tuimon_writer.values import Json

_TOP = 32_767


def wav(values: Any, rate: float) -> Piece:
    """A sound as a WAV file.

    Args:
        values: What `tuimon_writer.arrays.snapshot` gives: floats from -1 to 1 (larger ones are scaled down to that) or
            integers of up to 32 bits; one dimension of samples, or two, of which the shorter one is the channels.
        rate: Samples in a second.

    Raises:
        ValueError: It has other dimensions, or no sample.
    """
    shape = [int(length) for length in values.shape if length != 1] or [1]
    if len(shape) > 2 or not all(shape):
        raise ValueError(f"an array of shape {tuple(values.shape)} is no sound")
    channels, across = (1, False) if len(shape) == 1 else (min(shape), shape[0] < shape[1])
    length = max(shape)
    facts: dict[str, Json] = {"rate": int(rate), "channels": channels, "seconds": length / rate}
    if isinstance(values, Grid):
        data = _from_grid(values, length, channels, across, facts)
    else:
        data = _from_array(values.reshape(shape), across, facts)
    rate = int(rate)
    about = struct.pack("<HHIIHH", 1, channels, rate, rate * channels * 2, channels * 2, 16)
    body = b"WAVEfmt " + struct.pack("<I", 16) + about + b"data" + struct.pack("<I", len(data)) + data
    return Piece("audio", ".wav", b"RIFF" + struct.pack("<I", len(body)) + body, facts)


def _from_array(array: Any, across: bool, facts: dict[str, Json]) -> bytes:
    numpy = sys.modules["numpy"]
    if across:
        array = array.T
    kind, bits = array.dtype.kind, 8 * array.dtype.itemsize
    if kind == "f":
        numbers = numpy.nan_to_num(array.astype(numpy.float64), nan=0.0, posinf=1.0, neginf=-1.0)
        numbers = numbers * (_TOP / _peak(float(numpy.abs(numbers).max()), facts))
        return numpy.rint(numbers).astype("<i2").tobytes()  # type: ignore[no-any-return]
    if kind == "u" and bits == 8:
        return ((array.astype(numpy.int32) - 128) * 256).astype("<i2").tobytes()  # type: ignore[no-any-return]
    numbers = array.astype(numpy.int64)
    if bits == 32 and int(numpy.abs(numbers).max()) > _TOP + 1:
        numbers = numbers >> 16
    return numpy.clip(numbers, -_TOP - 1, _TOP).astype("<i2").tobytes()  # type: ignore[no-any-return]


def _from_grid(grid: Grid, length: int, channels: int, across: bool, facts: dict[str, Json]) -> bytes:
    numbers = [float(value) if isfinite(value) else 0.0 for value in grid.numbers]
    if across:
        numbers = [numbers[channel * length + at] for at in range(length) for channel in range(channels)]
    if not all(isinstance(value, int) for value in grid.numbers):
        factor = _TOP / _peak(max(map(abs, numbers)), facts)
        numbers = [value * factor for value in numbers]
    samples = [min(max(round(value), -_TOP - 1), _TOP) for value in numbers]
    return struct.pack(f"<{len(samples)}h", *samples)


def _peak(highest: float, facts: dict[str, Json]) -> float:
    """What stands for the loudest sound: 1, or the highest value where that is more, which is told."""
    if highest <= 1.0:
        return 1.0
    facts["peak"] = highest
    return highest
