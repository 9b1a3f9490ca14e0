"""Numbers that are logged one by one: the numbers of a step share a line, whatever their order and number."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from tuimon_writer import SummaryWriter
from tuimon_writer.flusher import flusher
from tuimon_writer.rows import TOGETHER, scalar_lines

Number = tuple[int, float, str, float]


def _merged(numbers: list[Number]) -> list[dict[str, Any]]:
    """The rows by the plain rule, number by number."""
    rows: list[dict[str, Any]] = []
    for step, time, tag, value in numbers:
        row = rows[-1] if rows else None
        if row and row["step"] == step and tag not in row["scalars"] and abs(time - row["time"]) <= TOGETHER:
            row["scalars"][tag] = value
        else:
            rows.append({"step": step, "time": time, "scalars": {tag: value}})
    return rows


def _lines(numbers: list[Number]) -> list[dict[str, Any]]:
    steps, times, tags, values = ([*column] for column in zip(*numbers, strict=True))
    return [json.loads(line) for line in scalar_lines(steps, times, tags, values)]


def test_rows_follow_the_plain_rule() -> None:
    """Regular rows, odd ones and any mixture of them give the lines that merging number by number gives."""
    seeded = random.Random(7)
    for _ in range(300):
        tags = [f"m%{number}" for number in range(seeded.randint(1, 5))]
        numbers: list[Number] = []
        time = 1_000.0
        for at in range(seeded.randint(1, 30)):
            step = at if seeded.random() < 0.8 else seeded.randint(0, 30)
            if seeded.random() < 0.2:
                seeded.shuffle(tags)
            chosen = tags if seeded.random() < 0.8 else seeded.choices(tags, k=seeded.randint(1, 6))
            for tag in chosen:
                numbers.append((step, time, tag, seeded.uniform(-1, 1)))
                if seeded.random() < 0.05:
                    time += seeded.choice([0.25, 0.5])
        assert _lines(numbers) == _merged(numbers)


def test_values_that_json_lacks() -> None:
    """NaN and infinities among the numbers of a row are strings, and the others stay exact."""
    nan, infinity = float("nan"), float("inf")
    found = _lines([(1, 5.0, "a", nan), (1, 5.0, "b", 0.1), (2, 5.0, "a", infinity), (2, 5.0, "b", -infinity)])
    assert [row["scalars"] for row in found] == [{"a": "NaN", "b": 0.1}, {"a": "Infinity", "b": "-Infinity"}]


def test_huge_values_are_finite() -> None:
    """A row whose sum overflows keeps its finite values."""
    assert _lines([(1, 5.0, "a", 1.7e308), (1, 5.0, "b", 1.7e308)])[0]["scalars"] == {"a": 1.7e308, "b": 1.7e308}


def test_steps_that_no_reader_could_hold() -> None:
    """Whole steps beyond 64 bits are floats, those beyond all floats are none, and their numbers are kept."""
    steps = [5, 2**63, -(2**70), 10**400, 10**5_000, 6]
    found = _lines([(step, 5.0, "a", float(at)) for at, step in enumerate(steps)])
    assert [row["step"] for row in found] == [5, 2.0**63, -(2.0**70), None, None, 6]
    assert [row["scalars"]["a"] for row in found] == [0, 1, 2, 3, 4, 5]


def test_no_step_is_cut_in_two(logs: Any, tmp_path: Path) -> None:
    """However much waits, a write ends with a step: no row has only some of the numbers of its step."""
    tags = [f"metric{number}" for number in range(7)]
    writer = SummaryWriter(tmp_path)
    writer.flush()
    with flusher._writing:
        for step in range(2_000):
            for tag in tags:
                writer.add_scalar(tag, 0.5, step)
    writer.close()
    rows = [line["scalars"] for line in logs.read(tmp_path) if "scalars" in line]
    assert len(rows) == 2_000
    assert {tuple(row) for row in rows} == {tuple(tags)}
