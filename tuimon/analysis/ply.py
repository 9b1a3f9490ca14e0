"""Points, colours and the number of faces of a PLY file.

Source: Turk, "The PLY Polygon File Format" (1994). Text and both binary forms are read; of the faces only their number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

_TYPES = {
    "char": "i1", "int8": "i1", "uchar": "u1", "uint8": "u1", "short": "i2", "int16": "i2", "ushort": "u2",
    "uint16": "u2", "int": "i4", "int32": "i4", "uint": "u4", "uint32": "u4", "float": "f4", "float32": "f4",
    "double": "f8", "float64": "f8",
}  # fmt: skip
_ORDERS = {"binary_little_endian": "<", "binary_big_endian": ">"}
_LONGEST_HEADER = 1 << 16


class PlyError(ValueError):
    """It is no such file, or its points cannot be reached."""


@dataclass(frozen=True, slots=True, eq=False)
class Cloud:
    """What a file holds.

    Attributes:
        points: (vertices, 3), finite.
        colors: (vertices, 3), from 0 to 255; None where the points have no colours.
        faces: Number of faces.
    """

    points: Floats
    colors: Floats | None
    faces: int


class _Element(NamedTuple):
    name: str
    number: int
    properties: list[tuple[str, str]]  # name and type; "" for a list


def read_ply(data: bytes) -> Cloud:
    """Read a file.

    Raises:
        PlyError: See there.
    """
    form, elements, start = _header(data)
    faces = sum(element.number for element in elements if element.name == "face")
    first = elements[0] if elements else None
    if first is None or first.name != "vertex":
        raise PlyError("the vertices do not come first")
    names = [name for name, _ in first.properties]
    if not {"x", "y", "z"} <= set(names) or any(not kind for _, kind in first.properties):
        raise PlyError("the vertices have no x, y and z")
    table = _text(data, start, first) if form == "ascii" else _binary(data, start, first, _ORDERS[form])
    points = np.stack([table[:, names.index(axis)] for axis in "xyz"], axis=1)
    shades = [names.index(name) for name in ("red", "green", "blue") if name in names]
    colors = table[:, shades] if len(shades) == 3 else None
    if colors is not None and dict(first.properties)["red"] in ("float", "float32", "double", "float64"):
        colors = colors * 255
    kept = np.isfinite(points).all(axis=1)
    return Cloud(points[kept], colors[kept] if colors is not None else None, faces)


def _header(data: bytes) -> tuple[str, list[_Element], int]:
    end = data.find(b"end_header", 0, _LONGEST_HEADER)
    start = data.find(b"\n", end) + 1
    if not data.startswith(b"ply") or end < 0 or not start:
        raise PlyError("no PLY file")
    form, elements = "", list[_Element]()
    for line in data[:end].decode("ascii", "replace").splitlines()[1:]:
        match line.split():
            case ["format", found, *_]:
                form = found
            case ["element", name, count] if count.isdigit():
                elements.append(_Element(name, int(count), []))
            case ["property", "list", _, _, name] if elements:
                elements[-1].properties.append((name, ""))
            case ["property", kind, name] if elements and kind in _TYPES:
                elements[-1].properties.append((name, kind))
            case ["property", *_]:
                raise PlyError(f"a property that is none: {line}")
    if form != "ascii" and form not in _ORDERS:
        raise PlyError(f"an unknown form: {form}")
    return form, elements, start


def _text(data: bytes, start: int, element: _Element) -> Floats:
    width, end = len(element.properties), start
    for _ in range(element.number):
        end = data.find(b"\n", end) + 1
        if not end:
            end = len(data)
            break
    values = data[start:end].split()
    if len(values) != element.number * width:
        raise PlyError(f"{len(values)} numbers for {element.number} vertices")
    return np.array(values, np.float64).reshape(-1, width)


def _binary(data: bytes, start: int, element: _Element, order: str) -> Floats:
    row = np.dtype([(str(at), order + _TYPES[kind]) for at, (_, kind) in enumerate(element.properties)])
    if len(data) < start + row.itemsize * element.number:
        raise PlyError("the file ends within the vertices")
    table = np.frombuffer(data, row, element.number, start)
    return np.stack([table[name].astype(np.float64) for name in row.names or ()], axis=1)
