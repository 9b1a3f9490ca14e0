"""The line at the top and the line at the bottom of the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from tuimon.numbers import counted
from tuimon.text import clean, fit, take_end
from tuimon.ui.keys import Key
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.marks import STATES

if TYPE_CHECKING:
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.state import ViewState

HEADERS = (
    *(("all", words) for words in (2, 1, 0)),
    *(("current", words) for words in (2, 1, 0)),
    *((tabs, 0) for tabs in ("tight", "nameless", "alone")),
)
"""What the header may hold, the fullest first: kinds of tabs, and how many words tell the state of the runs."""
NOTICE_ROOM = 48
"""Cells for a notice in the header."""
ALWAYS = ("help", "quit", "close")
"""Actions that keep their place in the footer however little there is."""
HINTS = (
    "by TensorBoard, W&B or VisualDL,",
    "as CSV, JSON lines or other JSON logs",
    "tuimon demo shows what it looks like",
)
"""What may be written where nothing is yet, in lines for a narrow screen."""
LETTERS = ("E", "W")
"""How numbers of errors and warnings begin."""
TOLD = ("running", "stalled", "failed", "crashed")
"""States that the header counts; the rest is in the total."""


def header_line(
    roots: str,
    views: Sequence[tuple[int, str, bool]],
    right: Callable[[int], Sequence[Segment]],
    width: int,
    roles: Roles,
) -> list[Segment]:
    """The header: the name, the views with the current one lit, what is being watched, and at the right its state.

    Args:
        roots: The directories as given.
        views: Number, title and whether it is on screen, for each view.
        right: State of the runs, or progress, in so many words: 2, 1 or 0; kept longest when space runs out.
        width: Cells to fill.
        roles: Styles.
    """
    bar = roles.bar
    name = [Segment(" tuimon ", bar + roles.accent + Style(bold=True)), Segment("│", bar + roles.faint)]
    for tabs, words in HEADERS:
        state = [Segment(text, bar + (style or Style())) for text, style, _ in right(words)]
        state_width = _width(state) + 1
        left = [*(name if tabs not in ("nameless", "alone") else ()), *_tabs(views, tabs, roles)]
        space = width - state_width
        if _width(left) <= space:
            break
    else:  # a pane of a few columns: what is on view, and no more
        state, state_width = [], 0
        space = width
        left[-1] = Segment(fit(left[-1].text, max(space - _width(left[:-1]), 0)), left[-1].style)
    room = space - _width(left) - 2
    if room >= 8:
        roots = clean(roots)
        shown = roots if cell_len(roots) <= room else "…" + take_end(roots, room - 1)
        left.append(Segment(" " + shown, bar + roles.dim))
    gap = max(width - _width(left) - state_width, 0)
    return [*left, Segment(" " * gap, bar), *state, *([Segment(" ", bar)] if state else [])]


def footer_line(keys: Sequence[Key], width: int, roles: Roles, message: Sequence[Segment] = ()) -> list[Segment]:
    """The footer: as many keys as fit, the first ones first, and at the right a message.

    Args:
        keys: Keys with a label, most wanted first.
        width: Cells to fill.
        roles: Styles.
        message: Short text at the right, such as the filters in force; it goes before keys.
    """
    right = list(message)
    if right and _width(right) > width - 2:
        right = [Segment(fit("".join(text for text, _, _ in right), max(width - 2, 0)), right[0].style)]
    room = width - _width(right) - (2 if right else 0)
    chosen: list[Key] = []
    used = 0
    for key in sorted(keys, key=lambda key: key.action not in ALWAYS):
        size = cell_len(key.display) + cell_len(key.label) + 3
        if used + size <= room:
            chosen.append(key)
            used += size
    line: list[Segment] = []
    for key in keys:
        if key in chosen:
            line += [Segment(f" {key.display}", roles.accent), Segment(f" {key.label} ", roles.dim)]
    if right:
        line += [Segment(" " * max(width - used - _width(right) - 1, 0)), *right]
    return line


def view_at(line: Sequence[Segment], x: int, views: Sequence[tuple[int, str, bool]]) -> int | None:
    """The number of the view whose tab in the header is at cell ``x``."""
    titles = {title: number for number, title, _ in views}
    number: int | None = None
    for text, _, _ in line:
        word = text.strip()
        number = int(word) if word.isdigit() else titles.get(word)
        size = cell_len(text)
        if x < size:
            return number
        x -= size
    return None


def key_at(line: Sequence[Segment], x: int, keys: Sequence[Key]) -> Key | None:
    """The key that is written at cell ``x`` of the footer."""
    names = {(f" {key.display}", f" {key.label} "): key for key in keys}
    for (name, _, _), (label, _, _) in zip(line[::2], line[1::2], strict=False):
        size = cell_len(name) + cell_len(label)
        if x < size:
            return names.get((name, label))
        x -= size
    return None


def state_segments(app: TuimonApp, words: int) -> list[Segment]:
    """What the right end of the header says: how far loading is, then how many runs are in which state.

    Args:
        app: The app.
        words: How many words to use: 2 all, 1 none about notices, 0 signs and numbers alone.
    """
    roles = app.roles
    parts: list[Segment] = []
    progress = app.progress
    if not app.ready:
        parts.append(Segment("loading…", roles.accent))
    elif app.still_loading:
        text = "loading…"
        if progress is not None and progress.files_known:
            percent = int(progress.fraction * 100)
            text = f"loading {percent} %, {progress.files_complete} of {progress.files_known} files"
        parts.append(Segment(text, roles.accent))
    for notice in app.notices[:1]:
        more = f" (+{len(app.notices) - 1})" if len(app.notices) > 1 else ""
        parts.append(Segment(fit(notice + more, min(cell_len(clean(notice + more)), NOTICE_ROOM)), roles.warn))
    for kind, count in app.book.counts().items() if app.ready else ():
        if kind in TOLD:
            sign, role = STATES[kind]
            word = f" {kind}" if words else ""
            parts.append(Segment(f"{sign} {count}{word}", getattr(roles, role)))
    noticed = app.book.noticed() if app.ready else 0
    if noticed:
        word = " with notices" if words > 1 else ""
        parts.append(Segment(f"! {noticed}{word}", roles.warn))
    parts += found_segments(app)
    if app.view.total_runs:
        parts.append(Segment("1 run" if app.view.total_runs == 1 else f"{app.view.total_runs} runs", roles.dim))
    spaced: list[Segment] = []
    for part in parts:
        spaced += [Segment("  "), part]
    return spaced


def found_segments(app: TuimonApp) -> list[Segment]:
    """How many errors and warnings the rules found, by their letters."""
    if app.lookout is None:
        return []
    from tuimon.ui.found import counts, letter_style  # they take numpy, which must not come before the first paint

    return [Segment(f"{letter}{count}", letter_style(app.roles, letter)) for letter, count in counts(app).items()]


def on_findings(line: Sequence[Segment], x: int) -> bool:
    """Whether the number of findings in the header is at cell ``x``."""
    for text, _, _ in line:
        size = cell_len(text)
        if x < size:
            return text[:1] in LETTERS and text[1:].isdigit()
        x -= size
    return False


def filter_segments(view: ViewState, roles: Roles) -> list[Segment]:
    """The filters in force, for the right end of the footer."""
    line: list[Segment] = []
    for name, value in (("runs", view.run_filter), ("tags", view.tag_filter)):
        if value:
            line += [
                Segment(f"{name} ", roles.dim),
                Segment(fit(value, min(len(clean(value)), 24)) + " ", roles.accent),
            ]
    return line


def said_segments(text: str, width: int, roles: Roles) -> list[Segment]:
    """What was just done, for the right end of the footer."""
    text = clean(text)
    return [Segment(fit(text, min(cell_len(text), max(width - 2, 0)), "middle-elide") + " ", roles.good)]


def notice_lines(app: TuimonApp, width: int, height: int) -> list[list[Segment]]:
    """What stands in the middle of the screen while there is nothing to draw."""
    roles = app.roles
    view = app.view
    if view.total_runs and not view.shown and app.ready:
        if view.listed:
            texts = [("no run is shown: all are hidden", roles.text), ("a shows them again", roles.dim)]
        else:
            texts = [
                (f"no run matches “{view.run_filter}”", roles.text),
                ("f changes the filter, esc clears it", roles.dim),
            ]
    elif app.still_loading:
        texts = [("loading…", roles.dim)]
    else:
        missing = app.progress.missing if app.progress else ()
        where = " ".join(app.roots)
        if missing:
            texts = [(f"no such directory yet: {' '.join(missing)}", roles.warn), ("waiting for it", roles.dim)]
        else:
            known = app.progress.files_known if app.progress else 0
            first = f"nothing yet in {counted(known, 'log')} in {where}" if known else f"waiting for logs in {where}"
            texts = [
                (first, roles.text),
                ("runs appear as soon as they are written", roles.dim),
            ]
            if not app.demo:
                texts += [(text, roles.dim) for text in ("", *HINTS)]
    top = max((height - len(texts)) // 2, 0)
    lines: list[list[Segment]] = [[] for _ in range(top)]
    for text, style in texts:
        shown = fit(text, min(cell_len(clean(text)), width), "middle-elide")
        lines.append([Segment(" " * ((width - cell_len(shown)) // 2)), Segment(shown, style)])
    return lines


def _tabs(views: Sequence[tuple[int, str, bool]], kind: str, roles: Roles) -> list[Segment]:
    """The number keys of the views.

    Args:
        views: Number, title and whether it is on screen, for each view.
        kind: With the titles of "all", or of the "current" view only, without space where "tight" or "nameless"; or the
            current view "alone".
        roles: Styles.
    """
    tabs: list[Segment] = []
    after = " " if kind in ("all", "current") else ""
    for number, title, current in views:
        if kind == "alone" and not current:
            continue
        style = roles.bar + (roles.accent if current else roles.dim)
        if current or kind == "all":
            tabs.append(Segment(f" {number} ", style))
            tabs.append(Segment(f"{title}{after}", roles.bar + (roles.strong if current else roles.dim)))
        else:
            tabs.append(Segment(f" {number}{after}", style))
    return tabs


def _width(segments: Sequence[Segment]) -> int:
    return sum(cell_len(text) for text, _, _ in segments)
