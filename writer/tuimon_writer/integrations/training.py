"""What the integrations share: a writer for a training that somebody else runs, and callbacks that hold one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from math import prod
from time import strftime, time
from typing import Any
from weakref import WeakSet

from tuimon_writer import lifecycle
from tuimon_writer.encode import EndPayload, RecordPayload
from tuimon_writer.metadata import host_name
from tuimon_writer.summary_writer import SummaryWriter
from tuimon_writer.writer import harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

_DEPTH = 16
_ERROR_LENGTH = 4_000
_UNENDED = "the training did not reach its end"


@contextmanager
def needs(package: str, install: str) -> Iterator[None]:
    """A ``with`` block that imports a framework and says what to install where it is missing.

    Args:
        package: The module that is imported.
        install: What ``pip install`` takes.

    Raises:
        ModuleNotFoundError: It is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package.partition(".")[0]:
            raise
        message = f"this needs {package}, which is not installed: pip install {install}"
        raise ModuleNotFoundError(message, name=error.name) from None


class TrainingWriter(SummaryWriter):
    """A `SummaryWriter` for what frameworks log: rows of values of any kind.

    Attributes:
        under_way: Whether the training has begun and its end will be told of. Where it is not, because the writer is
            dropped or the process ends first, the log says that the training failed.
    """

    under_way = False

    def __init__(self, directory: str | os.PathLike[str], **options: Any) -> None:
        super().__init__(directory, **options)
        self._process = os.getpid()
        _writers.add(self)

    @harmless
    def add_row(self, values: Mapping[Any, Any], step: Any = None, prefix: str = "") -> None:
        """Log the values of one step: numbers as scalars, texts as texts, several numbers as a histogram.

        What is none of these is warned of once a tag and left out.

        Args:
            values: Values by tag. Nested mappings become tags that are joined with "/".
            step: Training step, or None.
            prefix: Begins the tags.
        """
        numbers: dict[str, Any] = {}
        for tag, value in _flatten(values, prefix):
            if isinstance(value, str):
                self.add_text(tag, value, step)
            elif _size(value) != 1:
                self.add_histogram(tag, value, step)
            else:
                numbers[tag] = value
        self._put_scalars(numbers, step, self._when(None))

    @harmless
    def restart(self, step: Any) -> None:
        """Say that the training goes on from a step: what was logged from there on is superseded."""
        self._put_restart(step)

    @harmless
    def say_total(self, steps: float) -> None:
        """Say how many steps the training will take, where that was not known at its start."""
        self._put(None, time(), RecordPayload("run", lambda: {"total_steps": steps}))

    def fail(self, error: BaseException | str | None = None) -> None:
        """Write everything, and that the run failed.

        Args:
            error: The exception, or what is known of it. After Ctrl-C the run was interrupted, rather.
        """
        if isinstance(error, BaseException):
            self._end(lifecycle.describe_exception(type(error), error))
        else:
            self._end(EndPayload("failed", error=error[-_ERROR_LENGTH:] if error else None))

    def _end(self, end: EndPayload) -> None:
        self.under_way = False
        super()._end(end)

    def _dropped(self) -> EndPayload:
        return EndPayload("failed", error=_UNENDED) if self.under_way else super()._dropped()

    def give_up(self) -> None:
        """At the end of the process: say that the training failed, unless it is known how the process ends."""
        if self.under_way and self._process == os.getpid() and not lifecycle.is_leaving(self._log):
            self._put(None, time(), EndPayload("failed", error=_UNENDED))


class LogsTraining:
    """A callback with a log, for frameworks that tell of the beginning of a training and of its steps.

    In a ``with`` block the log ends with the block; an exception in it is recorded.

    Args:
        directory: Directory of the log; ``runs/<date>_<host>`` when there is none. One that is given again is gone on
            with: a resumed training is one run.
        config: Settings to record besides those that the framework tells.
        options: Of `tuimon_writer.SummaryWriter`: ``system=True``, ``console=True``, ``packages=True``…

    Attributes:
        writer: The log, for what else is to be recorded; None before the training begins.
    """

    tells_end = True
    """Whether the framework tells the callback when the training is over."""

    def __init__(
        self,
        directory: str | os.PathLike[str] | None = None,
        *,
        config: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.directory = directory
        self.config = dict(config or {})
        self.options = options
        self.writer: TrainingWriter | None = None

    def begin(
        self,
        config: Mapping[str, Any],
        *,
        total_steps: float | None = None,
        resumed_at: int | None = None,
        part: str = "",
        recorded: bool = True,
    ) -> TrainingWriter:
        """Begin a log; when one is open, as the training starts again, go on with it.

        Args:
            config: Settings of the training.
            total_steps: How many steps it will take.
            resumed_at: The first step of a training that goes on where an earlier one ended.
            part: Directory within the log's, where there is one for each of several trainings.
            recorded: Whether this process is one that records.
        """
        writer = self.writer
        if self.directory is None and recorded:
            self.directory = new_directory()
        path = os.path.join(self.directory or "runs", part)
        if writer is not None and writer.under_way and writer.log_dir == path:
            writer.restart(resumed_at or 0)
            return writer
        options = {"total_steps": total_steps, "purge_step": resumed_at, **self.options}
        if not recorded:
            options["write_to_disk"] = False
        self.writer = writer = TrainingWriter(path, **options)
        writer.under_way = self.tells_end
        writer.add_hparams({**config, **self.config}, {})
        return writer

    def close(self) -> None:
        """Write everything and the end of the run."""
        if self.writer is not None:
            self.writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.writer is not None:
            self.writer.__exit__(kind, error, trace)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "writer": None}  # each process that is handed the callback has a log of its own


def new_directory() -> str:
    """Make a directory in ``runs`` for a log: two trainings that begin in one second get two."""
    start = os.path.join("runs", f"{strftime('%b%d_%H-%M-%S')}_{host_name()}")
    for number in count(1):
        path = start if number == 1 else f"{start}-{number}"
        try:
            os.makedirs(path)
        except FileExistsError:
            continue
        except OSError:  # the log itself will say so, and try again later
            return path
        return path
    raise AssertionError("count has no end")


def _flatten(values: Mapping[Any, Any], prefix: str, depth: int = 0) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping) and depth < _DEPTH:
            yield from _flatten(value, f"{prefix}{key}/", depth + 1)
        else:
            yield f"{prefix}{key}", value


def _size(value: Any) -> int:
    """How many values there are in one."""
    if isinstance(value, (list, tuple)):
        return len(value)
    try:
        return prod(int(length) for length in getattr(value, "shape", None) or ())
    except Exception:  # whatever it is, the values beside it count
        return 1


def _give_up() -> None:
    for writer in [*_writers]:
        writer.give_up()


_writers: WeakSet[TrainingWriter] = WeakSet()
lifecycle.before_end.append(_give_up)
