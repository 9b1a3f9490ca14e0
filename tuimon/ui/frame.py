"""One frame of a view without a terminal: what the app would show, as text."""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, cast

from rich.console import Console
from textual.app import App

from tuimon.ui.app import TuimonApp
from tuimon.ui.plain import to_ascii
from tuimon.ui.state import ViewState

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tuimon.store import Store


def frame(
    roots: Sequence[str],
    *,
    view: ViewState | int = 1,
    width: int = 80,
    height: int = 24,
    color: bool = False,
    store: Store | None = None,
    now: Callable[[], float] = time.time,
    theme: str = "",
) -> str:
    """Read the logs once and draw one frame of a view.

    Args:
        roots: Log directories or files.
        view: The choices to draw by, or just the number of the view.
        width: Columns.
        height: Lines.
        color: Keep colours, as escape sequences for a terminal; otherwise plain text.
        store: Draw this store instead of reading.
        now: Clock, in seconds since the epoch.
        theme: Name of the theme; by default what suits a dark terminal.

    Returns:
        ``height`` lines, without spaces at their ends when plain.
    """
    state = ViewState(view=view) if isinstance(view, int) else view
    return asyncio.run(_frame(roots, state, width, height, color, store, now, theme))


async def _frame(
    roots: Sequence[str],
    view: ViewState,
    width: int,
    height: int,
    color: bool,
    store: Store | None,
    now: Callable[[], float],
    theme: str,
) -> str:
    if store is None:
        from tuimon.ingest import Ingest

        ingest = Ingest(roots)
        ingest.load()
        store = ingest.store
    app = TuimonApp(roots, view=view, store=store, now=now, theme=theme)
    app.run_colors.text_only = not color
    async with app.run_test(size=(width, height), tooltips=False, notifications=False) as pilot:
        await app.loaded.wait()
        await settle(app, pilot)
        return screen_text(app, color=color)


async def settle(app: TuimonApp, pilot: Pilot[None]) -> None:
    """Wait until the screen does not change any more."""
    before = None
    while (text := screen_text(app)) != before or _busy(app):
        before = text
        await pilot.pause(0.05)


def _busy(app: TuimonApp) -> bool:
    """Whether more is to come."""
    panel, lookout = app.main.panel, app.lookout
    return bool(panel is not None and panel.busy) or (lookout is not None and not lookout.settled)


def screen_text(app: App[None], *, color: bool = False) -> str:
    """What a running app shows at the moment.

    Args:
        app: The app.
        color: Keep colours and attributes as escape sequences.
    """
    strips = app.screen._compositor.render_strips(app.size)
    plain = app.view.ascii if isinstance(app, TuimonApp) else False
    if not color:
        text = "\n".join(strip.text.rstrip() for strip in strips)
        return to_ascii(text) if plain else text
    system = cast("Literal['standard', '256', 'truecolor', 'windows'] | None", app.console.color_system)
    console = Console(file=io.StringIO(), force_terminal=True, color_system=system, legacy_windows=False, _environ={})
    text = "\n".join(strip.render(console) for strip in strips)
    return to_ascii(text) if plain else text
