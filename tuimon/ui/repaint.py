"""Sending only the cells that changed, and of their styles only what differs from the cell before.

Textual sends a changed region of a line from the left edge of its widget on, which for the growing right end of a
chart is nearly the whole line, and it sets and resets every colour for each piece of text. Here the region is cut on
both sides, and a colour is sent when it changes. A run that is charted live changes a few cells a second, so over a
slow link this is most of what tuimon sends.
"""

from __future__ import annotations

from functools import lru_cache

from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from textual._compositor import ChopsUpdate, Compositor, LayoutUpdate
from textual.screen import Screen
from textual.strip import Strip

_SYSTEMS = {"standard": ColorSystem.STANDARD, "256": ColorSystem.EIGHT_BIT, "truecolor": ColorSystem.TRUECOLOR}


class TightUpdate(ChopsUpdate):
    """A partial update of the screen that writes exactly the cells of its spans."""

    def render_segments(self, console: Console) -> str:
        """The escape sequences and texts of the update.

        Args:
            console: Says which colours the terminal knows.
        """
        pen = Pen(_SYSTEMS.get(console.color_system or "", ColorSystem.TRUECOLOR))
        for y, start, stop in self.spans:
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                if strip is None or x >= stop or end <= start:
                    continue
                left, right = max(start, x), min(stop, end)
                pen.move(left, y)
                for text, style, _ in strip.crop(left - x, right - x):
                    pen.write(text, style)
        return pen.done()


class TightLayout(LayoutUpdate):
    """An update of the whole screen that writes styles only where they change."""

    def render_segments(self, console: Console) -> str:
        """The escape sequences and texts of the update.

        Args:
            console: Says which colours the terminal knows.
        """
        pen = Pen(_SYSTEMS.get(console.color_system or "", ColorSystem.TRUECOLOR))
        for y, line in enumerate(self.strips, self.region.y):
            pen.move(self.region.x, y)
            for strip in line:
                for text, style, _ in strip:
                    pen.write(text, style)
        return pen.done()


class Pen:
    """Writes text in styles, and escape sequences only where the style changes.

    Args:
        system: What colours the terminal knows.
    """

    def __init__(self, system: ColorSystem) -> None:
        self._system = system
        self._written: list[str] = []
        self._ground = self._fore = ""

    def move(self, x: int, y: int) -> None:
        """Go on at another cell."""
        self._written.append(f"\x1b[{y + 1};{x + 1}H")

    def write(self, text: str, style: Style | None) -> None:
        """Write text."""
        if style is not None and style.link:
            self._set("", "")
            self._written.append(Strip.render_style(style, text, self._system))
            return
        ground, fore = ("", "") if style is None else _codes(style, self._system)
        if text.isspace() and ground == self._ground:
            fore = self._fore  # of a blank only the background is seen
        self._set(ground, fore)
        self._written.append(text)

    def done(self) -> str:
        """Everything written, with the terminal's style as it was before."""
        self._set("", "")
        return "".join(self._written)

    def _set(self, ground: str, fore: str) -> None:
        if (ground, fore) == (self._ground, self._fore):
            return
        if ground == self._ground and fore:
            self._written.append(f"\x1b[{fore}m")
        else:
            self._written.append(f"\x1b[{';'.join(part for part in ('0', ground, fore) if part)}m")
        self._ground, self._fore = ground, fore


@lru_cache(maxsize=4096)
def _codes(style: Style, system: ColorSystem) -> tuple[str, str]:
    """The codes of attributes and background, and those of the foreground."""
    ground = style.without_color + Style(bgcolor=style.bgcolor)
    return Strip.render_ansi(ground, system), Strip.render_ansi(Style(color=style.color), system)


class TightCompositor(Compositor):
    """A compositor whose updates are tight."""

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        """The whole screen.

        Args:
            simplify: For pictures: segments of one style are put together.
        """
        update = super().render_full_update(simplify)
        return update if simplify else TightLayout(update.strips, update.region)

    def render_partial_update(self) -> ChopsUpdate | None:
        """What has changed since the last update, or None when nothing has."""
        update = super().render_partial_update()
        return None if update is None else TightUpdate(update.chops, update.spans, update.chop_ends)


class TightScreen(Screen[None]):
    """A screen that sends only the cells that changed."""

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(name, id, classes)
        self._compositor = TightCompositor()
