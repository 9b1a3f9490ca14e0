"""What scripts hand to ``wandb.log`` besides numbers: `Image`, `Histogram`, `Table`, `Audio` and so on."""

from __future__ import annotations

import os

from tuimon_writer.arrays import snapshot
from tuimon_writer.data_files import Artifact as Artifact
from tuimon_writer.data_files import Html as Html
from tuimon_writer.data_files import Molecule as Molecule
from tuimon_writer.data_files import Object3D as Object3D
from tuimon_writer.data_files import Plotly as Plotly
from tuimon_writer.histogram import from_bins
from tuimon_writer.loggable import Loggable, content_of, read_file
from tuimon_writer.pixels import Raster, from_pillow, layout
from tuimon_writer.recorder import drawn
from tuimon_writer.tables import ROWS, table
from tuimon_writer.values import flat, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from tuimon_writer.recorder import MediaWriter
    from tuimon_writer.values import Json


class Histogram(Loggable):
    """A histogram, as ``wandb.Histogram``.

    Args:
        sequence: Values to be counted.
        np_histogram: Counts and edges that ``numpy.histogram`` gave, instead of values.
        num_bins: Number of bins for the values.
    """

    def __init__(self, sequence: Any = None, np_histogram: Any = None, num_bins: int = 64) -> None:
        self.counted = None
        self.values: Any = None
        self.bins = num_bins
        if np_histogram is not None:
            self.counted = from_bins(np_histogram[1], np_histogram[0])
        else:
            self.values = flat(sequence if sequence is not None else [])

    def put(self, log: MediaWriter, tag: str, step: Any, when: float, facts: Mapping[str, Json]) -> None:  # noqa: ARG002
        """See `Loggable.put`."""
        if self.counted is not None:
            log._put_counted(tag, self.counted, step, when)
        else:
            log._put_histogram(tag, self.values, step, when, self.bins)


class Image(Loggable):
    """A picture, as ``wandb.Image``.

    Args:
        data_or_path: Array (height, width, channels), tensor (channels, height, width), picture of Pillow, figure of
            matplotlib, path of a file, or another image.
        mode: Accepted and not used.
        caption: What it shows.
        grouping: Accepted and not used.
        classes: Accepted and not used.
        boxes: Boxes in wandb's form; they are drawn.
        masks: Masks in wandb's form; only their names are kept.
        file_type: Accepted and not used: pictures become PNG files.
        normalize: Accepted and not used: values outside of 0 to 1 are spread.
    """

    def __init__(
        self,
        data_or_path: Any,
        mode: str | None = None,  # noqa: ARG002 - part of the API, as others below
        caption: str | None = None,
        grouping: int | None = None,  # noqa: ARG002
        classes: Any = None,  # noqa: ARG002
        boxes: Any = None,
        masks: Any = None,
        file_type: str | None = None,  # noqa: ARG002
        normalize: bool = True,  # noqa: ARG002
    ) -> None:
        self.caption = caption
        self.boxes = boxes
        self.masks = masks
        self.suffix = ".png"
        self.dataformats = "HWC"
        self.data: Any = data_or_path
        if isinstance(data_or_path, Image):
            self.data, self.suffix, self.dataformats = data_or_path.data, data_or_path.suffix, data_or_path.dataformats
        elif isinstance(data_or_path, (str, os.PathLike)):
            self.data, self.suffix = read_file(data_or_path), os.path.splitext(os.fspath(data_or_path))[1].lower()
        elif hasattr(data_or_path, "getbands"):
            self.data = from_pillow(data_or_path)
        elif hasattr(data_or_path, "savefig"):
            self.data = drawn(data_or_path)
        else:
            self.dataformats = "CHW" if hasattr(data_or_path, "detach") else "HWC"
            self.data = snapshot(data_or_path)
            if len(self.data.shape) == 4:
                self.dataformats = f"N{self.dataformats}"

    def put(self, log: MediaWriter, tag: str, step: Any, when: float, facts: Mapping[str, Json]) -> None:
        """See `Loggable.put`."""
        said = self._said(facts)
        if isinstance(self.masks, dict):
            said["masks"] = [str(name) for name in self.masks]
        if isinstance(self.data, bytes):
            if self.suffix == ".png":
                log._put_png(tag, self.data, step, when, said)
            else:
                log._put_bytes(tag, "image", self.suffix, self.data, step, when, said)
            return
        width, height = _size(self.data, self.dataformats)
        boxes, labels = _boxes(self.boxes, width, height)
        if labels:
            said["labels"] = labels
        log._put_pixels(tag, self.data, step, when, self.dataformats, boxes=boxes, facts=said)


class Audio(Loggable):
    """A sound, as ``wandb.Audio``.

    Args:
        data_or_path: Samples from -1 to 1, or integers; or the path of a file.
        sample_rate: Samples in a second.
        caption: What it is.
    """

    def __init__(self, data_or_path: Any, sample_rate: int | None = None, caption: str | None = None) -> None:
        self.caption = caption
        self.rate = sample_rate or 44_100
        is_path = isinstance(data_or_path, (str, os.PathLike))
        self.suffix = os.path.splitext(os.fspath(data_or_path))[1].lower() if is_path else ".wav"
        self.data: Any = read_file(data_or_path) if is_path else data_or_path

    def put(self, log: MediaWriter, tag: str, step: Any, when: float, facts: Mapping[str, Json]) -> None:
        """See `Loggable.put`."""
        if isinstance(self.data, bytes):
            log._put_bytes(tag, "audio", self.suffix, self.data, step, when, self._said(facts))
        else:
            log._put_audio(tag, self.data, step, when, self.rate, self._said(facts))


class Video(Loggable):
    """A video, as ``wandb.Video``.

    Args:
        data_or_path: Array (time, channels, height, width), also with several videos before; or a path, or a file.
        caption: What it shows.
        fps: Frames in a second.
        format: Kind of the file, if it is one.
    """

    def __init__(
        self,
        data_or_path: Any,
        caption: str | None = None,
        fps: float | None = None,
        format: str | None = None,  # noqa: A002 - wandb's word
    ) -> None:
        self.caption = caption
        self.fps = fps or 4
        self.suffix = f".{format or 'gif'}"
        self.data: Any = data_or_path
        if isinstance(data_or_path, (str, os.PathLike)):
            self.data, self.suffix = read_file(data_or_path), os.path.splitext(os.fspath(data_or_path))[1].lower()
        elif hasattr(data_or_path, "read"):
            self.data = content_of(data_or_path)

    def put(self, log: MediaWriter, tag: str, step: Any, when: float, facts: Mapping[str, Json]) -> None:
        """See `Loggable.put`."""
        if isinstance(self.data, bytes):
            log._put_bytes(tag, "video", self.suffix, self.data, step, when, self._said(facts))
        else:
            log._put_video(tag, self.data, step, when, self.fps, "NTCHW", self._said(facts))


class Table(Loggable):
    """A table, as ``wandb.Table``.

    Args:
        columns: Names of the columns.
        data: The rows, or a data frame.
        rows: As ``data``.
        dataframe: A data frame of pandas.
        dtype: Accepted and not used, as the others.
        optional: See ``dtype``.
        allow_mixed_types: See ``dtype``.
        log_mode: See ``dtype``.

    Attributes:
        columns: Names of the columns.
        data: The rows.
    """

    def __init__(
        self,
        columns: Sequence[Any] | None = None,
        data: Any = None,
        rows: Any = None,
        dataframe: Any = None,
        dtype: Any = None,  # noqa: ARG002 - part of the API, as others below
        optional: Any = True,  # noqa: ARG002
        allow_mixed_types: bool = False,  # noqa: ARG002
        log_mode: str | None = "IMMUTABLE",  # noqa: ARG002
    ) -> None:
        given: Any = next((one for one in (dataframe, data, rows) if one is not None), [])
        if hasattr(given, "itertuples"):
            columns = list(given.columns) if columns is None else columns
            given = given.itertuples(index=False, name=None)
        elif hasattr(given, "tolist"):
            given = given.tolist()
        self.data: list[list[Any]] = [list(row) for row in given]
        width = len(self.data[0]) if self.data else 3
        names = [f"column {number}" for number in range(1, width + 1)] if self.data else ["Input", "Output", "Expected"]
        self.columns = list(columns) if columns is not None else names

    def add_data(self, *data: Any) -> None:
        """Add a row, a value for each column."""
        self.data.append(list(data))

    def add_row(self, *row: Any) -> None:
        """As `add_data`."""
        self.add_data(*row)

    def add_column(self, name: str, data: Any, optional: bool = False) -> None:  # noqa: ARG002 - part of the API
        """Add a column: its name and a value for each row."""
        values = list(data)
        if not self.data:
            self.data, self.columns = [[] for _ in values], []
        self.columns.append(name)
        for row, value in zip(self.data, values, strict=True):
            row.append(value)

    def get_column(self, name: str, convert_to: str | None = None) -> list[Any]:  # noqa: ARG002 - part of the API
        """The values of a column."""
        at = self.columns.index(name)
        return [row[at] for row in self.data]

    def iterrows(self) -> Iterator[tuple[int, list[Any]]]:
        """Number and values of each row."""
        return enumerate(self.data)

    def put(self, log: MediaWriter, tag: str, step: Any, when: float, facts: Mapping[str, Json]) -> None:
        """See `Loggable.put`. Pictures and the like in cells are logged under the tag and the column's name."""
        rows = [list(row) for row in self.data[:ROWS]]
        for number, row in enumerate(rows):
            for at, cell in enumerate(row):
                if isinstance(cell, Loggable):
                    name = self.columns[at] if at < len(self.columns) else at
                    cell.put(log, f"{tag}/{name}", step, when, {"row": number})
                    row[at] = str(cell)
                else:
                    row[at] = plain(cell, 14)
        total = len(self.data)
        columns = list(self.columns)

        def make() -> dict[str, Json]:
            body = {"tag": tag, **facts, **table(columns, rows)}
            return {**body, "total": total} if total > len(rows) else body

        log._put_record("table", make, step, when, 64 * sum(map(len, rows)))


def _size(data: Any, dataformats: str) -> tuple[int, int]:
    """Width and height of a picture before it is tiled."""
    if isinstance(data, Raster):
        return data.width, data.height
    order = layout(tuple(data.shape), dataformats)
    return int(data.shape[order.index("W")]), int(data.shape[order.index("H")])


def _boxes(given: Any, width: int, height: int) -> tuple[list[list[float]], list[Json]]:
    """Boxes of wandb's form: the corners of each in pixels, and what it is called."""
    corners: list[list[float]] = []
    labels: list[Json] = []
    for name, group in given.items() if isinstance(given, dict) else ():
        classes = group.get("class_labels") or {}
        for box in group.get("box_data", ()):
            place = box["position"]
            if "minX" in place:
                edges = [float(place[key]) for key in ("minX", "minY", "maxX", "maxY")]
            else:
                (x, y), w, h = place["middle"], place["width"], place["height"]
                edges = [x - w / 2, y - h / 2, x + w / 2, y + h / 2]
            if box.get("domain") != "pixel":
                edges = [edge * scale for edge, scale in zip(edges, (width, height) * 2, strict=True)]
            corners.append(edges)
            labels.append(str(box.get("box_caption") or classes.get(box.get("class_id")) or name))
    return corners, labels
