"""Points as text: nothing is rounded, nothing that is not finite is lost, every line is strict JSON or CSV."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuimon.commands.points import COLUMNS, LAYOUTS, null_line, point_lines


def lines(form: str, values: Any, steps: Any, times: Any, attempts: Any = None, tag: str = "a") -> str:
    """Write one column of values."""
    layout = LAYOUTS[form]()
    array = np.array(values, dtype=np.float64).reshape(-1, 1)
    numbers = np.ones(array.shape, dtype=np.int64) if attempts is None else np.array(attempts).reshape(-1, 1)
    heads = [layout.head("run", tag)]
    return point_lines(layout, heads, np.array(steps, float), np.array(times, float), array, numbers)


def refuse(token: str) -> None:
    raise AssertionError(f"not strict JSON: {token}")


def strict(line: str) -> dict[str, Any]:
    """Parse JSON that has no NaN or Infinity tokens."""
    result: dict[str, Any] = json.loads(line, parse_constant=refuse)
    return result


@given(st.lists(st.tuples(st.floats(), st.floats(allow_nan=False, allow_infinity=False)), min_size=1, max_size=20))
def test_values_and_steps_come_back_exactly(points: list[tuple[float, float]]) -> None:
    """Every float64 value and every step is read back as it was."""
    values, steps = [value for value, _ in points], [step for _, step in points]
    for line, value, step in zip(lines("jsonl", values, steps, steps).splitlines(), values, steps, strict=True):
        point = strict(line)
        assert list(point) == list(COLUMNS)
        assert point["value"] == {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, value) or (
            math.isnan(value) and point["value"] == "NaN"
        )
        assert point["step"] == step
        assert isinstance(point["step"], int) == (step.is_integer() and abs(step) <= 2**53)
        assert point["time"] == step


def test_what_is_unknown_is_null_in_json_and_empty_in_csv() -> None:
    """A point without step or time says so."""
    text = lines("jsonl", [0.5], [math.nan], [math.nan])
    assert strict(text) == {"run": "run", "tag": "a", "step": None, "time": None, "value": 0.5, "attempt": 1}
    assert lines("csv", [0.5], [math.nan], [math.nan]) == "run,a,,,0.5,1\n"


def test_each_point_has_its_attempt() -> None:
    """Attempts may change within a batch."""
    text = lines("jsonl", [1.0, 2.0, 3.0], [0, 1, 1], [0, 1, 2], attempts=[1, 1, 2])
    assert [strict(line)["attempt"] for line in text.splitlines()] == [1, 1, 2]


@pytest.mark.parametrize("tag", ['a"b', "a,b", "训练/损失 %", "new\nline", "", "\x1b[31m"])
def test_any_tag_survives_both_formats(tag: str) -> None:
    """Names are quoted as the format wants it."""
    assert strict(lines("jsonl", [1.0], [0], [0], tag=tag))["tag"] == tag
    (row,) = csv.reader(io.StringIO(lines("csv", [1.0], [0], [0], tag=tag), newline=""))
    assert row == ["run", tag, "0", "0.0", "1.0", "1"]


@pytest.mark.parametrize(("form", "expected"), [("jsonl", None), ("csv", "")])
def test_a_null_is_a_point_without_a_value(form: str, expected: object) -> None:
    """What was logged as null is exported as such, not as NaN (case A7)."""
    layout = LAYOUTS[form]()
    text = null_line(layout, layout.head("run", "a"), 3, None, 2)
    fields = list(strict(text).values()) if form == "jsonl" else text.rstrip("\n").split(",")
    assert fields[4] == expected
    assert [str(field) for field in fields[:3]] == ["run", "a", "3"]
