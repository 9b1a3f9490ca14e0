"""What all faces of the writer share for pictures, sounds, curves, tables and the like.

Each method takes a copy of what it is given; the flush thread makes the file or the line of it.
"""

from __future__ import annotations

import os
from io import BytesIO

from tuimon_writer.encode import RecordPayload
from tuimon_writer.flusher import flusher
from tuimon_writer.messages import warn_once
from tuimon_writer.values import flat
from tuimon_writer.waiting import HEAVY_BOUND
from tuimon_writer.writer import BaseWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from tuimon_writer.curves import Rates
    from tuimon_writer.media import MediaPayload, MediaStore, Piece
    from tuimon_writer.values import Json

FRAMES = 8
"""Frames of a video that are kept, evenly spaced from the first to the last."""

LABELS = 100_000
"""Most rows of metadata of an embedding."""

_MOST_WEIGHT = HEAVY_BOUND // 2  # so that one thing of any size may wait where little else does


class MediaWriter(BaseWriter):
    """A log that takes more than numbers. None of these methods is for the caller of the library."""

    _store: MediaStore | None = None

    def _media(self) -> MediaStore:
        if self._store is None:
            from tuimon_writer.media import MediaStore

            self._store = MediaStore(self._log.directory, *self._limits)
        return self._store

    def _put_heavy(self, payload: MediaPayload | RecordPayload, step: Any, when: float) -> None:
        """Log what may be large; it is left out, and counted, while too much waits already."""
        payload.weight = min(payload.weight, _MOST_WEIGHT)
        if not flusher.waiting.has_room(payload.weight):
            warn_once(("heavy", self._log.directory), "media come faster than they can be written; some are left out")
            flusher.waiting.leave_out(self._log, 1)
            return
        self._put(self._step(step), when, payload)

    def _put_files(self, tag: Any, make: Callable[[], Iterable[Piece]], step: Any, when: float, weight: int) -> None:
        from tuimon_writer.media import MediaPayload

        self._put_heavy(MediaPayload(self._media(), str(tag), make, weight), step, when)

    def _put_record(
        self, kind: str, make: Callable[[], dict[str, Json]], step: Any, when: float, weight: int = 0
    ) -> None:
        self._put_heavy(RecordPayload(kind, make, weight), step, when)

    def _full(self) -> bool:
        """Whether there is no need to copy anything: nothing is recorded, or there are enough files already."""
        return not self._enabled or (self._media().full and self._media().said)

    def _put_image(self, tag: Any, image: Any, step: Any, when: float, dataformats: str, **how: Any) -> None:
        """Log an array, a list of arrays or a picture of Pillow as one picture; see `_put_pixels` for the rest."""
        if self._full():
            return
        from tuimon_writer.arrays import snapshot
        from tuimon_writer.pixels import from_pillow

        values = from_pillow(image) if hasattr(image, "getbands") else snapshot(image)
        self._put_pixels(tag, values, step, when, dataformats, **how)

    def _put_pixels(
        self,
        tag: Any,
        values: Any,
        step: Any,
        when: float,
        dataformats: str,
        *,
        columns: int = 8,
        boxes: Any = None,
        rescale: float = 1.0,
        facts: Mapping[str, Json] | None = None,
    ) -> None:
        """Log a picture that nobody will change; see `tuimon_writer.pixels.picture`.

        Args:
            tag: Its name.
            values: A `tuimon_writer.pixels.Raster`, or what `tuimon_writer.arrays.snapshot` gives.
            step: Its step.
            when: Wall time in seconds.
            dataformats: What the dimensions are.
            columns: Pictures beside each other, where there are several.
            boxes: Left, top, right and bottom of boxes, in pixels of the array.
            rescale: How much larger to make it.
            facts: What to say of it besides.

        Raises:
            ValueError: It has other dimensions than that.
        """
        if self._full():
            return
        from tuimon_writer.media import Piece
        from tuimon_writer.pixels import Raster, draw_boxes, layout, picture, resize

        if not isinstance(values, Raster):
            layout(values.shape, dataformats)
        corners = _boxes(boxes)

        def make() -> list[Piece]:
            raster, said = (values, {}) if isinstance(values, Raster) else picture(values, dataformats, columns)
            if corners:
                raster = draw_boxes(raster, corners)
                said["boxes"] = [[*box] for box in corners]
            raster = resize(raster, rescale)
            said = {"width": raster.width, "height": raster.height, **said, **(facts or {})}
            return [Piece("image", ".png", raster.png(), said)]

        self._put_files(tag, make, step, when, values.nbytes)

    def _put_png(self, tag: Any, data: bytes, step: Any, when: float, facts: Mapping[str, Json]) -> None:
        """Log a picture that is a PNG file already."""
        from tuimon_writer.media import Piece
        from tuimon_writer.png import png_size

        size = png_size(data)
        said: dict[str, Json] = {"width": size[0], "height": size[1]} if size else {}
        piece = Piece("image", ".png", data, {**said, **facts})
        self._put_files(tag, lambda: [piece], step, when, len(data))

    def _put_figure(self, tag: Any, figure: Any, step: Any, when: float, close: bool) -> None:
        """Log figures of matplotlib as pictures. They are drawn at once: matplotlib is for one thread only."""
        figures = [*figure] if isinstance(figure, (list, tuple)) else [figure]
        try:
            for number, one in enumerate(figures):
                if not self._full():
                    facts: dict[str, Json] = {"index": number, "count": len(figures)} if len(figures) > 1 else {}
                    self._put_png(tag, drawn(one), step, when, facts)
        finally:
            if close:
                _close(figures)

    def _put_audio(
        self, tag: Any, sound: Any, step: Any, when: float, rate: float, facts: Mapping[str, Json] | None = None
    ) -> None:
        """Log a sound; see `tuimon_writer.audio.wav`."""
        if self._full():
            return
        from tuimon_writer.arrays import snapshot
        from tuimon_writer.audio import wav

        values = snapshot(sound)

        def make() -> list[Piece]:
            piece = wav(values, rate)
            piece.facts.update(facts or {})
            return [piece]

        self._put_files(tag, make, step, when, values.nbytes)

    def _put_video(
        self,
        tag: Any,
        video: Any,
        step: Any,
        when: float,
        fps: float,
        dataformats: str,
        facts: Mapping[str, Json] | None = None,
    ) -> None:
        """Log a few frames of a video; ``dataformats`` has a "T" besides the letters of a picture."""
        if self._full():
            return
        from tuimon_writer.arrays import Grid, snapshot
        from tuimon_writer.media import Piece
        from tuimon_writer.pixels import layout, picture

        order = dataformats.upper()
        if not hasattr(video, "shape"):
            video = snapshot(video)
        if len(video.shape) == 4 and len(order) == 5:
            order = order.replace("N", "")
        axis = order.index("T")
        total = int(video.shape[axis])
        chosen = sorted({at * (total - 1) // max(min(FRAMES, total) - 1, 1) for at in range(min(FRAMES, total))})
        if isinstance(video, Grid):
            frames = [video.part(axis, at) for at in chosen]
        else:
            frames = [snapshot(video[(slice(None),) * axis + (at,)]) for at in chosen]
        still = order.replace("T", "")
        for frame in frames[:1]:
            layout(frame.shape, still)

        def make() -> Iterable[Piece]:
            for number, frame in enumerate(frames):
                raster, said = picture(frame, still)
                about: dict[str, Json] = {"width": raster.width, "height": raster.height, **said, **(facts or {})}
                about |= {"index": number, "count": len(frames), "frame": chosen[number], "frames": total}
                about["fps"] = float(fps)
                yield Piece("video", ".png", raster.png(), about)

        self._put_files(tag, make, step, when, sum(frame.nbytes for frame in frames))

    def _put_array(self, tag: Any, values: Any, step: Any, when: float) -> None:
        """Log an array as a file of numpy's."""
        if self._full():
            return
        from tuimon_writer.arrays import npy, snapshot
        from tuimon_writer.media import Piece

        array = snapshot(values)
        facts: dict[str, Json] = {"shape": [int(length) for length in array.shape]}
        self._put_files(tag, lambda: [Piece("array", ".npy", npy(array), facts)], step, when, array.nbytes)

    def _put_mesh(self, tag: Any, vertices: Any, colors: Any, faces: Any, step: Any, when: float) -> None:
        """Log a mesh; see `tuimon_writer.mesh.mesh`."""
        if self._full():
            return
        from tuimon_writer.arrays import snapshot
        from tuimon_writer.mesh import mesh

        arrays = [None if array is None else snapshot(array) for array in (vertices, colors, faces)]
        weight = sum(array.nbytes for array in arrays if array is not None)
        self._put_files(tag, lambda: mesh(*arrays), step, when, weight)

    def _put_embedding(
        self, tag: Any, matrix: Any, metadata: Any, header: Any, images: Any, step: Any, when: float
    ) -> None:
        """Log vectors as a file of numpy's, with a TSV file of what each one is, and a picture for each tiled."""
        if self._full():
            return
        from tuimon_writer.arrays import npy, snapshot
        from tuimon_writer.media import Piece
        from tuimon_writer.pixels import picture

        vectors = snapshot(matrix)
        if len(vectors.shape) != 2:
            raise ValueError(f"an array of shape {tuple(vectors.shape)} is no list of vectors")
        pictures = None if images is None else snapshot(images)
        rows = [_cells(row) for row in list(metadata if metadata is not None else ())[:LABELS]]
        if header:
            rows.insert(0, _cells(header))

        def make() -> Iterable[Piece]:
            count, size = (int(length) for length in vectors.shape)
            yield Piece("embedding", ".npy", npy(vectors), {"count": count, "dimensions": size})
            if rows:
                data = "".join("\t".join(row) + "\n" for row in rows).encode("utf-8", "backslashreplace")
                yield Piece("labels", ".tsv", data, {"count": len(rows) - bool(header), "header": bool(header)})
            if pictures is not None:
                raster, said = picture(pictures, "NCHW", max(1, round(count**0.5)))
                yield Piece("image", ".png", raster.png(), {"width": raster.width, "height": raster.height, **said})

        weight = vectors.nbytes + (pictures.nbytes if pictures is not None else 0)
        self._put_files(tag, make, step, when, weight)

    def _put_bytes(
        self, tag: Any, kind: str, suffix: str, data: bytes, step: Any, when: float, facts: Mapping[str, Json]
    ) -> None:
        """Log something that is a file already, such as a page of HTML."""
        from tuimon_writer.media import Piece

        if not self._full():
            self._put_files(tag, lambda: [Piece(kind, suffix, data, {**facts})], step, when, len(data))

    def _put_reference(self, tag: Any, kind: str, path: Any, step: Any, when: float, **facts: Json) -> None:
        """Log where a file is that somebody else wrote. It is not copied."""
        from tuimon_writer.media import Piece

        full = os.path.abspath(os.fspath(path))
        try:
            about: dict[str, Json] = {"path": os.path.relpath(full, self._log.directory).replace(os.sep, "/")}
            about["bytes"] = os.path.getsize(full)
        except (OSError, ValueError):  # it is not there yet, or on another drive
            about = {"path": full}
        self._put_files(tag, lambda: [Piece(kind, "", None, {**about, **facts})], step, when, 0)

    def _put_rates(
        self,
        tag: Any,
        classes: Sequence[tuple[str, Any, Any]],
        step: Any,
        when: float,
        thresholds: int,
        weights: Any,
        body: Callable[[Sequence[tuple[str, Rates]]], dict[str, Json]],
    ) -> None:
        """Log a curve over thresholds: name, labels and predictions of each class."""
        from tuimon_writer.curves import rates

        taken = [(name, _copy(labels), _copy(predictions)) for name, labels, predictions in classes]
        weighed = None if weights is None else _copy(weights)
        size = sum(8 * len(labels) for _, labels, _ in taken)

        def make() -> dict[str, Json]:
            found = [(name, rates(labels, guesses, thresholds, weighed)) for name, labels, guesses in taken]
            return {"tag": str(tag), **body(found)}

        self._put_record("curve", make, step, when, size)

    def _put_graph(self, tag: str, model: Any, inputs: Any) -> None:
        """Log the layers of a model; see `tuimon_writer.layers.layer_table`."""
        from time import time

        from tuimon_writer.layers import layer_table

        body = {"tag": tag, **layer_table(model, inputs)}
        self._put_record("table", lambda: body, None, time())

    def _put_alert(self, title: Any, text: Any, level: Any, step: Any, when: float) -> None:
        """Log a message for the person who watches."""
        body: dict[str, Json] = {"title": str(title), "text": str(text), "level": str(level)}
        self._put_record("alert", lambda: body, step, when)

    def _put_layout(self, charts: Sequence[dict[str, Json]], when: float) -> None:
        """Log which tags belong on one chart."""
        self._put_record("layout", lambda: {"charts": [*charts]}, None, when)


def drawn(figure: Any) -> bytes:
    """A figure of matplotlib, or of anything that saves itself so, as a PNG file."""
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi="figure")
    return buffer.getvalue()


def _close(figures: Sequence[Any]) -> None:
    """Close figures as the original does: matplotlib keeps every figure that nobody closes."""
    import sys

    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        for figure in figures:
            pyplot.close(figure)


def _copy(values: Any) -> Any:
    numbers = flat(values)
    return numbers if isinstance(numbers, list) else numbers.copy()


def _boxes(boxes: Any) -> list[list[float]]:
    if boxes is None:
        return []
    numbers = [float(number) for number in flat(boxes)]
    return [numbers[at : at + 4] for at in range(0, len(numbers) - 3, 4)]


def _cells(row: Any) -> list[str]:
    cells = row if isinstance(row, (list, tuple)) else [row]
    return [" ".join(str(cell).split()) for cell in cells]
