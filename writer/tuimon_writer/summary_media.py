"""The calls of `SummaryWriter` for more than numbers: pictures, sounds, videos, curves, embeddings, graphs, meshes."""

from __future__ import annotations

from time import time

from tuimon_writer.recorder import MediaWriter
from tuimon_writer.writer import harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from tuimon_writer.values import Json

_MARGIN = 3  # the tags of a chart with a margin: value, lower bound, upper bound


class SummaryMedia(MediaWriter):
    """What a `SummaryWriter` takes besides numbers. ``global_step`` and ``walltime`` are as for its `add_scalar`."""

    @harmless
    def add_image(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Log a picture.

        Args:
            tag: Its name.
            img_tensor: Tensor, array, nested lists or a picture of Pillow; uint8, or floats from 0 to 1. With other
                channels than 1, 3 or 4 these are shown as grey pictures beside each other.
            global_step: Training step, or None.
            walltime: Seconds since the epoch; None for now.
            dataformats: What the dimensions are: "CHW", "HWC", "HW"…
        """
        self._put_image(tag, img_tensor, global_step, self._when(walltime), dataformats)

    @harmless
    def add_images(
        self,
        tag: str,
        img_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Log pictures of one size as one picture, eight in a row; see `add_image`."""
        self._put_image(tag, img_tensor, global_step, self._when(walltime), dataformats)

    @harmless
    def add_image_with_boxes(
        self,
        tag: str,
        img_tensor: Any,
        box_tensor: Any,
        global_step: Any = None,
        walltime: float | None = None,
        rescale: Any = 1,
        dataformats: Any = "CHW",
        labels: Any = None,
        **_others: object,
    ) -> None:
        """Log a picture with the outlines of boxes.

        Args:
            tag: Its name.
            img_tensor: See `add_image`.
            box_tensor: Left, top, right and bottom in pixels of each box.
            global_step: Training step, or None.
            walltime: Seconds since the epoch; None for now.
            rescale: How much larger to make the picture. tensorboardX has no such argument: a string in this place is
                its ``dataformats``, and what follows it its ``labels``.
            dataformats: See `add_image`.
            labels: A name for each box, or one for all; they stand in the log.
        """
        if isinstance(rescale, str):
            rescale, dataformats, labels = 1, rescale, labels if isinstance(dataformats, str) else dataformats
        facts: dict[str, Json] = {}
        if labels is not None:
            facts["labels"] = [str(label) for label in ([labels] if isinstance(labels, str) else labels)]
        self._put_image(
            tag,
            img_tensor,
            global_step,
            self._when(walltime),
            dataformats,
            boxes=box_tensor,
            rescale=float(rescale),
            facts=facts,
        )

    @harmless
    def add_figure(
        self, tag: str, figure: Any, global_step: Any = None, close: bool = True, walltime: float | None = None
    ) -> None:
        """Log a figure of matplotlib, or several.

        Args:
            tag: Its name.
            figure: The figure, or a list of them.
            global_step: Training step, or None.
            close: Whether to close it afterwards.
            walltime: Seconds since the epoch; None for now.
        """
        self._put_figure(tag, figure, global_step, self._when(walltime), bool(close))

    @harmless
    def add_video(
        self,
        tag: str,
        vid_tensor: Any,
        global_step: Any = None,
        fps: float = 4,
        walltime: float | None = None,
        dataformats: str = "NTCHW",
    ) -> None:
        """Log a few frames of a video, evenly spaced.

        Args:
            tag: Its name.
            vid_tensor: Pictures by time; see `add_image`. Several videos are shown beside each other.
            global_step: Training step, or None.
            fps: Frames in a second.
            walltime: Seconds since the epoch; None for now.
            dataformats: What the dimensions are, "T" being the time.
        """
        self._put_video(tag, vid_tensor, global_step, self._when(walltime), fps, dataformats)

    @harmless
    def add_audio(
        self,
        tag: str,
        snd_tensor: Any,
        global_step: Any = None,
        sample_rate: float = 44100,
        walltime: float | None = None,
    ) -> None:
        """Log a sound.

        Args:
            tag: Its name.
            snd_tensor: Samples from -1 to 1, or integers; channels are the shorter one of two dimensions.
            global_step: Training step, or None.
            sample_rate: Samples in a second.
            walltime: Seconds since the epoch; None for now.
        """
        self._put_audio(tag, snd_tensor, global_step, self._when(walltime), sample_rate)

    @harmless
    def add_tensor(self, tag: str, tensor: Any, global_step: Any = None, walltime: float | None = None) -> None:
        """Log all numbers of a tensor, as a file of numpy's."""
        self._put_array(tag, tensor, global_step, self._when(walltime))

    @harmless
    def add_graph(
        self,
        model: Any,
        input_to_model: Any = None,
        verbose: bool = False,  # noqa: ARG002 - there is nothing to tell
        use_strict_trace: bool = True,  # noqa: ARG002 - nothing is traced
    ) -> None:
        """Log the layers of a model as a table: type, parameters, shapes. The model is not run.

        Args:
            model: A model of PyTorch, Paddle or Keras.
            input_to_model: What it is fed with; its shapes are noted.
            verbose: Accepted and not used.
            use_strict_trace: Accepted and not used.
        """
        self._put_graph("model", model, input_to_model)

    @harmless
    def add_onnx_graph(self, prototxt: Any = None, onnx_model_file: Any = None) -> None:
        """Log where a model's ONNX file is."""
        self._put_reference("model", "onnx", prototxt if prototxt is not None else onnx_model_file, None, time())

    @harmless
    def add_openvino_graph(self, xmlname: Any) -> None:
        """Log where a model's OpenVINO file is."""
        self._put_reference("model", "openvino", xmlname, None, time())

    @harmless
    def add_embedding(
        self,
        mat: Any,
        metadata: Any = None,
        label_img: Any = None,
        global_step: Any = None,
        tag: str = "default",
        metadata_header: Any = None,
    ) -> None:
        """Log vectors, and what each of them stands for.

        Args:
            mat: A vector in each row.
            metadata: What each vector is: a text, or a list of one text for each name in ``metadata_header``.
            label_img: A picture for each vector.
            global_step: Training step, or None.
            tag: Its name.
            metadata_header: Names of the columns of ``metadata``.
        """
        self._put_embedding(tag, mat, metadata, metadata_header, label_img, global_step, self._when(None))

    @harmless
    def add_pr_curve(
        self,
        tag: str,
        labels: Any,
        predictions: Any,
        global_step: Any = None,
        num_thresholds: int = 127,
        weights: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Log a precision-recall curve.

        Args:
            tag: Its name.
            labels: 1 for positive, 0 for negative.
            predictions: Probability of positive for each.
            global_step: Training step, or None.
            num_thresholds: Points of the curve.
            weights: Of each label; None for 1.
            walltime: Seconds since the epoch; None for now.
        """
        from tuimon_writer.curves import precision_recall

        when = self._when(walltime)
        self._put_rates(tag, [("", labels, predictions)], global_step, when, num_thresholds, weights, precision_recall)

    @harmless
    def add_pr_curve_raw(
        self,
        tag: str,
        true_positive_counts: Any,
        false_positive_counts: Any,
        true_negative_counts: Any,
        false_negative_counts: Any,
        precision: Any,
        recall: Any,
        global_step: Any = None,
        num_thresholds: int = 127,  # noqa: ARG002 - the counts tell
        weights: Any = None,  # noqa: ARG002 - they are weighted already
        walltime: float | None = None,
    ) -> None:
        """Log a precision-recall curve that was counted elsewhere, from the lowest threshold to the highest."""
        from tuimon_writer.curves import Rates, counted_precision_recall
        from tuimon_writer.values import flat

        counts = (true_positive_counts, false_positive_counts, true_negative_counts, false_negative_counts)
        found = Rates(*([float(number) for number in flat(values)] for values in counts))
        x, y = ([float(number) for number in flat(values)] for values in (recall, precision))
        body = {"tag": str(tag), **counted_precision_recall(found, x, y)}
        self._put_record("curve", lambda: body, global_step, self._when(walltime))

    @harmless
    def add_mesh(
        self,
        tag: str,
        vertices: Any,
        colors: Any = None,
        faces: Any = None,
        config_dict: Any = None,  # noqa: ARG002 - of TensorBoard's view
        global_step: Any = None,
        walltime: float | None = None,
    ) -> None:
        """Log the first mesh or point cloud of a batch as a PLY file, with the number of its points and faces.

        Args:
            tag: Its name.
            vertices: (batch, points, 3) numbers.
            colors: Red, green and blue from 0 to 255 of each point.
            faces: (batch, faces, 3) numbers of points.
            config_dict: Accepted and not used.
            global_step: Training step, or None.
            walltime: Seconds since the epoch; None for now.
        """
        self._put_mesh(tag, vertices, colors, faces, global_step, self._when(walltime))

    @harmless
    def add_custom_scalars(self, layout: Mapping[str, Mapping[str, Sequence[Any]]]) -> None:
        """Say which tags belong on one chart.

        Args:
            layout: Charts by their titles, by category: each ``["Multiline", tags]`` or ``["Margin", tags]``.
        """
        charts = [
            _chart(category, title, str(chart[0]).lower(), chart[1])
            for category, titles in layout.items()
            for title, chart in titles.items()
        ]
        self._put_layout(charts, time())

    @harmless
    def add_custom_scalars_multilinechart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Say that tags belong on one chart."""
        self._put_layout([_chart(category, title, "multiline", tags)], time())

    @harmless
    def add_custom_scalars_marginchart(
        self, tags: Sequence[str], category: str = "default", title: str = "untitled"
    ) -> None:
        """Say that three tags are a value, its lower and its upper bound, on one chart."""
        if len(tags) != _MARGIN:
            raise ValueError("a chart with a margin has three tags")
        self._put_layout([_chart(category, title, "margin", tags)], time())


def _chart(category: Any, title: Any, kind: str, tags: Sequence[Any]) -> dict[str, Json]:
    return {"category": str(category), "title": str(title), "kind": kind, "tags": [str(tag) for tag in tags]}
