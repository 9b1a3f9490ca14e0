"""Point clouds and meshes as PLY files, which every viewer of such things reads."""

from __future__ import annotations

import sys

from tuimon_writer.arrays import Grid
from tuimon_writer.media import Piece

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tuimon_writer.values import Json

POINTS = 100_000
"""Most points of a mesh that becomes a file; larger ones are counted only."""


def mesh(vertices: Any, colors: Any = None, faces: Any = None) -> list[Piece]:
    """The first mesh of a batch.

    Args:
        vertices: What `tuimon_writer.arrays.snapshot` gives: (batch, points, 3), or (points, 3).
        colors: Red, green and blue from 0 to 255 of each point, in the same dimensions; or None.
        faces: Numbers of the three points of each triangle, in the same dimensions; or None.

    Raises:
        ValueError: The vertices have other dimensions.
    """
    points = _rows(vertices)
    if not points or len(points[0]) < 3:
        raise ValueError(f"an array of shape {tuple(vertices.shape)} holds no points")
    shades = _rows(colors) if colors is not None else []
    triangles = _rows(faces) if faces is not None else []
    facts: dict[str, Json] = {"vertices": len(points), "faces": len(triangles), "colors": len(shades) == len(points)}
    batch = int(vertices.shape[0]) if len(vertices.shape) > 2 else 1
    if batch > 1:
        facts["count"] = batch
    low, high = ([limit(point[axis] for point in points) for axis in range(3)] for limit in (min, max))
    facts["box"] = [*low, *high]
    if len(points) > POINTS:
        return [Piece("mesh", ".ply", None, facts)]
    return [Piece("mesh", ".ply", _ply(points, shades, triangles), facts)]


def _rows(array: Any) -> list[list[float]]:
    """The rows of the first array of a batch."""
    if len(array.shape) not in (2, 3):
        return []
    width = int(array.shape[-1])
    if isinstance(array, Grid):
        count = array.shape[-2]
        return [array.numbers[at * width : (at + 1) * width] for at in range(count)]
    first = array if len(array.shape) == 2 else array[0]
    numpy = sys.modules["numpy"]
    return first.astype(numpy.float64).tolist()  # type: ignore[no-any-return]


def _ply(points: list[list[float]], shades: list[list[float]], triangles: list[list[float]]) -> bytes:
    coloured = len(shades) == len(points) and bool(shades) and len(shades[0]) >= 3
    header = ["ply", "format ascii 1.0", f"element vertex {len(points)}"]
    header += [f"property float {axis}" for axis in "xyz"]
    if coloured:
        header += [f"property uchar {name}" for name in ("red", "green", "blue")]
    header += [f"element face {len(triangles)}", "property list uchar int vertex_indices"] if triangles else []
    lines = ["%g %g %g" % tuple(point[:3]) for point in points]  # noqa: UP031 - three times as fast
    if coloured:
        lines = [
            f"{line} {' '.join(str(min(max(int(value), 0), 255)) for value in shade[:3])}"
            for line, shade in zip(lines, shades, strict=True)
        ]
    lines += [f"{len(triangle)} {' '.join(str(int(corner)) for corner in triangle)}" for triangle in triangles]
    return "\n".join([*header, "end_header", *lines, ""]).encode()
