"""Text styles by meaning, so that nothing that draws names a colour.

Roles come from the theme in use. Themes in the terminal's own 16 colours get named colours and attributes instead of
blends, because a blend cannot be had there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip

from tuimon.ui.theme import AMOUNTS


@dataclass(frozen=True, slots=True)
class Roles:
    """One Rich style for each meaning. Backgrounds are open but for ``cursor`` and ``bar``."""

    text: Style
    strong: Style
    dim: Style
    """Secondary text: units, labels, raw curves."""
    faint: Style
    """Rules, empty places, what is switched off."""
    accent: Style
    """The one accent: what is chosen, keys to press."""
    good: Style
    warn: Style
    bad: Style
    cursor: Style
    """The row or cell under the cursor; see ``under_cursor``."""
    bar: Style
    """Background of header lines."""
    covers: bool = False
    """Whether ``cursor`` replaces the colours of what is under it, where a background cannot be told from them."""

    def under_cursor(self, strip: Strip) -> Strip:
        """A line as it looks under the cursor."""
        if self.covers:
            return Strip(Segment.apply_style(strip, post_style=self.cursor), strip.cell_length)
        return strip.apply_style(self.cursor)


def ansi_roles(*, colors: bool, light: bool = False) -> Roles:
    """Roles in the terminal's own colours, readable with any palette and without any colour.

    Args:
        colors: Whether there are colours; without them the cursor is a reversed line.
        light: Whether the background is light: on white yellow and cyan cannot be read.
    """
    chosen = Style(color="bright_white", bgcolor="blue") if light else Style(color="black", bgcolor="cyan")
    return Roles(
        text=Style(),
        strong=Style(bold=True),
        dim=Style(dim=True),
        faint=Style(dim=True),
        accent=Style(color="blue" if light else "cyan", bold=True),
        good=Style(color="green"),
        warn=Style(color="magenta" if light else "yellow"),
        bad=Style(color="red", bold=True),
        cursor=(chosen if colors else Style(reverse=True)) + Style(dim=False),
        bar=Style(bold=True),
        covers=True,
    )


def theme_roles(variables: Mapping[str, str]) -> Roles:
    """Roles of a theme.

    Args:
        variables: The theme's variables (``App.theme_variables``), colours as Textual writes them.
    """
    background = Color.parse(variables["background"])
    foreground = Color.parse(variables["foreground"])

    def style(color: Color, *, bold: bool | None = None) -> Style:
        return Style(color=color.rich_color, bold=bold)

    def blend(amount: float) -> Color:
        return background.blend(foreground, amount, alpha=1)

    accent = Color.parse(variables["accent"])
    dim, faint = (float(variables.get(name, amount)) for name, amount in zip(AMOUNTS, (0.55, 0.4), strict=True))
    return Roles(
        text=style(blend(0.92)),
        strong=style(foreground, bold=True),
        dim=style(blend(dim)),
        faint=style(blend(faint)),
        accent=style(accent),
        good=style(Color.parse(variables["success"])),
        warn=style(Color.parse(variables["warning"])),
        bad=style(Color.parse(variables["error"]), bold=True),
        cursor=Style(bgcolor=background.blend(accent, 0.24, alpha=1).rich_color),
        bar=Style(bgcolor=Color.parse(variables["panel"]).rich_color),
    )
