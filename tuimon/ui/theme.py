"""The look: one dark theme with one accent, and the choice of theme for a terminal."""

from __future__ import annotations

from textual.theme import Theme

TUIMON_DARK = Theme(
    name="tuimon",
    primary="#5aa9e6",
    secondary="#7d8ea3",
    accent="#5aa9e6",
    warning="#e3b341",
    error="#f47174",
    success="#6cc08b",
    foreground="#d7dde4",
    background="#0f1318",
    surface="#141a21",
    panel="#1a2129",
    boost="#1a2129",
    dark=True,
    variables={
        "border": "#2a333d",
        "border-blurred": "#2a333d",
        "scrollbar": "#2f3945",
        "scrollbar-hover": "#42505f",
        "scrollbar-active": "#5aa9e6",
        "scrollbar-background": "#0f1318",
        "scrollbar-background-hover": "#0f1318",
        "scrollbar-background-active": "#0f1318",
        "scrollbar-corner-color": "#0f1318",
        "input-cursor-background": "#d7dde4",
        "input-cursor-foreground": "#0f1318",
    },
)
"""The default theme."""


def choose_theme(wanted: str | None, color_system: str | None, no_color: bool) -> str:
    """Which theme to start with.

    Args:
        wanted: The person's own choice (``TEXTUAL_THEME``), which wins.
        color_system: What the terminal can show, as Rich names it; "standard" is 16 colours.
        no_color: Whether ``NO_COLOR`` is set.
    """
    if wanted:
        return wanted
    if no_color or color_system in (None, "standard"):
        return "ansi-dark"
    return TUIMON_DARK.name
