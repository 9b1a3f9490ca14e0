"""WAV files into samples, and what is said and drawn of them."""

from __future__ import annotations

import io
import struct
import wave

import numpy as np
import pytest

from tuimon.analysis.sounds import SoundError, decibels, extremes, frequency_edges, read_wav, spectrum_of


def wav(code: int, bits: int, channels: int, rate: int, body: bytes, *, length: int | None = None) -> bytes:
    form = struct.pack("<HHIIHH", code, channels, rate, rate * channels * bits // 8, channels * bits // 8, bits)
    size = len(body) if length is None else length
    return (
        b"RIFF\0\0\0\0WAVEfmt "
        + struct.pack("<I", 16)
        + form
        + b"LIST\x03\0\0\0abc\0data"
        + struct.pack("<I", size)
        + body
    )


def test_every_coding_gives_the_same_samples():
    """8, 16, 24 and 32 bit integers and floats of 32 and 64 bits: half of full scale up, and down."""
    for code, bits, body in [
        (1, 8, bytes([192, 64])),
        (1, 16, struct.pack("<2h", 1 << 14, -(1 << 14))),
        (1, 24, b"\0\0\x40" + b"\0\0\xc0"),
        (1, 32, struct.pack("<2i", 1 << 30, -(1 << 30))),
        (3, 32, struct.pack("<2f", 0.5, -0.5)),
        (3, 64, struct.pack("<2d", 0.5, -0.5)),
    ]:
        sound = read_wav(wav(code, bits, 1, 8000, body))
        assert sound.samples.tolist() == [[0.5, -0.5]], (code, bits)
        assert sound.peak == 0.5


def test_what_the_standard_library_writes():
    """Channels stand apart, and the duration is that of one of them."""
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(2)
        out.setsampwidth(2)
        out.setframerate(1000)
        out.writeframes(struct.pack("<4h", 0, 16384, -16384, 0) * 250)
    sound = read_wav(file.getvalue())
    assert sound.samples[:, :2].tolist() == [[0, -0.5], [0.5, 0]]
    assert (sound.seconds, sound.rate, sound.coding) == (0.5, 1000, "16 bit")


def test_clipping_silence_and_bad_samples():
    """Only neighbours at full scale count as clipped; NaN is counted and drawn as silence."""
    sound = read_wav(wav(3, 32, 1, 8000, struct.pack("<6f", 1, 0, -1, -1, 1.5, 0)))
    assert sound.clipped == 3
    assert sound.peak == 1.5
    bad = read_wav(wav(3, 32, 1, 8000, struct.pack("<3f", float("nan"), float("inf"), 0.25)))
    assert (bad.bad, bad.peak) == (2, 0.25)
    assert read_wav(wav(1, 16, 1, 8000, b"")).peak == 0


def test_a_file_that_was_not_closed_is_read_to_its_end():
    """Programs that stream leave 0 or the largest number as the length."""
    for length in (0, 0xFFFFFFFF):
        assert read_wav(wav(1, 16, 1, 8000, struct.pack("<2h", 1 << 14, 0), length=length)).samples.shape == (1, 2)


def test_what_cannot_be_read_says_why():
    """Other codings are named; damage is an error in words."""
    for data, word in [
        (b"OggS", "no WAV"),
        (wav(7, 8, 1, 8000, b"\0"), "µ-law"),
        (wav(1, 16, 0, 8000, b"\0\0"), "header"),
        (b"RIFF\0\0\0\0WAVE", "header"),
    ]:
        with pytest.raises(SoundError, match=word):
            read_wav(data)


def test_the_loudest_row_is_at_the_frequency_of_the_tone():
    """A tone shows at its frequency, over all of its time, and nothing is louder than 0 dB."""
    rate = 16000
    tone = np.sin(2 * np.pi * 1000 * np.arange(rate) / rate).astype(np.float32)
    shown = decibels(spectrum_of(tone, rate), rate, 50, 40)
    edges = frequency_edges(rate, 40)
    rows = shown.argmax(0)
    assert shown.max() == 0
    assert all(edges[row] <= 1000 + 31.25 and edges[row + 1] >= 1000 - 31.25 for row in rows)
    assert edges[0] == 0
    assert edges[-1] == pytest.approx(rate / 2)


def test_silence_and_a_few_samples_have_no_spectrum_to_speak_of():
    """All of silence is below any floor; too few samples give nothing."""
    assert (decibels(spectrum_of(np.zeros(4000, np.float32), 8000.0), 8000, 5, 4) == -np.inf).all()
    assert spectrum_of(np.zeros(9, np.float32), 8000.0).size == 0


def test_no_sample_is_missed_by_the_waveform():
    """A click of one sample shows in its column, however long the sound."""
    samples = np.zeros(100_003, np.float32)
    samples[77_777] = -0.9
    low, high = extremes(samples, 120)
    assert np.flatnonzero(low).tolist() == [77_777 * 120 // 100_003]
    assert not high.any()
    assert [part.tolist() for part in extremes(np.array([1, 2], np.float32), 4)] == [[1, 1, 2, 2], [1, 1, 2, 2]]
