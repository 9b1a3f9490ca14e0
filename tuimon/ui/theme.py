"""The looks: dark, light, their forms of high contrast, and the terminal's own colours; and which one to start with."""

from __future__ import annotations

from typing import NamedTuple

from textual.theme import Theme


class Tones(NamedTuple):
    """The colours that a theme is made of."""

    foreground: str
    background: str
    panel: str
    border: str
    accent: str
    good: str
    warn: str
    bad: str
    dim: float
    """How much of the foreground is left in secondary text."""
    faint: float
    """The same for what is switched off, and rules."""


_TONES = {
    "dark": Tones(
        "#d7dde4", "#0f1318", "#1a2129", "#2a333d", "#5aa9e6", "#6cc08b", "#e3b341", "#f47174", 0.55, 0.40
    ),
    "light": Tones(
        "#1c2530", "#fafbfc", "#eceff3", "#ccd3db", "#0b63b0", "#16703c", "#855b00", "#b3261e", 0.62, 0.50
    ),
    "contrast-dark": Tones(
        "#ffffff", "#000000", "#1c1c1c", "#8a8a8a", "#6cc7ff", "#7df29b", "#ffd84d", "#ff8f8f", 0.82, 0.68
    ),
    "contrast-light": Tones(
        "#000000", "#ffffff", "#ebebeb", "#6b6b6b", "#003f8a", "#005214", "#5c3b00", "#8f0000", 0.82, 0.66
    ),
}  # fmt: skip
AMOUNTS = ("tuimon-dim", "tuimon-faint")
"""Variables of a theme that say how much of the foreground is left in ``Roles.dim`` and ``Roles.faint``."""


def own_themes() -> list[Theme]:
    """The themes that Textual does not have."""
    return [_theme(name, tones) for name, tones in _TONES.items()]


def _theme(name: str, tones: Tones) -> Theme:
    return Theme(
        name=name,
        primary=tones.accent,
        secondary=tones.border,
        accent=tones.accent,
        warning=tones.warn,
        error=tones.bad,
        success=tones.good,
        foreground=tones.foreground,
        background=tones.background,
        surface=tones.panel,
        panel=tones.panel,
        boost=tones.panel,
        dark=name.endswith("dark"),
        variables={
            "border": tones.border,
            "border-blurred": tones.border,
            "scrollbar": tones.border,
            "scrollbar-hover": tones.accent,
            "scrollbar-active": tones.accent,
            "scrollbar-background": tones.background,
            "scrollbar-background-hover": tones.background,
            "scrollbar-background-active": tones.background,
            "scrollbar-corner-color": tones.background,
            "input-cursor-background": tones.foreground,
            "input-cursor-foreground": tones.background,
            **dict(zip(AMOUNTS, (f"{tones.dim}", f"{tones.faint}"), strict=True)),
        },
    )


def choose_theme(wanted: str | None, color_system: str | None, no_color: bool, light: bool | None = None) -> str:
    """Which theme to start with.

    Args:
        wanted: The person's own choice, which wins.
        color_system: What the terminal can show, as Rich names it; "standard" is 16 colours.
        no_color: Whether ``NO_COLOR`` is set.
        light: Whether the background of the terminal is light; None when it is not known.
    """
    if wanted:
        return wanted
    ground = "light" if light else "dark"
    return f"ansi-{ground}" if no_color or color_system in (None, "standard") else ground
