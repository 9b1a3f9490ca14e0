"""What pictures, sounds, curves, arrays and meshes are as bytes."""

from __future__ import annotations

import io
import struct
import wave
from typing import Any

import numpy as np
import pytest

from tuimon_writer.arrays import Grid, npy
from tuimon_writer.audio import wav
from tuimon_writer.curves import precision_recall, rates
from tuimon_writer.mesh import mesh
from tuimon_writer.pixels import Raster, draw_boxes, picture, resize, tile
from tuimon_writer.png import png, png_size

from .png_pixels import decoded


def pixels(raster: Raster) -> Any:
    return decoded(raster.png())


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_png(channels: int) -> None:
    """A PNG file gives back every byte of the picture."""
    data = np.random.default_rng(1).integers(0, 256, (5, 7, channels), dtype=np.uint8)
    found = png(7, 5, channels, data.tobytes())
    assert (decoded(found) == data).all()
    assert png_size(found) == (7, 5)
    assert png_size(b"GIF89a") is None
    with pytest.raises(ValueError, match="no picture"):
        png(7, 5, channels, b"")


@pytest.mark.parametrize(
    ("shape", "dataformats", "size"),
    [
        ((3, 4, 6), "CHW", (6, 4, 3)),
        ((4, 6, 3), "HWC", (6, 4, 3)),
        ((5, 6, 3), "CHW", (6, 5, 3)),  # the order of numpy, given by mistake
        ((4, 6), "CHW", (6, 4, 1)),
        ((4, 6), "HW", (6, 4, 1)),
        ((1, 4, 6), "CHW", (6, 4, 1)),
        ((4, 4, 6), "CHW", (6, 4, 4)),
        ((6, 4, 3), "WHC", (6, 4, 3)),
        ((10, 3, 4, 6), "NCHW", (48, 8, 3)),
        ((10, 4, 6, 3), "NHWC", (48, 8, 3)),
        ((3, 3, 4, 6), "CHW", (18, 4, 3)),
        ((8, 4, 6), "CHW", (20, 14, 1)),  # eight channels: three by three, with lines between them
        ((2, 4, 6), "CHW", (13, 4, 1)),
        ((2, 8, 4, 6), "NCHW", (40, 14, 1)),
    ],
)
def test_layouts(shape: tuple[int, ...], dataformats: str, size: tuple[int, int, int]) -> None:
    """Every layout and number of channels gives a picture, with and without numpy."""
    values = np.random.default_rng(1).random(shape)
    fast, said = picture(values, dataformats)
    plain, said_too = picture(Grid(shape, values.reshape(-1).tolist()), dataformats)
    assert (fast.width, fast.height, fast.channels) == size
    assert (plain.data, said) == (fast.data, said_too)
    assert png_size(fast.png()) == size[:2]


@pytest.mark.parametrize("shape", [(3,), (0, 4, 4), (1, 2, 3, 4, 5), ()])
def test_no_picture(shape: tuple[int, ...]) -> None:
    """What has no pixel or too many dimensions is an error of its own kind."""
    with pytest.raises(ValueError, match="shape"):
        picture(np.zeros(shape), "CHW")


def test_channels_apart() -> None:
    """The channels of a picture that has eight stand in their order, none of them changed."""
    values = np.zeros((8, 2, 2), dtype=np.uint8) + np.arange(8, dtype=np.uint8)[:, None, None] * 10
    found, said = picture(values, "CHW")
    shown = pixels(found)[:, :, 0]
    assert said == {"channels": 8}
    assert [shown[3 * (at // 3), 3 * (at % 3)] for at in range(8)] == [0, 10, 20, 30, 40, 50, 60, 70]


@pytest.mark.parametrize(
    ("values", "expected", "said"),
    [
        (np.array([[0, 255]], np.uint8), [0, 255], {}),
        (np.array([[0, 200]], np.int64), [0, 200], {}),
        (np.array([[0, 1]], np.int64), [0, 255], {}),
        (np.array([[False, True]]), [0, 255], {}),
        (np.array([[0.0, 0.5, 1.0]], np.float32), [0, 128, 255], {}),
        (np.array([[-0.05, 1.05]]), [0, 255], {}),
        (np.array([[-2.0, 0.0, 2.0]]), [0, 128, 255], {"range": [-2.0, 2.0]}),
        (np.array([[0.0, 255.0]]), [0, 255], {"range": [0.0, 255.0]}),
        (np.array([[-1000, 1000]]), [0, 255], {"range": [-1000.0, 1000.0]}),
        (np.array([[np.nan, 0.5, np.inf, -np.inf]]), [128, 128, 128, 128], {"nan": 1}),
        (np.array([[7.0, 7.0]]), [0, 0], {"range": [7.0, 7.0]}),
        (np.array([[np.nan]]), [0], {"nan": 1}),
    ],
)
def test_ranges(values: Any, expected: list[int], said: dict[str, Any]) -> None:
    """Bytes are kept, 0 to 1 is full range, other ranges are spread and told, and nothing wraps around."""
    found, facts = picture(values, "HW")
    assert list(found.data) == expected
    assert facts == said


def test_boxes_and_sizes() -> None:
    """Boxes are drawn where they are, cut at the border; pictures grow and shrink by whole pixels."""
    grey = Raster(6, 5, 1, bytes(30))
    shown = pixels(draw_boxes(grey, [[1, 1, 3, 3], [4, 2, 99, 99], [float("nan")] * 4]))
    assert tuple(shown[1, 1]) == tuple(shown[3, 2]) == tuple(shown[4, 5]) == (255, 0, 0)
    assert not shown[2, 2].any()
    large = resize(Raster(2, 1, 1, b"\x00\xff"), 2)
    assert (large.width, large.height, large.data) == (4, 2, b"\x00\x00\xff\xff" * 2)
    assert resize(large, 0.5).data == b"\x00\xff"
    assert resize(large, 1) is large


def test_tiles_of_other_sizes() -> None:
    """Tiles that differ in size are cut or filled up."""
    found = tile([Raster(2, 2, 1, b"\x01" * 4), Raster(3, 1, 1, b"\x02" * 3)])
    assert pixels(found)[:, :, 0].tolist() == [[1, 1, 2, 2], [1, 1, 0, 0]]


@pytest.mark.parametrize(
    ("values", "samples", "channels"),
    [
        (np.array([[0.0, 1.0, -1.0, np.nan]]), [0, 32767, -32767, 0], 1),
        (np.array([0.0, 2.0, -4.0]), [0, 16384, -32767], 1),
        (np.array([1, -2], np.int16), [1, -2], 1),
        (np.array([128, 255, 0], np.uint8), [0, 32512, -32768], 1),
        (np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]), [0, 32767] * 3, 2),
        (np.array([[0.0, 1.0]] * 3), [0, 32767] * 3, 2),
        (np.array([1 << 30, 0], np.int32), [1 << 14, 0], 1),
    ],
)
def test_sounds(values: Any, samples: list[int], channels: int) -> None:
    """Sounds of any type and layout become WAV files of 16 bits."""
    piece = wav(values, 8000.0)
    assert piece.data is not None
    with wave.open(io.BytesIO(piece.data)) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (8000, channels, 2)
        data = file.readframes(file.getnframes())
    assert list(struct.unpack(f"<{len(data) // 2}h", data)) == samples
    if values.dtype.kind == "f":
        assert wav(Grid(values.shape, values.reshape(-1).tolist()), 8000.0).data == piece.data


def test_curves() -> None:
    """A precision-recall curve counts as TensorBoard does, weighted too, and the same without numpy."""
    rng = np.random.default_rng(1)
    labels, predictions, weights = rng.integers(0, 2, 200), rng.random(200), rng.random(200)
    found = rates(labels, predictions, 11, weights)
    plain = rates(labels.tolist(), predictions.tolist(), 11, weights.tolist())
    at = predictions >= 0.5
    assert found.tp[5] == pytest.approx((weights * labels)[at].sum())
    assert found.fn[5] == pytest.approx((weights * labels)[~at].sum())
    assert found.precision[5] == pytest.approx(found.tp[5] / (found.tp[5] + found.fp[5]))
    assert plain.tp == pytest.approx(found.tp)
    assert plain.tn == pytest.approx(found.tn)
    with pytest.raises(ValueError, match="labels"):
        rates(labels, predictions[:5])
    (line,) = precision_recall([("", rates(np.array([0, 1]), np.array([np.nan, 7.0]), 3))])["lines"]
    assert line["tp"] == [1, 1, 1]


def test_arrays() -> None:
    """Arrays are files that numpy reads back."""
    for values in (np.arange(6, dtype=np.float32).reshape(2, 3), np.array(5), np.asfortranarray(np.ones((3, 2)))):
        assert (np.load(io.BytesIO(npy(values))) == values).all()
    assert np.load(io.BytesIO(npy(Grid((2, 2), [1, 2, 3, 4])))).tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_meshes() -> None:
    """A mesh is a PLY file with its colours and faces; a point cloud of too many points is counted only."""
    points = np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]])
    (piece,) = mesh(points, points * 255, np.array([[[0, 1, 2]]]))
    assert piece.data is not None
    assert piece.data.decode().splitlines()[-4:] == ["0 0 0 0 0 0", "1 0 0 255 0 0", "0 1 0 0 255 0", "3 0 1 2"]
    assert piece.facts == {"vertices": 3, "faces": 1, "colors": True, "box": [0, 0, 0, 1, 1, 0]}
    (plain,) = mesh(Grid((3, 3), points.reshape(-1).tolist()))
    assert (plain.facts["vertices"], plain.facts["faces"]) == (3, 0)
    (huge,) = mesh(np.zeros((100_001, 3)))
    assert (huge.data, huge.facts["vertices"]) == (None, 100_001)
    with pytest.raises(ValueError, match="no points"):
        mesh(np.zeros(3))
