"""Points of files that hold them as text: W&B's lists of points, and the vertices of Wavefront's OBJ."""

from __future__ import annotations

import json

import numpy as np

from tuimon.analysis.ply import Cloud

_COLORED = 6
"""Numbers of a point that has red, green and blue behind its place."""


def read_points(data: bytes) -> Cloud:
    """A list of points in JSON, each x, y, z, maybe with a class or with red, green and blue behind.

    Raises:
        ValueError: It is none.
    """
    found = json.loads(data)
    points = found.get("points") if isinstance(found, dict) else found
    table = np.array(points, np.float64, ndmin=2)
    if table.ndim != 2 or table.shape[1] < 3:
        raise ValueError("no list of points")
    return _cloud(table, 0)


def read_obj(data: bytes) -> Cloud:
    """The vertices of an OBJ file, with their colours where it has them, and the number of its faces.

    Raises:
        ValueError: A vertex is none.
    """
    rows, faces = [], 0
    for line in data.split(b"\n"):
        if line.startswith(b"v "):
            rows.append([float(value) for value in line.split()[1:7]])
        elif line.startswith(b"f "):
            faces += 1
    width = min(map(len, rows), default=0)
    if width < 3:
        raise ValueError("no vertices")
    table = np.array([row[:width] for row in rows], np.float64)
    if width >= _COLORED:
        table[:, 3:6] *= 255
    return _cloud(table, faces)


def _cloud(table: np.ndarray, faces: int) -> Cloud:
    table = table[np.isfinite(table[:, :3]).all(axis=1)]
    return Cloud(table[:, :3], table[:, 3:6] if table.shape[1] >= _COLORED else None, faces)
