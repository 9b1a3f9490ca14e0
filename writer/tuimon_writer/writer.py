"""What all faces of the writer share: a log in a directory, and ways to put values of any kind into it."""

from __future__ import annotations

import functools
import os
import sys
from math import isfinite
from time import time

from tuimon_writer import lifecycle
from tuimon_writer.encode import (
    ConfigPayload,
    EndPayload,
    HistogramPayload,
    OpenPayload,
    RestartPayload,
    TextPayload,
)
from tuimon_writer.flusher import flusher
from tuimon_writer.log_file import HEARTBEAT, LogFile
from tuimon_writer.messages import warn_once
from tuimon_writer.metadata import is_silenced, package_versions
from tuimon_writer.values import EXACT, flat, number, plain, settings, step_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType
    from typing import Any, ParamSpec, TypeVar

    from typing_extensions import Self

    from tuimon_writer.console import Console
    from tuimon_writer.encode import Payload
    from tuimon_writer.histogram import Histogram
    from tuimon_writer.system import Sampler
    from tuimon_writer.values import Json, Number

    P = ParamSpec("P")
    T = TypeVar("T")

CLOSE = 10.0
"""Seconds that `BaseWriter.flush` and `BaseWriter.close` wait at most for the disk."""

_LEAST_BEAT, _MOST_BEAT = 0.1, 86_400.0


def harmless(method: Callable[P, None]) -> Callable[P, None]:
    """A method whose failures are warnings: whatever it is given, it must not end a training."""

    @functools.wraps(method)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            method(*args, **kwargs)
        except Exception as error:
            warn_once((method.__qualname__, type(error)), f"{method.__name__}: not logged: {error!r}")

    return wrapped


def otherwise(default: Callable[[], T]) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """As `harmless`, for a method that gives something: where it fails, it gives what ``default`` makes."""

    def decorate(method: Callable[P, T]) -> Callable[P, T]:
        @functools.wraps(method)
        def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return method(*args, **kwargs)
            except Exception as error:
                warn_once((method.__qualname__, type(error)), f"{method.__name__}: not logged: {error!r}")
                return default()

        return wrapped

    return decorate


def _absolute(directory: str | os.PathLike[str]) -> str:
    path = os.fsdecode(directory)
    try:
        return os.path.abspath(path)
    except OSError:  # the working directory is gone: the log will say so
        return path


def _versions(packages: object) -> dict[str, Json]:
    try:
        return {"packages": package_versions(packages)}
    except Exception as error:  # such as metadata of a package that is half removed
        warn_once(("packages", type(error)), f"the versions of packages could not be recorded: {error!r}")
        return {}


def _beats(seconds: Any) -> float:
    """How often to say that the process is alive; 0 for never."""
    try:
        found = HEARTBEAT if seconds is True else float(seconds or 0)
    except Exception:  # it is no number
        warn_once(("heartbeat",), f"{seconds!r} is no number of seconds for heartbeat=; it is {HEARTBEAT:.0f}")
        return HEARTBEAT
    return min(max(_LEAST_BEAT, found), _MOST_BEAT) if found > 0 else 0.0


class BaseWriter:
    """A log in a directory.

    Args:
        directory: Where the log goes; made when needed.
        name: Name of the run; None for the name of the directory.
        run: More to say of the run in the header of the log.
        config: Settings of the run that are known already.
        durable: Write each value to the file before the call returns, instead of in the background. Nothing is lost
            then even when the process is killed; only for local disks.
        enabled: False makes a writer that takes everything and writes nothing.
        media_bytes: Bytes that files beside the log (pictures, sounds…) may take in all, also as "500M".
        media_files: How many of them there may be.
        packages: Names of packages whose versions are recorded; True for all that are imported already.
        main_rank_only: Whether ranks of a distributed training other than 0 take everything and write nothing; None for
            what TUIMON_MAIN_RANK_ONLY in the environment says.
        system: Log system metrics under ``system/…``: True for every ten seconds, or how many seconds to leave between.
        heartbeat: Seconds without a write after which the log says that the process is alive, so that a silent run is
            not taken for a dead one on other machines; None or 0 for never.
        console: Keep what Python writes to standard output and error, until `close`, in a file beside the log.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        *,
        name: str | None = None,
        run: Mapping[str, object] | None = None,
        config: Mapping[str, Json] | None = None,
        durable: bool = False,
        enabled: bool = True,
        media_bytes: float | str | None = None,
        media_files: float | None = None,
        packages: object = None,
        main_rank_only: bool | None = None,
        system: float | bool = False,
        heartbeat: float | None = HEARTBEAT,
        console: bool = False,
    ) -> None:
        enabled = enabled and not is_silenced(main_rank_only)
        about: dict[str, Json] = {}
        if name:
            about["name"] = str(name)
        for key, value in (run or {}).items():
            if value not in (None, "", False):
                about[key] = plain(value)
        if enabled and packages:
            about.update(_versions(packages))
        self._helpers: list[Sampler | Console] = []
        self._durable = durable
        self._enabled = enabled
        self._limits = (media_bytes, media_files)
        self._log = LogFile(_absolute(directory), about, dict(config or {}), _beats(heartbeat))
        self._quick = enabled and not durable
        if enabled:
            lifecycle.install()
            self._put(None, time(), OpenPayload())
            if self._log.heartbeat:
                flusher.begin()
            self._begin_helpers(system, console)

    @harmless
    def _begin_helpers(self, system: float | bool, console: bool) -> None:
        if console:
            from tuimon_writer.console import Console

            self._helpers.append(Console(self._log))
        if system:
            from tuimon_writer.system import INTERVAL, Sampler

            self._helpers.append(Sampler(self._log, INTERVAL if system is True else system))

    def _put(self, step: Number, when: float, value: Payload | dict[str, Number]) -> None:
        if self._enabled:
            flusher.put(self._log, step, when, value, self._durable)

    def _step(self, step: Any) -> Number:
        if step is None or (step.__class__ is int and -EXACT <= step < EXACT):
            return step
        try:
            return step_number(step)
        except Exception as error:
            warn_once(("step", self._log.directory), f"a step is not a number ({error}); logged without a step")
            return None

    def _when(self, walltime: Any, unit: float = 1.0) -> float:
        if walltime is None:
            return time()
        try:
            when = float(walltime) * unit
        except Exception:  # whatever it is, the value beside it counts
            when = float("nan")
        if not isfinite(when):
            warn_once(("walltime", self._log.directory), "a wall time is not a number; the clock's was taken")
            return time()
        return when

    def _number(self, tag: str, value: Any) -> tuple[Number] | None:
        """The number in a value; None, after one warning for the tag, when there is none."""
        try:
            return (number(value),)
        except Exception as error:
            warn_once(("value", self._log.directory, tag), f"{tag!r}: not a single real number, not logged: {error}")
            return None

    @harmless
    def _put_scalar(self, tag: Any, value: Any, step: Any, when: float) -> None:
        tag = tag if tag.__class__ is str else str(tag)
        found = self._number(tag, value)
        if found is not None:
            self._put(self._step(step), when, {tag: found[0]})

    @harmless
    def _put_scalars(self, values: Mapping[Any, Any], step: Any, when: float, prefix: str = "") -> None:
        row: dict[str, Number] = {}
        for key, value in values.items():
            tag = prefix + (key if key.__class__ is str else str(key))
            found = self._number(tag, value)
            if found is not None:
                row[tag] = found[0]
        if row:
            self._put(self._step(step), when, row)

    @harmless
    def _put_histogram(
        self, tag: Any, values: Any, step: Any, when: float, bins: Any, max_bins: int | None = None
    ) -> None:
        if not self._enabled:
            return
        try:
            numbers = flat(values)
        except Exception as error:
            warn_once(("histogram", self._log.directory, tag), f"{tag!r}: not real numbers, not logged: {error}")
            return
        if not isinstance(bins, (str, int)) and hasattr(bins, "__len__"):
            bins = [float(edge) for edge in bins]
        if numbers.__class__ is not list and flusher.waiting.has_room(numbers.nbytes):
            numbers = numbers.copy()  # the training may change them before they are counted
            payload = HistogramPayload.of(str(tag), numbers, bins, max_bins, owned=True)
        else:
            payload = HistogramPayload.of(str(tag), numbers, bins, max_bins, owned=False).counted()
        self._put(self._step(step), when, payload)

    def _put_counted(self, tag: Any, histogram: Histogram, step: Any, when: float) -> None:
        self._put(self._step(step), when, HistogramPayload(str(tag), lambda: histogram))

    @harmless
    def _put_text(self, tag: Any, text: Any, step: Any, when: float) -> None:
        self._put(self._step(step), when, TextPayload(str(tag), str(text)))

    @harmless
    def _put_config(self, config: Any) -> None:
        found = settings(config)
        if found:
            self._put(None, time(), ConfigPayload(found))

    @harmless
    def _put_restart(self, step: Any) -> None:
        found = self._step(step)
        if found is not None:
            self._put(found, time(), RestartPayload())

    def flush(self) -> None:
        """Have everything that was logged so far in the file when the call returns."""
        if self._enabled and not flusher.flush(CLOSE):
            warn_once(("slow", self._log.directory), f"{self._log.path} takes more than {CLOSE:.0f} s to write")

    def close(self) -> None:
        """Write everything and the end of the run. A writer that is used after it begins a new file."""
        self._end(EndPayload("finished"))

    def _end(self, end: EndPayload) -> None:
        for helper in self._helpers:
            helper.stop()
        self._put(None, time(), end)
        self.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(lifecycle.describe_exception(kind, error))

    def __del__(self) -> None:
        # dropped without close: the run is over; no waiting here, as this may run anywhere
        if not sys.is_finalizing() and getattr(self, "_enabled", False):
            for helper in self._helpers:
                helper.stop()
            flusher.put(self._log, None, time(), self._dropped())

    def _dropped(self) -> EndPayload:
        """How a run ends whose writer nobody closes."""
        return EndPayload("finished")
