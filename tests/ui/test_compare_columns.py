"""The titles above the columns of the comparison."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tuimon.records import Config, Record
from tuimon.store import Store
from tuimon.ui.compare.columns import titled
from tuimon.ui.widgets.line_table import Column

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"
Add: TypeAlias = "Callable[[Store, str, list[Record]], None]"
Rows: TypeAlias = "Callable[..., Record]"
RUN = Column("run", 10)
RESULTS = [Column("last", 6, "loss ↓"), Column("best", 12, "loss ↓")]


def test_a_narrow_setting_gets_the_width_of_its_title_where_there_is_room() -> None:
    """`settings` is whole above one setting of four cells as long as all columns still fit, else it is `set.`."""
    columns = [RUN, Column("lr", 4, "settings"), *RESULTS]
    together = 10 + 2 + 4 + 2 + 6 + 2 + 12
    wide = titled(columns, together + 4)
    assert [(column.width, column.group) for column in wide] == [
        (10, ""), (8, "settings"), (6, "loss ↓"), (12, "loss ↓"),
    ]  # fmt: skip
    tight = titled(columns, together + 3)
    assert [(column.width, column.group) for column in tight] == [
        (10, ""), (4, "set."), (6, "loss ↓"), (12, "loss ↓"),
    ]  # fmt: skip


def test_what_is_wide_enough_stays_as_it_is() -> None:
    """Two narrow settings side by side hold the title; so does a wide one."""
    for settings in ([Column("lr", 4, "settings"), Column("wd", 4, "settings")], [Column("depth", 8, "settings")]):
        columns = [RUN, *settings, *RESULTS]
        for room in (20, 200):
            assert titled(columns, room) == columns


async def test_the_title_on_the_screen(show: Show, add_run: Add, rows: Rows) -> None:
    """Above the one setting that differs no title is cut, on a wide screen and on a narrow one."""
    store = Store()
    for name, lr in (("a", 0.1), ("b", 0.2)):
        add_run(store, name, [Config({"lr": lr}), rows(["loss", "acc"], [0], [1.0], [2.0, 0.5])])
    for width, title in ((120, "settings"), (40, "set.")):
        async with show(store, (width, 12), view=4) as display:
            assert (await display.text()).split("\n")[2].split()[0] == title
