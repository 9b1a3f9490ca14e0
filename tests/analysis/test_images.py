"""Pictures made smaller and larger, over a ground, and read with and without Pillow."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

from tuimon.analysis.images import NeedsPillowError, on_checks, read_picture, resized, shrink_by, toned

GIF = (
    b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
)


def test_smaller_pictures_are_means():
    """Each pixel is the mean of those it stands for, so that fine structure turns grey and does not vanish."""
    chequered = (np.indices((40, 60)).sum(0) % 2 * 255).astype(np.uint8)[..., None]
    assert set(np.unique(resized(chequered, 30, 20))) == {128}
    ramp = np.arange(100, dtype=np.uint8)[None, :, None]
    assert resized(ramp, 10, 1)[0, :, 0].tolist() == [round(x * 10 + 4.5 + 0.01) for x in range(10)]
    assert abs(float(resized(ramp, 7, 1).mean()) - float(ramp.mean())) < 1


def test_larger_pictures_repeat_pixels():
    """A tiny picture keeps its own colours when it is made larger."""
    tiny = np.array([[0, 100], [200, 255]], np.uint8)[..., None]
    large = resized(tiny, 6, 4)
    assert large.shape == (4, 6, 1)
    assert large[0, :, 0].tolist() == [0, 0, 0, 100, 100, 100]
    assert large[:, 0, 0].tolist() == [0, 0, 200, 200]


def test_a_preview_is_made_by_a_whole_factor():
    """An odd last column stands for fewer pixels, and is still their mean."""
    assert shrink_by(np.full((5, 7, 3), 9, np.uint8), 2).shape == (3, 4, 3)
    assert (shrink_by(np.full((5, 7, 3), 9, np.uint8), 2) == 9).all()


def test_alpha_lies_over_checks():
    """What is transparent shows the ground, what is opaque its own colour."""
    pixels = np.zeros((4, 4, 4), np.uint8)
    pixels[:2, :, 3] = 255
    shown = on_checks(pixels)
    assert (shown[:2] == 0).all()
    assert sorted(np.unique(shown[2:])) == [102, 153]


def test_brightness_and_contrast():
    """Brightness moves all values, contrast spreads them around the middle; alpha stays."""
    pixels = np.array([[[100, 100, 100, 7]]], np.uint8)
    assert toned(pixels, 0.2, 1).tolist() == [[[151, 151, 151, 7]]]
    assert toned(pixels, 0, 2).tolist() == [[[73, 73, 73, 7]]]
    assert toned(pixels, 0, 1) is pixels


def test_without_pillow_only_png_is_read(monkeypatch):
    """Other pictures say what they need; a PNG that is not interlaced needs nothing."""
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(NeedsPillowError, match=r"GIF needs Pillow: pip install 'tuimon\[media\]'"):
        read_picture(GIF)
    with pytest.raises(NeedsPillowError, match="no PNG"):
        read_picture(b"what is this")


def test_frames_and_modes_with_pillow():
    """An animation gives its frames, and every mode becomes grey or RGB with or without alpha."""
    image = pytest.importorskip("PIL.Image")
    frames = [image.new("RGB", (5, 4), (shade, 0, 0)) for shade in (10, 200)]
    data = io.BytesIO()
    frames[0].save(data, "gif", save_all=True, append_images=frames[1:])
    picture = read_picture(data.getvalue())
    assert (picture.count, picture.kind, len(picture.frames)) == (2, "GIF", 2)
    for mode, channels in [("L", 1), ("1", 1), ("LA", 2), ("P", 4), ("RGB", 3), ("RGBA", 4), ("I;16", 1)]:
        data = io.BytesIO()
        image.new(mode, (3, 2)).save(data, "png")
        assert read_picture(data.getvalue()).frames[0].shape == (2, 3, channels), mode
    data = io.BytesIO()
    image.new("CMYK", (3, 2)).save(data, "jpeg")
    assert read_picture(data.getvalue()).frames[0].shape == (2, 3, 3)
    with pytest.raises(ValueError, match="no picture"):
        read_picture(b"what is this")
