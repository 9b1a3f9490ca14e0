"""JSON that every program can read: values that are not finite are the strings "NaN", "Infinity" and "-Infinity"."""

from __future__ import annotations

import json
import math
from typing import Any


def finite(value: Any) -> Any:
    """The same value with names for numbers that JSON does not have, at any depth."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return value


def step_number(step: float | None) -> int | float | None:
    """A step as an integer where it is one; None where it is unknown."""
    if step is None or step != step:
        return None
    return int(step) if step.is_integer() else step


def dump(value: Any) -> str:
    """The text of some value, indented."""
    return harmless(json.dumps(finite(value), ensure_ascii=False, indent=2, allow_nan=False))


def harmless(text: str) -> str:
    """The same JSON, with characters that could control a terminal, or hide themselves, as JSON's own escapes."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else json.dumps(char)[1:-1] for char in text)
