"""Damaged, torn and odd files: what can be read is read, the rest is counted."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuimon.formats import _lines
from tuimon.formats._flat import FlatParser
from tuimon.formats.base import Parser
from tuimon.formats.tuimon_jsonl import NativeParser
from tuimon.records import Skipped

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

PARSERS = [FlatParser, NativeParser]


@pytest.fixture(params=PARSERS, ids=["flat", "native"])
def parser(request: pytest.FixtureRequest) -> Parser:
    made: Parser = request.param()
    return made


def row(step: int) -> bytes:
    """A line without its end, which both formats read."""
    return json.dumps({"step": step, "loss": step + 0.5}).encode()


def native(step: int) -> bytes:
    return json.dumps({"step": step, "time": 1.0, "scalars": {"loss": step + 0.5}}).encode()


def bad(found: Content) -> int:
    return sum(record.count for record in found.others if isinstance(record, Skipped))


def test_half_a_line_waits_for_the_other_half(read: Read, parser: Parser) -> None:
    """A record whose write is seen half way is no error, and appears when it is complete (case G14)."""
    text = row(1) + b"\n" + row(2) + b"\n"
    parsed = parser.parse(text[:-8], True)
    assert parsed.consumed == len(row(1)) + 1
    rest = parser.parse(text[parsed.consumed :], True)
    assert rest.consumed == len(text) - parsed.consumed
    assert [type(record).__name__ for record in (*parsed.records, *rest.records)] == ["ScalarRows", "ScalarRows"]


def test_a_character_split_between_two_writes_is_whole_again(read: Read, parser: Parser) -> None:
    text = '{"step": 1, "训练/损失": 2}\n'.encode()
    for cut in range(len(text)):
        assert read(type(parser)(), text, [cut]).values("训练/损失") == [2]


def test_a_complete_last_line_without_its_end_counts_at_the_end_of_the_file_only(parser: Parser) -> None:
    assert parser.parse(row(1), False).consumed == 0
    assert parser.parse(row(1), True).consumed == len(row(1))


def test_what_follows_a_line_that_was_taken_without_its_end(read: Read, parser: Parser) -> None:
    content = read(parser, row(1))
    content.take(parser.parse(b"\n" + row(2) + b"\n", True).records)
    assert content.steps("loss") == [1, 2]
    assert content.others == []


@pytest.mark.parametrize("glue", [b"", b" ", b"\t"])
def test_two_objects_on_one_line_are_both_read(read: Read, parser: Parser, glue: bytes) -> None:
    """Two processes appended at once, body and end apart (case H19)."""
    found = read(parser, row(1) + b"\n" + row(2) + glue + row(3) + b"\n\n" + row(4) + b"\n")
    assert found.steps("loss") == [1, 2, 3, 4]
    assert found.others == []


@pytest.mark.parametrize("line", [row, native])
def test_a_record_behind_half_a_line_is_saved_wherever_the_line_broke(read: Read, line: Callable[[int], bytes]) -> None:
    """A killed process left half a line and the next one went on right behind it (case H20)."""
    for cut in range(2, len(line(1))):
        found = read(NativeParser(), line(0) + b"\n" + line(1)[:cut] + line(2) + b"\n" + line(3) + b"\n")
        steps = found.steps("loss")
        assert steps == [0, 2, 3], cut
        assert bad(found) == 1


@pytest.mark.parametrize("line", [row, native])
def test_half_a_line_alone_is_one_bad_line_and_never_a_made_up_point(read: Read, line: Callable[[int], bytes]) -> None:
    for cut in range(1, len(line(1))):
        found = read(NativeParser(), line(0) + b"\n" + line(1)[:cut] + b"\n" + line(3) + b"\n")
        assert found.steps("loss") == [0, 3], cut
        assert bad(found) == 1


def test_bad_lines_are_counted_with_the_place_of_the_first(read: Read, parser: Parser) -> None:
    text = row(1) + b"\n" + b"Traceback!\nValueError\n" + row(2) + b"\n[1, 2]\n3\n"
    found = read(parser, text)
    assert found.steps("loss") == [1, 2]
    assert found.others == [Skipped("bad line", len(row(1)) + 1, "Traceback!", 4)]


def test_places_are_those_in_the_file_and_not_in_the_piece(read: Read, parser: Parser) -> None:
    text = row(1) + b"\n" + row(2) + b"\nbroken\n"
    cut = len(row(1)) + 1
    found = read(parser, text, [cut, cut + 3])
    assert [record.where for record in found.others if isinstance(record, Skipped)] == [text.index(b"broken")]


def test_windows_line_ends_a_byte_order_mark_and_blank_lines(read: Read, parser: Parser) -> None:
    found = read(parser, b"\xef\xbb\xbf" + row(1) + b"\r\n\r\n  \n" + row(2) + b"\r\n")
    assert found.steps("loss") == [1, 2]
    assert found.others == []


def test_a_block_of_nul_bytes_after_a_crash(read: Read, parser: Parser) -> None:
    found = read(parser, row(1) + b"\n" + b"\0" * 4096 + row(2) + b"\n" + row(3) + b"\n" + b"\0" * 10)
    assert found.steps("loss") == [1, 2, 3]
    assert [record.kind for record in found.others if isinstance(record, Skipped)] == ["NUL bytes"]


def test_bytes_that_are_no_utf8(read: Read, parser: Parser) -> None:
    found = read(parser, row(1) + b'\n{"step": 2, "caf\xe9": 3, "loss": 2.5}\n' + row(3) + b"\n")
    assert found.steps("loss") == [1, 2, 3]
    assert found.values("caf\ufffd") == [3]


def test_lone_surrogates(read: Read, parser: Parser) -> None:
    found = read(parser, b'{"step": 1, "a\\ud800": 3}\n')
    (tag,) = found.points
    assert tag.encode()


def test_nesting_without_end_is_a_bad_line(read: Read, parser: Parser) -> None:
    found = read(parser, b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n" + row(1) + b"\n")
    assert found.steps("loss") == [1]
    assert bad(found) == 1


def test_a_line_without_end_is_passed_over_in_bounded_time_and_memory(
    read: Read, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lines, "MAX_LINE", 1 << 16)
    size, piece = 1 << 20, 1 << 12
    text = row(1) + b"\n" + b'{"x": "' + b"y" * size + b'"}\n' + row(2) + b"\n"
    kept = b""
    most = 0
    steps: list[object] = []
    kinds: list[str] = []
    for at in range(0, len(text), piece):
        kept += text[at : at + piece]
        parsed = parser.parse(kept, at + piece >= len(text))
        kept = kept[parsed.consumed :]
        most = max(most, len(kept))
        steps += [record for record in parsed.records if not isinstance(record, Skipped)]
        kinds += [record.kind for record in parsed.records if isinstance(record, Skipped)]
    assert len(steps) == 2
    assert kinds == ["line too long"]
    assert most <= (1 << 16) + piece
    assert kept == b""


def test_a_line_that_is_too_long_but_whole_is_passed_over_as_well(
    read: Read, parser: Parser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_lines, "MAX_LINE", 100)
    found = read(parser, row(1) + b'\n{"x": "' + b"y" * 200 + b'"}\n' + row(2) + b"\n")
    assert found.steps("loss") == [1, 2]
    assert bad(found) == 1


@given(text=st.binary(max_size=60), where=st.integers(0, 3), cut=st.integers(0, 200))
def test_garbage_never_raises_and_never_hides_the_lines_around_it(
    read: Read, text: bytes, where: int, cut: int
) -> None:
    """Any bytes between healthy lines: the healthy lines are read, wherever the pieces are cut."""
    lines = [row(step) for step in range(4)]
    lines.insert(where, text.replace(b"{", b"("))
    whole = b"\n".join(lines) + b"\n"
    for kind in PARSERS:
        assert read(kind(), whole, [min(cut, len(whole))]).steps("loss") == [0, 1, 2, 3]


@given(data=st.binary(max_size=200))
def test_arbitrary_bytes_are_consumed_up_to_an_unfinished_line(read: Read, data: bytes) -> None:
    for kind in PARSERS:
        assert b"\n" not in read(kind(), data).left
