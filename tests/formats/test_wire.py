"""Protocol buffers without their library."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.formats import _wire as wire


def encoded(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


@given(st.integers(-(1 << 63), (1 << 63) - 1))
def test_every_64_bit_number_reads_back(value: int) -> None:
    """Negative numbers stand as ten bytes."""
    data = encoded(value)
    number, end = wire.varint(data, 0, len(data))
    assert (wire.signed(number), end) == (value, len(data))


def test_fields_of_all_types() -> None:
    """Each field is told by its number, with its value or its place."""
    data = b"\x08\x96\x01" + b"\x12\x02hi" + b"\x19" + struct.pack("<d", 1.5) + b"\x25" + struct.pack("<f", 0.25)
    assert list(wire.fields(data)) == [(1, 0, 150, 0), (2, 2, 5, 7), (3, 1, 8, 16), (4, 5, 17, 21)]
    assert wire.text(data, 5, 7) == "hi"
    assert (wire.double(data, 8), wire.single(data, 17)) == (1.5, 0.25)
    assert [wire.zigzag(n) for n in (0, 1, 2, 3)] == [0, -1, 1, -2]


@pytest.mark.parametrize("data", [b"\x08", b"\x12\x05hi", b"\x0b\x08", b"\x00\x01", b"\x08" + b"\xff" * 11, b"\x19abc"])
def test_what_is_no_message_is_an_error(data: bytes) -> None:
    """A length is not believed before the bytes are there."""
    with pytest.raises(wire.WireError):
        list(wire.fields(data))


@given(st.binary(max_size=200))
@settings(max_examples=200)
def test_any_bytes_end_in_fields_or_the_error(data: bytes) -> None:
    """Nothing else is raised, and no field reaches past the end."""
    try:
        for _, kind, start, end in wire.fields(data):
            assert kind == wire.VARINT or start <= end <= len(data)
    except wire.WireError:
        pass
