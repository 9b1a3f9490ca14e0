"""`SummaryWriter` with the calls of ``torch.utils.tensorboard`` and ``tensorboardX``."""

from __future__ import annotations

import os
from math import sqrt
from time import strftime, time

from tuimon_writer.flusher import flusher
from tuimon_writer.histogram import from_bins
from tuimon_writer.log_file import HEARTBEAT
from tuimon_writer.metadata import host_name
from tuimon_writer.summary_media import SummaryMedia
from tuimon_writer.unrecorded import say
from tuimon_writer.writer import harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from tuimon_writer.values import Number

_HUGE = 1e300


class SummaryWriter(SummaryMedia):
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
        durable: See `tuimon_writer.writer.BaseWriter`, as for those below.
        media_bytes: Bytes that pictures and other files beside the log may take in all, also as "500M".
        media_files: How many of them there may be.
        packages: Names of packages whose versions are recorded, or True.
        main_rank_only: Whether other ranks than 0 write nothing.
        system: Whether to log system metrics, or how many seconds to leave between them.
        heartbeat: Seconds of silence after which the log says that the process is alive; None for never.
        console: Whether to keep what is printed in a file beside the log.
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,  # noqa: ARG002 - part of the API
        flush_secs: float = 120,  # noqa: ARG002
        filename_suffix: str = "",  # noqa: ARG002
        write_to_disk: bool = True,
        logdir: str | os.PathLike[str] | None = None,
        comet_config: object = None,  # noqa: ARG002
        *,
        total_steps: float | None = None,
        resumed: bool = False,
        durable: bool = False,
        media_bytes: float | str | None = None,
        media_files: float | None = None,
        packages: object = None,
        main_rank_only: bool | None = None,
        system: float | bool = False,
        heartbeat: float | None = HEARTBEAT,
        console: bool = False,
        **_others: object,
    ) -> None:
        directory = log_dir or logdir
        if not directory:
            directory = os.path.join("runs", f"{strftime('%b%d_%H-%M-%S')}_{host_name()}{comment}")
        run = {"total_steps": total_steps, "resumed": resumed or purge_step is not None}
        super().__init__(
            directory,
            run=run,
            durable=durable,
            enabled=write_to_disk,
            media_bytes=media_bytes,
            media_files=media_files,
            packages=packages,
            main_rank_only=main_rank_only,
            system=system,
            heartbeat=heartbeat,
            console=console,
        )
        self._defaults: tuple[Any, Any] = (None, None)
        self.log_dir = self.logdir = str(directory)
        if purge_step is not None:
            self._put_restart(purge_step)

    def get_logdir(self) -> str:
        """The directory of the log, as it was given."""
        return self.log_dir

    @property
    def file_writer(self) -> SummaryWriter:
        """The writer itself: scripts ask for it to have its ``get_logdir()``."""
        return self

    @property
    def all_writers(self) -> dict[str, SummaryWriter]:
        """The writer itself by its directory, as in torch."""
        return {self.log_dir: self}

    @property
    def default_bins(self) -> list[float]:
        """The edges of TensorBoard's own bins, for scripts that hand them on: in proportion to the distance from 0."""
        grown = [1e-12 * 1.1**power for power in range(775)]
        return [*(-edge for edge in reversed(grown)), 0.0, *grown]

    def add_event(self, *_event: Any, **_others: Any) -> None:
        """Accepted and not recorded: an event of TensorBoard's own format."""
        say("SummaryWriter.file_writer.add_event")

    def add_summary(self, *_summary: Any, **_others: Any) -> None:
        """Accepted and not recorded: a summary of TensorBoard's own format."""
        say("SummaryWriter.file_writer.add_summary")

    def reopen(self) -> None:
        """Nothing to do: a writer that is used after `close` opens a new file by itself."""

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
            _extend((self._log, global_step, time(), tag, scalar_value))
            if len(_queue) > flusher.threshold:
                flusher.nudge()
        else:
            self._put_scalar(tag, scalar_value, global_step, self._when(walltime))

    @harmless
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
        hparam_domain_discrete: object = None,  # noqa: ARG002 - part of the API
        run_name: Any = None,
        global_step: Any = None,
        *,
        name: str | None = None,  # noqa: ARG002
    ) -> None:
        """Record settings of this run, and numbers that came of them. No further run is made.

        Args:
            hparam_dict: Settings by name, of any type.
            metric_dict: Numbers by tag; may be empty.
            hparam_domain_discrete: Accepted and not used; tensorboardX has ``name`` in this place.
            run_name: Accepted and not used: the settings belong to this run. tensorboardX has the step in this place,
                which a number is taken for.
            global_step: Step of the numbers, or None.
            name: As ``run_name``.
        """
        if global_step is None and run_name is not None and not isinstance(run_name, (str, os.PathLike)):
            global_step = run_name
        self._put_config(hparam_dict)
        self._put_scalars(metric_dict or {}, global_step, self._when(None))

    def add_text(self, tag: str, text_string: str, global_step: Any = None, walltime: float | None = None) -> None:
        """Log a text.

        Args:
            tag: Its name.
            text_string: The text.
            global_step: Training step, or None.
            walltime: Seconds since the epoch; None for now.
        """
        self._put_text(tag, text_string, global_step, self._when(walltime))

    def use_metadata(self, *, global_step: Any = None, walltime: float | None = None) -> _Defaults:
        """A step and a wall time for all calls in a ``with`` block that are given none themselves.

        Args:
            global_step: The step, or None.
            walltime: Seconds since the epoch, or None.
        """
        return _Defaults(self, global_step, walltime)

    @harmless
    def export_scalars_to_json(self, path: str | os.PathLike[str]) -> None:
        """Write the numbers that this writer has logged to a JSON file: ``{tag: [[time, step, value], …]}``.

        Args:
            path: Where to.
        """
        from tuimon_writer.export import export_scalars

        self.flush()
        export_scalars(self._log.path, path, self.log_dir)

    def _step(self, step: Any) -> Number:
        return super()._step(self._defaults[0] if step is None else step)

    def _when(self, walltime: Any, unit: float = 1.0) -> float:
        return super()._when(self._defaults[1] if walltime is None else walltime, unit)


class _Defaults:
    """A ``with`` block in which a writer has a step and a time of its own."""

    def __init__(self, writer: SummaryWriter, step: Any, walltime: Any) -> None:
        self._writer = writer
        self._inside = (step, walltime)
        self._before: tuple[tuple[Any, Any], bool] = ((None, None), False)

    def __enter__(self) -> SummaryWriter:
        writer = self._writer
        self._before = (writer._defaults, writer._quick)
        writer._defaults, writer._quick = self._inside, False
        return writer

    def __exit__(self, *exception: object) -> None:
        self._writer._defaults, self._writer._quick = self._before


def _within(limit: float, known: float) -> float:
    return known if abs(limit) >= _HUGE else limit


_queue = flusher.queue
_extend = _queue.extend
