"""System metrics on request: a thread that logs what the machine, the process and the GPUs are at.

It sleeps nearly always, and pauses for a fork: a child has no such thread, its parent counts it in.
"""

from __future__ import annotations

import os
import threading
from importlib import import_module
from time import monotonic, time

from tuimon_writer import lifecycle
from tuimon_writer.encode import RecordPayload
from tuimon_writer.flusher import flusher
from tuimon_writer.gpus import Gpus
from tuimon_writer.messages import warn_once
from tuimon_writer.meters import meters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tuimon_writer.log_file import LogFile
    from tuimon_writer.values import Json

INTERVAL = 10.0
"""Seconds between two samples when no others are asked for."""

_LEAST, _FIRST, _MOST = 0.1, 1.0, 86_400.0
_FORK_PATIENCE = 0.1


class Sampler:
    """Samples until it is stopped.

    Args:
        log: Where the samples go, under ``system/…``, with the step that was logged last.
        seconds: Between two samples; at least 0.1. The first one comes after a second.
    """

    def __init__(self, log: LogFile, seconds: float = INTERVAL) -> None:
        self._log = log
        self._seconds = min(max(_LEAST, float(seconds)), _MOST)
        self._meters = meters()
        self._gpus = _gpus()
        self._used: set[int] | None = None
        self._stopped = False
        self._putting = threading.RLock()  # a signal or the garbage collector may stop it from within
        self._wake = threading.Lock()
        self._thread: threading.Thread | None = None
        self._before: tuple[float, dict[str, float]] | None = None
        self._due = monotonic() + min(self._seconds, _FIRST)
        _samplers[self] = None
        self.resume()

    def resume(self) -> None:
        """Begin, or go on after a pause."""
        if self._stopped or self._thread is not None:
            return
        self._wake = threading.Lock()
        self._wake.acquire()
        self._thread = threading.Thread(target=self._run, args=(self._wake,), name="tuimon-system", daemon=True)
        try:
            self._thread.start()
        except RuntimeError as error:  # no more threads, or too late for one
            self._thread = None
            warn_once(("system", self._log.directory), f"no system metrics: {error}")

    def pause(self) -> None:
        """Have the thread end, if that is quick."""
        thread, self._thread = self._thread, None
        if thread is not None:
            self._ring()
            thread.join(_FORK_PATIENCE)

    def stop(self) -> None:
        """End for good: nothing is logged after it."""
        with self._putting:
            self._stopped = True
        self._ring()
        _samplers.pop(self, None)

    def forget(self) -> None:
        """Be of no consequence: called in a forked child."""
        self._stopped = True
        self._putting = threading.RLock()
        self._wake = threading.Lock()

    def _ring(self) -> None:
        try:
            self._wake.release()
        except RuntimeError:  # it was rung already
            return

    def _run(self, wake: threading.Lock) -> None:
        try:
            if self._before is None:
                self._meters.read()
                self._before = (monotonic(), self._meters.counters)
            while not wake.acquire(timeout=max(0.0, self._due - monotonic())):
                self._due = monotonic() + self._seconds
                self._sample()
        except Exception as error:  # no thread of the log may end with a traceback in the middle of a training
            warn_once(("sample", type(error)), f"no more system metrics: {error!r}")

    def _sample(self) -> None:
        self._meters.read()
        now, counters = monotonic(), self._meters.counters
        values = dict(self._meters.gauges)
        if self._before is not None:
            then, old = self._before
            for tag, count in counters.items():
                if tag in old and now > then:
                    values[tag] = max(0.0, count - old[tag]) / (now - then)  # a child that ends may take its time along
        if values.get("cpu_percent", 0.0) > 100.0:
            values["cpu_percent"] = 100.0  # of all cores; the clock is read a little after the counter
        self._before = (now, counters)
        if self._gpus is not None:
            values.update(self._gpus.read(self._meters.pids))
        row: dict[str, Json] = {f"system/{tag}": round(float(value), 3) for tag, value in sorted(values.items())}
        with self._putting:
            if self._stopped or not row or lifecycle.is_leaving(self._log):
                return
            if self._gpus is not None and self._gpus.used != self._used and self._gpus.describe():
                self._used = set(self._gpus.used)
                described = self._gpus.describe()
                flusher.put(self._log, None, time(), RecordPayload("run", lambda: {"gpus": described}))
            sample = RecordPayload("scalars", lambda: row)  # a plain row would make its step that of the next sample
            flusher.put(self._log, self._log.last_step, time(), sample)


def _gpus() -> Gpus | None:
    try:
        return Gpus(import_module("pynvml"))
    except Exception:  # it is not there, or too old to be imported without a complaint
        return None


def _each(name: str) -> None:
    for sampler in [*_samplers]:
        getattr(sampler, name)()


def _pause() -> None:
    _each("pause")


def _resume() -> None:
    _each("resume")


def _stop() -> None:
    _each("stop")


def _forget() -> None:
    _each("forget")
    _samplers.clear()


_samplers: dict[Sampler, None] = {}
lifecycle.before_end.append(_stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_pause, after_in_parent=_resume, after_in_child=_forget)
