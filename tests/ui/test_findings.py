"""What the rules find is shown where people look: charts, lists, the header, a list of its own, the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import pytest

from tuimon.alerts.base import Alert
from tuimon.alerts.sender import Sender
from tuimon.alerts.terminal import BELL, title
from tuimon.records import End, MediaRecord, Record, ScalarRows
from tuimon.rules.base import Rule, Severity
from tuimon.rules.config import RuleConfig, Silence
from tuimon.store import Changes, Store
from tuimon.ui.lookout import Lookout
from tuimon.ui.panels.scalars import ScalarsPanel
from tuimon.ui.screens.findings import FindingsScreen
from tuimon.ui.widgets import bars

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from tuimon.ui.app import TuimonApp

    from .conftest import Display

Show: TypeAlias = "Callable[..., AbstractAsyncContextManager[Display]]"
Values: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"
NOW = 1_764_500_000.0


def scalars(tag: str, values: Sequence[float] | Values, first: int = 0) -> ScalarRows:
    """Values of a tag, one a second until now or from there on."""
    step = np.arange(first, first + len(values), dtype=np.float64)
    times = NOW - 400 + step
    return ScalarRows((tag,), step.tobytes(), times.tobytes(), np.asarray(values, np.float64).tobytes())


def log(store: Store, run: str, *records: Record) -> None:
    """Add records to a run."""
    store.append(store.source(run, f"logs/{run}/log.jsonl"), list(records))


def falling(n: int = 300, seed: int = 0) -> Values:
    """A loss that gets better."""
    values: Values = np.exp(-np.arange(n) / 40) + 0.2 + 0.01 * np.random.default_rng(seed).normal(size=n)
    return values


def diverging(at: int = 250, n: int = 400) -> Values:
    """A loss that rises for good from a step on."""
    values: Values = falling(n) + np.maximum(np.arange(n) - at, 0) * 0.03
    return values


async def feed(display: Display) -> str:
    """Let the app take what is new in the store; the screen after that."""
    display.app.take_changes()
    text: str = await display.text()
    return text


async def arrived(display: Display) -> str:
    """The screen once it shows the chart that was gone to."""
    main = display.app.main
    while display.app.view.view != 2 or main.when_shown is not None:
        await display.pilot.pause(0.01)
    return await display.text()


# -- charts ------------------------------------------------------------------------------------------------------------


async def test_a_finding_is_marked_on_its_chart_and_no_other_and_told_at_the_cursor(show: Show) -> None:
    """A mark where it begins, the letter in the title, the sentence when the chart is large; also when it comes."""
    store = Store()
    log(store, "run", scalars("loss", diverging()[:240]), scalars("acc", falling()))
    async with show(store, (120, 36), view=2, show_runs=False) as display:
        screen = await display.text()
        assert "▾" not in screen
        log(store, "run", scalars("loss", diverging()[240:], 240))
        screen = await feed(display)
        assert screen.count("▾") == 1
        assert any("loss" in line and " E" in line for line in screen.split("\n")[1:-1])
        screen = await display.press("enter")
        assert "▾ 262 loss rises since step 262" in screen
        screen = await display.press("home")
        assert "rises since" not in screen
        await display.press("escape")
        lookout = display.app.lookout
        assert lookout is not None
        display.app.main.show_finding(lookout.active[0])
        assert "loss rises since step 262" in await display.text()


async def test_marks_of_findings_can_be_switched_off_with_those_of_events(show: Show) -> None:
    store = Store()
    log(store, "run", scalars("loss", diverging()))
    async with show(store, (120, 36), view=2, show_runs=False) as display:
        display.app.view.scalars.events = False
        display.app.main.refresh_view()
        screen = await display.text()
        assert "▾" not in screen


async def test_nothing_is_drawn_again_for_findings_that_stay(show: Show) -> None:
    """The marks are part of what a chart is kept for."""
    store = Store()
    log(store, "run", scalars("loss", diverging()))
    async with show(store, (120, 36), view=2, show_runs=False) as display:
        panel = display.app.query_one(ScalarsPanel)
        card = panel._grid.cards[0]
        first = panel.curves.drawn(card, panel._cards.look)[0]
        assert len(first.marks.error) == 1
        assert panel.curves.drawn(card, panel._cards.look)[0] is first


async def test_a_small_curve_shows_where_it_begins(show: Show) -> None:
    """In the overview there is a sign, the letter, and the sentence."""
    store = Store()
    log(store, "run", scalars("train/loss", diverging()))
    async with show(store, (120, 20)) as display:
        screen = await display.text()
        assert "▾" in screen
        assert "E train/loss rises since step 262" in screen


# -- header, lists, view of a run --------------------------------------------------------------------------------------


async def test_the_header_counts_and_a_click_lists(show: Show) -> None:
    store = Store()
    log(store, "run", scalars("loss", diverging()))
    log(store, "other", scalars("loss", [*falling(100), np.nan]))
    async with show(store, (120, 24)) as display:
        header = (await display.text()).split("\n")[0]
        assert "E2" in header
        assert bars.on_findings(display.app.main._header, header.index("E2"))
        assert not bars.on_findings(display.app.main._header, header.index("E2") - 1)
        await display.pilot.click(offset=(header.index("E2"), 0))
        assert "2 errors" in await display.text()
        assert isinstance(display.app.screen, FindingsScreen)


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 36)])
async def test_the_list_goes_to_the_chart(show: Show, size: tuple[int, int]) -> None:
    """The worst first; enter shows the chart with the cursor on the step. A second click does the same."""
    store = Store()
    log(store, "good", scalars("loss", falling()))
    log(store, "bad", scalars("loss", [*falling(100), *[np.nan] * 20]))
    async with show(store, size) as display:
        screen = await display.press("exclamation_mark")
        assert all(len(line) <= size[0] for line in screen.split("\n"))
        assert screen.startswith(" findings · 1 error")
        assert "loss is NaN, first at step 100"[: size[0] - 8] in screen
        assert "esc close" in screen
        await display.press("enter")
        screen = await arrived(display)
        assert display.app.view.current == "bad"
        assert "chart 1 of 1" in screen
        await display.press("exclamation_mark")
        await display.pilot.click(offset=(8, 1), times=2)
        await display.text()
        assert not isinstance(display.app.screen, FindingsScreen)


async def test_the_list_is_live_and_cleared_findings_go_below(show: Show) -> None:
    """What is found while it is open comes in, and what has cleared stays below as history."""
    store = Store()
    log(store, "a", scalars("loss", diverging()))
    log(store, "b", scalars("loss", falling(100)))
    async with show(store, (100, 24)) as display:
        await display.press("exclamation_mark")
        assert "1 error" in await display.text()
        log(store, "b", scalars("loss", [np.nan], 100))
        screen = await feed(display)
        assert "2 errors" in screen
        for part in range(20):
            log(store, "a", scalars("loss", 0.15 + 0.001 * falling(60, part), 400 + 60 * part))
            screen = await feed(display)
        assert "1 cleared" in screen
        assert screen.index("b ") < screen.index("cleared now")


async def test_the_filter_on_runs_the_order_and_what_was_seen(show: Show) -> None:
    """The list has the runs that the filter leaves; a finding that was seen to is counted no more."""
    store = Store()
    log(store, "a", scalars("loss", [*falling(100), np.nan]))
    log(store, "b", scalars("loss", diverging()))
    async with show(store, (100, 24)) as display:
        display.app.view.run_filter = "b"
        display.app.main.refresh_view()
        screen = await display.press("exclamation_mark")
        assert "runs b" in screen
        assert "NaN" not in screen
        await display.press("escape", "escape", "exclamation_mark")
        assert "2 errors" in await display.text()
        screen = await display.press("t")
        assert "newest first" in screen
        await display.press("space")
        assert len(display.app.view.findings.seen) == 1
        assert " seen " in await display.text()
        screen = await display.press("escape")
        assert "E1" in screen.split("\n")[0]


async def test_an_empty_list_says_why(show: Show) -> None:
    store = Store()
    log(store, "good", scalars("loss", falling()), End("finished", NOW, exit=0))
    async with show(store, (100, 24)) as display:
        assert "nothing found in 1 run" in await display.press("exclamation_mark")


async def test_the_view_of_a_run_lists_them_with_advice_and_enter_shows_the_chart(show: Show) -> None:
    store = Store()
    log(store, "run", scalars("loss", diverging()))
    async with show(store, (100, 24), view=8) as display:
        screen = await display.text()
        assert "Go back to a checkpoint" in screen
        await display.press("down", "enter")
        assert "chart 1 of 1" in await arrived(display)


async def test_an_alert_of_the_script_is_shown_the_same_way_and_does_not_clear(show: Show) -> None:
    """With its level, step and text; of another process of the run as well."""
    store = Store()
    body = {"title": "loader slow", "text": "half the usual rate", "level": "warn"}
    log(store, "run", scalars("loss", falling()), MediaRecord("alert", "alert", 100.0, NOW - 300, body))
    async with show(store, (120, 24)) as display:
        screen = await display.text()
        assert "W1" in screen.split("\n")[0]
        assert "W loader slow: half the usual rate" in screen
        log(store, "run", scalars("loss", falling(100), 300))
        log(store, "run", scalars("loss", falling(100), 400))
        await feed(display)
        lookout = display.app.lookout
        assert lookout is not None
        (found,) = (one for one in lookout.active if one.rule == "alert")
        assert (found.step, found.severity, found.tag) == (100.0, Severity.WARN, "loader slow")


# -- the lookout -------------------------------------------------------------------------------------------------------


class Terminal:
    """Stands for the terminal: what it was sent that is no text."""

    def __init__(self, app: TuimonApp, monkeypatch: pytest.MonkeyPatch) -> None:
        self.got: list[str] = []
        monkeypatch.setattr(app, "write_to_terminal", self.got.append)


async def test_a_bell_and_a_title_when_asked(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for what was there from the start, once for what is found; the title goes when the view does (case I2)."""
    store = Store()
    log(store, "old", scalars("loss", [*falling(50), np.nan]))
    log(store, "run", scalars("loss", falling(100)))
    async with show(store, (100, 24)) as display:
        app, terminal = display.app, Terminal(display.app, monkeypatch)
        app.lookout = Lookout(app, bell=True, titled=True)
        app.lookout.look()
        await display.text()
        assert BELL not in terminal.got
        assert terminal.got[-1].startswith("\x1b]2;! old: loss is NaN, first at step 50")
        log(store, "run", scalars("loss", [np.nan] * 3, 100))
        await feed(display)
        log(store, "run", scalars("loss", [np.nan] * 3, 103))
        await feed(display)
        assert terminal.got.count(BELL) == 1
    assert terminal.got[-1] == title("")


async def test_people_elsewhere_are_told_once_of_what_matters(show: Show) -> None:
    """Warnings and errors go to the sender, remarks do not."""

    class Recorder:
        name = "recorder"

        def __init__(self) -> None:
            self.sent: list[Alert] = []

        def send(self, alerts: Sequence[Alert]) -> None:
            self.sent += alerts

    store, action = Store(), Recorder()
    log(store, "run", scalars("loss", [*falling(100), np.nan]), scalars("val/acc", [0.5] * 200))
    async with show(store, (100, 24)) as display:
        app = display.app
        app.lookout = Lookout(app, sender=Sender([action], None, pytest.fail, every=0))
        app.lookout.look()
        await display.text()
        log(store, "run", scalars("loss", [np.nan], 101))
        await feed(display)
    assert [alert.rule for alert in action.sent].count("nan") == 1
    assert all(alert.severity > Severity.INFO for alert in action.sent)


async def test_a_rule_that_throws_is_told_and_the_others_go_on(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    def throw(*_: object) -> list[object]:
        raise RuntimeError("no such thing")

    monkeypatch.setattr("tuimon.rules.registry._plugins", [Rule("broken", "broken", "run", throw)])  # type: ignore[arg-type]
    store = Store()
    log(store, "run", scalars("loss", [*falling(100), np.nan]))
    async with show(store, (200, 24)) as display:
        screen = await display.text()
        assert "the rule broken failed" in screen
        assert "loss is NaN" in screen


async def test_a_run_that_vanishes_takes_its_findings_along(show: Show) -> None:
    store = Store()
    log(store, "run", scalars("loss", [*falling(100), np.nan]))
    log(store, "good", scalars("loss", falling(100)))
    async with show(store, (100, 24)) as display:
        assert "E1" in (await display.text()).split("\n")[0]
        store.drop(store.source("run", "logs/run/log.jsonl"))
        assert "E1" not in (await feed(display)).split("\n")[0]


async def test_nothing_is_looked_at_when_nothing_changes(show: Show, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is looked at once in slices; then no timer runs and no rule is asked (case I8)."""
    store = Store()
    for number in range(30):
        log(store, f"run{number}", scalars("loss", diverging() if number % 3 else falling()))
    async with show(store, (100, 24)) as display:
        lookout = display.app.lookout
        assert lookout is not None
        assert lookout.settled
        assert lookout._timer is None
        asked: list[object] = []

        def look(*args: object) -> list[object]:
            asked.append(args)
            return []

        monkeypatch.setattr("tuimon.findings.tasks.Task.look", look)
        lookout.look(Changes())
        assert asked == []
        assert len(lookout.active) >= 20


async def test_what_is_configured_counts_in_the_view(show: Show) -> None:
    store = Store()
    log(store, "run", scalars("loss", [*falling(100), np.nan]))
    async with show(store, (100, 24)) as display:
        app = display.app
        app.lookout = Lookout(app, RuleConfig(silences=(Silence(rule="nan"),)))
        app.lookout.look()
        await display.text()
        assert "nan" not in {one.rule for one in app.lookout.active}
