"""Rows of several layouts: taken apart into groups of tags that always come together."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tuimon.formats._flat import FlatParser
from tuimon.formats._groups import Groups
from tuimon.formats._rows import Collector, Layout
from tuimon.formats.base import Parser
from tuimon.formats.tuimon_jsonl import NativeParser
from tuimon.records import Null, ScalarRows
from tuimon.store import Store

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]


def validated(count: int) -> list[dict[str, Any]]:
    """Training rows with a validation at every tenth."""
    rows = []
    for step in range(count):
        row: dict[str, Any] = {"step": step, "loss": 1 / (1 + step), "lr": 0.5}
        rows.append(row | ({"val/loss": step / 2, "val/acc": 1.0} if step % 10 == 9 else {}))
    return rows


def random_rows(random_: random.Random, count: int) -> list[dict[str, Any]]:
    """Rows of any of the same few tags, now of one layout for a while and then of any."""
    rows = []
    tags = [f"t{number}" for number in range(6)]
    usual = random_.sample(tags, 3)
    for step in range(count):
        if random_.random() < 0.02:
            usual = random_.sample(tags, random_.randrange(1, 6))
        chosen = usual if random_.random() < 0.8 else random_.sample(tags, random_.randrange(1, 6))
        row: dict[str, Any] = {"step": step} | {tag: random_.random() for tag in chosen}
        if random_.random() < 0.05:
            row[random_.choice(tags)] = None
        rows.append(row)
    return rows


def encoded(rows: list[dict[str, Any]], parser: type[Parser]) -> bytes:
    if parser is NativeParser:
        rows = [{"step": row["step"], "scalars": {tag: x for tag, x in row.items() if tag != "step"}} for row in rows]
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.mark.parametrize("parser", [FlatParser, NativeParser])
def test_a_validation_row_now_and_then_makes_few_batches(read: Read, parser: type[Parser]) -> None:
    rows = validated(1000)
    found = read(parser(), encoded(rows, parser))
    assert found.batches == 2
    assert found.values("loss") == [row["loss"] for row in rows]
    assert found.steps("val/loss") == list(range(9, 1000, 10))


@pytest.mark.parametrize("parser", [FlatParser, NativeParser])
def test_the_order_of_each_tag_is_kept_whatever_its_rows_look_like(read: Read, parser: type[Parser]) -> None:
    random_ = random.Random(3)
    for _ in range(12):
        rows = random_rows(random_, 300)
        text = encoded(rows, parser)
        cuts = random_.sample(range(len(text)), random_.randrange(6))
        expected: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for row in rows:
            for tag, value in row.items():
                if tag != "step" and value is not None:
                    expected[tag].append((row["step"], value))
        found = read(parser(), text, cuts)
        assert {tag: [(step, x) for step, _, x in points] for tag, points in found.points.items()} == expected
        nulls = sum(value is None for row in rows for value in row.values())
        assert sum(isinstance(record, Null) for record in found.others) == nulls


@pytest.mark.parametrize("parser", [FlatParser, NativeParser])
def test_ranges_that_are_read_again_are_taken_apart_as_at_first(parser: type[Parser]) -> None:
    """Each set of tags has the same rows again in the range from its first to its last piece."""
    random_ = random.Random(4)
    for _ in range(6):
        text = encoded(random_rows(random_, 400), parser)
        cuts = sorted(random_.sample(range(len(text)), 8))
        reader, kept, offset = parser(), b"", 0  # type: ignore[call-arg]
        rows: dict[tuple[str, ...], bytes] = defaultdict(bytes)
        spans: dict[tuple[str, ...], tuple[int, int]] = {}
        for low, high in zip([0, *cuts], [*cuts, len(text)], strict=True):
            kept += text[low:high]
            parsed = reader.parse(kept, high == len(text))
            for record in parsed.records:
                if isinstance(record, ScalarRows):
                    rows[record.tags] += bytes(record.values)
                    spans[record.tags] = (spans.get(record.tags, (offset,))[0], offset + parsed.consumed)
            offset += parsed.consumed
            kept = kept[parsed.consumed :]
        for tags, (start, end) in spans.items():
            again = reader.clone(start).parse(text[start:end], True).records
            values = b"".join(bytes(r.values) for r in again if isinstance(r, ScalarRows) and r.tags == tags)
            assert values == rows[tags]


def test_a_store_that_let_go_of_rows_gets_them_back_from_the_file() -> None:
    rows = validated(30_000)
    text = encoded(rows, FlatParser)
    parser = FlatParser()

    def fetch(_: int, offset: int, length: int) -> Any:
        return parser.clone(offset).parse(text[offset : offset + length], True).records

    store = Store(budget=1 << 16, fetch=fetch)
    source = store.source("run", "log.jsonl")
    kept, offset = b"", 0
    for start in range(0, len(text), 1 << 16):
        kept += text[start : start + (1 << 16)]
        parsed = parser.parse(kept, False)
        store.append(source, parsed.records, offset=offset, length=parsed.consumed)
        offset += parsed.consumed
        kept = kept[parsed.consumed :]
    for tag in ("loss", "val/loss"):
        curve = store.runs["run"].series[tag].curve(budget_rows=None)
        assert curve.exact
        assert curve.low.tolist() == [row[tag] for row in rows if tag in row]


def test_groups_go_back_to_what_they_were_at_a_place() -> None:
    groups = Groups()
    groups.plan(("a", "b", "c"))
    groups.divide(groups.divided_by(("a", "b")), ("a", "b"), 100)
    groups.divide(groups.divided_by(("a",)), ("a",), 200)
    for offset, tags in ((0, "abc"), (100, "abc"), (101, "ab"), (200, "ab"), (201, "a")):
        group = groups.at(offset).of("a")
        assert group is not None
        assert "".join(group.tags) == tags


def test_a_null_comes_after_the_rows_of_its_tag_and_before_later_ones() -> None:
    collector = Collector(0)
    one, other = Layout(1, ("a",)), Layout(1, ("b",))
    for layout in (one, other):
        collector.batch(layout).extend([1.0])
    collector.null(Null("a", 2, None))
    for layout in (one, other):
        collector.batch(layout).extend([3.0])
    kinds = [record.tags[0] if isinstance(record, ScalarRows) else "null" for record in collector.drain()]
    assert kinds == ["a", "null", "b", "a"] or kinds == ["a", "null", "a", "b"]
