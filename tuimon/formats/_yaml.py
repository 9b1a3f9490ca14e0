"""YAML files of settings as plain values; nothing that such a file names is ever imported, built or run.

PyYAML only splits the text into events. Values of any class (``!!python/object:…``, which programs write without
meaning to) become what they are made of. Aliases are counted each time, so that no file grows without bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from tuimon.formats._values import MAX_DEPTH

if TYPE_CHECKING:
    import yaml

MAX_YAML = 4 << 20
"""Larger files are no settings."""

MAX_NODES = 100_000
"""A document of more values, aliases counted each time, is not taken in."""

_PYTHON = "tag:yaml.org,2002:python/"
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9_]*)", re.ASCII)
_BASED = re.compile(r"[-+]?0(?:x[0-9a-fA-F_]+|o[0-7_]+|b[01_]+)", re.ASCII)
_FLOAT = re.compile(r"[-+]?(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?", re.ASCII)
_SPECIAL = re.compile(r"[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN)", re.ASCII)
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"), True),
    **dict.fromkeys(("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"), False),
}
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _NotTakenError(ValueError):
    """The document is too large or too deep, or names what it does not hold."""


def load_yaml(data: bytes) -> object | None:
    """The first document of a YAML file as objects of JSON: strings, numbers, booleans, None, lists and dicts.

    Keys are strings. Dates stay the text that they are, ``1e-4`` is a number, and of binary data only the text is kept.

    Returns:
        The value; None when it is no YAML, holds nothing, or is too large.
    """
    import yaml

    if len(data) > MAX_YAML:
        return None
    text = _UNPRINTABLE.sub("\ufffd", data.decode("utf-8-sig", "replace"))
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Builder(yaml.parse(text, Loader=loader), yaml).document()
    except (yaml.YAMLError, _NotTakenError, RecursionError):
        return None


class _Builder:
    """Builds the value of a document from its events.

    Args:
        events: What `yaml.parse` gives.
        names: The library.
    """

    def __init__(self, events: Iterator[yaml.Event], names: Any) -> None:
        self._events = events
        self._yaml = names
        self._anchors: dict[str, tuple[object, int]] = {}  # values, and of how many nodes they are made
        self._count = 0

    def document(self) -> object | None:
        """The first document; None when there is none."""
        for event in self._events:
            if isinstance(event, (self._yaml.ScalarEvent, self._yaml.CollectionStartEvent)):
                return self._value(event, 0)
        return None

    def _value(self, event: Any, depth: int) -> object:
        """The value that begins with an event; its other events are taken."""
        yaml = self._yaml
        before = self._count
        self._count += 1
        if self._count > MAX_NODES or depth > 2 * MAX_DEPTH:
            raise _NotTakenError
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in self._anchors:  # or one whose value is not complete yet
                raise _NotTakenError
            value, nodes = self._anchors[event.anchor]
            self._count += nodes
            return value
        if isinstance(event, yaml.ScalarEvent):
            value = _scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            value = _of_tag(event.tag, self._sequence(depth))
        else:
            value = self._mapping(depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, self._count - before)
        return value

    def _sequence(self, depth: int) -> list[object]:
        values = []
        for event in self._events:
            if isinstance(event, self._yaml.SequenceEndEvent):
                break
            values.append(self._value(event, depth + 1))
        return values

    def _mapping(self, depth: int) -> object:
        values: dict[str, object] = {}
        merged: dict[str, object] = {}
        for event in self._events:
            if isinstance(event, self._yaml.MappingEndEvent):
                break
            plain = isinstance(event, self._yaml.ScalarEvent)
            key = str(event.value) if plain else str(self._value(event, depth + 1))
            value = self._value(next(self._events), depth + 1)
            if key == "<<" and plain and event.implicit[0]:
                for more in reversed(value) if isinstance(value, list) else (value,):
                    merged.update(more if isinstance(more, dict) else {})
            else:
                values[key] = value
        values = {**merged, **values} if merged else values
        items = values.get("dictitems")  # what a subclass of dict is written as
        return items if isinstance(items, dict) else values


def _scalar(event: Any) -> object:
    """The value of a scalar, as its tag or its looks say."""
    text: str = event.value
    tag = event.tag or ""
    if tag.startswith(_PYTHON):
        name = tag[len(_PYTHON) :]
        if name.startswith(("name:", "module:")):
            return name.partition(":")[2]
        return _plain(text) if name in ("int", "long", "float", "bool", "none") else text
    if event.implicit[0] or (tag and tag.rpartition(":")[2] in ("int", "float", "bool", "null")):
        return _plain(text)
    return text


def _plain(text: str) -> object:
    """The value of a text that is not in quotes."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "0123456789+-.":
        return text
    if _INTEGER.fullmatch(text) and len(text) < 400:
        return int(text)
    if _BASED.fullmatch(text) and len(text) < 400:
        try:
            return int(text, 0)
        except ValueError:
            return text
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", "", 1))
    if _FLOAT.fullmatch(text) and not text.lstrip("+-").isdigit():  # what begins with zeros is a name
        try:
            return float(text)
        except ValueError:
            return text
    return text


def _of_tag(tag: str | None, values: list[object]) -> object:
    """A list, or what it is the argument of."""
    if tag and tag.startswith(_PYTHON + "object/apply:"):
        if "pathlib." in tag:
            return "/".join(map(str, values)).replace("//", "/")
        if len(values) == 1:  # a member of an enumeration, by its value
            return values[0]
    return values
