"""Which theme a terminal gets, and what roles become in it."""

from __future__ import annotations

import pytest

from tuimon.ui.app import TuimonApp
from tuimon.ui.theme import choose_theme


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
