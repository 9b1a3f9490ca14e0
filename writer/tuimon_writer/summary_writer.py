"""`SummaryWriter` with the calls of ``torch.utils.tensorboard`` and ``tensorboardX``."""

from __future__ import annotations

import os
from math import sqrt
from time import strftime, time

from tuimon_writer.flusher import flusher
from tuimon_writer.histogram import from_bins
from tuimon_writer.metadata import host_name
from tuimon_writer.unrecorded import SUMMARY_WRITER, say
from tuimon_writer.writer import BaseWriter, harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

_HUGE = 1e300


class SummaryWriter(BaseWriter):
    """A log in the calls of TensorBoard's writers.

    Args:
        log_dir: Directory of the log; ``runs/<date>_<host><comment>`` when there is none.
        comment: End of the directory's name when none is given.
        purge_step: The step from which on the training is done again: what the directory holds from there on is
            superseded.
        max_queue: Accepted and not used: values are on disk within a fraction of a second.
        flush_secs: As ``max_queue``.
        filename_suffix: As ``max_queue``.
        write_to_disk: False writes nothing.
        logdir: Another name of ``log_dir``.
        comet_config: Accepted and not used.
        total_steps: How many steps the training will take, for the time it has left.
        resumed: Say that this run goes on where an earlier one in the directory ended.
        durable: See `tuimon_writer.writer.BaseWriter`.
    """

    _unrecorded = SUMMARY_WRITER

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,  # noqa: ARG002 - part of the API
        flush_secs: float = 120,  # noqa: ARG002
        filename_suffix: str = "",  # noqa: ARG002
        write_to_disk: bool = True,
        *,
        logdir: str | os.PathLike[str] | None = None,
        comet_config: object = None,  # noqa: ARG002
        total_steps: float | None = None,
        resumed: bool = False,
        durable: bool = False,
        **_others: object,
    ) -> None:
        directory = log_dir or logdir
        if not directory:
            directory = os.path.join("runs", f"{strftime('%b%d_%H-%M-%S')}_{host_name()}{comment}")
        run = {"total_steps": total_steps, "resumed": resumed or purge_step is not None}
        super().__init__(directory, run=run, durable=durable, enabled=write_to_disk)
        self.log_dir = self.logdir = str(directory)
        if purge_step is not None:
            self._put_restart(purge_step)

    def get_logdir(self) -> str:
        """The directory of the log, as it was given."""
        return self.log_dir

    def add_scalar(
        self,
        tag: str,
        scalar_value: Any,
        global_step: Any = None,
        walltime: float | None = None,
        new_style: object = False,  # noqa: ARG002 - part of the API
        double_precision: object = False,  # noqa: ARG002
        display_name: object = "",  # noqa: ARG002
        summary_description: object = "",  # noqa: ARG002
    ) -> None:
        """Log a number.

        Args:
            tag: Its name; kept as it is.
            scalar_value: The number, or an array or tensor of one element.
            global_step: Training step, whole or not; None where there is none.
            walltime: Seconds since the epoch; None for now.
            new_style: Accepted and not used, as the others: values are always kept in double precision.
            double_precision: See ``new_style``.
            display_name: See ``new_style``.
            summary_description: See ``new_style``.
        """
        if (
            scalar_value.__class__ is float
            and global_step.__class__ is int
            and tag.__class__ is str
            and walltime is None
            and self._quick
        ):
            _append((self._log, global_step, time(), tag, scalar_value))
            if len(_queue) > flusher.threshold:
                flusher.nudge()
        else:
            self._put_scalar(tag, scalar_value, global_step, self._when(walltime))

    def add_scalars(
        self, main_tag: str, tag_scalar_dict: Mapping[str, Any], global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Log several numbers of one step, each under ``main_tag/its name``, in this same log.

        Args:
            main_tag: First part of the tags.
            tag_scalar_dict: The numbers by the last part of their tags.
            global_step: Training step, or None.
            walltime: Seconds since the epoch; None for now.
        """
        self._put_scalars(tag_scalar_dict, global_step, self._when(walltime), f"{main_tag}/")

    def add_histogram(
        self,
        tag: str,
        values: Any,
        global_step: Any = None,
        bins: str | int | Sequence[float] = "tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Log how the values of a tensor are distributed.

        Args:
            tag: Its name.
            values: Tensor, array or sequence of any shape; NaN and infinite values are counted apart.
            global_step: Training step, or None.
            bins: A rule for the bins, their number, or their edges; see `tuimon_writer.histogram.histogram`.
            walltime: Seconds since the epoch; None for now.
            max_bins: The most bins that a rule may make.
        """
        self._put_histogram(tag, values, global_step, self._when(walltime), bins, max_bins)

    @harmless
    def add_histogram_raw(
        self,
        tag: str,
        min: float,  # noqa: A002 - part of the API
        max: float,  # noqa: A002
        num: float,
        sum: float,  # noqa: A002
        sum_squares: float,
        bucket_limits: Sequence[float],
        bucket_counts: Sequence[float],
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Log a histogram that was counted elsewhere.

        Args:
            tag: Its name.
            min: Least value.
            max: Greatest value.
            num: Number of values.
            sum: Their sum.
            sum_squares: The sum of their squares.
            bucket_limits: Upper edge of each bin, or all edges.
            bucket_counts: Number of values in each bin.
            global_step: Training step, or None.
            walltime: Seconds since the epoch; None for now.
        """
        limits, counts = [float(limit) for limit in bucket_limits], [float(count) for count in bucket_counts]
        low, high, mean = float(min), float(max), float(sum) / num if num else 0.0
        if len(limits) == len(counts):
            limits = [low if not limits or low < limits[0] else limits[0], *limits]
        while counts and not counts[-1]:
            del counts[-1], limits[-1]
        while counts and not counts[0]:
            del counts[0], limits[0]
        if counts:  # TensorBoard's outermost bins reach to the largest floats
            limits[0], limits[-1] = _within(limits[0], low), _within(limits[-1], high)
        std = sqrt(abs(float(sum_squares) / num - mean * mean)) if num else None
        found = from_bins(limits if counts else [], counts, low=low, high=high, mean=mean, std=std) if counts else None
        if found is not None:
            self._put_counted(tag, found, global_step, self._when(walltime))

    @harmless
    def add_hparams(
        self,
        hparam_dict: Any,
        metric_dict: Mapping[str, Any] | None = None,
        *others: Any,
        hparam_domain_discrete: object = None,  # noqa: ARG002 - part of the API
        run_name: str | None = None,  # noqa: ARG002
        name: str | None = None,  # noqa: ARG002
        global_step: Any = None,
    ) -> None:
        """Record settings of this run, and numbers that came of them. No further run is made.

        Args:
            hparam_dict: Settings by name, of any type.
            metric_dict: Numbers by tag; may be empty.
            others: What else torch (domains, run name, step) or tensorboardX (name, step) take here; the step is used.
            hparam_domain_discrete: Accepted and not used.
            run_name: Accepted and not used: the settings belong to this run.
            name: As ``run_name``.
            global_step: Step of the numbers, or None.
        """
        steps = [other for other in others if isinstance(other, int) and not isinstance(other, bool)]
        self._put_config(hparam_dict)
        self._put_scalars(metric_dict or {}, steps[-1] if steps else global_step, time())

    def add_text(self, tag: str, text_string: str, global_step: Any = None, walltime: float | None = None) -> None:
        """Log a text.

        Args:
            tag: Its name.
            text_string: The text.
            global_step: Training step, or None.
            walltime: Seconds since the epoch; None for now.
        """
        self._put_text(tag, text_string, global_step, self._when(walltime))

    def use_metadata(self, *, global_step: Any = None, walltime: float | None = None) -> _Nothing:  # noqa: ARG002
        """Accepted, but not recorded yet: gives a context manager without effect."""
        say("SummaryWriter.use_metadata")
        return _Nothing()


class _Nothing:
    """A context manager without effect."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exception: object) -> None:
        return None


def _within(limit: float, known: float) -> float:
    return known if abs(limit) >= _HUGE else limit


_queue = flusher.queue
_append = _queue.append
