"""Everything in ASCII, for terminals that have no more."""

from __future__ import annotations

import ast
import locale
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest
from rich.cells import cell_len
from textual.drivers.headless_driver import HeadlessDriver

from tuimon import charts, ui
from tuimon.store import Store
from tuimon.ui.frame import frame
from tuimon.ui.plain import _TABLE, ascii_driver, needs_ascii, to_ascii
from tuimon.ui.state import ViewState
from tuimon.ui.widgets.marks import STATES

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"
NOW = 1_764_500_000.0


@pytest.mark.parametrize("size", [(40, 12), (140, 40)])
async def test_every_view_is_plain(gallery: Store, show: Show, size: tuple[int, int]) -> None:
    """Beside the letters of names there is nothing but ASCII, and no line is longer than the screen."""
    del gallery.runs["vit/中文-数据增强"]
    async with show(gallery, size, ascii=True) as display:
        for keys in (*"12345678", ("question_mark",), ("escape", "colon")):
            text = await display.press(*keys)
            assert text.isascii(), keys
            assert max(map(len, text.split("\n"))) <= size[0]


def test_all_that_the_app_writes_has_a_stand_in() -> None:
    """Every sign in a text of the views and charts, beside ranges in patterns, can be written in ASCII."""
    missing = {}
    for path in [*Path(ui.__file__).parent.rglob("*.py"), *Path(charts.__file__).parent.rglob("*.py")]:
        if path.name in ("repaint.py", "kitty.py"):  # patterns, and another way to draw
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        told = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
                missing |= {sign: path.name for sign in node.value if not to_ascii(sign).isascii()}
    assert not missing


def test_a_run_is_drawn_with_its_own_sign(gallery: Store) -> None:
    """The sign in the list of runs is the one that draws the line."""
    text = frame(["logs"], view=ViewState(view=2, ascii=True, smoothing=0.0), width=140, height=40, store=gallery)
    sign = next(line for line in text.split("\n") if " old " in line)[1]
    alone = ViewState(view=2, ascii=True, smoothing=0.0, selected={"old"})
    chart = frame(["logs"], view=alone, width=140, height=40, store=gallery).split("\n")[4:20]
    assert sum(line[30:].count(sign) for line in chart) > 20


def test_stand_ins_are_as_wide_as_what_they_stand_for() -> None:
    """One cell each, so that nothing moves; the states stay apart."""
    for code, text in _TABLE.items():
        assert cell_len(chr(code)) == len(text) == 1
        assert text.isascii()
    assert len({to_ascii(sign) for sign, _ in STATES.values()}) == len(STATES) - 1, "loading has the sign of stalled"


def test_letters_that_the_encoding_lacks_keep_their_cells() -> None:
    """A wide letter becomes two question marks; one that the encoding has stays."""
    assert to_ascii("größe ► 中文", "latin-1") == "größe > ????"
    assert to_ascii("größe ► 中文") == "größe > 中文"


def test_the_driver_writes_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes to the terminal is translated on the way; escape sequences are left as they are."""
    written: list[str] = []
    monkeypatch.setattr(HeadlessDriver, "write", lambda _self, data: written.append(data))
    driver = ascii_driver(HeadlessDriver)
    driver.write(object.__new__(driver), "\x1b[1m● run │ ✓\x1b[0m")
    assert written == ["\x1b[1m* run | V\x1b[0m"]


def test_it_is_chosen_by_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that does not take UTF-8 gets ASCII without being asked."""
    for variable in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    for encoding, plain in (("UTF-8", False), ("utf8", False), ("ISO-8859-1", True), ("ANSI_X3.4-1968", True)):
        monkeypatch.setattr(locale, "getpreferredencoding", lambda _do=False, name=encoding: name)
        assert needs_ascii() is plain


@pytest.mark.parametrize(
    ("asked", "plain"),
    [({"LC_ALL": "C"}, True), ({"LANG": "POSIX"}, True), ({"LC_ALL": "C.UTF-8", "LANG": "C"}, False), ({}, False)],
)
def test_the_c_locale_asks_for_ascii(asked: dict[str, str], plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python reads and writes UTF-8 in it, but who names it wants ASCII; no locale at all is no such wish."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in asked.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(locale, "getpreferredencoding", lambda _set: "UTF-8")
    assert needs_ascii() is plain
