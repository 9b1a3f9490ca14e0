"""`LogWriter` with the calls of VisualDL."""

from __future__ import annotations

import os
from time import strftime, time

from tuimon_writer.flusher import flusher
from tuimon_writer.unrecorded import LOG_WRITER
from tuimon_writer.writer import BaseWriter, harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_MILLISECONDS = 1e-3


class LogWriter(BaseWriter):
    """A log in the calls of ``visualdl.LogWriter``. Wall times are in milliseconds, as they are there.

    Args:
        logdir: Directory of the log; ``runs/<date>[.comment]`` when there is none.
        comment: End of the directory's name when none is given.
        max_queue: Accepted and not used: values are on disk within a fraction of a second.
        flush_secs: As ``max_queue``.
        filename_suffix: As ``max_queue``.
        write_to_disk: False writes nothing.
        display_name: Name of the run.
        file_name: The name of an earlier log that goes on here: the run is marked as resumed. The new values have a
            file of their own all the same.
        total_steps: How many steps the training will take, for the time it has left.
        resumed: Say that this run goes on where an earlier one in the directory ended.
        durable: See `tuimon_writer.writer.BaseWriter`.
    """

    _unrecorded = LOG_WRITER

    def __init__(
        self,
        logdir: str | os.PathLike[str] | None = None,
        comment: str = "",
        max_queue: int = 10,  # noqa: ARG002 - part of the API
        flush_secs: float = 120,  # noqa: ARG002
        filename_suffix: str = "",  # noqa: ARG002
        write_to_disk: bool = True,
        display_name: str = "",
        file_name: str = "",
        *,
        total_steps: float | None = None,
        resumed: bool = False,
        durable: bool = False,
        **_others: object,
    ) -> None:
        if not logdir:
            logdir = os.path.join("runs", strftime("%b%d_%H-%M-%S") + (f".{comment}" if comment else ""))
        run = {"total_steps": total_steps, "resumed": resumed or bool(file_name)}
        super().__init__(logdir, name=display_name, run=run, durable=durable, enabled=write_to_disk)
        self._logdir = str(logdir)

    @property
    def logdir(self) -> str:
        """The directory of the log, as it was given."""
        return self._logdir

    @property
    def file_name(self) -> str:
        """Path of the file that is written."""
        return self._log.path

    def add_scalar(self, tag: str, value: Any, step: Any, walltime: float | None = None) -> None:
        """Log a number.

        Args:
            tag: Its name; kept as it is.
            value: The number, or an array or tensor of one element.
            step: Training step.
            walltime: Milliseconds since the epoch; None for now.
        """
        if (
            value.__class__ is float
            and step.__class__ is int
            and tag.__class__ is str
            and walltime is None
            and self._quick
        ):
            _append((self._log, step, time(), tag, value))
            if len(_queue) > flusher.threshold:
                flusher.nudge()
        else:
            self._put_scalar(tag, value, step, self._when(walltime, _MILLISECONDS))

    def add_scalars(
        self, main_tag: str, tag_scalar_dict: Mapping[str, Any], step: Any, walltime: float | None = None
    ) -> None:
        """Log several numbers of one step, each under ``main_tag/its name``.

        Args:
            main_tag: First part of the tags.
            tag_scalar_dict: The numbers by the last part of their tags.
            step: Training step.
            walltime: Milliseconds since the epoch; None for now.
        """
        self._put_scalars(tag_scalar_dict, step, self._when(walltime, _MILLISECONDS), f"{main_tag}/")

    def add_histogram(self, tag: str, values: Any, step: Any, walltime: float | None = None, buckets: int = 10) -> None:
        """Log how the values of a tensor are distributed.

        Args:
            tag: Its name.
            values: Tensor, array or sequence of any shape; NaN and infinite values are counted apart.
            step: Training step.
            walltime: Milliseconds since the epoch; None for now.
            buckets: Number of equal bins from the least to the greatest value.
        """
        self._put_histogram(tag, values, step, self._when(walltime, _MILLISECONDS), buckets)

    @harmless
    def add_hparams(
        self,
        hparams_dict: Any,
        metrics_list: Iterable[str] = (),  # noqa: ARG002 - the run's own scalars are its metrics
        walltime: float | None = None,  # noqa: ARG002 - settings have no time
    ) -> None:
        """Record settings of this run.

        Args:
            hparams_dict: Settings by name, of any type.
            metrics_list: Tags of the metrics to show beside them; all tags of the run are.
            walltime: Accepted and not used.
        """
        self._put_config(hparams_dict)

    def add_text(self, tag: str, text_string: str, step: Any = None, walltime: float | None = None) -> None:
        """Log a text.

        Args:
            tag: Its name.
            text_string: The text.
            step: Training step, or None.
            walltime: Milliseconds since the epoch; None for now.
        """
        self._put_text(tag, text_string, step, self._when(walltime, _MILLISECONDS))


_queue = flusher.queue
_append = _queue.append
