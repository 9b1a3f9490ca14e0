"""Sending only the cells that changed.

Textual sends a changed region of a line from the left edge of its widget on, which for the growing right end of a chart
is nearly the whole line. Here the region is cut on both sides. A run that is charted live changes a few cells a second,
so over a slow link this is most of what tuimon sends.
"""

from __future__ import annotations

from rich.console import Console
from rich.control import Control
from textual._compositor import ChopsUpdate, Compositor
from textual.screen import Screen


class TightUpdate(ChopsUpdate):
    """A partial update of the screen that writes exactly the cells of its spans."""

    def render_segments(self, console: Console) -> str:
        """The escape sequences and texts of the update.

        Args:
            console: Says which colours the terminal knows.
        """
        written: list[str] = []
        for y, start, stop in self.spans:
            for end, (x, strip) in zip(self.chop_ends[y], self.chops[y].items(), strict=False):
                if strip is None or x >= stop or end <= start:
                    continue
                left, right = max(start, x), min(stop, end)
                written.append(Control.move_to(left, y).segment.text)
                written.append(strip.crop(left - x, right - x).render(console))
        return "".join(written)


class TightCompositor(Compositor):
    """A compositor whose partial updates are tight."""

    def render_partial_update(self) -> ChopsUpdate | None:
        """What has changed since the last update, or None when nothing has."""
        update = super().render_partial_update()
        return None if update is None else TightUpdate(update.chops, update.spans, update.chop_ends)


class TightScreen(Screen[None]):
    """A screen that sends only the cells that changed."""

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(name, id, classes)
        self._compositor = TightCompositor()
