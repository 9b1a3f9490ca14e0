"""Event files that other people's programs wrote, against what an independent reader found in them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tuimon.formats.registry import HEAD_SIZE, detect
from tuimon.formats.tfevents import FORMAT
from tuimon.records import Skipped
from tuimon.tail import Tail

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]


def test_every_scalar_of_every_event_file(real_logs: Path, read: Read) -> None:
    """Number of points, steps, smallest, largest and last value; nothing is damaged, and no more than a tail waits."""
    root = real_logs.parent / "truth"
    tags = 0
    for path in sorted(root.rglob("*tfevents*.json")):
        truth = json.loads(path.read_text())
        log = real_logs / str(path.relative_to(root)).removesuffix(".json")
        data = log.read_bytes()
        assert detect(str(log), data[:HEAD_SIZE]) is FORMAT, log
        found = read(FORMAT.parser(str(log)), data, range(FORMAT.piece, len(data), FORMAT.piece))
        assert not [one for one in found.others if isinstance(one, Skipped) and one.kind == "damaged"], log
        assert truth["trailing_bytes"] or not found.left, log
        scalars = {
            tag: facts
            for tag, facts in truth["tags"].items()
            if any(kind.startswith("scalar") for kind in facts.get("kinds", {}))
        }
        assert found.points.keys() == scalars.keys(), log
        for tag, facts in scalars.items():
            steps, values = found.steps(tag), found.values(tag)
            finite = [value for value in values if math.isfinite(value)]
            assert (len(values), steps[0], steps[-1]) == (facts["count"], facts["first_step"], facts["last_step"]), log
            assert sum(map(math.isnan, values)) == facts["nan"], (log, tag)
            if finite:
                assert math.isclose(min(finite), facts["min"], rel_tol=1e-6), (log, tag)
                assert math.isclose(max(finite), facts["max"], rel_tol=1e-6), (log, tag)
            tags += 1
    assert tags > 800


def test_the_states_of_a_growing_file_end_as_if_it_were_read_at_once(
    real_logs: Path, read: Read, tmp_path: Path
) -> None:
    """Files that were read while a training wrote them."""
    followed = 0
    for chain in (path for path in (real_logs.parent / "growth").iterdir() if path.is_dir()):
        states = [next(state.iterdir()) for state in sorted(chain.iterdir())]
        if "tfevents" not in states[0].name:
            continue
        target = tmp_path / chain.name
        tail, parser = Tail(target), FORMAT.parser(str(states[0]))
        content = read(parser, b"")
        for state in states:
            target.write_bytes(state.read_bytes())
            piece = tail.read(FORMAT.piece)
            while piece.data:
                assert not piece.reset
                parsed = parser.parse(piece.data, piece.at_end)
                content.take(parsed.records)
                tail.advance(parsed.consumed)
                piece = tail.read(FORMAT.piece)
        whole = read(FORMAT.parser(str(states[-1])), states[-1].read_bytes())
        assert content.points.keys() == whole.points.keys(), chain
        for tag, points in whole.points.items():
            assert str(content.points[tag]) == str(points), (chain, tag)
        assert len(content.others) == len(whole.others), chain
        followed += 1
    assert followed >= 10
