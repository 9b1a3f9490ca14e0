"""The vectors in a value of VisualDL, and what they stand for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tuimon.formats._wire import BYTES, FIXED32, fields, single, text

MOST_VECTORS = 200_000


def read_vectors(data: bytes) -> tuple[list[str], list[list[str]], NDArray[np.float32]]:
    """Names of the columns of labels, the labels of each vector, and the vectors.

    Args:
        data: The content of the value: a message with an item for each vector.

    Raises:
        WireError: It is none.
        ValueError: The vectors differ in length.
    """
    columns: list[str] = []
    labels: list[list[str]] = []
    vectors: list[NDArray[np.float32]] = []
    for number, wire, start, stop in fields(data, 0, len(data)):
        if wire != BYTES:
            continue
        if number == 2:
            columns.append(text(data, start, stop))
        elif number == 1 and len(vectors) < MOST_VECTORS:
            said, values = _item(data, start, stop)
            labels.append(said)
            vectors.append(values)
    return columns, labels, np.stack(vectors) if vectors else np.empty((0, 0), np.float32)


def _item(data: bytes, at: int, end: int) -> tuple[list[str], NDArray[np.float32]]:
    labels: list[str] = []
    parts: list[NDArray[np.float32]] = []
    for number, wire, start, stop in fields(data, at, end):
        if number == 1 and wire == BYTES:
            labels.append(text(data, start, stop))
        elif number == 2 and wire == BYTES:
            parts.append(np.frombuffer(data, "<f4", (stop - start) // 4, start))
        elif number == 2 and wire == FIXED32:
            parts.append(np.array([single(data, start)], np.float32))
    return labels, np.concatenate(parts).astype(np.float32) if parts else np.empty(0, np.float32)
