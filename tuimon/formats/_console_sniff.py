"""Whether the beginning of a text is what a training prints."""

from __future__ import annotations

import re
from itertools import pairwise

from tuimon.formats._console import ConsoleParser
from tuimon.formats._looks import names_metric
from tuimon.records import ScalarRows

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
    for record in parser.parse(head, at_end=False).records:
        if isinstance(record, ScalarRows):
            at = memoryview(record.steps).cast("B").cast("d").tolist()
            for tag in record.tags:
                steps.setdefault(tag, []).extend(at)
    return any(_is_curve(tag, at) for tag, at in steps.items()) or _is_preamble(head)


def _is_curve(tag: str, steps: list[float]) -> bool:
    enough = _ENOUGH if names_metric(tag) else _MANY
    back = sum(after < before for before, after in pairwise(steps))
    return len(steps) >= enough and len(set(steps)) > 1 and 4 * back <= len(steps)


def _is_preamble(head: bytes) -> bool:
    """Whether all that is seen is what a training prints before it begins: its own source, or all its settings."""
    if len(head) < 1 << 16:
        return False
    if len(_SOURCE.findall(head)) > 2 and _TRAINS.search(head):
        return b"loss" in head and b"step" in head
    return _LOGGED.match(head) is not None and b"optimizer" in head and b"epoch" in head
