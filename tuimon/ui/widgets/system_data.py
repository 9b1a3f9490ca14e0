"""What a run logged of its machine, in the units that are shown, and what this machine is at now."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tuimon.analysis.machine import (
    CPU,
    DISK,
    MACHINE,
    MEMORY,
    NETWORK,
    OF_RUN,
    RUN,
    SPEED,
    Gauge,
    cores,
    gauges,
    meter_of,
)
from tuimon.analysis.rates import paced_by, speed_curve
from tuimon.host import Key, Reading
from tuimon.store import Floats, Run, Series, Store

EMPTY: Floats = np.empty(0)
_SPEED = Gauge(RUN, "", SPEED, "steps/s", "")
HISTORY = 300
"""Live readings that are kept for the curve of what is not logged."""


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """A gauge and its values.

    Attributes:
        gauge: What it is.
        x: Wall time in seconds, ascending; steps where no time was logged.
        low, high: The lowest and the highest value at each x, in the gauge's unit.
        timed: Whether x is wall time.
        value: The newest value; None without any.
        total: How much there is at most; None when unknown.
        live: Whether ``value`` was read just now, and not logged.
    """

    gauge: Gauge
    x: Floats = field(default_factory=lambda: EMPTY)
    low: Floats = field(default_factory=lambda: EMPTY)
    high: Floats = field(default_factory=lambda: EMPTY)
    timed: bool = True
    value: float | None = None
    total: float | None = None
    live: bool = False

    @property
    def part(self) -> float | None:
        """How much of the whole is in use, 0 .. 1; None where the whole is not known."""
        if self.value is None or self.total is None or not self.total > 0:
            return None
        return self.value / self.total

    @property
    def least(self) -> float | None:
        """The lowest of all finite values."""
        return _end(self.low, np.fmin)

    @property
    def most(self) -> float | None:
        """The highest of all finite values."""
        return _end(self.high, np.fmax)


def _end(values: Floats, of: np.ufunc) -> float | None:
    known = values[np.isfinite(values)]
    return float(of.reduce(known)) if known.size else None


class SystemData:
    """Takes what runs logged of their machines from the store, and keeps it until it changes.

    Args:
        store: Its lock is taken for each query.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._kept: dict[tuple[str, Gauge], tuple[tuple[int, ...], Measure]] = {}

    def measures(self, name: str) -> list[Measure]:
        """The gauges of a run, in the order in which they are wanted."""
        with self._store.lock:
            run = self._store.runs.get(name)
            if run is None:
                return []
            found = [self._measure(run, gauge) for gauge in gauges(run.series)]
            speed = self._speed(run)
        if speed is not None:  # below the GPUs, as the first of what is of the run
            gpus = sum(measure.gauge.device.startswith("gpu") and not measure.gauge.node for measure in found)
            found.insert(gpus, speed)
        self._kept = {key: kept for key, kept in self._kept.items() if key[0] == name}
        return found

    def _speed(self, run: Run) -> Measure | None:
        """How fast the run goes; None where its records do not tell."""
        series = paced_by(run)
        if series is None:
            return None
        kept = self._kept.get((run.name, _SPEED))
        versions = (id(series), series.version)
        if kept is None or kept[0] != versions:
            x, pace = speed_curve(series)
            kept = versions, Measure(_SPEED, x, pace, pace, value=_newest(pace))
            self._kept[run.name, _SPEED] = kept
        return kept[1] if len(kept[1].x) else None

    def cores(self, name: str) -> list[float]:
        """How busy each core was last, in percent; NaN where that is not known."""
        with self._store.lock:
            run = self._store.runs.get(name)
            last = [_last(run.series[tag]) for tag in cores(run.series)] if run is not None else []
        return [math.nan if value is None else value for value in last]

    def _measure(self, run: Run, gauge: Gauge) -> Measure:
        tags = [tag for tag in (gauge.amount, gauge.share, gauge.total) if tag]
        versions = tuple(run.series[tag].version for tag in tags)
        kept = self._kept.get((run.name, gauge))
        if kept is not None and kept[0] == versions:
            return kept[1]
        measure = _read(run, gauge)
        self._kept[run.name, gauge] = versions, measure
        return measure


def _read(run: Run, gauge: Gauge) -> Measure:
    series, meter = run.series[gauge.amount], meter_of(gauge.amount)
    factor = 1.0 if meter is None else meter.factor
    curve = series.curve("time", superseded=True)
    timed = bool(len(curve))
    if not timed:
        curve = series.curve("step", superseded=True)
    x, low, high = curve.x, curve.low * factor, curve.high * factor
    if meter is not None and meter.grows and timed:
        x, low = _growth(x, high)
        high = low
    value = _newest(high)
    total = _last(run.series.get(gauge.total))
    share = _last(run.series.get(gauge.share))
    if total is None and value is not None and share:
        total = 100 * value / share
    return Measure(gauge, x, low, high, timed, value, _usual_total(gauge) if total is None else total)


def _newest(values: Floats) -> float | None:
    """The last finite value."""
    known = np.flatnonzero(np.isfinite(values))
    return float(values[known[-1]]) if known.size else None


def _last(series: Series | None) -> float | None:
    """The newest value of a series in its unit; None where there is none that is finite."""
    meter = None if series is None else meter_of(series.tag)
    if series is None or series.last is None or meter is None or not math.isfinite(series.last.value):
        return None
    return series.last.value * meter.factor


def _usual_total(gauge: Gauge) -> float | None:
    """Percents are of a hundred, but those of a run's processors, of which it may use several."""
    if gauge.unit == "%" and gauge.key != (RUN, CPU):
        return 100.0
    return 100.0 if gauge.unit == "°C" else None


def _growth(x: Floats, count: Floats) -> tuple[Floats, Floats]:
    """The growth of a count in a second, between any two samples; it began anew where it fell."""
    known = np.isfinite(count)
    x, count = x[known], count[known]
    seconds, more = np.diff(x), np.diff(count)
    apart = (seconds > 0) & (more >= 0)
    return x[1:][apart], more[apart] / seconds[apart]


def with_totals(measures: Sequence[Measure]) -> list[Measure]:
    """The measures; what a run has of a memory is seen beside all of that memory, where its size is known."""
    sizes = {m.gauge.device: m.total for m in measures if m.gauge.name == MEMORY and m.gauge.unit == "B"}
    found = []
    for measure in measures:
        gauge, total = measure.gauge, measure.total
        if gauge.unit == "B" and gauge.name == OF_RUN:
            total = total or sizes.get(gauge.device)
        elif gauge.unit == "B" and gauge.key == (RUN, MEMORY):
            total = total or sizes.get(MACHINE)
        found.append(measure if total == measure.total else replace(measure, total=total))
    return found


_UNITS = {CPU: "%", "use": "%", MEMORY: "B", OF_RUN: "B", "power": "W", "temperature": "°C"}
_LIVE = {RUN: (CPU, MEMORY), MACHINE: (CPU, MEMORY), DISK: ("read", "written"), NETWORK: ("received", "sent")}


class LiveReadings:
    """The newest reading of this machine for a run, and those before it since the panel is on view.

    Attributes:
        run: The run.
        newest: The newest reading; None before the first.
        count: How many there were.
    """

    def __init__(self) -> None:
        self.run = ""
        self.newest: Reading | None = None
        self.count = 0
        self._history: dict[Key, list[tuple[float, float]]] = {}

    def clear(self, run: str) -> None:
        """Begin anew, for a run."""
        self.run, self.newest, self.count = run, None, 0
        self._history.clear()

    def take(self, reading: Reading) -> None:
        """Take a reading."""
        self.newest = reading
        self.count += 1
        for key, value in reading.values.items():
            past = self._history.setdefault(key, [])
            past.append((reading.time, value))
            del past[:-HISTORY]

    def joined(self, logged: list[Measure]) -> list[Measure]:
        """The logged measures with the live values in place of the newest, and what is read but not logged."""
        reading = self.newest
        if reading is None:
            return logged
        known = {measure.gauge.key for measure in logged if not measure.gauge.node}
        found = [self._live(measure, reading) for measure in logged]
        for key in reading.values:
            if key not in known:
                gauge = Gauge(key[0], "", key[1], "B/s" if key[0] in (DISK, NETWORK) else _UNITS.get(key[1], ""), "")
                found.append(self._live(Measure(gauge), reading))
        places = {measure.gauge: at for at, measure in enumerate(logged)}
        return sorted(found, key=lambda measure: _order(measure.gauge, places))

    def _live(self, measure: Measure, reading: Reading) -> Measure:
        gauge = measure.gauge
        value = reading.values.get(gauge.key)
        if value is None or gauge.node:
            return measure
        total = reading.totals.get(gauge.key, measure.total or _usual_total(gauge))
        if gauge.unit == "%" and total is not None and gauge.name == MEMORY:
            value, total = 100 * value / total if total else 0.0, 100.0
        if not gauge.amount:
            x, y = (np.array(part) for part in zip(*self._history[gauge.key], strict=True))
            measure = replace(measure, x=x, low=y, high=y)
        return replace(measure, value=value, total=total, live=True)


def _order(gauge: Gauge, places: dict[Gauge, int]) -> tuple[object, ...]:
    """GPUs, then the run, the machine, disk and network; in a device the logged ones in their order, then the rest."""
    devices = [*_LIVE, "other"]
    group = devices.index(gauge.device) + 1 if gauge.device in devices else 0
    number = int(gauge.device[3:]) if gauge.device.startswith("gpu") and gauge.device[3:].isdecimal() else 0
    names = (SPEED, "use", CPU, MEMORY, OF_RUN, "power", "temperature", "read", "written", "received", "sent")
    name = names.index(gauge.name) if gauge.name in names else len(names)
    return gauge.node, group, number, name, places.get(gauge, 0)
