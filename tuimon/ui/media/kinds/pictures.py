"""Pictures and videos, as half blocks, with zoom, tones, boxes and a cursor that tells values."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual.strip import Strip

from tuimon.analysis.images import NeedsPillowError, Picture, read_picture
from tuimon.numbers import format_bytes, format_step
from tuimon.text import clean, fit
from tuimon.ui.media.base import Content, Item, Lines, Look, MediaKind, UnshowableError
from tuimon.ui.media.picture_view import PictureState, facts, picture_lines, window_for, zoom_steps
from tuimon.ui.media.pieces import facts_line, path_of, sentence

NARROWEST = 12
"""Fewest columns of a picture that stands beside others of its step in a card."""
LOWEST = 6
"""Fewest lines of such a picture."""
MOST_COMPARED = 1 << 20
"""Bytes of a picture up to which a card looks whether it is the same as at the step before."""


class Pictures(MediaKind):
    """Pictures."""

    name: ClassVar[str] = "pictures"
    one: ClassVar[str] = "picture"
    order: ClassVar[int] = 10
    section: ClassVar[str] = "Picture"
    sort: ClassVar[str] = "media/image"

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort == self.sort

    def decode(self, item: Item, data: bytes) -> object:
        """See `MediaKind.decode`."""
        try:
            return read_picture(data)
        except NeedsPillowError as error:
            raise UnshowableError(f"{error}{_facts_of(item)}") from error

    def size(self, value: object, data: bytes) -> int:
        """See `MediaKind.size`."""
        assert isinstance(value, Picture)
        return value.nbytes

    def new_state(self) -> PictureState:
        """See `MediaKind.new_state`."""
        return PictureState()

    def card(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """The pictures of the step in rows, all of them where there is room."""
        size = content.item.number("bytes") or 0
        said = [self._same(content, look)] if size <= MOST_COMPARED else []
        bad = content.item.number("nan")
        said += [f"{bad:.0f} NaN"] if bad else []
        columns, rows = sheet(len(content.items), _shape_of(content.item), width, height - 1)
        if columns * rows < len(content.items):
            said.append(f"{columns * rows} of {len(content.items)} shown")
        warning = "  ".join(filter(None, said))
        room = height - bool(warning)
        each, high = (width - columns + 1) // columns, max((room - rows + 1) // rows, 1)
        parts = [self._picture(item, each, high, look) for item in content.items[: columns * rows]]
        lines: Lines = []
        for start in range(0, len(parts), columns):
            lines += [*([[]] if start else []), *_beside(parts[start : start + columns], each)]
        return [*lines[:room], [Segment(fit(warning, width), look.roles.warn)]] if warning else lines

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """The picture, then its caption, then what is known of it."""
        loaded = look.load(content.item)
        caption = content.item.text("caption")
        lines: Lines = [[Segment(fit(caption, width), look.roles.text)]] if caption else []
        if not isinstance(loaded.value, Picture):
            return [*lines, *sentence(loaded.problem, width, look), *about(content.item, width, look)]
        room = max(height - len(lines) - 1, 1)
        frame = loaded.value.frames[0]
        state = look.state
        assert isinstance(state, PictureState)
        state.zoom = max(0, min(state.zoom, zoom_steps((frame.shape[1], frame.shape[0]), (width, 2 * room))))
        window = window_for((frame.shape[1], frame.shape[0]), (width, 2 * room), state.zoom, state.x, state.y)
        state.drawn[content.run] = (window, len(lines), -(-window.height // 2))
        said = facts(loaded.value, content, window, look)
        same = self._same(content, look)
        said[0:0] = [(text, True) for text in (same, loaded.note) if text]
        return [*lines, *picture_lines(loaded.value, content.item, width, room, look), facts_line(said, width, look)]

    def summary(self, content: Content, look: Look) -> str:
        """See `MediaKind.summary`."""
        return _size_of(content.item) + (f" · {clean(c)}" if (c := content.item.text("caption")) else "")

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """Zoom, move the cursor, change tones, show or hide boxes, go through the frames."""
        assert isinstance(state, PictureState)
        picture = look.load(content.item).value
        if name == "zoom":
            state.zoom = max(state.zoom + value, 0)
        elif name == "fit":
            state.zoom = state.brightness = state.contrast = 0
            state.cursor = False
        elif name == "brightness":
            state.brightness = max(-10, min(state.brightness + value, 10))
        elif name == "contrast":
            state.contrast = max(-4, min(state.contrast + value, 30))
        elif name == "boxes":
            state.boxes = not state.boxes
        elif name == "frame" and isinstance(picture, Picture):
            state.frame = (min(state.frame, len(picture.frames) - 1) + value) % len(picture.frames)
        elif name in ("right", "down") and isinstance(picture, Picture):
            state.cursor = True
            size = picture.frames[0].shape[1 if name == "right" else 0]
            at = state.x if name == "right" else state.y
            moved = max(0, min(int(at * size) + value * max(size // 64, 1), size - 1))
            moved = (moved + 0.5) / size
            state.x, state.y = (moved, state.y) if name == "right" else (state.x, moved)

    def point(self, x: int, y: int, state: object, content: Content, look: Look) -> None:
        """Put the cursor on the pixel there."""
        assert isinstance(state, PictureState)
        picture, drawn = look.load(content.item).value, state.drawn.get(content.run)
        if drawn is None or not isinstance(picture, Picture):
            return
        window, first, rows = drawn
        height, width, _ = picture.frames[0].shape
        across, down = (x + 0.5) / window.width, (y - first + 0.5) / rows
        if across < 1 and 0 <= down < 1:
            state.cursor = True
            state.x = (window.left + across * (window.right - window.left)) / width
            state.y = (window.top + down * (window.bottom - window.top)) / height

    def _picture(self, item: Item, width: int, height: int, look: Look) -> Lines:
        loaded = look.load(item)
        if isinstance(loaded.value, Picture):
            return picture_lines(loaded.value, item, width, height, look)
        return [*sentence(loaded.problem, width, look), *about(item, width, look)][:height]

    def _same(self, content: Content, look: Look) -> str:
        """Whether it is the same picture as at the step before."""
        before = content.earlier(1)
        if before is None or len(before.items) != len(content.items):
            return ""
        old, new = look.load(before.item).value, look.load(content.item).value
        if isinstance(old, Picture) and isinstance(new, Picture) and old.digest == new.digest:
            return f"identical to step {format_step(before.step)}"
        return ""


class Videos(Pictures):
    """Videos: the frames that were kept, or those of an animated GIF."""

    name: ClassVar[str] = "videos"
    one: ClassVar[str] = "video"
    order: ClassVar[int] = 20
    sort: ClassVar[str] = "media/video"
    piece: ClassVar[tuple[str, str]] = ("frame", "frames")

    def decode(self, item: Item, data: bytes) -> object:
        """See `MediaKind.decode`."""
        if item.file is not None and item.file.path.lower().endswith((".mp4", ".webm", ".mov", ".avi", ".mkv", ".ogg")):
            raise UnshowableError("the frames of this video cannot be shown in a terminal; open the file")
        return super().decode(item, data)


def sheet(count: int, shape: float, width: int, height: int) -> tuple[int, int]:
    """How many pictures go across and down, so that all are shown and as large as can be.

    Args:
        count: How many there are.
        shape: Width by height of one.
        width: Cells across.
        height: Cells down.

    Returns:
        Columns and rows; together fewer than ``count`` where they would be too small.
    """
    most_across = max((width + 1) // (NARROWEST + 1), 1)
    most_down = max(height // LOWEST, 1)
    if most_across * most_down <= count:
        return most_across, most_down
    best, size = (1, 1), 0.0
    for columns in range(1, min(count, most_across) + 1):
        rows = -(-count // columns)
        if rows > most_down:
            continue
        each = min((width - columns + 1) // columns / shape, 2.0 * ((height - rows + 1) // rows))
        if each > size:
            best, size = (columns, rows), each
    return best


def about(item: Item, width: int, look: Look) -> Lines:
    """What the log says of a picture that cannot be drawn."""
    size = _size_of(item)
    texts = (size, path_of(item))
    return [[Segment(fit(text, width, "middle-elide"), look.roles.dim)] for text in texts if text]


def _size_of(item: Item) -> str:
    width, height, size = (item.number(key) for key in ("width", "height", "bytes"))
    parts = ["" if width is None or height is None else f"{width:.0f}×{height:.0f}"]
    parts += ["" if size is None else format_bytes(size)]
    frames, fps, seconds = (item.number(key) for key in ("frames", "fps", "seconds"))
    frame = item.number("frame")
    if frames is not None:
        parts.append(f"frame {frame:.0f} of {frames:.0f}" if frame is not None else f"{frames:.0f} frames")
    parts += ["" if fps is None else f"{fps:g} fps", "" if seconds is None else f"{seconds:g} s"]
    return " · ".join(filter(None, parts))


def _shape_of(item: Item) -> float:
    width, height = item.number("width"), item.number("height")
    return width / height if width and height else 1.0


def _facts_of(item: Item) -> str:
    size = _size_of(item)
    return f" ({size})" if size else ""


def _beside(parts: list[Lines], each: int) -> Lines:
    blank = Strip.blank(each)
    lines: Lines = []
    for y in range(max(map(len, parts))):
        row: list[Strip] = []
        for part in parts:
            row += [Strip(part[y]).adjust_cell_length(each) if y < len(part) else blank, Strip.blank(1)]
        lines.append(list(Strip.join(row[:-1])))
    return lines
