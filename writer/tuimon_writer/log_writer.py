"""`LogWriter` with the calls of VisualDL."""

from __future__ import annotations

import os
from math import ceil, sqrt
from time import strftime, time

from tuimon_writer.flusher import flusher
from tuimon_writer.log_file import HEARTBEAT
from tuimon_writer.recorder import MediaWriter
from tuimon_writer.writer import harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

_MILLISECONDS = 1e-3


class LogWriter(MediaWriter):
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
        media_bytes: float | str | None = None,
        media_files: float | None = None,
        packages: object = None,
        main_rank_only: bool | None = None,
        system: float | bool = False,
        heartbeat: float | None = HEARTBEAT,
        console: bool = False,
        **_others: object,
    ) -> None:
        if not logdir:
            logdir = os.path.join("runs", strftime("%b%d_%H-%M-%S") + (f".{comment}" if comment else ""))
        run = {"total_steps": total_steps, "resumed": resumed or bool(file_name)}
        super().__init__(
            logdir,
            name=display_name,
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
            _extend((self._log, step, time(), tag, value))
            if len(_queue) > flusher.threshold:
                flusher.nudge()
        else:
            self._put_scalar(tag, value, step, self._when(walltime, _MILLISECONDS))

    @harmless
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

    @harmless
    def add_meta(
        self,
        tag: str = "meta_data_tag",  # noqa: ARG002 - there is one run in a log
        display_name: str = "",
        step: Any = 0,
        walltime: float | None = None,
    ) -> None:
        """Name the run.

        Args:
            tag: Accepted and not used.
            display_name: Its name.
            step: Training step.
            walltime: Milliseconds since the epoch; None for now.
        """
        if display_name:
            self._put_record("run", lambda: {"name": str(display_name)}, step, self._when(walltime, _MILLISECONDS))

    @harmless
    def add_image(self, tag: str, img: Any, step: Any, walltime: float | None = None, dataformats: str = "HWC") -> None:
        """Log a picture.

        Args:
            tag: Its name.
            img: Array, tensor, nested lists or a picture of Pillow; uint8, or floats from 0 to 1.
            step: Training step.
            walltime: Milliseconds since the epoch; None for now.
            dataformats: What the dimensions are: "HWC", "CHW", "HW".
        """
        self._put_image(tag, img, step, self._when(walltime, _MILLISECONDS), dataformats)

    @harmless
    def add_image_matrix(
        self,
        tag: str,
        imgs: Any,
        step: Any,
        rows: int = -1,
        scale: float = 1.0,
        walltime: float | None = None,
        dataformats: str = "HWC",
    ) -> None:
        """Log pictures of one size as one picture.

        Args:
            tag: Its name.
            imgs: The pictures; see `add_image`.
            step: Training step.
            rows: In how many rows; -1 for about as many as columns.
            scale: How much larger to make the picture.
            walltime: Milliseconds since the epoch; None for now.
            dataformats: What the dimensions of one picture are.
        """
        columns = ceil(len(imgs) / rows) if rows > 0 else ceil(sqrt(len(imgs)))
        when = self._when(walltime, _MILLISECONDS)
        order = dataformats if "N" in dataformats.upper() else f"N{dataformats}"
        self._put_image(tag, imgs, step, when, order, columns=columns, rescale=scale)

    @harmless
    def add_figure(self, tag: str, figure: Any, step: Any, walltime: float | None = None) -> None:
        """Log a figure of matplotlib.

        Args:
            tag: Its name.
            figure: The figure; it stays open.
            step: Training step.
            walltime: Milliseconds since the epoch; None for now.
        """
        self._put_figure(tag, figure, step, self._when(walltime, _MILLISECONDS), close=False)

    @harmless
    def add_audio(
        self, tag: str, audio_array: Any, step: Any, sample_rate: float = 8000, walltime: float | None = None
    ) -> None:
        """Log a sound.

        Args:
            tag: Its name.
            audio_array: Samples from -1 to 1, or integers; channels are the shorter one of two dimensions.
            step: Training step.
            sample_rate: Samples in a second.
            walltime: Milliseconds since the epoch; None for now.
        """
        self._put_audio(tag, audio_array, step, self._when(walltime, _MILLISECONDS), sample_rate)

    @harmless
    def add_embeddings(
        self,
        tag: str,
        mat: Any = None,
        metadata: Any = None,
        metadata_header: Any = None,
        walltime: float | None = None,
        labels: Any = None,
        hot_vectors: Any = None,
        labels_meta: Any = None,
    ) -> None:
        """Log vectors, and what each of them stands for.

        Args:
            tag: Its name.
            mat: A vector in each row.
            metadata: What each vector is: a text for each, or lists of such texts, one for each name in
                ``metadata_header``.
            metadata_header: Names of these lists.
            walltime: Milliseconds since the epoch; None for now.
            labels: Earlier name of ``metadata``.
            hot_vectors: Earlier name of ``mat``.
            labels_meta: Earlier name of ``metadata_header``.
        """
        vectors = hot_vectors if mat is None else mat
        texts = labels if metadata is None else metadata
        header = labels_meta if metadata_header is None else metadata_header
        texts = [] if texts is None else list(texts)
        if texts and not isinstance(texts[0], str) and hasattr(texts[0], "__len__"):
            texts = [*zip(*texts, strict=False)]
        self._put_embedding(tag, vectors, texts, header, None, None, self._when(walltime, _MILLISECONDS))

    @harmless
    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        step: Any,
        num_thresholds: int = 10,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Log a precision-recall curve.

        Args:
            tag: Its name.
            labels: 1 for positive, 0 for negative.
            predictions: Probability of positive for each.
            step: Training step.
            num_thresholds: Points of the curve.
            weights: Of each label; None for 1.
            walltime: Milliseconds since the epoch; None for now.
        """
        from tuimon_writer.curves import precision_recall as curve

        when = self._when(walltime, _MILLISECONDS)
        self._put_rates(tag, [("", labels, predictions)], step, when, num_thresholds, weights, curve)

    @harmless
    def add_roc_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        step: Any,
        num_thresholds: int = 10,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Log a ROC curve; see `add_pr_curve`."""
        from tuimon_writer.curves import roc as curve

        when = self._when(walltime, _MILLISECONDS)
        self._put_rates(tag, [("", labels, predictions)], step, when, num_thresholds, weights, curve)

    @harmless
    def add_graph(
        self,
        model: Any,
        input_spec: Any = None,
        verbose: bool = False,  # noqa: ARG002 - there is nothing to tell
    ) -> None:
        """Log the layers of a model as a table: type, parameters, shapes. The model is not run.

        Args:
            model: A model of Paddle, PyTorch or Keras.
            input_spec: What it is fed with; its shapes are noted.
            verbose: Accepted and not used.
        """
        self._put_graph("model", model, input_spec)


_queue = flusher.queue
_extend = _queue.extend
