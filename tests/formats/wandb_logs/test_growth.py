"""W&B's `.wandb` files that grow, are cut off or damaged."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.formats.registry import detect
from tuimon.formats.wandb import FORMAT
from tuimon.records import (
    Record,
    ScalarRows,
    Skipped,
)


def test_a_file_cut_anywhere_gives_the_same(w: Any) -> None:
    """A small file that comes byte by byte has the same content as one that comes at once."""
    file = w.sample(random.Random(1), 5)
    parser = FORMAT.parser("x.wandb")
    kept, found = b"", list[Record]()
    for at in range(len(file.data)):
        kept += file.data[at : at + 1]
        parsed = parser.parse(kept, True)
        found += parsed.records
        kept = kept[parsed.consumed :]
    assert kept == b""
    assert w.content(found) == w.content(w.parse(file.data))


@pytest.mark.parametrize("seed", range(6))
def test_a_file_of_many_blocks_in_pieces_of_any_size(w: Any, seed: int) -> None:
    """Pieces that end inside of frames, records and blocks change nothing, and each can be read again."""
    random_ = random.Random(seed)
    file = w.sample(random_, 300)
    assert len(file.data) > 4 * w.BLOCK
    parser = FORMAT.parser("x.wandb")
    kept, found, offset = b"", list[Record](), 0
    ranges: list[tuple[int, int, Sequence[Record]]] = []
    at = 0
    while at < len(file.data):
        more = random_.choice([1, 7, 500, 5000, 40_000])
        kept += file.data[at : at + more]
        at += more
        parsed = parser.parse(kept, at >= len(file.data))
        found += parsed.records
        ranges.append((offset, parsed.consumed, parsed.records))
        kept, offset = kept[parsed.consumed :], offset + parsed.consumed
    assert w.content(found) == w.content(w.parse(file.data))
    for start, length, records in ranges:
        again = parser.clone(start).parse(bytes(file.data[start : start + length]), True)
        assert w.content(again.records) == w.content(records)


def test_a_record_that_is_not_read_is_not_kept(w: Any) -> None:
    """A list of files of many megabytes goes by in pieces; what comes after it is read."""
    huge = w.message(8, w.message(4, b"job"), b"\x62" + w.varint(9_000_000) + bytes(9_000_000))
    telemetry = w.message(11, bytes(9_000_000))
    for record, most in ((telemetry, 1 << 16), (huge, 1 << 25)):
        file = w.File().add(w.history({"x": 1}, 0), record, w.history({"x": 2}, 1))
        parser = FORMAT.parser("x.wandb")
        kept, found, longest = b"", list[Record](), 0
        for at in range(0, len(file.data), 1 << 18):
            kept += file.data[at : at + (1 << 18)]
            parsed = parser.parse(kept, False)
            found += parsed.records
            kept = kept[parsed.consumed :]
            longest = max(longest, len(kept))
        assert longest < most
        assert [len(rows.values) // 8 for rows in w.others(found, ScalarRows)] == [1, 1]


def test_a_killed_run_has_an_open_last_record(w: Any) -> None:
    """Half a record at the end waits for the rest, and what is before it is there."""
    file = w.sample(random.Random(2), 9)
    whole = w.content(w.parse(file.data))
    for end in range(file.ends[-3] + 1, len(file.data), 3):
        parsed = FORMAT.parser("x.wandb").parse(bytes(file.data[:end]), True)
        assert parsed.consumed <= end
        assert not w.others(parsed.records, Skipped)
        assert all(str(whole[tag]).startswith(str(rows)[:-1]) for tag, rows in w.content(parsed.records).items())


def test_a_damaged_record_costs_its_block_and_is_told(w: Any) -> None:
    """Reading goes on at the next block, all before is there, and the loss is counted with its place."""
    file = w.File()
    while len(file.data) < 5 * w.BLOCK:
        step = len(file.ends) - 1
        file.add(w.history({"x": step / 7}, step, w.START + step))
    bad = 2 * w.BLOCK + 1000
    data = bytearray(file.data)
    data[bad] ^= 0x10
    found = w.parse(data)
    (lost,) = {(record.kind, record.count) for record in w.others(found, Skipped)} & {
        ("bad checksum", 1),
        ("damaged frame", 1),
    }
    where = next(record.where for record in w.others(found, Skipped) if record.kind == lost[0])
    assert where <= bad < where + 8000
    kept = w.points(found)
    assert all(value == step / 7 for step, value in kept.items())
    steps_lost = {float(step) for step in range(len(file.ends) - 1)} - kept.keys()
    places = [file.ends[int(step)] for step in steps_lost]
    assert min(places) >= where - 7
    assert max(places) < 3 * w.BLOCK + 200


def test_a_hole_of_zeros_costs_no_more_than_itself(w: Any) -> None:
    """Space that was reserved and never written is passed over."""
    file = w.File()
    while len(file.data) < 3 * w.BLOCK:
        step = len(file.ends) - 1
        file.add(w.history({"x": step}, step))
    data = bytearray(file.data)
    start = next(end for end in file.ends if end > w.BLOCK + 500)
    data[start : 2 * w.BLOCK] = bytes(2 * w.BLOCK - start)
    kept = w.points(w.parse(data))
    assert max(kept) == len(file.ends) - 2
    assert set(range(len([end for end in file.ends if end <= start]) - 1)) <= kept.keys()


@pytest.mark.parametrize("seed", range(30))
def test_flipped_bits_never_give_a_wrong_value(w: Any, seed: int) -> None:
    """Whatever is damaged, each value that is read is one that was written, and reading ends."""
    random_ = random.Random(seed)
    file = w.File()
    while len(file.data) < 2 * w.BLOCK + 500:
        step = len(file.ends) - 1
        file.add(w.history({"x": step / 7}, step))
    data = bytearray(file.data)
    for _ in range(random_.randrange(1, 6)):
        data[random_.randrange(7, len(data))] ^= 1 << random_.randrange(8)
    parser = FORMAT.parser("x.wandb")
    kept, found = b"", list[Record]()
    for at in range(0, len(data), 9000):
        kept += bytes(data[at : at + 9000])
        parsed = parser.parse(kept, at + 9000 >= len(data))
        found += parsed.records
        kept = kept[parsed.consumed :]
    assert all(value == step / 7 for step, value in w.points(found).items())
    assert len(w.points(found)) == len(file.ends) - 1 or w.others(found, Skipped) or kept


def test_a_record_of_nonsense_is_told_and_passed_over(w: Any) -> None:
    """A frame whose checksum is right and whose content is no record costs itself only."""
    file = w.File().add(w.history({"x": 1}, 0), b"\x12\xff\xff\x7f" + bytes(40), w.history({"x": 2}, 1))
    found = w.parse(file.data)
    assert w.points(found) == {0.0: 1.0, 1.0: 2.0}
    assert [record.kind for record in w.others(found, Skipped)] == ["bad record"]


@settings(max_examples=150, deadline=None)
@given(frames=st.lists(st.binary(max_size=120) | st.integers(0, 2), max_size=8), tail=st.binary(max_size=60))
def test_any_records_are_survived(w: Any, frames: list[bytes | int], tail: bytes) -> None:
    """Frames of any content, and any bytes after them, neither raise nor are taken for what they are not."""
    known = [w.RUN, w.history({"x": 1}, 0), w.message(18)]
    file = w.File()
    for frame in frames:
        file._frames(known[frame] if isinstance(frame, int) else frame)
    data = bytes(file.data) + tail
    parsed = FORMAT.parser("x.wandb").parse(data, True)
    assert 0 <= parsed.consumed <= len(data)
    for record in parsed.records:
        if isinstance(record, ScalarRows):
            assert len(record.values) == 8 * record.count * len(record.tags)


def test_only_such_files_are_taken(w: Any) -> None:
    """The first bytes decide, whatever the name."""
    data = bytes(w.File().add(w.RUN).data)
    assert detect("run-abc.wandb", data) is FORMAT
    assert detect("anything", data[:7]) is FORMAT
    for text in (b":W&B", b"W&B\xe1\xbe\0", b"{}", b":W&Bxx\0"):
        assert detect("run-abc.wandb", text) is not FORMAT
