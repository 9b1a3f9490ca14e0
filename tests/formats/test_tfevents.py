"""Event files: numbers and histograms in them, for every way in which programs write them, and what is not shown."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from tuimon.formats._crc32c import crc32c
from tuimon.formats._wire import WireError
from tuimon.formats.tfevents import FORMAT
from tuimon.records import HistogramRecord, Restart, RunInfo

if TYPE_CHECKING:
    from .conftest import Content, Events

    Read = Callable[..., Content]

NAME = "run/events.out.tfevents.1700000000.host.12.0"
FLOAT, DOUBLE, INT32, STRING, INT64, BOOL, BFLOAT16, HALF = 1, 2, 3, 7, 9, 10, 14, 19


@pytest.fixture
def parse(read: Read) -> Callable[..., Content]:
    """Read the bytes of an event file."""
    return lambda data, cuts=(), name=NAME: read(FORMAT.parser(name), data, cuts)


Parse = Callable[..., Any]


def test_the_checksum_is_that_of_the_standard() -> None:
    """Test vectors of RFC 3720, B.4, and sizes around a block."""
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert crc32c(b"\xff" * 32) == 0x62A8AB43
    assert crc32c(bytes(range(32))) == 0x46DD794E
    assert crc32c(b"") == 0


def test_the_checksum_of_any_length(events: type[Events]) -> None:
    data = random.Random(1).randbytes(800)
    for size in (1, 3, 4, 5, 255, 256, 257, 300, 511, 512, 513, 800):
        crc = crc32c(data[:size])
        assert ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF == events.crc(data[:size])


def test_plain_numbers(events: type[Events], parse: Parse) -> None:
    """Steps of 64 bits, negative ones, missing ones (which are 0), NaN and the infinities; float32 widened exactly."""
    steps = [0, 1, 127, 128, -1, 2**40, -(2**40), 2**53, 5]
    values = [0.1, math.nan, math.inf, -math.inf, -0.0, 1e-40, 3.0, 2.5, 7.0]
    data = events.version(1.5e9)
    for at, (step, value) in enumerate(zip(steps, values, strict=True)):
        data += events.scalar("train/loss", value, step, 1.6e9 + at / 8)
    found = parse(data)
    assert found.steps("train/loss") == [float(step) for step in steps]
    assert found.times("train/loss") == [1.6e9 + at / 8 for at in range(9)]
    assert str(found.values("train/loss")) == str([float(np.float32(value)) for value in values])
    assert found.others == [RunInfo({"started": 1.5e9, "host": "host"})]
    assert found.left == b""


def test_thousands_of_events_in_any_order(events: type[Events], parse: Parse) -> None:
    """Regular cycles, random order, rare tags, several values an event, missing steps: every point, in order."""
    rng = random.Random(2)
    data = events.version()
    expected: dict[str, list[tuple[float, float, float]]] = {}

    def log(tags: list[str], step: int) -> None:
        nonlocal data
        time = 1.6e9 + rng.random()
        values = [rng.choice([rng.random(), -1.5, 0.0, math.inf]) for _ in tags]
        data += events.summary(*map(events.simple, tags, values), step=step, time=time)
        for tag, value in zip(tags, values, strict=True):
            expected.setdefault(tag, []).append((float(step), time, float(np.float32(value))))

    for step in range(150):
        for tag in ("loss", "lr", "acc/top1", "acc/top5"):
            log([tag], step)
        if step % 40 == 39:
            log(["eval/loss"], step)
    for _ in range(600):
        log([rng.choice(["loss", "lr", "a", "b", "c", "eval/loss"])], rng.choice([0, 5, 300, 70_000, -3]))
    for step in range(100):
        log(["x", "y", "loss"], step)
        log(["x", "y"], step)
    for step in range(300):
        log([f"layer{step % 60}"], 16_300 + step)
    for cuts in ([], [*range(0, len(data), 5000)], [*range(0, len(data), 777)]):
        assert parse(data, cuts).points == expected


def test_a_long_regular_file(events: type[Events], parse: Parse) -> None:
    """Steps become longer numbers, evaluations come in between, a tag comes twice in a cycle, not all are finite."""
    data = events.version()
    expected: dict[str, list[tuple[float, float, float]]] = {}

    def log(tag: str, value: float, step: int) -> None:
        nonlocal data
        time = 1.7e9 + len(data) / 1024
        data += events.scalar(tag, value, step, time)
        expected.setdefault(tag, []).append((float(step), time, float(np.float32(value))))

    for step in [*range(600), *range(16_200, 16_900)]:
        for tag in ("loss", "lr", "loss"):
            log(tag, math.inf if step == 450 else step / 7, step)
        if step % 250 == 249:
            log("eval", float(step), step)
    assert len(data) > 150_000
    for size in (1 << 20, 40_000, 9_000):
        assert parse(data, range(size, len(data), size)).points == expected


@pytest.mark.parametrize("shape", [[], [1], [1, 1]])
@pytest.mark.parametrize(
    ("dtype", "body", "expected"),
    [
        (FLOAT, ("field", 4, struct.pack("<f", 0.1)), float(np.float32(0.1))),
        (DOUBLE, ("field", 4, struct.pack("<d", 0.1)), 0.1),
        (INT32, ("field", 4, struct.pack("<i", -7)), -7.0),
        (INT64, ("field", 4, struct.pack("<q", -(2**40))), float(-(2**40))),
        (HALF, ("field", 4, struct.pack("<e", 1.5)), 1.5),
        (BFLOAT16, ("field", 4, b"\xc0\x3f"), 1.5),
        (FLOAT, ("field", 5, struct.pack("<f", 2.5)), 2.5),
        (FLOAT, ("raw", b"\x2d" + struct.pack("<f", 2.5)), 2.5),
        (DOUBLE, ("field", 6, struct.pack("<d", math.nan)), math.nan),
        (INT32, ("field", 7, -3), -3.0),
        (INT32, ("packed", 7, -3), -3.0),
        (INT64, ("packed", 10, 2**62), float(2**62)),
        (BOOL, ("packed", 11, 1), 1.0),
        (HALF, ("packed", 13, 0x3E00), 1.5),
        (BFLOAT16, ("packed", 13, 0x3FC0), 1.5),
        (FLOAT, ("raw", b""), 0.0),
    ],
)
def test_tensors_of_one_number_are_scalars(
    events: type[Events], parse: Parse, shape: list[int], dtype: int, body: tuple[Any, ...], expected: float
) -> None:
    """Every type in every notation. The plugin is told by the first event alone; twenty events take the fast way."""
    kind, *rest = body
    text = rest[0] if kind == "raw" else events.field(rest[0], rest[1]) if kind == "field" else b""
    if kind == "packed":
        text = events.field(rest[0], events.number(rest[1]))
    first = events.summary(events.tensor("v", dtype, shape, text, "scalars"), step=1)
    later = [events.summary(events.tensor("v", dtype, shape, text), step=step) for step in range(2, 21)]
    found = parse(first + b"".join(later))
    assert found.steps("v") == [*map(float, range(1, 21))]
    assert str(found.values("v")) == str([expected] * 20)


def test_a_plugin_told_once_holds_for_the_tag(events: type[Events], parse: Parse) -> None:
    """A histogram of one bucket is no scalar, and what is said of one tag says nothing of another."""
    rows = struct.pack("<3d", 0.0, 2.0, 5.0)
    value = events.tensor("w", DOUBLE, [1, 3], events.field(4, rows), "histograms")
    bare = events.tensor("w", DOUBLE, [1, 3], events.field(4, rows))
    found = parse(events.version() + events.summary(value, step=1) + events.summary(bare, step=2))
    assert [(one.tag, one.step, one.edges, one.counts) for one in found.others[1:]] == [
        ("w", 1.0, [0.0, 2.0], [5.0]),
        ("w", 2.0, [0.0, 2.0], [5.0]),
    ]
    parser = FORMAT.parser(NAME)
    data = events.summary(value, step=1)
    assert parser.parse(data, at_end=True).consumed == len(data)
    again = events.summary(bare, step=2)
    first = parser.parse(again, at_end=True)
    assert parser.clone(len(data)).parse(again, at_end=True) == first
    assert isinstance(first.records[0], HistogramRecord)


def test_histograms_of_old_and_new_style(events: type[Events], parse: Parse) -> None:
    """From the least to the greatest value, without the empty bins at the ends; the sums become mean and deviation."""
    limits, counts = [-1e308, -1.0, 0.5, 2.0, 1e308], [0.0, 1.0, 0.0, 3.0, 0.0]
    proto = b"".join(events.field(at, x) for at, x in enumerate((-2.0, 1.5, 4.0, 2.0, 8.5), 1))
    proto += events.field(6, struct.pack("<5d", *limits)) + events.field(7, struct.pack("<5d", *counts))
    found = parse(events.summary(events.field(1, "old") + events.field(5, proto), step=3))
    (old,) = found.others
    assert isinstance(old, HistogramRecord)
    assert (old.edges, old.counts) == ([-2.0, -1.0, 0.5, 1.5], [1.0, 0.0, 3.0])
    assert (old.minimum, old.maximum, old.mean) == (-2.0, 1.5, 0.5)
    assert old.std == pytest.approx(math.sqrt(8.5 / 4 - 0.25))
    rows = [(-2.0, -1.0, 0.0), (-1.0, 0.0, 2.0), (0.0, 1.0, 0.0), (1.0, 3.0, 4.0)]
    body = events.field(4, struct.pack("<12d", *(x for row in rows for x in row)))
    (new,) = parse(events.summary(events.tensor("new", DOUBLE, [4, 3], body, "histograms"))).others
    assert isinstance(new, HistogramRecord)
    assert (new.edges, new.counts) == ([-1.0, 0.0, 1.0, 3.0], [2.0, 0.0, 4.0])
    empty = events.tensor("none", DOUBLE, [0, 3], b"", "histograms")
    (none,) = parse(events.summary(empty)).others
    assert isinstance(none, HistogramRecord)
    assert (list(none.edges), list(none.counts)) == ([], [])


def test_a_session_start_is_a_restart_only_since_version_two(events: type[Events], parse: Parse) -> None:
    """As TensorBoard purges: everything before it in the file stays before it (case B2)."""
    start = events.event(7, events.field(1, 1), step=3)
    stop = events.event(7, events.field(1, 2), step=9)
    before = b"".join(events.scalar("v", step, step) for step in range(20))
    after = b"".join(events.scalar("v", step, step) for step in range(3, 30))
    records = FORMAT.parser(NAME).parse(events.version() + before + stop + start + after, True).records
    assert [type(one).__name__ for one in records] == ["RunInfo", "ScalarRows", "Restart", "ScalarRows"]
    assert records[2] == Restart(3.0)
    assert (getattr(records[1], "count"), getattr(records[3], "count")) == (20, 27)  # noqa: B009
    old = events.event(3, "brain.Event:1") + before + start + after
    assert Restart(3.0) not in FORMAT.parser(NAME).parse(old, True).records


def test_a_file_without_data_tells_nothing(events: type[Events], parse: Parse) -> None:
    """The forty bytes that a process leaves which logs nothing are an event file, and make no run; nor does a graph."""
    version = events.version()
    assert len(version) == 40
    assert FORMAT.sniff(NAME, version)
    assert parse(version).others == []
    assert parse(version + events.event(4, bytes(3000)) + events.event(6, "a message")).others == []
    found = parse(version + events.scalar("v", 1.0))
    assert found.kinds() == ["RunInfo"]


def test_what_is_shown_nowhere_is_counted(events: type[Events], parse: Parse) -> None:
    """A tensor of several numbers is no scalar; data of the profiler are no result."""
    body = events.field(4, bytes(12))
    shown = events.tensor("v", FLOAT, [3], body, "scalars")
    silent = events.tensor("p", FLOAT, [3], body, "profile")
    (skipped,) = parse(events.summary(shown, silent) + events.summary(shown)).others
    assert (skipped.kind, skipped.count, skipped.detail) == ("not shown", 2, "v: scalars of shape [3]")


def test_a_claim_to_be_huge_costs_nothing(events: type[Events], parse: Parse) -> None:
    """A tensor that says it has 10^12 numbers and holds one is not spread out."""
    shape = [10**6, 10**6, 3]
    value = events.tensor("w", DOUBLE, shape, events.field(6, struct.pack("<d", 1.0)), "histograms")
    found = parse(events.version() + events.summary(value) + events.scalar("v", 2.0))
    assert found.values("v") == [2.0]
    assert [one.kind for one in found.others[1:]] == ["damaged"]
    assert issubclass(WireError, ValueError)


def test_a_wall_time_that_is_endless_is_unknown(events: type[Events], read: Read) -> None:
    """In rows that are read one by one and at once, and of things that are no scalars."""
    times = [1.7e9, math.inf, -math.inf, 1.7e9]
    for count in (1, 200):
        frames = [events.scalar("loss", 0.5, n, time) for n in range(count) for time in times]
        found = read(FORMAT.parser("events.out.tfevents.1.a"), b"".join([events.version(), *frames]))
        assert str(found.times("loss")) == str([1.7e9, math.nan, math.nan, 1.7e9] * count)
