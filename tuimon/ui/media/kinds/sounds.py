"""Sounds: waveform and spectrogram, and what is known of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from rich.segment import Segment

from tuimon.analysis.sounds import SILENT, Sound, SoundError, decibels, extremes, frequency_edges, read_wav
from tuimon.charts.axes import linear_ticks
from tuimon.charts.pixels import across_and_down
from tuimon.charts.waveform import pixel_columns, render_spectrogram, render_waveform
from tuimon.numbers import counted, format_bytes, format_value
from tuimon.text import clean, fit
from tuimon.ui.media.base import Content, Item, Lines, Look, MediaKind, UnshowableError
from tuimon.ui.media.pieces import facts_line, path_of, sentence

VIEWS = ("both", "waveform", "spectrogram")
LABELS = 8
"""Columns of the labels at the left on the whole panel."""
LOWEST_BOTH = 7
"""Rows from which on a card shows both."""


@dataclass
class SoundState:
    """What the keys change.

    Attributes:
        view: One of ``VIEWS``, by its place.
        zoom: A power of two.
        at: The middle of what is shown, as a share of the duration.
    """

    view: int = 0
    zoom: int = 0
    at: float = 0.5

    @property
    def part(self) -> tuple[float, float]:
        """What is shown, as shares of the duration."""
        length = 0.5**self.zoom
        start = max(0.0, min(self.at - length / 2, 1 - length))
        return start, start + length


class Sounds(MediaKind):
    """Sounds."""

    name: ClassVar[str] = "sounds"
    one: ClassVar[str] = "sound"
    order: ClassVar[int] = 40
    section: ClassVar[str] = "Sound"

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort == "media/audio"

    def decode(self, item: Item, data: bytes) -> object:
        """See `MediaKind.decode`."""
        if data[:4] not in (b"RIFF", b"RF64"):
            kind = item.text("encoding") or (item.file.path.rpartition(".")[2] if item.file else "") or "this"
            raise UnshowableError(f"only WAV can be drawn, not {clean(kind)[:20]}")
        try:
            return read_wav(data)
        except SoundError as error:
            raise UnshowableError(str(error)) from error

    def size(self, value: object, data: bytes) -> int:
        """See `MediaKind.size`."""
        assert isinstance(value, Sound)
        return value.samples.nbytes + value.spectrum.nbytes + len(data)

    def new_state(self) -> SoundState:
        """See `MediaKind.new_state`."""
        return SoundState()

    def card(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """Waveform, spectrogram where there is room for it, and the facts."""
        loaded = look.load(content.item)
        if not isinstance(loaded.value, Sound):
            return self._unread(content.item, loaded.problem, width, look)
        sound, room = loaded.value, height - 1
        lines: Lines = []
        if room >= LOWEST_BOTH:
            lines += _wave(sound, width, room * 2 // 5, (0, 1), look)
            lines += _spectrogram(sound, width, room - len(lines), (0, 1), look)
        elif room > 0:
            lines += _wave(sound, width, room, (0, 1), look)
        return [*lines, facts_line(_facts(sound, content.item), width, look)][-height:]

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """Both with their axes, or one of them."""
        state = look.state
        assert isinstance(state, SoundState)
        caption = content.item.text("caption")
        lines: Lines = [[Segment(fit(caption, width), look.roles.text)]] if caption else []
        loaded = look.load(content.item)
        if not isinstance(loaded.value, Sound):
            return [*lines, *self._unread(content.item, loaded.problem, width, look)]
        sound = loaded.value
        labels = LABELS if width >= 40 else 0
        room = max(height - len(lines) - 2, 1)
        view = VIEWS[state.view]
        waves = room if view == "waveform" else room * 2 // 5 if view == "both" else 0
        if waves:
            drawn = _wave(sound, width - labels, waves, state.part, look)
            lines += _labelled(drawn, _wave_labels(sound, len(drawn)), labels, look)
        if room - waves > 0:
            drawn = _spectrogram(sound, width - labels, room - waves, state.part, look)
            lines += _labelled(drawn, _frequency_labels(sound, len(drawn)), labels, look)
        lines.append(_time_axis(sound, width, labels, state.part, look))
        said = _facts(sound, content.item)
        said[0:0] = [(loaded.note, True)] if loaded.note else []
        return [*lines, facts_line(said, width, look)]

    def summary(self, content: Content, look: Look) -> str:
        """See `MediaKind.summary`."""
        return _told(content.item)

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """Zoom into the time, move along it, or change what is shown."""
        assert isinstance(state, SoundState)
        if name == "view":
            state.view = (state.view + 1) % len(VIEWS)
        elif name == "zoom":
            state.zoom = max(0, min(state.zoom + value, 16))
        elif name == "along":
            start, end = state.part
            state.at = max(0.0, min((start + end) / 2 + value * (end - start) / 8, 1.0))
        elif name == "fit":
            state.zoom, state.at = 0, 0.5

    def _unread(self, item: Item, problem: str, width: int, look: Look) -> Lines:
        told, path = _told(item), path_of(item)
        rest = [[Segment(fit(text, width, "middle-elide"), look.roles.dim)] for text in (told, path) if text]
        return [*sentence(problem, width, look), *rest]


def _told(item: Item) -> str:
    """What the log says of a sound."""
    seconds, rate, channels, size = (item.number(key) for key in ("seconds", "rate", "channels", "bytes"))
    parts = ["" if seconds is None else f"{format_value(seconds, 4)} s", "" if rate is None else f"{rate:g} Hz"]
    parts += ["" if channels is None else _channels(int(channels)), "" if size is None else format_bytes(size)]
    return " · ".join(filter(None, parts))


def _channels(count: int) -> str:
    return {1: "mono", 2: "stereo"}.get(count, counted(count, "channel"))


def _facts(sound: Sound, item: Item) -> list[tuple[str, bool]]:
    found = [(f"{format_value(sound.seconds, 4)} s", False), (f"{sound.rate:g} Hz", False)]
    if sound.bad:
        found.insert(0, (f"{counted(sound.bad, 'sample')} NaN or infinite", True))
    if sound.peak < SILENT:
        found.insert(0, ("silent", True))
    if sound.clipped:
        found.insert(0, (f"clipped: {counted(sound.clipped, 'sample')} at full scale", True))
    scaled = item.number("peak")
    if scaled is not None:
        found.insert(0, (f"scaled down from {format_value(scaled, 3)}", True))
    found += [(_channels(len(sound.samples)), False), (f"peak {format_value(sound.peak, 3)}", False)]
    return [*found, (sound.coding, False)]


def _cut(count: int, part: tuple[float, float]) -> slice:
    start = int(part[0] * count)
    return slice(start, max(int(np.ceil(part[1] * count)), start + 1))


def _wave(sound: Sound, width: int, height: int, part: tuple[float, float], look: Look) -> Lines:
    """The waveform; channels below each other where there is room for two of them, else their mean."""
    if not sound.samples.shape[1] or width <= 0 or height <= 0:
        return [[Segment(fit("no samples", width), look.roles.dim)]][:height]
    channels = sound.samples if 2 * len(sound.samples) <= height else sound.samples.mean(0, keepdims=True)
    each = height // len(channels)
    scale = max(sound.peak, SILENT)
    lines: Lines = []
    for channel in channels:
        seen = channel[_cut(len(channel), part)]
        low, high = extremes(seen, pixel_columns(width, look.ascii))
        lines += render_waveform(low, high, each, scale, look.roles.accent, ascii=look.ascii)
    return lines


def _spectrogram(sound: Sound, width: int, height: int, part: tuple[float, float], look: Look) -> Lines:
    if width <= 0 or height <= 0:
        return []
    if not sound.spectrum.size:
        return [[Segment(fit("too short for a spectrogram", width), look.roles.dim)]]
    rows = height * across_and_down(look.colors, look.ascii)[1]
    seen = sound.spectrum[_cut(len(sound.spectrum), part)]
    return render_spectrogram(decibels(seen, sound.rate, width, rows), look.colors, ascii=look.ascii)


def _labelled(lines: Lines, labels: dict[int, str], width: int, look: Look) -> Lines:
    """Lines with labels at their left, by row."""
    if not width:
        return lines
    roles = look.roles
    return [
        [Segment(fit(labels.get(y, ""), width - 1, "right"), roles.dim), Segment(" "), *line]
        for y, line in enumerate(lines)
    ]


def _wave_labels(sound: Sound, height: int) -> dict[int, str]:
    peak = format_value(sound.peak, 3)
    return {0: peak, height - 1: f"-{peak}"} if height >= 3 else {}


def _frequency_labels(sound: Sound, height: int) -> dict[int, str]:
    """A few round frequencies, each at its row; the lowest row is the last one."""
    edges = frequency_edges(sound.rate, height)
    labels: dict[int, str] = {}
    taken = -2
    for frequency in (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000):
        row = int(np.searchsorted(edges, frequency, "right")) - 1
        if row >= height or row - taken < 2:
            continue
        taken = row
        labels[height - 1 - row] = f"{frequency // 1000} kHz" if frequency >= 1000 else f"{frequency} Hz"
    return labels


def _time_axis(sound: Sound, width: int, indent: int, part: tuple[float, float], look: Look) -> list[Segment]:
    """Seconds below the pictures."""
    room = width - indent
    low, high = (share * sound.seconds for share in part)
    if room < 8 or high <= low:
        return [Segment("")]
    line = [" "] * room
    ticks = linear_ticks(low, high, max(room // 12, 2))
    free = 0
    for at, label in zip(ticks.at, ticks.labels, strict=True):
        text = f"{label} s"
        start = max(int((at - low) / (high - low) * (room - 1)) - (len(text) - 1) // 2, 0)
        if start >= free and start + len(text) <= room:
            line[start : start + len(text)] = text
            free = start + len(text) + 2
    return [Segment(" " * indent), Segment("".join(line), look.roles.dim)]
