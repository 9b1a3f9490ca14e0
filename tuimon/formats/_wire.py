"""Protocol buffers as they stand in a file: numbered fields, without the library and without a schema.

Source of the encoding: https://protobuf.dev/programming-guides/encoding/. Every length is checked against the bytes
that are there before it is believed.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import TypeAlias

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types."""

Field: TypeAlias = "tuple[int, int, int, int]"
"""Number, wire type, and two numbers: the value and 0 for a varint, else where its bytes begin and end."""


class WireError(ValueError):
    """The bytes are no message."""


def varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """An unsigned number of up to 64 bits, and where it ends.

    Raises:
        WireError: It does not end before ``end``, or is too long.
    """
    value = shift = 0
    while at < end and shift < 70:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & 0xFFFF_FFFF_FFFF_FFFF, at
        shift += 7
    raise WireError("a varint without an end")


def fields(data: bytes, at: int = 0, end: int | None = None) -> Iterator[Field]:
    """The fields of a message, in order; groups, which nobody writes any more, are not known.

    Args:
        data: Bytes with the message in it.
        at: Where it begins.
        end: Where it ends; the end of the bytes by default.

    Raises:
        WireError: It is cut off, or no message. The fields before were yielded.
    """
    end = len(data) if end is None else end
    while at < end:
        key, at = varint(data, at, end)
        number, kind = key >> 3, key & 7
        if not number:
            raise WireError("a field without a number")
        if kind == VARINT:
            value, at = varint(data, at, end)
            yield number, kind, value, 0
            continue
        if kind == BYTES:
            length, at = varint(data, at, end)
        elif kind in (FIXED64, FIXED32):
            length = 8 if kind == FIXED64 else 4
        else:
            raise WireError(f"wire type {kind}")
        if length > end - at:
            raise WireError("a field is cut off")
        yield number, kind, at, at + length
        at += length


def signed(value: int) -> int:
    """The value of an ``int64`` or ``int32`` field, which stands as an unsigned number."""
    return value - (1 << 64) if value >> 63 else value


def zigzag(value: int) -> int:
    """The value of an ``sint64`` or ``sint32`` field."""
    return (value >> 1) ^ -(value & 1)


def double(data: bytes, at: int) -> float:
    """The value of a ``double`` field that begins there."""
    return float(struct.unpack_from("<d", data, at)[0])


def single(data: bytes, at: int) -> float:
    """The value of a ``float`` field that begins there."""
    return float(struct.unpack_from("<f", data, at)[0])


def text(data: bytes, at: int, end: int) -> str:
    """The value of a ``string`` field, with a sign in place of what is not UTF-8."""
    return data[at:end].decode("utf-8", "replace")
