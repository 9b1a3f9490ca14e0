"""The filter on runs: names, or an expression."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tuimon.analysis.run_tests import RunTests
from tuimon.records import Config, Record
from tuimon.store import Store
from tuimon.ui.filters import FilterError
from tuimon.ui.run_filter import RunFilter, hint
from tuimon.ui.state import RunKey, ViewState

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"
Add: TypeAlias = "Callable[[Store, str, list[Record]], None]"
Rows: TypeAlias = "Callable[..., Record]"


@pytest.fixture
def sweep(add_run: Add, rows: Rows) -> Store:
    """Three runs with a setting and an accuracy; the names of two hold the setting."""
    store = Store()
    for name, lr, acc in (("lr=0.1", 0.1, 0.7), ("lr=0.01", 0.01, 0.9), ("other", 0.1, 0.85)):
        add_run(store, name, [Config({"lr": lr}), rows(["acc"], [0, 1], [1.0, 2.0], [0.1, acc])])
    return store


def answers(store: Store) -> RunTests:
    return RunTests(store, now=lambda: 0.0, state=lambda _run: "running")


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("acc >= 0.8", ["lr=0.01", "other"]),
        ("lr=0.1", ["lr=0.1", "other"]),
        ("lr = 0.1 and acc > 0.8", ["other"]),
        ("other | lr=0.01", ["lr=0.01", "other"]),
        ("!other", ["lr=0.1", "lr=0.01"]),
        ("re:^lr=0.1$", ["lr=0.1"]),
        ("oth", ["other"]),
        ("wd=0.1", []),
        ("", ["lr=0.1", "lr=0.01", "other"]),
    ],
)
def test_names_or_expression(sweep: Store, text: str, runs: list[str]) -> None:
    """A text that could be both is an expression where its names mean something, else it is about names (case F12)."""
    passes = RunFilter(text).passing(answers(sweep))
    assert [run for run in sweep.runs if passes(run)] == runs


def test_what_is_wrong_is_told(sweep: Store) -> None:
    """An unfinished comparison is an error; names that nobody has are told while the names of runs are searched."""
    with pytest.raises(FilterError, match="expected a value"):
        RunFilter("lr <")
    assert hint("wd=0.1", answers(sweep)) == "no setting or tag wd: looked for in names"
    assert hint("lr=0.1", answers(sweep)) == hint("lr", answers(sweep)) == hint("lr <", answers(sweep)) == ""


def test_the_list_follows_the_runs(sweep: Store, rows: Rows) -> None:
    """Before anybody can answer all runs are listed; later those that pass, asked again when a run changes."""
    view = ViewState()
    view.run_filter = "acc > 0.8"
    view.set_runs(RunKey(name) for name in sweep.runs)
    assert len(view.listed) == 3
    asked = answers(sweep)
    view.set_answers(asked)
    assert view.listed == ["lr=0.01", "other"]
    assert not view.filter_again(["lr=0.1"])
    sweep.append(sweep.runs["lr=0.1"].sources[0], [rows(["acc"], [2], [3.0], [0.95])])
    asked.forget(["lr=0.1"])
    assert view.filter_again(["lr=0.1"])
    assert len(view.listed) == 3
    view.run_filter = ""
    assert not view.filter_again(["other"])


async def test_an_expression_is_typed(sweep: Store, show: Show, rows: Rows) -> None:
    """The prompt takes an expression; a run that comes to pass it comes into the list by itself."""
    async with show(sweep, (100, 20), view=1) as display:
        screen = await display.press("f", *"acc > 0.8", "enter")
        assert display.app.view.listed == ["lr=0.01", "other"]
        assert "lr=0.01" in screen
        sweep.append(sweep.runs["lr=0.1"].sources[0], [rows(["acc"], [2], [3.0], [0.95])])
        display.app.take_changes()
        assert "lr=0.1 " in await display.text()
