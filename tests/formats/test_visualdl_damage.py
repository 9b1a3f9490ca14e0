"""VisualDL's record files that grow, are damaged or are read again."""

from __future__ import annotations

import random
import struct
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.formats._visualdl.frames import MAX_RECORD
from tuimon.formats._visualdl.parser import VisualDLParser
from tuimon.records import MediaRecord, TextRecord

from .visualdl_bytes import META, NOW, field, kept, lost, random_log, same, scalar, value, varint


def test_large_records_are_passed_over_without_being_kept(read: Any) -> None:
    """A picture of several megabytes is told by its beginning, once its end is there; nothing of it is held back."""
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480) + bytes(3 * MAX_RECORD)
    text = ("long " * MAX_RECORD).encode()
    data = META + value("img", 1, field(5, field(4, picture))) + scalar("x", 1, 1.0)
    data += value("text", 2, field(12, field(1, text))) + scalar("x", 2, 2.0)
    parser, content = VisualDLParser(), []
    step, kept_bytes, rest = 1 << 17, 0, b""
    for at in range(0, len(data), step):
        rest += data[at : at + step]
        parsed = parser.parse(rest, at + step >= len(data))
        content += parsed.records
        rest = rest[parsed.consumed :]
        kept_bytes = max(kept_bytes, len(rest))
    assert kept_bytes < step
    at_once = VisualDLParser().parse(data, True)
    assert sorted(map(repr, kept(list(at_once.records)))) != []
    pictures = [record for record in content if isinstance(record, MediaRecord)]
    assert [(it.body["at"], it.body["bytes"], it.body["width"]) for it in pictures] == [
        (data.index(picture), len(picture), 640)
    ]
    texts = [record for record in content if isinstance(record, TextRecord)]
    assert len(texts) == 1
    assert texts[0].text.endswith("more bytes")
    same(read(VisualDLParser(), data, range(step, len(data), step)), read(VisualDLParser(), data))


def test_a_huge_length_waits_as_a_partial_tail(read: Any) -> None:
    """A last record that claims gigabytes takes no memory, and is no loss as long as it may be one (case C16)."""
    head = META + scalar("x", 1, 1.0)
    for claim in (1 << 33, 1 << 62, (1 << 64) - 1):
        content = read(VisualDLParser(), head + struct.pack("<Q", claim))
        assert content.values("x") == [1.0]
        assert len(content.left) == 8
        assert not lost(content.others, "lost bytes")
    whole = value("img", 1, field(5, field(4, bytes(1 << 20))))
    content = read(VisualDLParser(), head + whole[:100])
    assert content.left == whole[:100]


def test_a_wrong_length_of_a_picture_is_seen_through_at_once(read: Any) -> None:
    """A length of gigabytes before a picture of a megabyte is damage as soon as the picture begins."""
    picture = value("img", 1, field(5, field(4, bytes(MAX_RECORD))))
    data = META + struct.pack("<Q", 1 << 40) + picture[8:] + scalar("x", 1, 1.0)
    content = read(VisualDLParser(), data, range(100_000, len(data), 100_000))
    assert content.values("x") == [1.0]
    assert lost(content.others, "lost bytes") == len(picture)


def test_growth_at_every_byte_gives_the_same(read: Any) -> None:
    """A log that arrives in two parts, cut anywhere, is read as one that was there at once."""
    data = random_log(random.Random(1), 9)
    whole = read(VisualDLParser(), data)
    assert not whole.left
    for cut in range(1, len(data)):
        same(read(VisualDLParser(), data, [cut]), whole)


def test_a_log_that_arrives_byte_by_byte(read: Any) -> None:
    """Also in the smallest of pieces."""
    data = random_log(random.Random(2), 12)
    same(read(VisualDLParser(), data, range(1, len(data))), read(VisualDLParser(), data))


def test_damage_costs_what_it_hits(read: Any) -> None:
    """Behind a broken length, an overwritten stretch or zeros, reading goes on at the next record; the loss is told."""
    steps = [scalar("x", step, float(step)) for step in range(1, 9)]
    for broken in (
        struct.pack("<Q", 1 << 40) + steps[3][8:],
        struct.pack("<Q", 5) + steps[3][8:],
        bytes(len(steps[3])),
        b"\xff" * len(steps[3]),
        bytes(5000),
    ):
        data = META + b"".join((*steps[:3], broken, *steps[4:]))
        content = read(VisualDLParser(), data)
        assert content.steps("x") == [1, 2, 3, 5, 6, 7, 8]
        assert lost(content.others, "lost bytes") == len(broken)
        for cut in range(0, len(data), 7):
            same(read(VisualDLParser(), data, [cut]), content)


def test_damage_inside_a_record_costs_that_record(read: Any) -> None:
    """Where the length still holds, only the one record is lost."""
    one = scalar("x", 2, 2.0)
    data = scalar("x", 1, 1.0) + one[:10] + b"\x07" + one[11:] + scalar("x", 3, 3.0)
    content = read(VisualDLParser(), data)
    assert content.steps("x") == [1, 3]
    assert lost(content.others, "damaged record") == 1


def test_every_flipped_bit_leaves_nearly_all(read: Any) -> None:
    """One wrong bit anywhere costs at most the record that it is in and never the rest."""
    data = META + b"".join(scalar(f"t{step % 3}", step, step + 0.5) for step in range(1, 13))
    total = 12
    for bit in range(8 * len(data)):
        spoiled = bytearray(data)
        spoiled[bit // 8] ^= 1 << bit % 8
        content = read(VisualDLParser(), bytes(spoiled))
        points = sum(map(len, content.points.values()))
        # a broken length of the last record only looks like a record that is not whole yet
        assert points >= total - 1


@settings(max_examples=120, deadline=None)
@given(st.binary(max_size=400), st.integers(0, 2000), st.integers(0, 300), st.lists(st.integers(0, 2500), max_size=3))
def test_any_bytes_are_read_to_the_end(noise: bytes, at: int, cut_out: int, cuts: list[int]) -> None:
    """Noise in a log never raises; what is whole before and after it is read, in pieces as at once."""
    data = random_log(random.Random(5), 30)
    data = data[:at] + noise + data[at + cut_out :] + scalar("last", 1, 1.0) * 2
    from_pieces, parser, rest, edge = [], VisualDLParser(), b"", 0
    for cut in [*sorted(min(cut, len(data)) for cut in cuts), len(data)]:
        rest += data[edge:cut]
        edge = cut
        parsed = parser.parse(rest, cut == len(data))
        assert 0 <= parsed.consumed <= len(rest)
        rest = rest[parsed.consumed :]
        from_pieces += parsed.records
    at_once = VisualDLParser().parse(data, True).records
    assert lost(from_pieces, "lost bytes") == lost(list(at_once), "lost bytes")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_noise_alone_never_raises(noise: bytes) -> None:
    """A file of nothing but noise is consumed or waits."""
    assert VisualDLParser().parse(noise, True).consumed <= len(noise)


def any_message(random_: random.Random, depth: int) -> bytes:
    """A message of any fields of any wire types."""
    parts = []
    for _ in range(random_.randrange(6)):
        number, wire = random_.randrange(1, 16), random_.choice((0, 1, 2, 2, 2, 5))
        parts.append(varint(number << 3 | wire))
        if wire == 0:
            parts.append(varint(random_.choice((0, 5, 1 << 63, random_.randrange(1 << 64)))))
        elif wire == 2:
            inner = any_message(random_, depth - 1) if depth else random_.randbytes(random_.choice((0, 1, 8, 24)))
            parts.append(varint(len(inner)) + inner)
        else:
            parts.append(random_.randbytes(8 if wire == 1 else 4))
    return b"".join(parts)


def test_messages_of_any_shape_never_raise() -> None:
    """Whole records are consumed, whatever their contents are made of."""
    random_ = random.Random(8)
    for _ in range(300):
        data = b"".join(
            value("x", 3, field(random_.randrange(4, 15), any_message(random_, 3)), random_.choice((0, NOW, 1 << 63)))
            for _ in range(20)
        )
        assert VisualDLParser().parse(data, True).consumed == len(data)


def test_clone_reads_any_piece_again() -> None:
    """Every piece that was consumed gives the same records once more, also one inside a large record or damage."""
    picture = field(5, field(4, bytes(2 * MAX_RECORD)))
    data = random_log(random.Random(3), 60) + value("img", 1, picture) + scalar("x", 1, 1.0) + bytes(300_000)
    data += random_log(random.Random(4), 60)
    parser, offset, rest, edge, pieces = VisualDLParser(), 0, b"", 0, []
    for cut in (1000, 5000, *range(70_000, len(data), 70_000), len(data)):
        rest += data[edge:cut]
        edge = cut
        parsed = parser.parse(rest, cut == len(data))
        pieces.append((offset, parsed.consumed, list(parsed.records)))
        offset += parsed.consumed
        rest = rest[parsed.consumed :]
    assert offset == len(data)
    for offset, length, records in random.Random(6).sample(pieces, len(pieces)):
        if records:
            again = parser.clone(offset).parse(data[offset : offset + length], True)
            assert repr(kept(list(again.records))) == repr(kept(records))
