"""Sending only the cells that look different from what the terminal shows, and of their styles only what changes.

Textual sends whole regions: a screen that is laid out anew is sent whole, although most of it looks as before, and each
piece of text sets and resets its colours. Here what was sent is remembered cell by cell, so that any update sends what
differs from it, blank ends of lines are erased instead of written, and a colour is sent when it changes. A run that is
charted live changes a few cells a second, so over a slow link this is most of what tuimon sends.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from operator import ne
from typing import TYPE_CHECKING, TypeAlias, cast

from rich.cells import cell_len
from rich.color import Color, ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.app import App
from textual.screen import Screen
from textual.strip import Strip

if TYPE_CHECKING:
    from textual.events import Resize
    from textual.timer import Timer

Ink: TypeAlias = "tuple[tuple[str, ...], str, str]"
"""The codes of attributes, of the background and of the foreground."""
Cell: TypeAlias = "tuple[str, Ink]"
"""A character with its ink; the second cell of a wide character has no character, a blank only what is seen of it."""

WORTH_A_JUMP = 3
"""So many cells that are right are left out between two that are not; for fewer, moving costs more than sending."""
WORTH_ERASING = 6
"""Erasing to the end of a line saves as many cells as this, at least."""
UPDATE_SOON = 0.004
"""Seconds from a change to its update; what changes within them is sent together."""
FRAME_BYTES = 24
"""What Textual sends around each update."""

_SYSTEMS = {"standard": ColorSystem.STANDARD, "256": ColorSystem.EIGHT_BIT, "truecolor": ColorSystem.TRUECOLOR}
OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29"}
"""Codes of attributes and those that end them."""
SEEN_ON_BLANKS = frozenset(("4", "7", "9", "21", "53"))
"""Attributes that are seen where there is no character: lines and reversed colours."""
_NARROW = re.compile("[ -~\u00a1-\u02ff\u2010-\u2027\u2190-\u21ff\u2500-\u25fc\u2800-\u28ff]*")


class Terminal:
    """What the terminal shows, as far as it is known, and how much was sent to it.

    Args:
        erases: Whether erasing gives cells the background in force, as nearly all terminals do.

    Attributes:
        sent: Bytes of all updates.
    """

    def __init__(self, *, erases: bool | None = None) -> None:
        if erases is None:
            erases = "TMUX" in os.environ or not os.environ.get("TERM", "").startswith("screen")
        self._erases = erases
        self._lines: dict[int, list[Cell | None]] = {}
        self._size = (0, 0)
        self.sent = 0

    def forget(self) -> None:
        """Something else wrote to the terminal: nothing is known of it."""
        self._lines.clear()

    def resized(self, width: int, height: int) -> None:
        """The whole screen is drawn in this size; if it is another one, nothing is known of the terminal."""
        if self._size != (width, height):
            self._size = (width, height)
            self.forget()

    def line(self, pen: Pen, y: int, x: int, new: Sequence[Cell], width: int) -> None:
        """Make cells of a line look like this.

        Args:
            pen: Writes what is to be sent.
            y: The line.
            x: The first cell.
            new: The cells.
            width: Cells of the whole line; when that changes, nothing is known of the line.
        """
        shown = self._lines.get(y)
        if shown is None or len(shown) != width:
            shown = self._lines[y] = [None] * width
        old = shown[x : x + len(new)]
        if old == new:
            return
        start = next(at for at, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
        blank = new[-1]
        reaches = x + len(new) == width and blank[0] == " " and not blank[1][0]
        if reaches and (self._erases or blank[1] == PLAIN):
            erased: list[Cell | None] = [blank] * (len(new) - start)
            saved = sum(map(ne, old[start:], new[start:])) - sum(map(ne, erased, new[start:]))
            if saved >= WORTH_ERASING:
                pen.erase(x + start, y, blank[1])
                old[start:] = erased
        at, count = start, len(new)
        while at < count:
            if old[at] == new[at]:
                at += 1
                continue
            while at and not new[at][0]:  # not from the middle of a wide character
                at -= 1
            end = last = at + 1
            while end < count and end - last <= WORTH_A_JUMP:
                end += 1
                if old[end - 1] != new[end - 1] or (end - 1 == last and not new[last][0]):
                    last = end
            pen.put(x + at, y, new[at:last])
            at = last
        shown[x : x + len(new)] = new


class Pen:
    """Writes cells, and escape sequences only where the place or the style changes.

    Args:
        sorted_by_ink: Write all cells of one ink before those of another. That pays where colours take more bytes than
            places; nobody sees the order.
    """

    def __init__(self, *, sorted_by_ink: bool = False) -> None:
        self._pieces: dict[Ink, list[tuple[int, int, str, int]]] = {}
        self._sorted = sorted_by_ink
        self._written: list[str] = []
        self._ink = PLAIN
        self._place = (-1, -1)

    def put(self, x: int, y: int, cells: Sequence[Cell]) -> None:
        """Write cells."""
        at = 0
        while at < len(cells):
            ink = cells[at][1]
            end = at + 1
            while end < len(cells) and _fits(cells[end], ink):
                end += 1
            piece = (x + at, y, "".join([char for char, _ in cells[at:end]]), end - at)
            if self._sorted:
                self._pieces.setdefault(ink, []).append(piece)
            else:
                self._write(ink, *piece)
            at = end

    def erase(self, x: int, y: int, ink: Ink) -> None:
        """Blank a line from a cell to its end."""
        self._write(ink, x, y, "\x1b[K", 0)

    def done(self) -> str:
        """Everything written, with the terminal's style as it was before."""
        for ink, pieces in self._pieces.items():
            for piece in pieces:
                self._write(ink, *piece)
        self._pieces.clear()
        if self._ink != PLAIN:
            self._written.append("\x1b[0m")
            self._ink = PLAIN
        return "".join(self._written)

    def _write(self, ink: Ink, x: int, y: int, text: str, width: int) -> None:
        if self._place != (x, y):
            self._written.append(f"\x1b[{x + 1}G" if y == self._place[1] else f"\x1b[{y + 1};{x + 1}H")
        self._place = (x + width, y)
        if ink != self._ink:
            self._written.append(_change(self._ink, ink))
            self._ink = ink
        self._written.append(text)


PLAIN: Ink = ((), "", "")
"""The terminal's own style."""


def _fits(cell: Cell, ink: Ink) -> bool:
    """Whether a cell looks the same in this ink."""
    char, (attributes, ground, fore) = cell
    if cell[1] == ink:
        return True
    return char == " " and ground == ink[1] and not (attributes or fore or SEEN_ON_BLANKS.intersection(ink[0]))


@lru_cache(maxsize=4096)
def _change(old: Ink, new: Ink) -> str:
    """The shortest sequence that goes from one ink to another."""
    afresh = [*new[0], *new[1:]]
    codes = [code for code in new[0] if code not in old[0]]
    lost = {OFF.get(code, "") for code in old[0] if code not in new[0]}
    if "" in lost or (old[1] and not new[1]) or (old[2] and not new[2]):
        codes = ["0", *afresh]
    else:
        if "22" in lost:  # ends bold and dim alike
            codes += [code for code in new[0] if OFF.get(code) == "22" and code not in codes]
        codes = [*lost, *codes, *(after for before, after in zip(old[1:], new[1:], strict=True) if before != after)]
    shortest = min(";".join(filter(None, codes)), ";".join(["0", *filter(None, afresh)]), key=len)
    return f"\x1b[{shortest}m"


def cells_of(segments: Iterable[Segment], system: ColorSystem) -> list[Cell]:
    """The cells of some pieces of text.

    Args:
        segments: The pieces.
        system: What colours the terminal knows.
    """
    found: list[Cell] = []
    for text, style, _ in segments:
        ink, blank = _inks(style, system)
        if _NARROW.fullmatch(text):
            found += [(char, ink) if char != " " else blank for char in text]
            continue
        for char in text:
            size = cell_len(char)
            if size:
                found += [(char, ink), ("", ink)][:size]
            elif found:  # a mark on the character before it
                found[-1] = (found[-1][0] + char, found[-1][1])
    return found


@lru_cache(maxsize=16384)
def _inks(style: Style | None, system: ColorSystem) -> tuple[Ink, Cell]:
    """The ink of a style, and what a blank in it is."""
    if style is None:
        return PLAIN, (" ", PLAIN)
    attributes = _attributes(style.without_color, system) if style._set_attributes else ()
    ground, fore = _codes(style.bgcolor, system, fore=False), _codes(style.color, system, fore=True)
    seen = tuple(code for code in attributes if code in SEEN_ON_BLANKS)
    return (attributes, ground, fore), (" ", (seen, ground, fore if seen else ""))


@lru_cache(maxsize=256)
def _attributes(style: Style, system: ColorSystem) -> tuple[str, ...]:
    return tuple(filter(None, Strip.render_ansi(style, system).split(";")))


@lru_cache(maxsize=16384)
def _codes(color: Color | None, system: ColorSystem, *, fore: bool) -> str:
    """The codes of a colour. Pictures have thousands of them, so no style is made for each."""
    return "" if color is None else ";".join(color.downgrade(system).get_ansi_codes(fore))


def _pen(console: Console) -> Pen:
    return Pen(sorted_by_ink=console.color_system == "truecolor")


def _system(console: Console) -> ColorSystem:
    return _SYSTEMS.get(console.color_system or "", ColorSystem.TRUECOLOR)


class TightUpdate(ChopsUpdate):
    """A partial update of the screen that writes the cells of its spans that look different.

    Args:
        update: What is to be seen.
        terminal: What is seen now.
    """

    def __init__(self, update: ChopsUpdate, terminal: Terminal) -> None:
        super().__init__(update.chops, update.spans, update.chop_ends)
        self.terminal = terminal

    def render_segments(self, console: Console) -> str:
        """The escape sequences and texts of the update.

        Args:
            console: Says which colours the terminal knows.
        """
        pen, system = _pen(console), _system(console)
        for y, start, stop in self.spans:
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                if strip is None or x >= stop or end <= start:
                    continue
                left, right = max(start, x), min(stop, end)
                cells = cells_of(strip.crop(left - x, right - x), system)
                self.terminal.line(pen, y, left, cells, self.chop_ends[y][-1])
        return _counted(pen, self.terminal)


class TightLayout(LayoutUpdate):
    """An update of the whole screen that writes only what looks different.

    Args:
        update: What is to be seen.
        terminal: What is seen now.
    """

    def __init__(self, update: LayoutUpdate, terminal: Terminal) -> None:
        super().__init__(update.strips, update.region)
        self.terminal = terminal

    def render_segments(self, console: Console) -> str:
        """The escape sequences and texts of the update.

        Args:
            console: Says which colours the terminal knows.
        """
        pen, system = _pen(console), _system(console)
        left, top, width, height = self.region
        self.terminal.resized(width, height)
        for y, line in enumerate(self.strips, top):
            cells = [cell for strip in line if strip is not None for cell in cells_of(strip, system)]
            self.terminal.line(pen, y, left, cells[:width], left + width)
        return _counted(pen, self.terminal)


def _counted(pen: Pen, terminal: Terminal) -> str:
    text = pen.done()
    terminal.sent += len(text.encode(errors="replace")) + FRAME_BYTES
    return text


class TightCompositor(Compositor):
    """A compositor whose updates are tight.

    Args:
        screen: Its screen.
    """

    def __init__(self, screen: TightScreen) -> None:
        super().__init__()
        self._screen = screen

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        """The whole screen.

        Args:
            simplify: For pictures: segments of one style are put together.
        """
        update = super().render_full_update(simplify)
        return update if simplify else TightLayout(update, self._screen.terminal)

    def render_partial_update(self) -> ChopsUpdate | None:
        """What has changed since the last update, or None when nothing has."""
        update = super().render_partial_update()
        return None if update is None else TightUpdate(update, self._screen.terminal)


class TightScreen(Screen[None]):
    """A screen that sends only the cells that changed. All screens of a `TightApp` are such."""

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(name, id, classes)
        self._compositor = TightCompositor(self)
        self._soon: Timer | None = None

    @property
    def _update_timer(self) -> Timer:
        """Fires when changes are to be sent. Textual's own waits for the next of 60 frames a second, at each step."""
        if self._soon is None:
            self._soon = self.set_interval(UPDATE_SOON, self._on_timer_update, name="screen_update", pause=True)
        return self._soon

    @property
    def terminal(self) -> Terminal:
        """What the terminal shows."""
        return cast("TightApp", self.app).terminal


class TightApp(App[None], inherit_bindings=False):
    """An app that knows what its terminal shows."""

    def __init__(self, *, ansi_color: bool | None = None) -> None:
        super().__init__(ansi_color=ansi_color)
        self.terminal = Terminal()

    def on_resize(self, event: Resize) -> None:
        """The terminal has moved its cells in a way of its own."""
        self.terminal.forget()
        if event.size == self.size:  # it changed and changed back: nothing else draws all of it
            self.action_redraw()

    def action_redraw(self) -> None:
        """Send the whole screen again, after something else has written on the terminal."""
        self.terminal.forget()
        if self.screen_stack:
            self.screen.refresh(layout=True)
