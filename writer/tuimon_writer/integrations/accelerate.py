"""A tracker for Hugging Face Accelerate."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from time import time
from typing import Any

from tuimon_writer.data_types import Image, Table
from tuimon_writer.integrations.training import TrainingWriter, needs
from tuimon_writer.writer import harmless

with needs("accelerate", "accelerate"):
    from accelerate import PartialState
    from accelerate.tracking import GeneralTracker


class TuimonTracker(GeneralTracker):
    """A tracker whose log is in ``<logging_dir>/<run_name>``.

    The main process records; the others take everything and write nothing.

    Args:
        run_name: Name of the run.
        logging_dir: Where the logs of all runs are.
        options: Of `tuimon_writer.SummaryWriter`: ``total_steps=…``, ``system=True``…

    Example:
        ``Accelerator(log_with=TuimonTracker("my-run"))``, then ``init_trackers``, ``log`` and ``end_training`` as ever.
    """

    name = "tuimon"
    requires_logging_directory = True
    main_process_only = True

    def __init__(self, run_name: str, logging_dir: str | os.PathLike[str] = "runs", **options: Any) -> None:
        super().__init__()
        self._directory = os.path.join(logging_dir, run_name)
        self._options = options
        self._writer: TrainingWriter | None = None

    @property
    def tracker(self) -> TrainingWriter:
        """The `tuimon_writer.SummaryWriter` of the run."""
        if self._writer is None:
            options = dict(self._options)
            if self.main_process_only and not PartialState().is_main_process:
                options["write_to_disk"] = False
            self._writer = TrainingWriter(self._directory, **options)
        return self._writer

    def start(self) -> None:
        """Begin the log; Accelerate calls it once the processes know each other."""
        _ = self.tracker

    def store_init_configuration(self, values: Mapping[str, Any]) -> None:
        """Record settings."""
        self.tracker.add_hparams(values, {})

    def log(self, values: Mapping[str, Any], step: int | None = None, **_others: Any) -> None:
        """Log values of any kind; see `tuimon_writer.integrations.training.TrainingWriter.add_row`."""
        self.tracker.add_row(values, step)

    @harmless
    def log_images(self, values: Mapping[str, Sequence[Any]], step: int | None = None, **_others: Any) -> None:
        """Log pictures.

        Args:
            values: Lists by tag, of pictures of Pillow, arrays (height, width, channels) or tensors (channels, height,
                width).
            step: Their step.
        """
        for tag, pictures in values.items():
            for number, picture in enumerate(pictures):
                image = Image(picture)
                if not image.broken:
                    image.put(self.tracker, tag, step, time(), {"index": number, "count": len(pictures)})

    @harmless
    def log_table(
        self,
        table_name: str,
        columns: Sequence[str] | None = None,
        data: Sequence[Sequence[Any]] | None = None,
        dataframe: Any = None,
        step: int | None = None,
        **_others: Any,
    ) -> None:
        """Log a table.

        Args:
            table_name: Its tag.
            columns: Names of the columns.
            data: Its rows.
            dataframe: A data frame of pandas instead of both.
            step: Its step.
        """
        table = Table(columns=columns, data=data, dataframe=dataframe)
        if not table.broken:
            table.put(self.tracker, table_name, step, time(), {})

    def finish(self) -> None:
        """End the log; ``Accelerator.end_training`` calls it."""
        self.tracker.close()
