"""Whether the beginning of a text is what a training prints."""

from __future__ import annotations

import re
from itertools import pairwise

from tuimon.formats._console.parser import ConsoleParser
from tuimon.formats._looks import names_metric
from tuimon.records import ScalarRows

_PIECE = 1 << 13
_ENOUGH = 3
_MANY = 10
_SOURCE = re.compile(rb"^(?:import \w|from [\w.]+ import )", re.MULTILINE)
_LOGGED = re.compile(rb"\W{0,2}20\d\d[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d.{0,60}\bINFO\b")
_TRAINS = re.compile(rb"\bimport (?:torch|jax|tensorflow)\b")


def is_training(head: bytes) -> bool:
    """Whether a program that trains wrote this.

    There must be several lines with a step and a name with a number, at more than one step, and the name must be
    one of what trainings are measured by, or come back many times.

    Args:
        head: The first bytes of the file.
    """
    parser = ConsoleParser()
    steps: dict[str, list[float]] = {}
    start = 0
    for end in range(_PIECE, len(head) + _PIECE, _PIECE):
        parsed = parser.parse(head[start:end], at_end=False)
        start += parsed.consumed
        for record in parsed.records:
            if isinstance(record, ScalarRows):
                at = memoryview(record.steps).cast("B").cast("d").tolist()
                for tag in record.tags:
                    steps.setdefault(tag, []).extend(at)
        if any(len(at) >= _MANY and names_metric(tag) and _goes_up(at, 0) for tag, at in steps.items()):
            return True  # what follows cannot change that
    return any(_is_curve(tag, at) for tag, at in steps.items()) or _is_preamble(head)


def _is_curve(tag: str, steps: list[float]) -> bool:
    enough = _ENOUGH if names_metric(tag) else _MANY
    return len(steps) >= enough and _goes_up(steps, len(steps) // 4)


def _goes_up(steps: list[float], most_back: int) -> bool:
    """Whether there are several steps, which step back no more often than that."""
    return len(set(steps)) > 1 and sum(after < before for before, after in pairwise(steps)) <= most_back


def _is_preamble(head: bytes) -> bool:
    """Whether all that is seen is what a training prints before it begins: its own source, or all its settings."""
    if len(head) < 1 << 16:
        return False
    if len(_SOURCE.findall(head)) > 2 and _TRAINS.search(head):
        return b"loss" in head and b"step" in head
    return _LOGGED.match(head) is not None and b"optimizer" in head and b"epoch" in head
