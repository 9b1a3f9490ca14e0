"""What a line of output says, and templates of lines: lines of one program differ in nothing but their numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tuimon.formats._axes import is_step
from tuimon.formats._console.lines import front, stamp_at
from tuimon.formats._console.pairs import Named, Units, pairs, quoted_pairs
from tuimon.formats._console.steps import Counters, Span, counters
from tuimon.formats._looks import names_metric

NOTHING, ROW, HEADER, OUTER, BAR, OBJECT, COLUMNS, BELOW = range(8)
"""What to do with a line: pass it over, take its numbers, take the lines below it at its step, remember its epoch, take
its numbers if the bar is full, take its numbers by the names of an object, take its words for names of columns,
take its numbers if it stands below the heading of an epoch."""

_TOKEN = re.compile(r"([-+.\d](?<![\w.@].)(?:(?<=\d)|\d)[\d.]*(?:,\d{3})*(?:[eE][-+]?\d+)?)", re.ASCII)
_SPLIT = re.compile(
    r"\W*(train_inner|train(?:ing)?|val(?:id(?:ation)?)?|test(?:ing)?|eval(?:uation)?|dev)(?![a-z/])", re.IGNORECASE
)
_SPLITS = {"training": "train", "validation": "valid", "testing": "test", "evaluation": "eval"}
_CODE = re.compile(
    r"\s*(?:(?:def|class|import|from|return|assert|raise|elif|while|with|except|lambda|yield|del)\b(?! ?[:=|])"
    r"|global\b(?! ?[:=|]| step)"
    r"|(?:if|for|else|try)\b.*:\s*(?:#.*)?$|@\w|#(?!\d)|//|/\*|print\w*\(|self\.|File \"|>>>"
    r"|[\w.]+ ?[-+*/]?= ?(?:[A-Za-z_][\w.]*[(\[]|[\[({'\"]))"
    r"|.*(?:\{\s*$|\bf[\"']|\{[\w.]+(?::[^{}'\"]*)?\})"
)
_STATEMENT = re.compile(r"(?:;|\)\s*:)\s*$")
_LONGEST_END = 8
_INSIDE = re.compile(r"[\w.]\([^()]*$|^[^'\"]*(?:\"[^\"]*|'[^']*)$")
_ITEM = re.compile(r"\*\s")
_PART = re.compile(
    r"\[(train|training|val|valid|validation|test|eval)\](?=\s)"
    r"|(?<![\w/])(train|training|val|valid|validation|test|eval)\s*[:|-]\s+(?=[A-Za-z])",
    re.IGNORECASE,
)
_RATE = re.compile(r"(?:^|[^a-z])(?:lr|learning[ _]rate)[\d_]*$")
_AT_STEP = re.compile(
    r"\s*([^\W\d][^|:=]{0,80}?)(?: at| after| for| in| on)?\s*\|\s*[:=]\s*([+-]?[\d.]+(?:[eE][+-]?\d+)?)\s*"
)
_DURATION = re.compile(
    r"\b\d+ days?, [\d:]+|\b\d+:\d\d(?::\d\d)?(?:\.\d+)?\b|\b\d+h ?\d+m?(?: ?\d+s)?\b|\b\d+m ?\d+s\b|\b\d+\.\d+\.\d+\b"
)
_PER = frozenset({"s", "sec", "second", "it", "iter", "step", "batch", "gpu"})
_PARTS = frozenset({"learn", "train", "test", "valid", "validation"})


@dataclass(slots=True)
class Reading:
    """What a line says, as places in it.

    Attributes:
        action: What to do with it.
        found: Its counters.
        values: Its named numbers.
        time: Where its time stamp begins; -1 without one.
    """

    action: int
    found: Counters
    values: Sequence[Named] = ()
    time: int = -1


@dataclass(frozen=True, slots=True)
class Template:
    """What lines of one shape say.

    Attributes:
        action: What to do with them.
        outer, inner, total: Which of their numbers these counters are; -1 for what is not there.
        time: Where the time stamp begins, most likely; -1 without one.
        absolute, split, outer_name: As for `Counters`.
        tags: Names of the values.
        values: Which of the numbers they are.
        scales: What they are multiplied by; None when all are taken as they stand.
        parts: Which of the values are to be divided by which number.
        words: Values that are the same in all lines of the shape, such as "nan": numbers after those of the line.
    """

    action: int
    outer: int = -1
    inner: int = -1
    total: int = -1
    time: int = -1
    absolute: bool = False
    split: str = ""
    outer_name: str = "epoch"
    tags: tuple[str, ...] = ()
    values: tuple[int, ...] = ()
    scales: tuple[float, ...] | None = None
    parts: tuple[tuple[int, int], ...] = ()
    words: tuple[str, ...] = ()


PASSED_OVER = Template(NOTHING)


def tokens(text: str) -> list[str]:
    """A line cut into text and numbers in turn, beginning and ending with text."""
    return _TOKEN.split(text)


def template(text: str, reading: Reading, *, alone: bool = False) -> Template | None:
    """What lines of the same shape say; None when a number that counts is no token of its own.

    Args:
        text: A line of this shape.
        reading: What it says.
        alone: Make one for this very line, with all its numbers as ``words``.
    """
    places = {} if alone else {match.span(): index for index, match in enumerate(_TOKEN.finditer(text))}
    first = len(places)
    found = reading.found
    words: list[str] = []

    def at(place: Span | None) -> int:
        if place is None:
            return -1
        if place not in places:
            word = text[slice(*place)]
            if not alone and word[-1:].isdecimal():
                raise LookupError
            words.append(word)
            places[place] = first + len(words) - 1
        return places[place]

    try:
        scales = tuple(one.scale for one in reading.values)
        return Template(
            reading.action,
            at(found.outer),
            at(found.inner),
            at(found.total),
            reading.time,
            found.absolute,
            found.split,
            found.outer_name,
            tuple(_tag(found.split, one.tag) for one in reading.values),
            tuple(at(one.place) for one in reading.values),
            None if all(scale == 1.0 for scale in scales) else scales,
            tuple((index, at(one.of)) for index, one in enumerate(reading.values) if one.of is not None),
            tuple(words),
        )
    except LookupError:
        return None


def read(text: str, units: Units) -> Reading:
    """What a line says."""
    reading = _read(text, front(text), units)
    reading.time = stamp_at(text)
    return reading


def _read(text: str, start: int, units: Units) -> Reading:
    opening = text.find("{", start)
    if opening >= 0 and text.rstrip().endswith("}") and text[opening + 1 : opening + 8].lstrip()[:1] in ("'", '"'):
        return _read_object(text, start, opening)
    found = counters(text, start)
    nothing = Reading(NOTHING, found)
    if found.before != start and _STATEMENT.search(text[-_LONGEST_END:]):
        return nothing
    if _CODE.match(text, start) or (found.any and _INSIDE.search(text[start : found.before])):
        return nothing
    rest = _DURATION.sub(lambda match: " " * len(match[0]), found.rest)
    values, words = _pairs_by_part(rest, units)
    if not values and found.any and not found.bar:
        at_step = _AT_STEP.fullmatch(rest)
        values = [Named(at_step[1], at_step.span(2))] if at_step else []
    found.split = found.split or _split_of(text, start)
    if not values:
        sure = found.inner is not None and not found.vague
        if found.any and words < (3 if sure else 1) and not found.bar:
            return Reading(HEADER, found)
        return Reading(OUTER, found) if found.outer is not None and words < 3 else nothing
    if words > 2 * len(values) + 1:
        return nothing
    measured = any(_is_measure(one.tag.lower()) for one in values)
    if found.bar:
        return Reading(BAR, found, values) if measured else nothing
    if found.any:
        return Reading(ROW, found, values) if measured or not found.vague else nothing
    if not measured:
        return nothing
    if found.split or _ITEM.match(text, start):
        return Reading(ROW, found, values)
    return Reading(BELOW, found, values) if not words else nothing


def _pairs_by_part(text: str, units: Units) -> tuple[list[Named], int]:
    """The named numbers of a line that may tell of several parts of the data: ``train: loss 0.5 | val: loss 0.6``."""
    parts = [*_PART.finditer(text)]
    if len(parts) < 2:
        return pairs(text, units)
    found, words = pairs(text[: parts[0].start()], units)
    ends = [*(part.start() for part in parts[1:]), len(text)]
    for part, end in zip(parts, ends, strict=True):
        values, more = pairs(" " * part.end() + text[part.end() : end], units)
        split = (part[1] or part[2]).lower()
        found += [replace(one, tag=_tag(_SPLITS.get(split, split), one.tag)) for one in values]
        words += more
    return [*{one.tag: one for one in found}.values()], words


def _is_measure(tag: str) -> bool:
    """Whether a name is that of a metric, or of the part of the data that one is of (``learn: 0.5  test: 0.6``)."""
    return (names_metric(tag) and not _RATE.search(tag)) or tag in _PARTS


def _read_object(text: str, start: int, opening: int) -> Reading:
    """What a line says that ends with an object as Python or JSON prints it."""
    found = counters(text[:opening], start)
    values = quoted_pairs(text, opening)
    if any(names_metric(one.tag) for one in values):
        if any(is_step(one.tag) for one in values):
            return Reading(OBJECT, Counters(), values)
        if found.any:
            return Reading(ROW, found, values)
    return Reading(NOTHING, found)


def _split_of(text: str, start: int) -> str:
    """The part of the data that a line is about, by its first word: ``Test: …``, ``| valid | …``; "" when none."""
    found = _SPLIT.match(text, start)
    if found is None:
        return ""
    word = found[1].lower()
    return _SPLITS.get(word, word)


def _tag(split: str, key: str) -> str:
    """The tag of a name: with the part of the data in front unless the name tells it, or is in a group of its own."""
    grouped = "/" in key and key.rpartition("/")[2].lower() not in _PER
    return key if grouped or split in ("", "train") or split.partition("_")[0] in key.lower() else f"{split}/{key}"
