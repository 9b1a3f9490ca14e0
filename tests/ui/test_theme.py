"""Which theme a terminal gets, and what roles become in it."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from tuimon.ui.app import TuimonApp
from tuimon.ui.colors import RunColors
from tuimon.ui.roles import theme_roles
from tuimon.ui.theme import choose_theme, own_themes


@pytest.mark.parametrize(
    ("wanted", "system", "no_color", "expected"),
    [
        (None, "truecolor", False, "dark"),
        (None, "256", False, "dark"),
        (None, "standard", False, "ansi-dark"),
        (None, None, False, "ansi-dark"),
        (None, "truecolor", True, "ansi-dark"),
        ("nord", "standard", False, "nord"),
    ],
)
def test_choice(wanted: str | None, system: str | None, no_color: bool, expected: str) -> None:
    """Sixteen colours get the terminal's own; the person's choice wins."""
    assert choose_theme(wanted, system, no_color) == expected


def app_in(monkeypatch: pytest.MonkeyPatch, **environment: str) -> TuimonApp:
    """An app in another environment."""
    for name in ("NO_COLOR", "TEXTUAL_THEME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return TuimonApp(["logs"])


def test_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """NO_COLOR and TEXTUAL_THEME are heard; a theme that does not exist is no reason to fail."""
    assert app_in(monkeypatch, NO_COLOR="1").theme == "ansi-dark"
    assert app_in(monkeypatch, NO_COLOR="1").run_colors.system == "none"
    assert app_in(monkeypatch, TEXTUAL_THEME="dracula").theme == "dracula"
    assert app_in(monkeypatch, TEXTUAL_THEME="no-such").theme in ("dark", "ansi-dark")


async def test_every_theme_gives_roles(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roles can be made from every theme, and change with it."""
    app = app_in(monkeypatch)
    async with app.run_test() as pilot:
        await app.loaded.wait()
        seen = set()
        for name in app.available_themes:
            app.theme = name
            await pilot.pause()
            seen.add(str(app.roles.accent.color))
            assert app.roles.bad.color is not None
        assert len(seen) > 5


def contrast(one: Color, other: Color) -> float:
    """The ratio of contrast that WCAG defines."""

    def luminance(color: Color) -> float:
        parts = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color.normalized)
        return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", own_themes(), ids=lambda theme: theme.name)
def test_everything_can_be_read_in_every_theme(theme: Theme) -> None:
    """Texts, signs and lines of runs stand out by 3:1 at least, texts by 4.5:1; those of high contrast by more."""
    variables = {"warning": theme.warning, "error": theme.error, "success": theme.success, **theme.variables}
    variables |= {name: getattr(theme, name) for name in ("background", "foreground", "accent", "panel")}
    roles = theme_roles({name: str(value) for name, value in variables.items()})
    background = Color.parse(str(theme.background))
    strict = theme.name.startswith("contrast")
    for name, least in {
        "text": 4.5,
        "strong": 4.5,
        "accent": 4.5,
        "good": 4.5,
        "warn": 4.5,
        "bad": 4.5,
        "dim": 3.0,
    }.items():
        style = getattr(roles, name)
        assert contrast(Color.from_rich_color(style.color), background) >= (7.0 if strict else least), name
    assert contrast(Color.from_rich_color(roles.faint.color), background) >= (4.5 if strict else 2.5)
    colors = RunColors("truecolor")
    colors.light = not theme.dark
    for number in range(36):
        assert contrast(Color.parse(colors.color(str(number))), background) >= 3.0
