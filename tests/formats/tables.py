"""Reading a table of separated values at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tuimon.formats.delimited import FORMAT

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]


def parse(read: Read, text: str | bytes, name: str = "logs/metrics.csv") -> Content:
    data = text.encode() if isinstance(text, str) else text
    return read(FORMAT.parser(name), data)


def columns(content: Content) -> dict[str, list[float]]:
    return {tag: content.values(tag) for tag in content.points}
