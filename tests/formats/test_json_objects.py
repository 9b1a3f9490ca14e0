"""Rows that are printed over several lines each."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from tuimon.formats.json_objects import FORMAT, ObjectsParser
from tuimon.formats.registry import detect
from tuimon.records import Skipped

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

ROWS = [{"step": step, "loss": {"a": step / 2}, "list": [1, {"x": 2}]} for step in range(5)]
TEXT = "\n".join(json.dumps(row, indent=2) for row in ROWS).encode() + b"\n"


def test_each_object_is_a_row_wherever_the_bytes_are_cut(read: Read) -> None:
    assert detect("metrics.json", TEXT) is FORMAT
    for cut in range(len(TEXT)):
        found = read(ObjectsParser(), TEXT, [cut])
        assert [(step, value) for step, _, value in found.points["loss/a"]] == [(n, n / 2) for n in range(5)]
    assert read(ObjectsParser(), TEXT, range(1, len(TEXT))).steps("loss/a") == [0, 1, 2, 3, 4]


def test_half_an_object_waits_and_a_damaged_one_costs_only_itself(read: Read) -> None:
    assert read(ObjectsParser(), TEXT[:-5]).steps("loss/a") == [0, 1, 2, 3]
    spoiled = TEXT.replace(b'"step": 2,', b'"step": 2;')
    found = read(ObjectsParser(), spoiled)
    assert found.steps("loss/a") == [0, 1, 3, 4]
    assert [type(record) for record in found.others] == [Skipped]


def test_a_range_is_read_again(read: Read) -> None:
    parser = ObjectsParser()
    consumed = parser.parse(TEXT[:100], False).consumed
    parser.parse(TEXT[consumed:], True)
    assert read(parser.clone(consumed), TEXT[consumed:]).steps("loss/a")[-1] == 4


def test_other_documents_are_left_alone() -> None:
    people = [{"name": "a", "age": 3}, {"name": "b", "age": 4}]
    assert detect("people.json", "\n".join(json.dumps(one, indent=2) for one in people).encode()) is None
    assert not FORMAT.sniff("one.json", json.dumps(ROWS[0], indent=2).encode())
    assert not FORMAT.sniff("x.jsonl", b'{"step": 1, "loss": 2}\n{"step": 2, "loss": 1}\n')


def test_flipped_bytes_never_raise(read: Read) -> None:
    random_ = random.Random(6)
    for _ in range(200):
        spoiled = bytearray(TEXT)
        spoiled[random_.randrange(len(TEXT))] = random_.randrange(256)
        FORMAT.sniff("x.json", bytes(spoiled))
        read(ObjectsParser(), bytes(spoiled))
