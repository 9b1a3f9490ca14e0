"""Files of vectors, of labels and of points: every form, and what is damaged says so."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest

from tuimon.analysis.clouds import read_obj, read_points
from tuimon.analysis.ply import PlyError, read_ply
from tuimon.analysis.vector_files import (
    best_column,
    finite_rows,
    groups,
    read_npy,
    read_tsv_labels,
    read_tsv_vectors,
)


def npy(array):
    out = io.BytesIO()
    np.save(out, np.asarray(array))
    return out.getvalue()


def test_arrays_become_rows():
    """Integers and more than two dimensions too; texts and pickles are refused."""
    assert read_npy(npy([[1, 2], [3, 4]])).tolist() == [[1, 2], [3, 4]]
    assert read_npy(npy(np.zeros((5, 2, 3)))).shape == (5, 6)
    with pytest.raises(ValueError, match="no numbers"):
        read_npy(npy(["a"]))
    with pytest.raises(ValueError, match="pickle"):
        read_npy(npy(np.array([{}], object)))
    assert finite_rows(np.array([[1, np.nan], [1, 2], [np.inf, 0]])).tolist() == [1]


def test_tab_separated_values():
    """Vectors, and labels with and without names of columns; short rows and a missing last line feed are taken."""
    assert read_tsv_vectors(b"1.5\t2\n3\t-4e-1\n\n").tolist() == [[1.5, 2], [3, -0.4]]
    labels = read_tsv_labels("name\tkind\nä\tx\nb\n".encode(), header=True)
    assert labels.columns == ["name", "kind"]
    assert labels.column(1) == ["x", ""]
    assert read_tsv_labels(b"a\nb", header=False) == (["0"], [["a"], ["b"]])


def test_groups_by_size():
    """The largest first, and what is beyond the limit in one group of the rest."""
    named, of = groups(["b", "a", "b", "c", "d"], 3)
    assert named == [("b", 2), ("a", 1), ("", 2)]
    assert of.tolist() == [0, 1, 0, 2, 2]
    labels = read_tsv_labels(b"1\tx\n2\tx\n3\ty\n", header=False)
    assert best_column(labels, 2) == 1


HEADER = "ply\nformat {} 1.0\ncomment of a person\nelement vertex 2\nproperty float x\nproperty float y\n"
HEADER += "property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n"
HEADER += "property list uchar int vertex_indices\nend_header\n"
ROWS = [(0.5, 1, 2, 255, 0, 9), (-1, 3, 4, 1, 2, 3)]


@pytest.mark.parametrize("form", ["ascii", "binary_little_endian", "binary_big_endian"])
def test_every_form_of_points(form):
    """Points, colours and the number of faces."""
    head = HEADER.format(form).encode()
    if form == "ascii":
        body = b"0.5 1 2 255 0 9\n-1 3 4 1 2 3\n3 0 1 1\n"
    else:
        sign = "<" if "little" in form else ">"
        body = b"".join(struct.pack(f"{sign}fffBBB", *row) for row in ROWS) + struct.pack(f"{sign}Biii", 3, 0, 1, 1)
    cloud = read_ply(head + body)
    assert cloud.points.tolist() == [[0.5, 1, 2], [-1, 3, 4]]
    assert cloud.colors.tolist() == [[255, 0, 9], [1, 2, 3]]
    assert cloud.faces == 1


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"OFF\n",
        HEADER.format("ascii").encode() + b"1 2 3\n",
        HEADER.format("binary_big_endian").encode() + b"\0",
        HEADER.format("odd").encode(),
        HEADER.format("ascii").replace("float x", "quad x").encode(),
        HEADER.format("ascii").replace("element vertex 2\n", "").encode(),
    ],
)
def test_damaged_points_are_refused(data):
    """No file of this kind, half a file, or one of an unknown form."""
    with pytest.raises(PlyError):
        read_ply(data)


def test_points_as_text():
    """Lists of points, alone or in an object, and vertices of OBJ files; with colours where they have them."""
    assert read_points(b"[[1, 2, 3, 7], [4, 5, 6, 8]]").points.tolist() == [[1, 2, 3], [4, 5, 6]]
    coloured = read_points(b'{"points": [[1, 2, 3, 255, 0, 9], [NaN, 0, 0, 1, 1, 1]]}')
    assert (coloured.points.tolist(), coloured.colors.tolist()) == ([[1, 2, 3]], [[255, 0, 9]])
    found = read_obj(b"o thing\nv 0 0 1 1 0 0.2\nvn 1 1 1\nv 1 2 3 0 0 0\nf 1 2 2\n")
    assert (found.points.tolist(), found.faces) == ([[0, 0, 1], [1, 2, 3]], 1)
    assert found.colors.tolist()[0] == [255, 0, 51]
    with pytest.raises(ValueError, match="no vertices"):
        read_obj(b"")
    with pytest.raises(ValueError, match="no list"):
        read_points(b"[[1, 2]]")
