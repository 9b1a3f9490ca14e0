"""Event files that grow, are cut off, damaged, or full of large things."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.formats.base import Parsed, Parser
from tuimon.formats.tfevents import FORMAT
from tuimon.records import MediaRecord, Record, RunInfo, ScalarRows, Skipped, TextRecord

if TYPE_CHECKING:
    from .conftest import Content, Events

    Read = Callable[..., Content]

NAME = "events.out.tfevents.1700000000.host"
PIECE = 1 << 18


def follow(data: bytes, sizes: Sequence[int], parser: Parser | None = None) -> Iterator[tuple[int, bytes, Parsed]]:
    """Read a file that grows to each of some sizes, and is read to its end each time: offset, piece, outcome."""
    parser = parser or FORMAT.parser(NAME)
    offset = 0
    for size in sizes:
        piece = data[offset:size]
        parsed = parser.parse(piece, at_end=True)
        yield offset, piece, parsed
        offset += parsed.consumed


def pieces(data: bytes, size: int = PIECE) -> Iterator[tuple[int, bytes, Parsed]]:
    """Read a file that is there, piece by piece, as the reader does: more at once when nothing could be consumed."""
    parser = FORMAT.parser(NAME)
    offset = read = 0
    while True:
        read = min(len(data), read + max(size, read - offset))
        parsed = parser.parse(data[offset:read], at_end=read == len(data))
        yield offset, data[offset:read], parsed
        offset += parsed.consumed
        if read == len(data):
            return


def contents(outcomes: Iterator[tuple[int, bytes, Parsed]], read: Read) -> Content:
    """All that the outcomes hold."""
    content = read(FORMAT.parser(NAME), b"")
    for _, _, parsed in outcomes:
        content.take(parsed.records)
    return content


@pytest.fixture(scope="module")
def mixed(events: type[Events]) -> bytes:
    """Some of everything, with a step back, in a few thousand bytes."""
    rng = random.Random(3)
    data = events.version()
    for step in range(4):
        for tag in ("loss", "val/accuracy"):
            data += events.scalar(tag, rng.random(), step, 1.7e9 + step)
        if step % 3 == 0:
            data += events.summary(events.tensor("note", 7, [1], events.field(8, f"at {step}"), "text"), step=step)
            data += events.summary(events.simple("x", step), events.simple("loss", 1.0), step=step)
            data += events.event(4, bytes(50))
    data += events.event(7, events.field(1, 1), step=2)
    return data + b"".join(events.scalar("loss", step, step) for step in range(2, 12))


def test_growth_at_every_byte(mixed: bytes, read: Read) -> None:
    """Whatever was there when it was read, the result is that of the complete file, and half an event waits."""
    whole = contents(pieces(mixed), read)
    assert not [one for one in whole.others if isinstance(one, Skipped)]
    for cut in range(len(mixed)):
        found = contents(follow(mixed, [cut, len(mixed)]), read)
        assert (found.points, found.others) == (whole.points, whole.others), cut
    found = contents(follow(mixed, range(len(mixed) + 1)), read)
    assert (found.points, found.others) == (whole.points, whole.others)


def test_a_tail_that_is_cut_off_waits_in_silence(events: type[Events], read: Read) -> None:
    """Cut by seven bytes, then completed (case G13)."""
    data = events.version() + events.scalar("v", 1.0, 1) + events.scalar("v", 2.0, 2)
    found = contents(follow(data, [len(data) - 7]), read)
    assert found.values("v") == [1.0]
    assert found.kinds() == ["RunInfo"]
    assert contents(follow(data, [len(data) - 7, len(data)]), read).values("v") == [1.0, 2.0]


def test_every_range_that_was_consumed_reads_the_same_again(mixed: bytes, events: type[Events]) -> None:
    """With pieces of any size, also where one begins within something large or within damage."""
    rng = random.Random(4)
    large = events.summary(
        events.field(1, "img")
        + events.field(4, events.field(1, 8) + events.field(4, b"\x89PNG" + rng.randbytes(90_000))),
        events.simple("after", 3.0),
        step=8,
    )
    regular = b"".join(events.scalar(tag, step, step) for step in range(400) for tag in ("a", "b"))
    data = mixed + large + regular + rng.randbytes(3000) + mixed[40:] + large + regular
    for size in (1000, 5000, 30_000, PIECE):
        parser = FORMAT.parser(NAME)
        offset = read = 0
        again: list[tuple[int, bytes, Sequence[Record]]] = []
        while read < len(data):
            read = min(len(data), read + max(size, read - offset))
            parsed = parser.parse(data[offset:read], at_end=read == len(data))
            if parsed.records:
                again.append((offset, data[offset : offset + parsed.consumed], parsed.records))
            offset += parsed.consumed
        for at, piece, records in again:
            assert [*parser.clone(at).parse(piece, at_end=True).records] == [*records], (size, at)


def test_a_flipped_byte_costs_one_event_and_is_said(events: type[Events], read: Read) -> None:
    """Every byte of the file in turn: no value is ever wrong, and all other events are read (case G13).

    The checksum of a length that leads to the next event is not missed.
    """
    frames = [events.scalar(tag, step / 7, step, 1.7e9 + step) for step in range(300, 314) for tag in ("a", "bb")]
    data = events.version() + b"".join(frames)
    right = contents(pieces(data), read)
    every = {(tag, *point) for tag, points in right.points.items() for point in points}
    assert len(every) == len(frames)
    sums = {*range(8, 12), *range(len(frames[0]) + 8, len(frames[0]) + 12)}
    for at in range(40, len(data)):
        broken = data[:at] + bytes([data[at] ^ 0x41]) + data[at + 1 :]
        found = contents(pieces(broken), read)
        points = {(tag, *point) for tag, points in found.points.items() for point in points}
        header_sum = (at - 40) % len(frames[0] + frames[1]) in sums
        assert points <= every, at
        assert len(every - points) == (not header_sum), at
        assert sum(isinstance(one, Skipped) for one in found.others) == (not header_sum), at


def test_flips_in_a_long_regular_file(events: type[Events], read: Read) -> None:
    """The same where events are read thousands at once."""
    frames = [events.scalar(tag, step / 7, step, 1.7e9 + step) for step in range(200, 600) for tag in ("a", "bb", "c")]
    data = events.version() + b"".join(frames)
    expected = contents(pieces(data), read)
    total = sum(map(len, expected.points.values()))
    rng = random.Random(5)
    for _ in range(60):
        at = rng.randrange(40, len(data))
        broken = data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
        for size in (PIECE, 20_000):
            found = contents(pieces(broken, size), read)
            lost = total - sum(map(len, found.points.values()))
            assert lost == sum(isinstance(one, Skipped) for one in found.others), at
            assert lost <= 1, at
            for tag, points in found.points.items():
                assert set(points) <= set(expected.points[tag]), at


def test_a_torn_event_before_whole_ones(events: type[Events], read: Read) -> None:
    """A process died while it wrote, and another one went on in the same file."""
    rows = [events.scalar("loss", step, step) for step in range(40)]
    torn = events.scalar("loss", 99.0, 99)
    for kept in range(1, len(torn)):
        data = events.version() + b"".join(rows[:20]) + torn[:kept] + b"".join(rows[20:])
        found = contents(pieces(data), read)
        assert found.values("loss") == [float(step) for step in range(40)], kept
        assert [type(one) for one in found.others] == [RunInfo, Skipped], kept


def test_damage_says_how_much_is_lost(events: type[Events], read: Read) -> None:
    """Zeros where a disk was full, and bytes of something else, with where they begin and how many they are."""
    first, last = events.version() + events.scalar("v", 1.0), events.scalar("v", 2.0)
    for junk, words in ((bytes(70_000), "70000 bytes lost (zeros)"), (b"junk!" * 4000, "20000 bytes lost")):
        found = contents(pieces(first + junk + last, 9000), read)
        assert found.values("v") == [1.0, 2.0]
        assert found.others[1:] == [Skipped("damaged", len(first), words)]


def test_a_tail_of_zeros_is_said_and_grows_on(events: type[Events], read: Read) -> None:
    """As a crash of the machine leaves it; what a later process appends is read."""
    first, last = events.version() + events.scalar("v", 1.0), events.scalar("v", 2.0)
    data = first + bytes(5000) + last
    found = contents(follow(data, [len(first) + 5000]), read)
    assert [one.kind for one in found.others if isinstance(one, Skipped)] == ["damaged"]
    found = contents(follow(data, [len(first) + 5000, len(data)]), read)
    assert found.values("v") == [1.0, 2.0]
    assert sum(isinstance(one, Skipped) for one in found.others) == 1


@pytest.mark.parametrize("length", [1 << 20, 1 << 40, (1 << 64) - 1])
def test_a_header_that_claims_a_huge_event(events: type[Events], read: Read, length: int) -> None:
    """It is a tail that waits, whatever comes; without its checksum it is damage, and said (case C16)."""
    data = events.version() + events.scalar("v", 1.0)
    head = struct.pack("<Q", length)
    claim = head + struct.pack("<I", events.crc(head)) + events.field(1, 1.7e9)
    found = contents(pieces(data + claim), read)
    assert found.values("v") == [1.0]
    assert found.kinds() == ["RunInfo"]
    found = contents(pieces(data + head + b"\0\0\0\0" + events.field(1, 1.7e9) + events.scalar("v", 2.0)), read)
    assert found.values("v") == [1.0, 2.0]
    assert found.kinds() == ["RunInfo", "Skipped"]


def test_large_things_are_passed_over(events: type[Events], read: Read) -> None:
    """Graphs and pictures of megabytes before and beside scalars need no more memory than a piece (case C14)."""
    blob = b"\x89PNG" + random.Random(6).randbytes(3 << 20)
    image = events.field(1, 30) + events.field(2, 40) + events.field(4, blob)
    strings = events.field(8, "40") + events.field(8, "30") + events.field(8, blob)

    def frame(event: bytes) -> bytes:  # nobody looks at the checksum of something so large
        length = struct.pack("<Q", len(event))
        return length + struct.pack("<I", events.crc(length)) + event + b"\0\0\0\0"

    moment = events.field(1, 1.7e9) + events.field(2, 5)
    values = (
        events.simple("before", 1.0),
        events.field(1, "old") + events.field(4, image),
        events.simple("between", 2.0),
        events.tensor("new", 7, [3], strings, "images"),
        events.simple("after", 3.0),
    )
    data = events.version() + frame(moment + events.field(4, bytes(2 << 20))) + events.scalar("v", 1.0, 1)
    data += frame(moment + events.field(5, b"".join(events.field(1, value) for value in values)))
    data += events.scalar("v", 2.0, 2)
    longest = 0
    outcomes = []
    for outcome in pieces(data):
        longest = max(longest, len(outcome[1]))
        outcomes.append(outcome)
    found = contents(iter(outcomes), read)
    assert longest <= 2 * PIECE
    assert found.values("v") == [1.0, 2.0]
    assert {tag: points[0][2] for tag, points in found.points.items()} == {
        "v": 1.0, "before": 1.0, "between": 2.0, "after": 3.0,
    }  # fmt: skip
    graph, *media = [one for one in found.others if isinstance(one, MediaRecord)]
    assert (graph.tag, graph.step, graph.body["bytes"]) == ("graph", 5.0, 2 << 20)
    assert [(one.tag, one.step, one.body["width"], one.body["bytes"]) for one in media] == [
        ("old", 5.0, 40, len(blob)),
        ("new", 5.0, 40, len(blob)),
    ]
    for one in media:
        at = one.body["at"]
        assert isinstance(at, int)
        assert data[at : at + len(blob)] == blob
    whole = contents(pieces(data, 1 << 25), read)
    assert (whole.points, len(whole.others)) == (found.points, len(found.others))


def test_a_large_text_is_read(events: type[Events], read: Read) -> None:
    """It is no picture, so it is waited for."""
    text = "word " * 200_000
    value = events.tensor("t", 7, [1], events.field(8, text), "text")
    moment = events.field(1, 1.7e9)
    event = moment + events.field(5, events.field(1, value))
    length = struct.pack("<Q", len(event))
    frame = length + struct.pack("<I", events.crc(length)) + event + b"\0\0\0\0"
    found = contents(pieces(events.version() + frame + events.scalar("v", 1.0)), read)
    assert found.others[1:] == [TextRecord("t", 0.0, 1.7e9, text)]
    assert found.values("v") == [1.0]


def test_a_writer_without_checksums(events: type[Events], read: Read) -> None:
    """Where the first event has none, they are not asked for."""

    def bare(frame: bytes) -> bytes:
        return frame[:8] + bytes(4) + frame[12:-4] + bytes(4)

    rows = [bare(events.scalar(tag, step, step)) for step in range(200) for tag in ("a", "b")]
    data = bare(events.version()) + b"".join(rows)
    assert FORMAT.sniff(NAME, data[:100])
    for size in (500, 6000, PIECE):
        found = contents(pieces(data, size), read)
        assert found.values("a") == found.values("b") == [float(step) for step in range(200)]
        assert found.kinds() == ["RunInfo"]


@given(st.data())
@settings(max_examples=120, deadline=None)
def test_any_damage_ends(mixed: bytes, data: st.DataObject) -> None:
    """Bytes replaced, left out, doubled: nothing raises, all of it is worked off, and every batch is whole."""
    content = bytearray(mixed)
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, max(0, len(content) - 1)))
        kind = data.draw(st.sampled_from(["set", "cut", "double", "insert"]))
        if kind == "set":
            content[at : at + 1] = bytes([data.draw(st.integers(0, 255))])
        elif kind == "cut":
            del content[at : at + data.draw(st.integers(1, 300))]
        elif kind == "double":
            content[at:at] = content[at : at + data.draw(st.integers(1, 300))]
        else:
            content[at:at] = data.draw(st.binary(max_size=40))
    size = data.draw(st.sampled_from([64, 700, PIECE]))
    for offset, piece, parsed in pieces(bytes(content), size):
        assert 0 <= parsed.consumed <= len(piece), offset
        for record in parsed.records:
            if isinstance(record, ScalarRows):
                assert len(record.values) == record.count * len(record.tags) * 8
                assert len(record.times) == record.count * 8


@given(st.binary(max_size=300))
@settings(max_examples=150)
def test_any_bytes_in_an_event(events: type[Events], event: bytes) -> None:
    """A frame is right and what is in it is not: it is counted, and the next one is read."""
    data = events.version() + events.frame(event) + events.scalar("last", 1.0, 7)
    records = FORMAT.parser(NAME).parse(data, at_end=True).records
    assert [one for one in records if isinstance(one, ScalarRows) and one.tags == ("last",)]
