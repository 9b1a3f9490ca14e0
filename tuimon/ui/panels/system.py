"""The machine of a run: processors, memory, GPUs, network and disk, from its log and, where it is this one, live."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.app import ComposeResult
from textual.events import Click
from textual.message import Message
from textual.timer import Timer

from tuimon.analysis.machine import is_machine
from tuimon.analysis.state import RunState
from tuimon.host import Host, Reading
from tuimon.numbers import format_clock
from tuimon.processes import hostname, pid_space
from tuimon.store import Run
from tuimon.text import clean, fit
from tuimon.text import width as cells
from tuimon.ui.keys.system import GAUGE
from tuimon.ui.panels.run_panel import RunPanel
from tuimon.ui.widgets.cells import CellView
from tuimon.ui.widgets.system_data import LiveReadings, Measure, SystemData, with_totals
from tuimon.ui.widgets.system_focus import SystemFocus
from tuimon.ui.widgets.system_view import TITLES, Machine, SystemView

if TYPE_CHECKING:
    from tuimon.store import Changes

EVERY = 2.0
"""Seconds between two live readings."""
SOON = 0.3
"""Seconds to the second one, from which on there are rates."""
HELP = """no system metrics in this run, and it is no process of this machine

The writer logs them on request, every ten seconds or as often as you say:

  SummaryWriter("runs/a", system=True)       LogWriter("runs/a", system=30)
  wandb.init(project="a", system=True)       from tuimon_writer

GPUs need the package nvidia-ml-py. Those that W&B, MLflow and trackio
log are shown too, and a run on this machine while its process lives."""


class SystemPanel(RunPanel):
    """Gauges of every device, and one of them over time."""

    title: ClassVar[str] = "System"
    order: ClassVar[int] = 6
    host_of: ClassVar[type[Host]] = Host
    """What reads this machine for a process."""
    DEFAULT_CSS = """
    SystemPanel { layout: vertical; padding-left: 1; }
    SystemPanel > #status { height: 1; width: 1fr; }
    """

    class Taken(Message):
        """A reading was taken, or could not be."""

        def __init__(self, host: Host, reading: Reading | None, trouble: str = "") -> None:
            super().__init__()
            self.host, self.reading, self.trouble = host, reading, trouble

    def compose(self) -> ComposeResult:
        """A line that names the run, over the gauges or over one of them."""
        app = self.monitor
        self._data = SystemData(app.store)
        self._live = LiveReadings()
        self._host: Host | None = None
        self._timer: Timer | None = None
        self._reading = False
        self._trouble = ""
        self._run = ""
        self._hostname, self._space = hostname(), pid_space()
        self._status = CellView(id="status")
        self._gauges = SystemView(app.run_colors, app.roles)
        self._focus = SystemFocus(app.run_colors)
        self._focus.roles = app.roles
        self._focus.display = False
        yield self._status
        yield self._gauges
        yield self._focus

    def has_content(self, run: Run) -> bool:
        """Whether a run logged something of its machine, or is a process of this one."""
        return any(map(is_machine, run.series)) or self._process(run) is not None

    @property
    def runs(self) -> list[str]:
        """The runs shown that have system metrics; where none has, all of them, for their speed."""
        return super().runs or list(self.view.shown)

    @property
    def key_sections(self) -> tuple[str, ...]:
        """Keys of a maximised gauge come first."""
        return (GAUGE, *super().key_sections) if self.maximised else super().key_sections

    @property
    def maximised(self) -> bool:
        """Whether one gauge has the whole panel."""
        return bool(self._focus.display)

    @property
    def busy(self) -> bool:
        """Whether the second live reading, from which on there are rates, is still to come."""
        return self._host is not None and not self._trouble and self._live.count < 2

    def _process(self, run: Run) -> int | None:
        """The process of a run that lives on this machine. Called with the store's lock held."""
        info = run.info
        pid = info.get("pid")
        here = info.get("host") == self._hostname and info.get("pid_space", self._space) == self._space
        if not here or not isinstance(pid, int) or isinstance(pid, bool):
            return None
        return pid if self.monitor.book.state(run.name).kind in (RunState.RUNNING, RunState.STALLED) else None

    # -- what changes ----------------------------------------------------------------------------------------------

    def refresh_data(self, changes: Changes) -> None:
        """Draw what the run logged of its machine."""
        if changes.structure or not self._run:
            self.refresh_view()
        elif self._run in changes.runs:
            self._follow()
            self._draw()

    def refresh_view(self) -> None:
        """Draw everything by the choices of now."""
        name = self.run_name
        if name != self._run:
            self._run, self._host, self._gauges.cursor = name, None, 0
            self._live.clear(name)
        self._gauges.roles = self._focus.roles = self.roles
        self._gauges.compact = self.view.system.compact
        self._follow()
        self._draw()

    def on_resize(self) -> None:
        """The status line has another width."""
        self._show_status()

    def on_hide(self) -> None:
        """Nobody looks: read nothing."""
        self._stop()

    # -- live readings ---------------------------------------------------------------------------------------------

    def _follow(self) -> None:
        """Read this machine while the run's process lives, and no longer."""
        with self.store.lock:
            run = self.store.runs.get(self._run)
            pid = self._process(run) if run is not None else None
        if pid is None or not self.display:
            self._stop()
            self._host = None
            self._live.clear(self._run)
        elif self._host is None or self._host.pid != pid:
            self._host, self._trouble = self.host_of(pid), ""
            self._live.clear(self._run)
        if self._host is not None and self._timer is None and not self._trouble:
            self._timer = self.set_interval(EVERY, self._read)
            self.call_later(self._read)
            self.set_timer(SOON, self._read)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _read(self) -> None:
        """Have a reading taken in a thread, which no one waits for when the app ends."""
        host = self._host
        if host is None or self._reading or self._timer is None or not self.is_on_screen:
            return
        self._reading = True
        threading.Thread(target=self._take, args=(host,), name="tuimon-host", daemon=True).start()

    def _take(self, host: Host) -> None:
        """In the thread."""
        try:
            self.post_message(self.Taken(host, host.read()))
        except Exception as error:  # libraries and kernels differ in what they refuse, and how
            self.post_message(self.Taken(host, None, f"{type(error).__name__}: {error}"))

    def on_system_panel_taken(self, message: Taken) -> None:
        """Draw a reading, if the same run is still on view."""
        self._reading = False
        if message.host is not self._host:
            self._read()
            return
        self._trouble = message.trouble
        if message.reading is not None:
            self._live.take(message.reading)
        else:
            self._stop()
        self._draw()

    # -- drawing ---------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        """Draw the gauges, or the one that has the panel, with what is known by now."""
        gauges, focus = self._gauges, self._focus
        gauges.machine = machine = self._machine()
        measures = with_totals(self._live.joined(self._data.measures(self._run)))
        gauges.measures = sorted(measures, key=lambda m: machine.idle(m.gauge.device))
        gauges.cores = self._data.cores(self._run)
        gauges.color = focus.color = self.run_colors.color(self._run) if self._run else "default"
        gauges.empty = "reading this machine…" if self.busy and not self._live.count else HELP
        if self.maximised:
            found = next((m for m in gauges.measures if focus.measure and m.gauge == focus.measure.gauge), None)
            if found is None:
                self.back()
                return
            focus.measure = found
            focus.draw()
        else:
            gauges.draw()
        self._show_status()

    def _machine(self) -> Machine:
        """What the log says of the GPUs, and what is read live."""
        with self.store.lock:
            run = self.store.runs.get(self._run)
            told = run.info.get("gpus") if run is not None else None
        names: dict[int, str] = {}
        used: set[int] = set()
        known = False
        for gpu in told if isinstance(told, list) else []:
            if isinstance(gpu, dict) and isinstance(gpu.get("index"), int):
                names[gpu["index"]] = str(gpu.get("name", ""))
                known = known or "used" in gpu
                if gpu.get("used"):
                    used.add(gpu["index"])
        reading = self._live.newest
        if reading is not None:
            names |= reading.names
            used |= reading.used
            known = known or bool(reading.used)
        return Machine(names, frozenset(used) if known else None, reading.processes if reading is not None else 0)

    def _show_status(self) -> None:
        """Name the run, and say whether the numbers are live, or when they were logged."""
        roles, run, width = self.roles, self._run, self.size.width - 1
        if not run:
            self._status.show([[]])
            return
        runs = self.runs
        parts = [f"run {runs.index(run) + 1} of {len(runs)}"] if run in runs and len(runs) > 1 else []
        live = self._host is not None and self._live.newest is not None and not self._trouble
        times = [float(m.x[-1]) for m in self._gauges.measures if m.gauge.amount and m.timed and len(m.x)]
        logged = f"logged at {format_clock(max(times), self.monitor.now())}" if times else ""
        if not logged and any(m.gauge.amount for m in self._gauges.measures):
            logged = "logged without times"
        if self._trouble:
            parts.append(f"this machine cannot be read: {clean(self._trouble)}")
        if live:
            parts += [f"every {EVERY:g} s", logged or "no system metrics logged"]
        elif logged:
            parts.append(logged)
        text = " · ".join(parts)
        shown = clean(run)
        shown = fit(shown, min(max(width - cells(text) - 10, 12), cells(shown)), "middle-elide")
        line = [Segment(f"{self.run_colors.glyph(run)} {shown}  ", self.run_colors.style(run))]
        room = width - cells(shown) - 4
        if live:
            line.append(Segment("live ", roles.good))
            room -= 5
        line.append(Segment(fit(text, max(min(room, cells(text)), 0)), roles.dim))
        self._status.show([line])

    # -- keys ------------------------------------------------------------------------------------------------------

    def action_move(self, rows: int) -> None:
        """Move the cursor; while one gauge has the panel, go to another one."""
        self._gauges.move(rows)
        if self.maximised:
            self._open()

    def action_read(self, points: int) -> None:
        """Move the cursor of the chart."""
        self._focus.read(points)

    def action_toggle_compact(self) -> None:
        """Show only the most telling gauges of each GPU, or all of them."""
        current = self._gauges.current
        choices = self.view.system
        choices.compact = self._gauges.compact = not choices.compact
        shown = self._gauges.shown
        self._gauges.cursor = shown.index(current) if current in shown else 0
        self._draw()

    def action_maximise(self) -> None:
        """Give the whole panel to the gauge under the cursor, or give it back."""
        if not self.back():
            self._open()

    def _open(self) -> None:
        measure: Measure | None = self._gauges.current
        if measure is None:
            return
        gauge = measure.gauge
        device = f"GPU {gauge.device[3:]}" if gauge.device.startswith("gpu") else TITLES.get(gauge.device, gauge.device)
        self._focus.measure, self._focus.cursor = measure, None
        self._focus.title = f"{device}{f' {clean(gauge.node)}' if gauge.node else ''}: {clean(gauge.name)}"
        self._gauges.display = False
        self._focus.display = True
        self._focus.draw()

    def back(self) -> bool:
        """Give the panel back to all gauges."""
        if not self.maximised:
            return False
        self._focus.display = False
        self._gauges.display = True
        self._draw()
        return True

    def on_click(self, event: Click) -> None:
        """Choose the gauge that was clicked; a second click opens it."""
        if event.widget is not self._gauges:
            return
        at = self._gauges.at(event.y)
        if at is not None:
            again = at == self._gauges.cursor and event.chain > 1
            self._gauges.cursor = at
            self._gauges.draw()
            if again:
                self._open()
