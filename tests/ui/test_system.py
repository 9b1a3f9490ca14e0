"""The system panel: gauges from stand-in log records of GPUs and programs, and live readings of a stand-in machine."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

import pytest
from rich.cells import cell_len
from textual._compositor import Compositor

from tuimon.host import Host, Reading
from tuimon.processes import hostname, pid_space
from tuimon.records import RunInfo, ScalarRows
from tuimon.store import Changes, Store
from tuimon.ui.frame import screen_text
from tuimon.ui.panels.system import SystemPanel
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.system_focus import SystemFocus
from tuimon.ui.widgets.system_view import SystemView

if TYPE_CHECKING:
    from .conftest import Display

Opened: TypeAlias = "Callable[..., AbstractAsyncContextManager[tuple[Display, SystemPanel]]]"
NOW = 1_764_500_000.0
GIB = float(1 << 30)


@pytest.fixture
def opened(show: Callable[..., AbstractAsyncContextManager[Display]]) -> Opened:
    """Opens the panel on a store."""

    @asynccontextmanager
    async def opened(
        store: Store, size: tuple[int, int] = (100, 36), **view: object
    ) -> AsyncIterator[tuple[Display, SystemPanel]]:
        async with show(store, size, view=6, run_order="name", **view) as display:
            yield display, display.app.query_one(SystemPanel)

    return opened


@pytest.fixture
def machine(rows: Callable[..., ScalarRows]) -> Store:
    """A run of tuimon's writer on two of three GPUs, one of W&B, and one without system metrics."""
    store = Store()
    tags = ["system/cpu_percent", "system/memory_mib", "system/memory_percent", "system/process/cpu_percent",
            "system/process/memory_mib", "system/network/sent_mib_s"]  # fmt: skip
    for gpu in range(3):
        tags += [f"system/gpu{gpu}/{name}" for name in ("percent", "memory_mib", "memory_percent", "watts", "celsius")]
    tags.append("system/gpu2/process_memory_mib")
    steps = range(60)
    values: list[float] = []
    for step in steps:
        values += [20.0, 1024.0 * (8 + step / 60), 50.0, 340.0, 2048.0, 1.5]
        for gpu in range(3):
            use = 50 + 45 * math.sin(step / 6) if gpu else 0.0
            values += [use, 40960.0, 50.0, 300.0, 60.0 + gpu]
        values.append(20480.0)
    gpus = [{"index": number, "name": "NVIDIA H200", "used": number > 0} for number in range(3)]
    times = [NOW - 600 + 10 * step for step in steps]
    store.append(store.source("a", "a.jsonl"), [RunInfo({"gpus": gpus}), rows(tags, steps, times, values)])
    counters = [
        "system/gpu.0.gpu",
        "system/network.sent",
        "system/cpu",
        *(f"system/cpu.{n}.cpu_percent" for n in (0, 1)),
    ]
    flat = [number for step in steps for number in (90.0, step * 10 * 1048576.0, 40.0, 5.0, 75.0)]
    store.append(store.source("b", "b.wandb"), [rows(counters, steps, times, flat)])
    store.append(store.source("c", "c.jsonl"), [rows(["loss"], [0], [NOW - 5], [1.0])])
    return store


def line(panel: SystemPanel, start: str, after: str) -> str:
    """The line that begins so, in the block of a device."""
    text = panel.query_one(SystemView).plain().split("── " + after, 1)[1]
    return next(row for row in text.split("\n") if row.startswith(start))


async def test_each_device_has_its_block(opened: Opened, machine: Store) -> None:
    """GPUs with name and whether they are the run's, used ones first; amounts with what there is of them (case I4)."""
    async with opened(machine, show_runs=False) as (_display, panel):
        text = panel.query_one(SystemView).plain()
        heads = [row.strip("─ ") for row in text.split("\n") if row.startswith("──")]
        assert heads == [
            "GPU 1  NVIDIA H200 · of this run",
            "GPU 2  NVIDIA H200 · of this run",
            "this run  process and children · CPU: 100 % is one core",
            "machine",
            "network",
            "GPU 0  NVIDIA H200 · not of this run",
        ]
        assert "40 GiB of 80 GiB" in line(panel, "memory", "GPU 1")
        assert "20 GiB of 80 GiB" in line(panel, "by this run", "GPU 2")
        assert "8.98 GiB of 18 GiB" in line(panel, "memory", "machine")
        assert "340 %" in line(panel, "CPU", "this run")
        assert line(panel, "use", "GPU 0").split()[-1] == "constant"
        assert "5.05–95 %" in line(panel, "use", "GPU 1")
        assert "logged at 10:53:10" in panel.query_one("#status", CellView).plain()


async def test_counters_become_rates(opened: Opened, machine: Store) -> None:
    """W&B logs how many bytes were sent in all: ten MiB in each ten seconds are one MiB a second."""
    async with opened(machine, show_runs=False, current="b") as (_display, panel):
        assert "1 MiB/s" in line(panel, "sent", "network")
        assert "90 %" in line(panel, "use", "GPU 0")
        assert "2 cores ▁▇" in line(panel, "2 cores", "machine")


async def test_one_gauge_has_the_whole_panel(opened: Opened, machine: Store) -> None:
    """Enter opens it over wall time, the arrow keys read values off, esc goes back."""
    async with opened(machine, show_runs=False) as (display, panel):
        await display.press("down", "enter")
        focus = panel.query_one(SystemFocus)
        assert "GPU 1: memory in GiB" in focus.plain()
        assert focus.plain().split("\n")[-1].startswith("last 40 GiB  min 40 GiB  max 40 GiB  of 80 GiB  n 60")
        await display.press("left", "left")
        assert "10:52:50 40 GiB" in focus.plain().split("\n")[-1]
        await display.press("home")
        assert "10:43:20 40 GiB" in focus.plain().split("\n")[-1]
        await display.press("up")
        assert "GPU 1: use in %" in focus.plain()
        await display.press("escape")
        assert not panel.maximised
        assert panel.query_one(SystemView).display


async def test_a_compact_view_keeps_use_and_memory(opened: Opened, machine: Store) -> None:
    """Power and temperature of a GPU go into its heading; it is a choice of the view."""
    async with opened(machine, show_runs=False) as (display, panel):
        await display.press("c")
        text = panel.query_one(SystemView).plain()
        assert "── GPU 1  NVIDIA H200 · of this run · 300 W · 61 °C" in text
        assert not any(row.startswith(("power", "temperature")) for row in text.split("\n"))
        assert panel.view.system.compact


async def test_without_metrics_it_says_how_to_get_them(opened: Opened, machine: Store) -> None:
    """No empty screen; ] goes on to a run that has some."""
    async with opened(machine, (80, 24), current="c") as (display, panel):
        assert "system=True" in screen_text(panel.monitor)
        await display.press("right_square_bracket")
        assert "── GPU 1" in screen_text(panel.monitor)


async def test_the_speed_of_a_run(opened: Opened, rows: Callable[..., ScalarRows]) -> None:
    """Steps a second over wall time from the records, with how to get the rest below; Enter opens it (case I5)."""
    store = Store()
    times = [NOW - 600 + min(i, 60) + 2 * max(i - 60, 0) for i in range(120)]
    store.append(store.source("a", "a.jsonl"), [rows(["loss"], range(0, 1200, 10), times, [1.0] * 120)])
    async with opened(store, (90, 30), show_runs=False) as (display, panel):
        assert "5 steps/s" in line(panel, "speed", "this run")
        assert line(panel, "speed", "this run").rstrip().endswith("5–10 steps/s")
        assert "system=True" in screen_text(panel.monitor)
        text = await display.press("enter")
        assert "this run: speed in steps/s" in text
        assert "last 5 steps/s  min 5 steps/s  max 10 steps/s" in text


async def test_it_fits_a_tiny_terminal(opened: Opened, machine: Store) -> None:
    """All gauges can be scrolled to, nothing is wider than the screen, and in ASCII there is nothing else."""
    async with opened(machine, (40, 12), ascii=True) as (display, panel):
        for keys in (["end"], ["enter", "left"], ["escape", "home"]):
            text = await display.press(*keys)
            assert all(cell_len(row) <= 40 for row in text.split("\n"))
            assert text.isascii()
        assert not panel.monitor.problems
        assert "GPU 1" in text


async def test_the_screen_as_text(opened: Opened, machine: Store, snapshot: object) -> None:
    """The whole panel, character by character."""
    async with opened(machine, (100, 36), show_runs=False) as (_display, panel):
        assert "\n".join(screen_text(panel.monitor).split("\n")[1:-1]) == snapshot


async def test_what_cannot_be_drawn_is_said(opened: Opened, rows: Callable[..., ScalarRows]) -> None:
    """NaN, a value without a time, a count that begins anew, a single sample."""
    store = Store()
    nan = math.nan
    tags = ["system/gpu0/percent", "system/network.sent", "system/odd"]
    values = [nan, 100.0, 1.0, nan, 10.0, 2.0, nan, 20.0, nan]
    store.append(store.source("a", "a.jsonl"), [rows(tags, range(3), [NOW, NOW + 1, NOW + 2], values)])
    store.append(store.source("b", "b.jsonl"), [rows(["system/cpu_percent"], range(3), [nan] * 3, [1.0, 2.0, 3.0])])
    async with opened(store, (80, 24), show_runs=False) as (display, panel):
        assert line(panel, "use", "GPU 0").split()[-1] == "-"
        assert "10 B/s" in line(panel, "sent", "network")
        assert line(panel, "odd", "other").split()[1] == "2"
        await display.press("right_square_bracket")
        assert "3 %" in line(panel, "CPU", "machine")
        assert "logged without times" in panel.query_one("#status", CellView).plain()
        assert not panel.monitor.problems


async def test_the_same_again_sends_nothing(opened: Opened, machine: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of the past: being told of changes that show nothing new repaints no cell, and no timer runs (case I8)."""
    async with opened(machine, show_runs=False) as (display, panel):
        spans: list[object] = []
        original = Compositor.render_partial_update

        def counted(compositor: Compositor) -> object:
            update = original(compositor)
            spans.extend(update.spans if update is not None else ())
            return update

        monkeypatch.setattr(Compositor, "render_partial_update", counted)
        for _ in range(3):
            display.app.main.refresh_data(Changes(runs=set(machine.runs)))
            panel.refresh_view()
            await display.text()
        assert spans == []
        assert panel._timer is None


# -- live ----------------------------------------------------------------------------------------------------------


class StandIn(Host):
    """A machine that is read without looking at one."""

    readings: Sequence[Reading] = ()
    pids: list[int] = []  # noqa: RUF012 - what the tests ask for

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.pids.append(pid)
        self._next = iter(self.readings)

    def read(self) -> Reading:
        """The next of the readings; the last one again and again."""
        self.last = next(self._next, None) or self.last
        return self.last


def reading(at: float, cpu: float) -> Reading:
    values = {("run", "CPU"): cpu, ("run", "memory"): GIB, ("machine", "memory"): 2 * GIB, ("gpu3", "use"): 70.0}
    return Reading(NOW + at, values, {("machine", "memory"): 8 * GIB}, 3, frozenset({3}), {3: "H200"})


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> type[StandIn]:
    """Puts a made-up machine in the place of this one, and looks at it without pauses."""
    StandIn.pids.clear()
    StandIn.readings = [reading(1, 110.0), reading(2, 150.0)]
    monkeypatch.setattr(SystemPanel, "host_of", StandIn)
    monkeypatch.setattr("tuimon.ui.panels.system.EVERY", 0.05)
    monkeypatch.setattr("tuimon.ui.panels.system.SOON", 0.01)
    return StandIn


def alive(rows: Callable[..., ScalarRows], **info: object) -> Store:
    """A run of this machine whose process is alive, as the tests of the screen have it."""
    store = Store()
    told = {"host": hostname(), "pid": 4711, "pid_space": pid_space(), "started": NOW - 60, **info}
    store.append(store.source("a", "a.jsonl"), [RunInfo(told), rows(["loss"], [0], [NOW - 5], [1.0])])
    return store


async def until(display: Display, panel: SystemPanel, text: str) -> None:
    for _ in range(200):
        if text in panel.query_one(SystemView).plain():
            return
        await display.pilot.pause(0.02)
    raise AssertionError(panel.query_one(SystemView).plain())


async def test_a_run_of_this_machine_is_read_live(
    opened: Opened, stand_in: type[StandIn], rows: Callable[..., ScalarRows]
) -> None:
    """Without a single system metric in its log: its processes added up, the machine, and its GPU."""
    async with opened(alive(rows), show_runs=False) as (display, panel):
        await until(display, panel, "150 %")
        text = panel.query_one(SystemView).plain()
        assert "── GPU 3  H200 · of this run" in text
        assert "── this run  3 processes, added up · CPU: 100 % is one core" in text
        assert "2 GiB of 8 GiB" in text
        assert stand_in.pids == [4711]
        assert "live every" in panel.query_one("#status", CellView).plain()
        assert "no system metrics logged" in panel.query_one("#status", CellView).plain()


async def test_live_readings_stop_when_nobody_looks(
    opened: Opened, stand_in: type[StandIn], rows: Callable[..., ScalarRows]
) -> None:
    """Another view is on screen: no timer; it goes on when the view comes back."""
    async with opened(alive(rows), show_runs=False) as (display, panel):
        await until(display, panel, "150 %")
        assert panel._timer is not None
        await display.press("1")
        assert panel._timer is None
        await display.press("6")
        assert panel._timer is not None


@pytest.mark.parametrize("info", [{"host": "elsewhere"}, {"pid_space": "another container"}, {"pid": None}])
async def test_only_processes_of_this_machine_are_read(
    opened: Opened, stand_in: type[StandIn], rows: Callable[..., ScalarRows], info: dict[str, object]
) -> None:
    """A pid of another machine or container means nothing here: nothing is read, and no timer runs."""
    async with opened(alive(rows, **info), (80, 24), show_runs=False) as (_display, panel):
        assert not stand_in.pids
        assert panel._timer is None
        assert "system=True" in screen_text(panel.monitor)


async def test_live_values_stand_in_for_the_last_logged_ones(
    opened: Opened, stand_in: type[StandIn], rows: Callable[..., ScalarRows]
) -> None:
    """What is logged keeps its course; the number is the one of now."""
    store = alive(rows)
    logged = rows(["system/process/cpu_percent"], range(5), [NOW - 50 + 10 * i for i in range(5)], [50.0] * 5)
    store.append(store.source("a", "a.jsonl"), [logged])
    async with opened(store, show_runs=False) as (display, panel):
        await until(display, panel, "150 %")
        assert "constant" in line(panel, "CPU", "this run")
        assert "logged at" in panel.query_one("#status", CellView).plain()


async def test_a_machine_that_cannot_be_read_says_so_once(
    opened: Opened, stand_in: type[StandIn], rows: Callable[..., ScalarRows], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What went wrong stands above the gauges, and it is not tried again and again."""

    def fails(_host: Host) -> Reading:
        raise PermissionError("not for you")

    monkeypatch.setattr(StandIn, "read", fails)
    async with opened(alive(rows), show_runs=False) as (display, panel):
        status = panel.query_one("#status", CellView)
        for _ in range(200):
            if "not for you" in status.plain():
                break
            await display.pilot.pause(0.02)
        assert "this machine cannot be read: PermissionError: not for you" in status.plain()
        assert panel._timer is None
