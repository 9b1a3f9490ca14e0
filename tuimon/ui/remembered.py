"""The view as a file: what a person chose to see, for the next time, or for a colleague.

Choices are dataclasses of plain things: numbers, texts, sets, lists, dicts, and dataclasses of these. Each public field
is written by its name, so a field that is added needs nothing here. What a file holds that is unknown, or of another
type than it should be, is left out, so that a file of another version, or one that was edited, gives what it can.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import Field, fields, is_dataclass
from functools import lru_cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from tuimon.state_dir import key_of, state_dir, write_whole
from tuimon.ui.state import ViewState

Plain: TypeAlias = "dict[str, Any]"
"""What JSON has of an object."""

VERSION = 1
MARK = "tuimon_view"
"""The key by which a file is known to be a view."""
MOST_BYTES = 16 << 20
"""A larger file is no view."""


class ViewFileError(ValueError):
    """A file that is no view; the message says why."""


def place_of(roots: Iterable[str]) -> Path:
    """The file that remembers the view of some log directories.

    Raises:
        OSError: There is no home directory.
    """
    return state_dir() / "views" / f"{key_of(roots)}.json"


def as_text(view: ViewState) -> str:
    """What a file of a view holds."""
    return json.dumps({MARK: VERSION, "view": as_plain(view)}, indent=1) + "\n"


def read_view(path: Path) -> Plain:
    """The choices in a file of a view, for ``take``.

    Raises:
        OSError: It cannot be read.
        ViewFileError: It is no view.
    """
    view = _content(path).get("view")
    if not isinstance(view, dict):
        raise ViewFileError(f"{path} is not a view that tuimon saved")
    return view


def is_newer(path: Path) -> bool:
    """Whether a newer version of this program wrote a view, of which this one would lose a part if it wrote it."""
    try:
        version = _content(path)[MARK]
    except (OSError, ViewFileError):
        return False
    return isinstance(version, int) and version > VERSION


def _content(path: Path) -> Plain:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    try:
        content = json.loads(data) if len(data) <= MOST_BYTES else None
    except (ValueError, RecursionError) as problem:
        raise ViewFileError(f"{path} is not a view that tuimon saved: {problem}") from problem
    if not isinstance(content, dict) or MARK not in content:
        raise ViewFileError(f"{path} is not a view that tuimon saved")
    return content


def save_view(path: Path, view: ViewState) -> None:
    """Write a view to a file, whole.

    Raises:
        OSError: It cannot be written.
    """
    write_whole(path, as_text(view))


# -- choices and plain data --------------------------------------------------------------------------------------------


def kept_fields(choices: object) -> list[str]:
    """The names of what is kept of some choices: public fields, and what a ``kept`` attribute of the class adds."""
    own: list[Field[Any]] = list(fields(choices))  # type: ignore[arg-type]
    names = [field.name for field in own if not field.name.startswith("_") and field.metadata.get("kept", True)]
    return [*names, *getattr(type(choices), "kept", ())]


def as_plain(choices: object) -> Plain:
    """Choices as JSON has them."""
    return {name: _plain(getattr(choices, name)) for name in kept_fields(choices)}


def take(choices: object, data: Plain) -> None:
    """Set choices to what was kept; what does not fit stays as it is.

    Args:
        choices: A dataclass; a method ``mend`` of it is called at the end, to put right what is out of its range.
        data: What ``as_plain`` gave, or a file.
    """
    hints = _hints(type(choices))  # type: ignore[arg-type]  # mypy takes a class for no Hashable
    for name in kept_fields(choices):
        if name not in data:
            continue
        current = getattr(choices, name)
        if is_dataclass(current):
            if isinstance(data[name], dict):
                take(current, data[name])
            continue
        try:
            setattr(choices, name, _value(hints[name], data[name]))
        except (TypeError, ValueError):  # of another type, or a filter that is none
            continue
    mend = getattr(choices, "mend", None)
    if mend is not None:
        mend()


@lru_cache(maxsize=32)
def _hints(kind: type[Any]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    for name in getattr(kind, "kept", ()):  # properties
        hints[name] = get_type_hints(getattr(kind, name).fget)["return"]
    return hints


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return as_plain(value)
    if isinstance(value, (set, frozenset)):
        return sorted(map(_plain, value), key=repr)
    if isinstance(value, (list, tuple)):
        return list(map(_plain, value))
    if isinstance(value, dict):
        if all(isinstance(key, str) for key in value):
            return {key: _plain(item) for key, item in value.items()}
        return [[_plain(key), _plain(item)] for key, item in value.items()]
    return value


def _value(hint: Any, data: Any) -> Any:
    """Data of a file as a value of a type.

    Raises:
        TypeError: They are of another type.
    """
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return _first_of(inner, data)
    if origin is Literal:
        if data in inner:
            return data
    elif origin in (set, frozenset, list):
        if isinstance(data, list):
            return origin(_value(inner[0], item) for item in data)
    elif origin is tuple and isinstance(data, list):
        kinds = inner[:1] * len(data) if inner[1:] == (...,) else inner
        if len(kinds) == len(data):
            return tuple(map(_value, kinds, data))
    elif origin is dict:
        pairs: Collection[Any] = data.items() if isinstance(data, dict) else data if isinstance(data, list) else ()
        if isinstance(data, (dict, list)):
            return {_value(inner[0], key): _value(inner[1], item) for key, item in pairs}
    elif is_dataclass(hint) and isinstance(hint, type):
        if isinstance(data, dict):
            made = hint()
            take(made, data)
            return made
    elif hint is float and isinstance(data, (int, float)) and not isinstance(data, bool):
        return float(data)
    elif hint in (bool, int, str, NoneType) and type(data) is hint:
        return data
    raise TypeError(f"{data!r} is no {hint}")


def _first_of(hints: Iterable[Any], data: Any) -> Any:
    """Data as a value of the first type that they fit."""
    for hint in hints:
        try:
            return _value(hint, data)
        except TypeError:
            continue
    raise TypeError(f"{data!r} is none of {hints}")
