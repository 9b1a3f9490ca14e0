"""Logs that other programs wrote, against what an independent reader found in them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tuimon.formats._axes import is_axis
from tuimon.formats.registry import HEAD_SIZE, detect
from tuimon.tail import Tail

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

JSON_LINES = ("JSON lines", "W&B JSON lines")


def truths(real_logs: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Each log file with what is known of it."""
    root = real_logs.parent / "truth"
    for path in sorted(root.rglob("*.json")):
        log = real_logs / str(path.relative_to(root)).removesuffix(".json")
        if path.name != "_DIR.json" and log.is_file():
            yield log, json.loads(path.read_text())


def numeric_keys(truth: dict[str, Any]) -> Iterator[tuple[str, int, dict[str, Any]]]:
    """The keys that hold nothing but numbers and nulls, with the number of numbers."""
    for key, facts in truth["keys"].items():
        count = facts["types"].get("number", 0)
        if count and not set(facts["types"]) - {"number", "null"}:
            yield key, count, facts


def test_every_json_lines_log_is_recognised_and_nothing_else(real_logs: Path) -> None:
    """Chats, summaries, settings, documents and lists are left alone."""
    for log, truth in truths(real_logs):
        known = detect(log.name, log.read_bytes()[:HEAD_SIZE])
        expected = truth["format"] == "jsonl" and any(numeric_keys(truth))
        assert (known is not None and known.name in JSON_LINES) == expected, log


def test_every_numeric_key_has_all_its_points(real_logs: Path, read: Read) -> None:
    """Number of points, NaN, infinities, smallest, largest and last value in file order."""
    checked = 0
    for log, truth in truths(real_logs):
        data = log.read_bytes()
        known = detect(log.name, data[:HEAD_SIZE])
        if truth["format"] != "jsonl" or known is None:
            continue
        found = read(known.parser(log.name), data, range(0, len(data), 1 << 18))
        for key, count, facts in numeric_keys(truth):
            if key not in found.points:
                assert is_axis(key) or key == "_runtime", (log, key)
                continue
            values = found.values(key)
            finite = [value for value in values if math.isfinite(value)]
            assert len(values) == count, (log, key)
            assert sum(map(math.isnan, values)) == facts["nan"], (log, key)
            assert sum(map(math.isinf, values)) == facts["inf"], (log, key)
            assert (min(finite), max(finite)) == (facts["min"], facts["max"]), (log, key)
            assert values[-1] == facts["last_value"], (log, key)
            checked += 1
        assert found.left == b"", log
    assert checked > 700


def test_the_states_of_a_growing_log_end_as_if_it_were_read_at_once(
    real_logs: Path, read: Read, tmp_path: Path
) -> None:
    """Logs that grew, and logs that a later run wrote over, are followed to what is in them now."""
    chains = [path for path in (real_logs.parent / "growth").iterdir() if path.is_dir()]
    followed = 0
    for chain in chains:
        states = [next(state.iterdir()) for state in sorted(chain.iterdir())]
        target = tmp_path / chain.name
        known = detect(states[0].name, states[0].read_bytes()[:HEAD_SIZE])
        if known is None or known.name not in JSON_LINES:
            continue
        tail, parser = Tail(target), known.parser(target.name)
        content = read(parser, b"")
        resets = 0
        for state in states:
            target.write_bytes(state.read_bytes())
            piece = tail.read()
            while piece.data:
                if piece.reset:
                    resets += 1
                    parser = known.parser(target.name)
                    content = read(parser, b"")
                parsed = parser.parse(piece.data, piece.at_end)
                content.take(parsed.records)
                tail.advance(parsed.consumed)
                piece = tail.read()
        data = states[-1].read_bytes()
        rewritten = sum(not new.read_bytes().startswith(old.read_bytes()) for old, new in zip(states, states[1:]))  # noqa: B905, RUF007
        assert resets == rewritten, chain
        assert str(content.points) == str(read(known.parser(target.name), data).points), chain
        followed += 1
    assert followed >= 3
