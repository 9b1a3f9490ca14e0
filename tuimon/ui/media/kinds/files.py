"""Files that a terminal cannot show (pages, molecules, models, artifacts): what is known of them, and their path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.segment import Segment

from tuimon.numbers import format_bytes
from tuimon.text import clean, fit
from tuimon.ui.media.base import Content, Item, Lines, Look, MediaKind

ELSEWHERE = frozenset(
    f"media/{kind}" for kind in ("image", "video", "audio", "embedding", "labels", "mesh", "table", "graph")
)
"""What other kinds show; everything else is a file, also what nobody has heard of."""
_SAID = ("tag", "kind", "path", "bytes", "at", "index", "count", "caption")
"""What is not said again in the list of facts."""


class Files(MediaKind):
    """Files of other kinds."""

    name: ClassVar[str] = "files"
    one: ClassVar[str] = "file"
    order: ClassVar[int] = 90
    pages_items: ClassVar[bool] = False

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort.startswith("media/") and sort not in ELSEWHERE

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """See `MediaKind.lines`."""
        lines: Lines = []
        for item in content.items:
            lines += item_lines(item, width, look)
        return lines[:height]

    def summary(self, content: Content, look: Look) -> str:
        """See `MediaKind.summary`."""
        return _head(content.item)


def item_lines(item: Item, width: int, look: Look) -> Lines:
    """What is known of a file, a fact a line."""
    roles = look.roles
    lines: Lines = [[Segment(fit(_head(item), width), roles.text)]]
    if item.text("caption"):
        lines.append([Segment(fit(item.text("caption"), width), roles.dim)])
    if item.file is not None:
        lines.append([Segment(fit(item.file.problem or item.file.path, width, "middle-elide"), roles.dim)])
    for key, value in item.body.items():
        if key in _SAID:
            continue
        said = _said(value)
        lines.append([Segment(fit(f"{key}  ", min(12, width)), roles.dim), Segment(fit(said, max(width - 12, 0)))])
    return lines


def _head(item: Item) -> str:
    size = item.number("bytes")
    return clean(" · ".join(filter(None, (item.text("kind"), "" if size is None else format_bytes(size)))))


def _said(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_said(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(_said, value[:20])) + (" …" if len(value) > 20 else "")
    return f"{value:.6g}" if isinstance(value, float) else str(value)
