"""Pictures in files into pixels: PNG with numpy alone, everything else with Pillow where it is installed."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass

import numpy as np

from tuimon.analysis.png import MOST_PIXELS, SIGNATURE, Pixels, PngError, decode_png

PREVIEW = 512
"""Pixels of the longer side of a preview, at most."""
MOST_FRAME_BYTES = 48 << 20
"""Bytes of the frames of an animation that are decoded."""
_MAGIC = {b"\xff\xd8\xff": "JPEG", b"GIF8": "GIF", b"BM": "BMP", b"RIFF": "WebP", b"II*\0": "TIFF", b"MM\0*": "TIFF"}


class NeedsPillowError(Exception):
    """A picture that can only be read with Pillow, which is not installed.

    Args:
        kind: What it is encoded as.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(f"{kind} needs Pillow: pip install 'tuimon[media]'")


@dataclass(frozen=True)
class Picture:
    """A decoded picture.

    Attributes:
        frames: Its frames, each height x width x channels (1 grey, 2 with alpha, 3 RGB, 4 with alpha); at least one.
        count: How many frames it has; more than ``frames`` where they are too large to keep.
        preview: The first frame, made smaller by a whole factor so that drawing it small is quick.
        digest: Tells whether two files are the same.
        kind: What it is encoded as.
    """

    frames: tuple[Pixels, ...]
    count: int
    preview: Pixels
    digest: bytes
    kind: str

    @property
    def nbytes(self) -> int:
        """Bytes of memory that it takes."""
        return sum(frame.nbytes for frame in self.frames) + self.preview.nbytes


def read_picture(data: bytes) -> Picture:
    """Decode a picture.

    Raises:
        NeedsPillowError: It cannot be read without Pillow.
        ValueError: It is damaged or too large.
    """
    digest = hashlib.blake2b(data, digest_size=16).digest()
    if data.startswith(SIGNATURE):
        try:
            frames, count, kind = _with_pillow(data)
        except ImportError:
            try:
                frames, count, kind = [decode_png(data)], 1, "PNG"
            except PngError as error:
                if "interlaced" in str(error):
                    raise NeedsPillowError("interlaced PNG") from error
                raise
    else:
        kind = next((name for magic, name in _MAGIC.items() if data.startswith(magic)), "")
        try:
            frames, count, kind = _with_pillow(data)
        except ImportError as error:
            raise NeedsPillowError(kind or "a picture that is no PNG") from error
    first = frames[0]
    return Picture(tuple(frames), count, shrink_by(first, -(-max(first.shape[:2]) // PREVIEW)), digest, kind)


def _with_pillow(data: bytes) -> tuple[list[Pixels], int, str]:
    from PIL import Image, UnidentifiedImageError  # an extra: who has no pictures does not need it

    try:
        picture = Image.open(io.BytesIO(data))
    except UnidentifiedImageError as error:
        raise ValueError("no picture that is known") from error
    with picture:
        if picture.width * picture.height > MOST_PIXELS:
            raise ValueError(f"{picture.width}×{picture.height} pixels are too many")
        count = int(getattr(picture, "n_frames", 1))
        frames: list[Pixels] = []
        used = 0
        for number in range(count):
            picture.seek(number)
            frame = _pixels(picture)
            if frames and used + frame.nbytes > MOST_FRAME_BYTES:
                break
            frames.append(frame)
            used += frame.nbytes
        return frames, count, str(picture.format or "")


def _pixels(picture: object) -> Pixels:
    mode = str(getattr(picture, "mode", ""))
    if mode.startswith(("I", "F")):  # 16 or 32 bits: spread over black to white by what 16 bits hold
        deep = np.asarray(picture, np.float64)
        top = 65535.0 if deep.max(initial=0) > 255 else 255.0
        return (np.clip(deep / top, 0, 1) * 255).astype(np.uint8)[..., None]
    wanted = mode if mode in ("L", "LA", "RGB", "RGBA") else "RGBA" if mode in ("P", "PA", "La", "RGBa") else "RGB"
    wanted = "L" if mode == "1" else wanted
    converted = picture if mode == wanted else picture.convert(wanted)  # type: ignore[attr-defined]
    pixels: Pixels = np.asarray(converted, np.uint8)
    return pixels[..., None] if pixels.ndim == 2 else pixels


def shrink_by(pixels: Pixels, factor: int) -> Pixels:
    """A picture made smaller by a whole factor; each pixel is the mean of those it stands for."""
    if factor <= 1:
        return pixels
    return shrunk(pixels, -(-pixels.shape[1] // factor), -(-pixels.shape[0] // factor))


def shrunk(pixels: Pixels, width: int, height: int) -> Pixels:
    """A picture made smaller to this size; each pixel is the mean of those it stands for, which are at least one."""
    rows = np.arange(height) * pixels.shape[0] // height
    columns = np.arange(width) * pixels.shape[1] // width
    sums = np.add.reduceat(np.add.reduceat(pixels, rows, axis=0, dtype=np.uint32), columns, axis=1)
    tall = np.diff(np.append(rows, pixels.shape[0]))[:, None, None]
    wide = np.diff(np.append(columns, pixels.shape[1]))[None, :, None]
    means: Pixels = ((sums + tall * wide // 2) // (tall * wide)).astype(np.uint8)
    return means


def resized(pixels: Pixels, width: int, height: int) -> Pixels:
    """A picture in this size: made smaller by means, made larger by repeating pixels, each direction for itself."""
    if width > pixels.shape[1]:
        pixels = pixels[:, np.arange(width) * pixels.shape[1] // width]
    if height > pixels.shape[0]:
        pixels = pixels[np.arange(height) * pixels.shape[0] // height]
    return pixels if (width, height) == (pixels.shape[1], pixels.shape[0]) else shrunk(pixels, width, height)


def as_rgb(pixels: Pixels) -> Pixels:
    """Grey as RGB; alpha stays as the last channel."""
    if pixels.shape[2] == 1:
        return np.repeat(pixels, 3, axis=2)
    if pixels.shape[2] == 2:
        return pixels[..., [0, 0, 0, 1]]
    return pixels


def on_checks(pixels: Pixels, size: int = 2) -> Pixels:
    """RGB of a picture with alpha over a chequered ground, as it is known from picture editors."""
    if pixels.shape[2] < 4:
        return pixels
    y, x = np.indices(pixels.shape[:2])
    ground = np.where(((x // size) + (y // size)) % 2, 102, 153)[..., None]
    alpha = pixels[..., 3:].astype(np.uint16)
    return ((pixels[..., :3] * alpha + ground * (255 - alpha) + 127) // 255).astype(np.uint8)


def toned(pixels: Pixels, brightness: float, contrast: float) -> Pixels:
    """A picture that is brighter (by a share of white) and of more contrast (a factor around the middle grey)."""
    if not brightness and contrast == 1:
        return pixels
    table = np.clip((np.arange(256) - 127.5) * contrast + 127.5 + 255 * brightness + 0.5, 0, 255).astype(np.uint8)
    colours = table[pixels[..., :3]] if pixels.shape[2] >= 3 else table[pixels[..., :1]]
    return np.concatenate([colours, pixels[..., colours.shape[2] :]], axis=2)
