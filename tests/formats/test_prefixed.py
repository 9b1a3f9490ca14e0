"""Lines with text in front of an object of metrics."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from tuimon.formats._prefixed import MAX_LINE, PrefixedParser
from tuimon.formats.jsonl import FORMAT as JSON_LINES
from tuimon.formats.prefixed import FORMAT
from tuimon.formats.registry import detect

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

FAIRSEQ = b"""\
2020-05-01 12:00:00 | INFO | fairseq_cli.train | Namespace(lr=[0.1], arch='transformer')
2020-05-01 12:00:10 | INFO | train_inner | {"epoch": 1, "update": 0.5, "loss": "9.25", "num_updates": "100", "lr": "1"}
2020-05-01 12:00:20 | INFO | train_inner | {"epoch": 1, "update": 1.0, "loss": "8.5", "num_updates": "200", "lr": "2"}
2020-05-01 12:00:30 | INFO | valid | {"epoch": 1, "valid_loss": "7.5", "valid_num_updates": "200"}
2020-05-01 12:00:30 | INFO | fairseq.trainer | {not an object}
2020-05-01 12:00:40 | INFO | train | {"epoch": 1, "train_loss": NaN, "train_num_updates": "200"}
"""


def test_rows_stand_at_their_updates_and_at_the_time_in_front_of_them(read: Read) -> None:
    assert detect("train.log", FAIRSEQ) is FORMAT
    found = read(FORMAT.parser("train.log"), FAIRSEQ)
    start = datetime.fromisoformat("2020-05-01 12:00:00").timestamp()
    assert found.points["loss"] == [(100, start + 10, 9.25), (200, start + 20, 8.5)]
    assert found.points["valid_loss"] == [(200, start + 30, 7.5)]
    assert found.steps("train_loss") == [200]
    assert found.values("update") == [0.5, 1.0]
    assert found.others == []


def test_growth_at_every_byte_gives_the_same(read: Read) -> None:
    whole = repr(sorted(read(PrefixedParser(), FAIRSEQ).points.items()))
    for cut in range(1, len(FAIRSEQ)):
        assert repr(sorted(read(PrefixedParser(), FAIRSEQ, [cut]).points.items())) == whole
    assert repr(sorted(read(PrefixedParser(), FAIRSEQ, range(1, len(FAIRSEQ))).points.items())) == whole


def test_a_last_line_counts_once_its_object_is_whole(read: Read) -> None:
    line = b'INFO {"step": 3, "loss": {"a": 0.5}}'
    assert read(PrefixedParser(), line).values("loss/a") == [0.5]
    assert read(PrefixedParser(), line[:-1]).left == line[:-1]


def test_a_range_is_read_again(read: Read) -> None:
    parser = PrefixedParser()
    first = FAIRSEQ.index(b"2020-05-01 12:00:30")
    parser.parse(FAIRSEQ[:first], False)
    parser.parse(FAIRSEQ[first:], True)
    assert read(parser.clone(0), FAIRSEQ[:first]).values("loss") == [9.25, 8.5]


def test_flipped_bytes_and_endless_lines_never_raise(read: Read) -> None:
    random_ = random.Random(5)
    for _ in range(200):
        spoiled = bytearray(FAIRSEQ)
        for _ in range(3):
            spoiled[random_.randrange(len(FAIRSEQ))] = random_.randrange(256)
        FORMAT.sniff("train.log", bytes(spoiled))
        read(PrefixedParser(), bytes(spoiled))
    parser = PrefixedParser()
    assert parser.parse(b"x" * (MAX_LINE + 1), False).consumed == MAX_LINE + 1
    assert read(parser, b'tail}\nINFO {"step": 1, "loss": 2}\n').values("loss") == [2]


def test_other_lines_are_left_to_other_formats() -> None:
    assert detect("train.log", b'{"step": 1, "loss": 2}\n{"step": 2, "loss": 1}\n') is JSON_LINES
    served = b'2024-01-01 12:00:00 INFO {"status": 200, "duration": 0.5}\n' * 5
    told = b'2024-01-01 12:00:00 INFO {"step": 200, "message": "done", "took": 0.5}\n' * 5
    for text in (served, told, b'const a = {"step": 1, "loss": 2}\n'):
        assert detect("service.log", text) is None
    assert detect("train.py", FAIRSEQ) is None
