"""Tables of comma- or tab-separated values: growth, damage, reading again and large blocks."""

from __future__ import annotations

import csv
import io
import itertools
import random
import struct
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tuimon.formats._csv.bulk import LEAST
from tuimon.formats.delimited import FORMAT
from tuimon.records import Null, ScalarRows, Skipped

from .tables import parse

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]


def test_a_hole_of_nul_bytes(read: Read) -> None:
    """What a crashed machine leaves in a file."""
    found = parse(read, b"step,loss\n1,0.5\n\0\0\0\0\0\n2,0.25\n")
    assert found.steps("loss") == [1, 2]
    assert [record.kind for record in found.others if isinstance(record, Skipped)] == ["NUL bytes"]


def test_a_line_that_does_not_end(read: Read) -> None:
    """It is passed over without being kept, and the rows after it are read."""
    data = b"step,loss\n1,0.5\n" + b"x" * (9 << 20) + b"\n2,0.25\n"
    found = read(FORMAT.parser("a.csv"), data, range(0, len(data), 1 << 20))
    assert found.steps("loss") == [1, 2]
    assert [record.kind for record in found.others if isinstance(record, Skipped)] == ["line too long"]


MIXED = (
    b'# {"lr": 0.1}\n'
    b"epoch,iter,note,train_loss,val_loss,time\r\n"
    b"0,0,a,0.123456789,,1700000000\r\n"
    b'0,1,"b\nc",0.5,nan,1700000001\r\n'
    b"0,2,d,,0.25,1700000002\r\n"
    b"1,0,e,None,0.125,1700000003\r\n"
    b"epoch,iter,note,train_loss,val_loss,time\r\n"
    b"1,1,f,oops,-inf,1700000004\r\n"
    b"1,2,g,1,2,3,4,5,6\r\n"
    b"epoch,iter,val_loss,extra,time\r\n"
    b"2,0,4,5,1700000005\r\n"
    b"2,1,4.5,5.5,1700000006\r\n"
)


def test_growth_at_every_byte(read: Read) -> None:
    """Whatever part of the file is there at first, and however it arrives, the same points come out of it."""
    whole = read(FORMAT.parser("a.csv"), MIXED)
    assert whole.left == b""
    for cut in range(len(MIXED)):
        parts = read(FORMAT.parser("a.csv"), MIXED, [cut])
        assert str(parts.points) == str(whole.points), cut
        assert parts.kinds() == whole.kinds(), cut


def test_a_byte_at_a_time_each_at_the_end_of_the_file(read: Read) -> None:
    """Half a number is never taken for a whole one."""
    whole = read(FORMAT.parser("a.csv"), MIXED)
    parser, found, kept = FORMAT.parser("a.csv"), read(FORMAT.parser("a.csv"), b""), b""
    for at in range(len(MIXED)):
        kept += MIXED[at : at + 1]
        parsed = parser.parse(kept, at_end=True)
        found.take(parsed.records)
        kept = kept[parsed.consumed :]
    assert str(found.points) == str(whole.points)


def test_a_last_row_without_a_line_break(read: Read) -> None:
    """It counts in a file that is finished, but not in one that is seen growing, or that was cut by a full buffer."""
    assert parse(read, "step,loss\n1,0.5\n2,0.25").steps("loss") == [1, 2]
    assert parse(read, "step,loss\n1,0.5").steps("loss") == [1]
    for half in ("2", "2,", "2,0."):
        assert parse(read, f"step,loss\n1,0.5\n{half}").steps("loss") == [1]
    parser = FORMAT.parser("a.csv")
    assert parser.parse(b"step,loss\n1,0.5\n", at_end=True).consumed == 16
    assert parser.parse(b"2,0.25", at_end=True).consumed == 0
    rows = b"step,loss\n" + b"".join(b"%d,0.5\n" % step for step in range(1000))
    found = read(FORMAT.parser("a.csv"), rows[:4096])
    assert found.left == rows[: len(rows)][rows[:4096].rfind(b"\n") + 1 : 4096]


def test_a_last_row_that_went_on_after_all() -> None:
    """The file is to be read again; not so where only the line break had been missing."""
    data = b"step,loss\n1,0.5\n2,0.2"
    for more, again in ((b"5\n3,0.125\n", True), (b"5", True), (b"\r", False), (b"\r\n3,0.125\n", False)):
        parser = FORMAT.parser("a.csv")
        assert parser.parse(data, at_end=True).consumed == len(data)
        parsed = parser.parse(more, at_end=True)
        assert (parsed.again, parsed.consumed) == (again, len(more) if b"3," in more and not again else 0)
        assert not any(isinstance(record, Skipped) for record in parsed.records)


def test_reading_an_earlier_range_again(read: Read) -> None:
    """Every range from a place up to which a piece was consumed gives the same points once more."""
    for data in (MIXED, b"epoch,batch,loss\n" + b"".join(b"%d,%d,1\n" % (e, b) for e in range(3) for b in range(5))):
        parser = FORMAT.parser("a.csv")
        ranges, kept, start = [], b"", 0
        for at in range(len(data)):
            kept += data[at : at + 1]
            parsed = parser.parse(kept, at_end=False)
            if parsed.consumed:
                ranges.append((start, parsed))
                start += parsed.consumed
                kept = kept[parsed.consumed :]
        assert len(ranges) > 5
        for number, (offset, first) in enumerate(ranges):
            length = sum(parsed.consumed for _, parsed in ranges[number:][:3])
            again = read(parser.clone(offset), data[offset : offset + length])
            expected = read(FORMAT.parser("a.csv"), b"")
            for _, parsed in ranges[number:][:3]:
                expected.take(parsed.records)
            assert {tag: [*map(str, points)] for tag, points in again.points.items()} == {
                tag: [*map(str, points)] for tag, points in expected.points.items()
            }, (offset, first)


def random_table(source: random.Random) -> tuple[list[str], list[list[str]]]:
    """A table as programs write it: every column of one sort of cells, with holes."""
    sorts = [
        lambda: repr(source.random()),
        lambda: repr(struct.unpack("d", source.randbytes(8))[0]),
        lambda: str(source.randrange(-(10**18), 10**18)),
        lambda: f"{source.random():.6g}",
        lambda: source.choice(["nan", "inf", "-inf", "NaN", "1", "0.5"]),
        lambda: source.choice(["", "0.5", "1e-5"]),
        lambda: source.choice(["a", "b c", 'say "x"', "x,y", "", "two\nlines"]),
    ]
    chosen = [source.choice(sorts) for _ in range(source.randrange(1, 8))]
    names = ["step", *(f"m{number}" for number in range(len(chosen)))]
    return names, [[str(step), *(cell() for cell in chosen)] for step in range(source.randrange(1, 60))]


def test_as_the_csv_module_and_float_read_it(read: Read) -> None:
    """Every number of random tables, to the last bit, whatever the delimiter and wherever the pieces are cut."""
    source = random.Random(5)
    for _ in range(60):
        names, rows = random_table(source)
        text = io.StringIO()
        delimiter = source.choice(",\t;|")
        quoting = source.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        csv.writer(text, delimiter=delimiter, quoting=quoting).writerows([names, *rows])
        data = text.getvalue().encode()
        cuts = sorted(source.randrange(len(data)) for _ in range(3))
        found = read(FORMAT.parser("a.csv"), data, cuts)
        for at, name in enumerate(names[1:], 1):
            expected = [(float(row[0]), number) for row in rows if (number := as_float(row[at])) is not None]
            points = [(step, value) for step, _, value in found.points.get(name, [])]
            assert struct.pack(f"{2 * len(points)}d", *sum(points, ())) == struct.pack(
                f"{2 * len(expected)}d", *sum(expected, ())
            )
        assert found.left == b""


STAMPS = {
    "as Python writes it": lambda stamp: stamp.isoformat(" ", "microseconds"),
    "whole seconds": lambda stamp: stamp.isoformat("T", "seconds"),
    "with a zone": lambda stamp: stamp.astimezone(timezone.utc).isoformat(),
    "a number": lambda stamp: repr(stamp.timestamp()),
    "padded": lambda stamp: stamp.strftime(" %Y-%m-%d %H:%M:%S"),
}


@pytest.mark.parametrize("stamp", STAMPS)
def test_large_blocks_are_read_as_small_ones(read: Read, stamp: str) -> None:
    """Columns of all sorts in blocks that are read at once, and the same rows one by one."""
    source = random.Random(stamp)
    words = ["nan", "-inf", "NaN", "", "None", "null", "1", "-0.0", "NA", "2.5%", "1e-300", "+.5", "7.", "oops"]
    columns = {
        "words": [source.choice(words) for _ in range(1500)],
        "dense": [repr(source.random()) for _ in range(1500)],
        "short": [f"{source.gauss(0, 1e3):.6g}" for _ in range(1500)],
        "any": [repr(struct.unpack("d", source.randbytes(8))[0]) for _ in range(1500)],
        "names": [
            source.choice(["node-1", "node-2", "\u00e9t\u00e9", "a rather long name of a node"]) for _ in range(1500)
        ],
        "done": [source.choice(["True", "False", ""]) for _ in range(1500)],
        "sparse": [source.choice(["", "", "0.5"]) for _ in range(1500)],
    }
    start = datetime(2024, 3, 30, 22, 59, 59, 500_000)  # noqa: DTZ001 - a date without a zone is local
    stamps = [STAMPS[stamp](start + timedelta(seconds=7.25 * row)) for row in range(1500)]
    delimiter, end = source.choice(",\t;"), source.choice(["\n", "\r\n"])
    lines = [delimiter.join(["step", "timestamp", *columns]) + end]
    cells = zip(map(str, range(1500)), stamps, *columns.values(), strict=True)
    lines += [delimiter.join(row) + end for row in cells]
    data = "".join(lines).encode()
    assert len(data) > 3 * LEAST
    whole = read(FORMAT.parser("a.csv"), data, [2 * LEAST])
    edges = [*itertools.accumulate(len(line.encode()) for line in lines)]
    parts = read(FORMAT.parser("a.csv"), data, edges[20:-1])
    assert whole.points.keys() == {*columns} - {"names"}
    for tag, points in whole.points.items():
        assert str(points) == str(parts.points[tag]), tag
    assert sorted(map(str, nulls_in(whole))) == sorted(map(str, nulls_in(parts))) != []
    assert texts_in(whole) == texts_in(parts) > 0


def nulls_in(content: Content) -> list[Null]:
    return [record for record in content.others if isinstance(record, Null)]


def texts_in(content: Content) -> int:
    return sum(record.count for record in content.others if isinstance(record, Skipped))


def as_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


@settings(max_examples=150, deadline=2000)
@given(
    st.lists(st.tuples(st.integers(0, len(MIXED)), st.binary(max_size=6)), max_size=4),
    st.lists(st.integers(0, len(MIXED)), max_size=3),
)
def test_damage_never_raises(changes: list[tuple[int, bytes]], cuts: list[int]) -> None:
    """Any bytes at any place: nothing is raised, and at the end little is left waiting."""
    data = MIXED
    for place, new in changes:
        data = data[:place] + new + data[place + len(new) // 2 :]
    FORMAT.sniff("a.csv", data or b"x")
    parser, kept = FORMAT.parser("a.csv"), b""
    edges = [0, *sorted(cuts), len(data)]
    for low, high in pairwise(edges):
        kept += data[low:high]
        parsed = parser.parse(kept, at_end=high == len(data))
        assert 0 <= parsed.consumed <= len(kept)
        assert all(record.count for record in parsed.records if isinstance(record, ScalarRows))
        kept = kept[parsed.consumed :]


@settings(max_examples=150, deadline=2000)
@given(st.binary(max_size=400) | st.text(alphabet='01,;\n"#e.-x\t ', max_size=400).map(str.encode))
@example(b"0\n ,")
def test_any_bytes_never_raise(data: bytes) -> None:
    if data:
        FORMAT.sniff("a.csv", data)
    parsed = FORMAT.parser("a.csv").parse(data, at_end=True)
    assert 0 <= parsed.consumed <= len(data)
