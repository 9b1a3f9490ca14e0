"""Sounds in WAV files: samples, what is to be said of them, and how their frequencies change over time."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

FULL = 1 - 1 / 32768
"""From here on a sample is at full scale, in 16 bits."""
SILENT = 1e-5
"""A peak below this cannot be heard."""
WINDOW_SECONDS = 0.032
"""Length of the window of the Fourier transforms, about; it trades time against frequency."""
MOST_COLUMNS = 2048
"""Columns of a spectrogram that are kept."""
FEWEST_COLUMNS = 400
"""Columns of a spectrogram, at least, where the sound is long enough."""
_PCM, _FLOAT, _EXTENSIBLE = 1, 3, 0xFFFE
_CODECS = {2: "ADPCM", 6: "A-law", 7: "µ-law", 0x55: "MP3"}


class SoundError(ValueError):
    """Why a sound cannot be read."""


@dataclass(frozen=True)
class Sound:
    """A decoded sound.

    Attributes:
        samples: Channels x samples, -1 to 1 (floats may go beyond).
        rate: Samples in a second.
        coding: How it is coded: "16 bit", "32 bit float".
        peak: The largest absolute value; NaN and infinities left out.
        clipped: How many samples are at full scale next to another one that is, which sounds as clipping does.
        bad: Number of NaN and infinite samples; they are drawn as silence.
        spectrum: Columns over time x bins from 0 Hz to half the rate: mean power; empty for a sound too short for it.
    """

    samples: Samples
    rate: float
    coding: str
    peak: float
    clipped: int
    bad: int
    spectrum: NDArray[np.float32]

    @property
    def seconds(self) -> float:
        """Its duration."""
        return int(self.samples.shape[1]) / self.rate


def read_wav(data: bytes) -> Sound:
    """Decode a WAV file: PCM of 8, 16, 24 or 32 bits, or floats.

    Raises:
        SoundError: It is none, or coded in another way.
    """
    if len(data) < 12 or data[:4] not in (b"RIFF", b"RF64") or data[8:12] != b"WAVE":
        raise SoundError("no WAV file")
    at, form, body = 12, b"", None
    while at + 8 <= len(data):
        kind, length = data[at : at + 4], struct.unpack_from("<I", data, at + 4)[0]
        if kind == b"fmt ":
            form = data[at + 8 : at + 8 + length]
        elif kind == b"data":  # its length is wrong where the writer was not closed: all that is there counts
            body = data[at + 8 : at + 8 + length] if 0 < length < 0xFFFFFFFF else data[at + 8 :]
            break
        at += 8 + length + length % 2
    if len(form) < 16 or body is None:
        raise SoundError("its header is damaged")
    code, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", form)
    if code == _EXTENSIBLE and len(form) >= 26:
        (code,) = struct.unpack_from("<H", form, 24)
    if not channels or not rate:
        raise SoundError("its header is damaged")
    flat = _samples(body, code, bits)
    samples = flat[: len(flat) // channels * channels].reshape(-1, channels).T
    bad = ~np.isfinite(samples)
    count = int(bad.sum())
    if count:
        samples = np.where(bad, np.float32(0), samples)
    size = np.abs(samples)
    full = size >= FULL
    joined = full[:, 1:] & full[:, :-1]
    near = np.zeros_like(full)
    near[:, 1:] |= joined
    near[:, :-1] |= joined
    coding = f"{bits} bit{' float' if code == _FLOAT else ''}"
    peak = float(size.max(initial=0))
    return Sound(samples, float(rate), coding, peak, int(near.sum()), count, spectrum_of(samples.mean(0), float(rate)))


def _samples(body: bytes, code: int, bits: int) -> Samples:
    size = bits // 8
    if code == _FLOAT and bits in (32, 64):
        floats: Samples = np.frombuffer(body[: len(body) // size * size], f"<f{size}").astype(np.float32)
        return floats
    if code != _PCM or bits not in (8, 16, 24, 32):
        raise SoundError(f"it is coded as {_CODECS.get(code, f'number {code}')}, {bits} bit, which is not read here")
    body = body[: len(body) // size * size]
    if bits == 8:
        coarse: Samples = (np.frombuffer(body, np.uint8).astype(np.float32) - np.float32(128)) / np.float32(128)
        return coarse
    if bits == 24:
        bytes_of = np.frombuffer(body, np.uint8).reshape(-1, 3)
        wide = np.zeros((len(bytes_of), 4), np.uint8)
        wide[:, 1:] = bytes_of
        return (wide.view("<i4")[:, 0] / 2**31).astype(np.float32)
    scaled: Samples = (np.frombuffer(body, f"<i{size}") / 2.0 ** (bits - 1)).astype(np.float32)
    return scaled


def spectrum_of(samples: Samples, rate: float) -> NDArray[np.float32]:
    """Mean power by time and frequency: short-time Fourier transforms with a Hann window.

    Args:
        samples: One channel.
        rate: Samples in a second.

    Returns:
        At most `MOST_COLUMNS` columns x bins from 0 Hz to half the rate.
    """
    size = 1 << max(6, min(round(np.log2(max(rate * WINDOW_SECONDS, 1))), 12))
    size = min(size, 1 << max(len(samples).bit_length() - 1, 0))
    if size < 16:
        return np.empty((0, 0), np.float32)
    hop = max(1, min(size // 2, (len(samples) - size) // FEWEST_COLUMNS))
    frames = np.lib.stride_tricks.sliding_window_view(samples, size)[::hop]
    window = np.hanning(size).astype(np.float32)
    each = -(-len(frames) // MOST_COLUMNS)
    columns = []
    for start in range(0, len(frames), each * 64):
        part = frames[start : start + each * 64]
        power = np.abs(np.fft.rfft(part * window, axis=1)) ** 2
        sums = np.add.reduceat(power, np.arange(0, len(part), each), axis=0)
        counts = np.diff([*range(0, len(part), each), len(part)])
        columns.append((sums / counts[:, None]).astype(np.float32))
    return np.concatenate(columns)


def extremes(samples: Samples, columns: int) -> tuple[Samples, Samples]:
    """The least and the greatest sample of each of so many columns."""
    count = len(samples)
    starts = np.arange(columns) * count // columns
    starts = np.minimum(starts, count - 1)
    return np.minimum.reduceat(samples, starts), np.maximum.reduceat(samples, starts)


def decibels(spectrum: NDArray[np.float32], rate: float, columns: int, rows: int) -> NDArray[np.float64]:
    """A spectrogram in this size, in dB below its loudest place, on the mel scale.

    Args:
        spectrum: As in `Sound`.
        rate: Samples in a second.
        columns: Over time.
        rows: Over frequency, the lowest first; row edges lie evenly on the mel scale from 0 Hz to half the rate.
    """
    edges = frequency_edges(rate, rows) / (rate / 2) * (spectrum.shape[1] - 1)
    starts = np.minimum(np.floor(edges[:-1] + 0.5).astype(int), spectrum.shape[1] - 1)
    by_row = np.maximum.reduceat(spectrum, starts, axis=1)
    at = np.arange(columns) * len(spectrum) // columns
    by_time = np.maximum.reduceat(by_row, at, axis=0) if columns <= len(spectrum) else by_row[at]
    loudest = float(by_time.max(initial=0))
    if loudest <= 0:
        return np.full((rows, columns), -np.inf)
    with np.errstate(divide="ignore"):
        below: NDArray[np.float64] = 10 * np.log10(by_time.T.astype(np.float64) / loudest)
    return below


def frequency_edges(rate: float, rows: int) -> NDArray[np.float64]:
    """The frequencies between the rows of a spectrogram, in Hz (O'Shaughnessy's mel scale)."""
    top = 2595 * np.log10(1 + rate / 2 / 700)
    edges: NDArray[np.float64] = 700 * (10 ** (np.linspace(0, top, rows + 1) / 2595) - 1)
    return edges
