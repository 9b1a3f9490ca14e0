"""Arrays and tensors of any library as one thing: numbers with a shape, copied, so that the training may go on.

With numpy they are numpy arrays. In a program without numpy they are a `Grid`, which has what is needed here.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterable, Sequence
from math import prod

from tuimon_writer.values import from_tensor, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_DEPTH = 16


class Grid:
    """Numbers with a shape.

    Attributes:
        shape: Length of each dimension.
        numbers: The numbers, the last dimension running fastest.
    """

    __slots__ = ("numbers", "shape")

    def __init__(self, shape: tuple[int, ...], numbers: list[float]) -> None:
        self.shape = shape
        self.numbers = numbers

    @property
    def nbytes(self) -> int:
        """About how much memory the numbers take."""
        return 8 * len(self.numbers)

    def part(self, axis: int, at: int) -> Grid:
        """The numbers at one place of one dimension."""
        inner = prod(self.shape[axis + 1 :])
        step = inner * self.shape[axis]
        starts = range(at * inner, len(self.numbers), step)
        numbers = [number for start in starts for number in self.numbers[start : start + inner]]
        return Grid(self.shape[:axis] + self.shape[axis + 1 :], numbers)


def snapshot(values: Any) -> Any:
    """A copy of the numbers in a tensor, array or nested sequence.

    Args:
        values: Tensor on any device, array, or nested sequences of equal lengths.

    Returns:
        A numpy array of a real type when numpy is loaded, else a `Grid`.

    Raises:
        TypeError, ValueError: These are not real numbers, or they have no shape.
    """
    if isinstance(values, Grid):  # nobody changes it
        return values
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return _grid(values)
    if isinstance(values, (list, tuple)) and any(hasattr(value, "detach") for value in values):
        values = [snapshot(value) for value in values]
    if hasattr(values, "detach"):
        values = from_tensor(values, numpy)
    elif hasattr(values, "numpy") and callable(values.numpy):
        values = values.numpy()
    array = numpy.array(values)
    if array.dtype.kind not in "biuf":
        if array.dtype.kind == "c":
            raise TypeError("they are complex")
        array = array.astype(numpy.float64)
    return array


def _grid(values: Any) -> Grid:
    if hasattr(values, "detach"):
        values = values.detach().cpu()
    if hasattr(values, "tolist"):
        values = values.tolist()
    shape: list[int] = []
    first = values
    while isinstance(first, Sequence) and not isinstance(first, str) and len(shape) < _DEPTH:
        shape.append(len(first))
        if not len(first):
            break
        first = first[0]
    numbers: list[float] = []
    _collect(values, numbers, 0)
    if len(numbers) != prod(shape):
        raise ValueError("the rows differ in length")
    return Grid(tuple(shape), numbers)


def _collect(values: Any, numbers: list[float], depth: int) -> None:
    if isinstance(values, Iterable) and not isinstance(values, str) and depth < _DEPTH:
        for value in values:
            _collect(value, numbers, depth + 1)
    else:
        found = number(values)
        numbers.append(float("nan") if found is None else found)


def npy(array: Any) -> bytes:
    """An array in numpy's file format, version 1.0 (NEP 1).

    Args:
        array: What `snapshot` gives.
    """
    if isinstance(array, Grid):
        kind, data = "<f8", struct.pack(f"<{len(array.numbers)}d", *array.numbers)
    else:
        kind, data = array.dtype.str, array.tobytes()
    about = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {tuple(array.shape)!r}, }}".encode("latin1")
    about += b" " * (-(len(about) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(about)) + about + data
