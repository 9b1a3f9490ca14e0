"""Files of vectors and of what they stand for: numpy's ``.npy``, and tables of tab-separated values."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Numbers: TypeAlias = "NDArray[np.floating[Any]]"


class Labels(NamedTuple):
    """What vectors stand for.

    Attributes:
        columns: Names of the columns; numbers where they have none.
        rows: For each vector a text for each column.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]

    def column(self, at: int) -> list[str]:
        """One column; "" where a row is too short."""
        return [row[at] if at < len(row) else "" for row in self.rows]


def read_npy(data: bytes) -> Numbers:
    """The rows of an array of numbers; of more than two dimensions the first one counts the vectors.

    Floating numbers stay as precise as they are, since there may be very many of them.

    Raises:
        ValueError: It holds no numbers.
    """
    array = np.load(io.BytesIO(data), allow_pickle=False)
    if array.dtype.kind not in "fiub":
        raise ValueError(f"an array of {array.dtype} holds no numbers")
    rows: Numbers = array if array.dtype.kind == "f" else array.astype(np.float64)
    return rows.reshape(len(rows), -1) if rows.ndim else rows.reshape(1, 1)


def read_tsv_vectors(data: bytes) -> Floats:
    """A vector in each line, numbers separated by tabs: TensorBoard's ``tensors.tsv``.

    Raises:
        ValueError: It holds anything else.
    """
    lines = [line for line in data.decode("utf-8", "replace").splitlines() if line.strip()]
    return np.array([[float(value) for value in line.split("\t")] for line in lines], np.float64, ndmin=2)


def read_tsv_labels(data: bytes, *, header: bool) -> Labels:
    """A row in each line, texts separated by tabs.

    Args:
        data: The file.
        header: Whether the first line names the columns.
    """
    lines = data.decode("utf-8", "replace").split("\n")
    rows = [line.rstrip("\r").split("\t") for line in (lines if lines[-1] else lines[:-1])]
    names = rows.pop(0) if header and rows else []
    width = max([len(names), *map(len, rows)])
    return Labels([*names, *(str(at) for at in range(len(names), width))], rows)


def finite_rows(vectors: Numbers) -> NDArray[np.intp]:
    """The vectors of finite numbers only."""
    return np.flatnonzero(np.isfinite(vectors).all(axis=1))


def groups(names: Sequence[str], most: int) -> tuple[list[tuple[str, int]], NDArray[np.intp]]:
    """Vectors by what they stand for.

    Args:
        names: Of each vector.
        most: So many groups at most; what is left is one more, without a name.

    Returns:
        Name and number of vectors of each group, the largest first; and the group of each vector.
    """
    found = sorted(Counter(names).items(), key=lambda pair: (-pair[1], pair[0]))
    kept = found if len(found) <= most else found[: most - 1]
    place = {name: at for at, (name, _) in enumerate(kept)}
    of = np.array([place.get(name, len(kept)) for name in names], np.intp)
    rest = len(names) - sum(count for _, count in kept)
    return ([*kept, ("", rest)] if rest else kept), of


def best_column(labels: Labels, most: int) -> int:
    """The column that tells the vectors into the fewest groups, at least two, if any has at most ``most``; else 0."""
    counts = [len(set(labels.column(at))) for at in range(len(labels.columns))]
    usable = [(count, at) for at, count in enumerate(counts) if 2 <= count <= most]
    return min(usable)[1] if usable else 0
