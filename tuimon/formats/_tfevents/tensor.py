"""TensorFlow's tensors as they stand in summaries: numbers of any type, and strings.

Source: https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/framework/tensor.proto
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from tuimon.formats import _wire as wire
from tuimon.formats._wire import BYTES, FIXED32, FIXED64, VARINT, WireError

Floats = npt.NDArray[np.float64]
Place = tuple[int, int]

FLOAT, DOUBLE, STRING, BFLOAT16, HALF = 1, 2, 7, 14, 19

MOST = 1 << 20
"""A tensor with more numbers is not read: nothing that is shown needs so many."""

_CONTENT = {
    1: "<f4", 2: "<f8", 3: "<i4", 4: "u1", 5: "<i2", 6: "i1", 9: "<i8", 10: "?", 11: "i1", 12: "u1", 13: "<i4",
    15: "<i2", 16: "<u2", 17: "<u2", 19: "<f2", 22: "<u4", 23: "<u8",
}  # fmt: skip
_LISTS = {5: FIXED32, 6: FIXED64, 7: VARINT, 10: VARINT, 11: VARINT, 13: VARINT, 16: VARINT, 17: VARINT}
_UNSIGNED = frozenset({4, 17, 22, 23, 10})


@dataclass(slots=True)
class Tensor:
    """Where the parts of a tensor are.

    Attributes:
        dtype: Number of its type.
        shape: Lengths of its dimensions; empty for a single value.
        content: Its numbers as raw bytes, if they stand so.
        lists: Its numbers as fields: field number and place of each, packed or not.
        strings: Place of each string.
    """

    dtype: int = 0
    shape: list[int] = field(default_factory=list)
    content: Place | None = None
    lists: list[tuple[int, int, int, int]] = field(default_factory=list)
    strings: list[Place] = field(default_factory=list)

    @property
    def size(self) -> int:
        """Number of values that its shape asks for."""
        size = 1
        for length in self.shape:
            size *= max(0, length)
        return size


def read_tensor(data: bytes, at: int, end: int) -> Tensor:
    """Find the parts of a tensor.

    Raises:
        WireError: It is no tensor.
    """
    tensor = Tensor()
    for number, kind, start, stop in wire.fields(data, at, end):
        if number == 1 and kind == VARINT:
            tensor.dtype = start
        elif number == 2 and kind == BYTES:
            tensor.shape = _shape(data, start, stop)
        elif number == 4 and kind == BYTES:
            if stop > start:
                tensor.content = start, stop
        elif number == 8 and kind == BYTES:
            tensor.strings.append((start, stop))
        elif number in _LISTS:
            tensor.lists.append((number, kind, start, stop))
    return tensor


def _shape(data: bytes, at: int, end: int) -> list[int]:
    shape = []
    for number, kind, start, stop in wire.fields(data, at, end):
        if number == 2 and kind == BYTES:
            sizes = [value for n, k, value, _ in wire.fields(data, start, stop) if n == 1 and k == VARINT]
            shape.append(wire.signed(sizes[-1]) if sizes else 0)
    return shape


def place_of_single(tensor: Tensor) -> tuple[int, str] | None:
    """Where the only number of a tensor stands in full, and its numpy type, for reading many of a kind."""
    if tensor.size != 1 or tensor.dtype not in (FLOAT, DOUBLE):
        return None
    kind = _CONTENT[tensor.dtype]
    width = int(kind[2:])
    if tensor.content is not None:
        return (tensor.content[0], kind) if tensor.content[1] - tensor.content[0] == width else None
    if len(tensor.lists) == 1:
        number, wire_type, start, stop = tensor.lists[0]
        if number == 4 + tensor.dtype and wire_type in (BYTES, _LISTS[number]) and stop - start == width:
            return start, kind
    return None


def place_of_floats(tensor: Tensor) -> Place | None:
    """Where the numbers of a tensor stand as 32-bit floats behind each other, all of them; None where they do not."""
    if tensor.dtype != FLOAT:
        return None
    place = tensor.content
    if place is None and len(tensor.lists) == 1 and tensor.lists[0][:2] == (5, BYTES):
        place = tensor.lists[0][2:]
    return place if place is not None and place[1] - place[0] == 4 * tensor.size else None


def numbers(data: bytes, tensor: Tensor) -> Floats:
    """The values of a tensor as one row of float64; values that are left out at the end repeat the last one.

    Raises:
        WireError: It holds no numbers, or not as many as it should, or too many.
    """
    size = tensor.size
    if size > MOST:
        raise WireError(f"a tensor of {size} numbers")
    kind = _CONTENT.get(tensor.dtype)
    if tensor.content is not None:
        raw = data[tensor.content[0] : tensor.content[1]]
        width = 2 if tensor.dtype == BFLOAT16 else np.dtype(kind).itemsize if kind else 0
        if not width or len(raw) != size * width:
            raise WireError(f"a tensor of type {tensor.dtype} with {len(raw)} bytes for {size} numbers")
        if tensor.dtype == BFLOAT16:
            return _bfloat16(np.frombuffer(raw, "<u2"))
        return np.frombuffer(raw, kind).astype(np.float64)
    if kind is None and tensor.dtype != BFLOAT16:
        raise WireError(f"a tensor of type {tensor.dtype}")
    found = _listed(data, tensor)
    if len(found) > size:
        raise WireError(f"{len(found)} numbers for {size}")
    values = np.full(size, found[-1] if len(found) else 0.0)
    values[: len(found)] = found
    return values


def _bfloat16(bits: npt.NDArray[np.uint16]) -> Floats:
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def _listed(data: bytes, tensor: Tensor) -> Floats:
    """The numbers that stand as fields."""
    parts: list[Floats] = []
    for number, kind, start, stop in tensor.lists:
        wanted = _LISTS[number]
        if kind == VARINT and wanted == VARINT:
            parts.append(_integers([start], tensor.dtype))
        elif kind == BYTES and wanted == VARINT:
            values = []
            while start < stop:
                value, start = wire.varint(data, start, stop)
                values.append(value)
            parts.append(_integers(values, tensor.dtype))
        elif kind in (BYTES, wanted):
            width = "<f4" if wanted == FIXED32 else "<f8"
            if (stop - start) % int(width[2:]):
                raise WireError("half a number")
            parts.append(np.frombuffer(data[start:stop], width).astype(np.float64))
    return np.concatenate(parts) if parts else np.empty(0)


def _integers(values: list[int], dtype: int) -> Floats:
    if dtype in (HALF, BFLOAT16):
        bits = np.array([value & 0xFFFF for value in values], np.uint16)
        return _bfloat16(bits) if dtype == BFLOAT16 else bits.view(np.float16).astype(np.float64)
    if dtype not in _UNSIGNED:
        values = [wire.signed(value) for value in values]
    return np.array(values, np.float64)
