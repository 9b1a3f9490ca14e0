"""JSON documents: complete, incomplete, damaged, and cut anywhere."""

from __future__ import annotations

import json
import random

import pytest

from tuimon.formats._json import BadDocument, beginning, document


def some_document(random_: random.Random) -> object:
    def value(depth: int) -> object:
        kind = random_.randrange(8 if depth < 4 else 5)
        if kind < 3:
            return random_.choice([0, -3, 2.5, 1e-9, 10**17])
        if kind == 3:
            return random_.choice([None, True, "", 'quote " and \\', "[{,", "träge"])
        if kind == 4:
            return random_.choice([[], {}])
        if kind < 6:
            return [value(depth + 1) for _ in range(random_.randrange(4))]
        return {f"k{index}": value(depth + 1) for index in range(random_.randrange(4))}

    return random_.choice([[value(1), value(1), value(1)], {"a": value(1), "b": value(1)}])


def test_a_document_is_taken_only_when_it_is_complete() -> None:
    random_ = random.Random(1)
    for _ in range(60):
        whole = some_document(random_)
        text = json.dumps(whole, indent=random_.choice([None, 2])).encode()
        assert document(text) == whole
        for end in range(len(text)):
            assert document(text[:end]) is None, text[:end]


def test_bare_tokens_of_json_encoders_are_values_also_while_the_document_is_written() -> None:
    text = b'{"a": [1, NaN, -Infinity], "b": NaN}'
    assert document(text) == {"a": [1, "NaN", "-Infinity"], "b": "NaN"}
    assert all(document(text[:end]) is None for end in range(len(text)))


@pytest.mark.parametrize("text", [b"{]", b'{"a": 1}}', b'{"a": 1 "b": 2}', b"[1 2]", b"[" * 5000 + b"]" * 5000])
def test_damage_is_told_apart_from_an_incomplete_document(text: bytes) -> None:
    with pytest.raises(BadDocument):
        document(text)


def test_the_beginning_of_a_document_holds_its_finished_elements() -> None:
    assert beginning(b'{"loss": [1, 2, 3], "acc": [4, 5') == {"loss": [1, 2, 3], "acc": [4]}
    assert beginning(b'[{"a": 1}, {"a": 2') == [{"a": 1}, {}]
    assert beginning(b'[{"a": "x, [') == [{}]
    assert beginning(b"import json") is None
    assert beginning(b"[1]]") is None


def test_a_beginning_cut_at_any_byte_is_no_more_than_the_whole() -> None:
    whole = [{"epoch": epoch, "loss": 1 / (1 + epoch), "name": 'a"]b'} for epoch in range(4)]
    text = json.dumps(whole).encode()
    for end in range(1, len(text)):
        found = beginning(text[:end])
        assert isinstance(found, list)
        assert all(row.items() <= full.items() for row, full in zip(found, whole, strict=False))
        assert len(found) >= text[:end].count(b"}")


def test_random_documents_have_a_beginning_wherever_they_are_cut() -> None:
    random_ = random.Random(2)
    for _ in range(60):
        text = json.dumps(some_document(random_)).encode()
        assert all(beginning(text[:end]) is not None for end in range(1, len(text) + 1))
