"""From the values of summaries to records, by the plugin that each tag is for."""

from __future__ import annotations

from dataclasses import dataclass, field

from tuimon.formats import _wire as wire
from tuimon.formats._tfevents import media as media
from tuimon.formats._tfevents import plugins as plugins
from tuimon.formats._tfevents.event import AUDIO, HISTO, IMAGE, SIMPLE, TENSOR, Event, Value, fields_so_far, read_value
from tuimon.formats._tfevents.rows import Points
from tuimon.formats._tfevents.tensor import STRING, Tensor, numbers, place_of_floats, read_tensor
from tuimon.formats._wire import BYTES, VARINT
from tuimon.records import MediaRecord, Record, Restart, Skipped, TextRecord

SILENT = frozenset({"graph_run_metadata", "graph_run_metadata_graph", "graph_tagged_run_metadata", "graphs", "profile"})
"""Plugins whose data are no result of the training."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What an event said of a tag: which plugin it is for. Later events need not say it again."""

    place: int
    plugin: str
    content: bytes


@dataclass(slots=True)
class Summaries:
    """Turns values into records.

    Attributes:
        known: What is known of each tag.
        points: Takes the scalars.
        records: Takes all other records.
    """

    known: dict[str, _Known] = field(default_factory=dict)
    points: Points = field(default_factory=Points)
    records: list[Record] = field(default_factory=list)
    _skipped: dict[tuple[str, str], Skipped] = field(default_factory=dict)
    _cuts: list[int] = field(default_factory=list)
    _meshes: dict[tuple[str, int], dict[str, object]] = field(default_factory=dict)

    def skip(self, kind: str, place: int, detail: str, about: str = "") -> None:
        """Count what is left out; the first of a kind in a piece says what and where it was."""
        before = self._skipped.get((kind, about))
        if before is None:
            self._skipped[kind, about] = Skipped(kind, place, detail[:200])
        else:
            self._skipped[kind, about] = Skipped(kind, before.where, before.detail, before.count + 1)

    def restart(self, record: Restart, place: int) -> None:
        """The training goes on from a step: what comes after it in the file is not mixed with what came before."""
        self.records.append(record)
        self._cuts.append(place)

    def drain(self) -> list[Record]:
        """All records; none is left."""
        groups = self.points.drain(self._cuts)
        records: list[Record] = [*next(groups)]
        for record in self.records:
            records.append(record)
            if type(record) is Restart:
                records += next(groups)
        records += self._skipped.values()
        self.records, self._skipped, self._meshes, self._cuts = [], {}, {}, []
        return records

    def take(self, data: bytes, at: int, end: int, event: Event, place: int, base: int) -> None:
        """Take in a complete value.

        Args:
            data: A piece of the file.
            at: Where the value begins.
            end: Where it ends.
            event: The event that it is in.
            place: Where in the file the event begins.
            base: Where in the file the piece begins.

        Raises:
            WireError: It is none.
        """
        value = read_value(data, at, end)
        tag, step, time = value.tag, float(event.step), event.time
        if value.kind == SIMPLE:
            self.points.add(tag, place, step, time, wire.single(data, value.start))
        elif value.kind == HISTO:
            self.records.append(media.histogram_of_proto(tag, step, time, data, value.start, value.end))
        elif value.kind in (IMAGE, AUDIO):
            self._add(_media(value, event, data, base))
        else:
            plugin = self._plugin(data, value, place)
            if plugin.plugin == "hparams":
                self.records += plugins.hparams(plugin.content, 0, len(plugin.content)) if value.plugin else ()
            elif value.kind == TENSOR:
                tensor = read_tensor(data, value.start, value.end)
                self._tensor(data, tag, tensor, event, place, base, plugin)

    def _plugin(self, data: bytes, value: Value, place: int) -> _Known:
        """What is known of the tag at this place of the file."""
        known = self.known.get(value.tag)
        if value.plugin:
            now = _Known(place, value.plugin, data[value.content[0] : value.content[1]])
            if known is None or place < known.place:
                self.known[value.tag] = now
            return now
        return known if known is not None and known.place <= place else _Known(place, "", b"")

    def _tensor(
        self, data: bytes, tag: str, tensor: Tensor, event: Event, place: int, base: int, known: _Known
    ) -> None:
        step, time, plugin = float(event.step), event.time, known.plugin
        if tensor.dtype == STRING:
            self._strings(data, tag, tensor, event, place, base, plugin)
        elif tensor.size == 1 and (plugin in ("", "scalars") or known.place != place):
            self.points.add(tag, place, step, time, float(numbers(data, tensor)[0]))
        elif plugin == "histograms" and tensor.size % 3 == 0:
            self.records.append(media.histogram_of_tensor(tag, step, time, numbers(data, tensor)))
        elif plugin == "pr_curves":
            self._add(media.pr_curve(tag, step, time, numbers(data, tensor), tensor.shape))
        elif plugin == "mesh":
            self._mesh(data, tensor, event, place, base, known)
        elif plugin not in SILENT:
            what = plugin or "a tensor"
            self.skip("not shown", place, f"{tag}: {what} of shape {tensor.shape}", tag)

    def _strings(self, data: bytes, tag: str, tensor: Tensor, event: Event, place: int, base: int, plugin: str) -> None:
        step, time, strings = float(event.step), event.time, tensor.strings
        if plugin in ("images", "audio") or (not plugin and _is_media(data, tensor)):
            self.records += media.of_strings(tag, step, time, data, strings, base, tensor.shape)
        elif plugin == "custom_scalars":
            self.records += [plugins.layout(data, *strings[0])] if strings else ()
        elif plugin == "graph_keras_model":
            self._add(plugins.keras_layers(data[strings[0][0] : strings[0][1]]) if strings else None)
        elif plugin in ("text", ""):
            texts = [wire.text(data, *one) for one in strings]
            columns = tensor.shape[1] if len(tensor.shape) == 2 and tensor.shape[1] > 0 else 1
            lines = [" | ".join(texts[at : at + columns]) for at in range(0, len(texts), columns)]
            self.records.append(TextRecord(tag, step, time, "\n".join(lines)))
        elif plugin not in SILENT:
            self.skip("not shown", place, f"{tag}: {plugin}", tag)

    def _mesh(self, data: bytes, tensor: Tensor, event: Event, place: int, base: int, known: _Known) -> None:
        """An array of a mesh; those of one event are told of together."""
        part = plugins.mesh_part(known.content, 0, len(known.content))
        if part is None:
            return
        name, array = part
        body = self._meshes.get((name, place))
        if body is None:
            body = self._meshes[name, place] = {"tag": name, "kind": "mesh", "colors": False}
            self.records.append(MediaRecord("media", name, float(event.step), event.time, body))
        values = numbers(data, tensor) if array == "vertices" and tensor.size < 1 << 20 else None
        body |= plugins.mesh_facts(array, tensor.shape, values)
        floats = place_of_floats(tensor)
        if array == "vertices" and floats is not None and len(tensor.shape) > 1 and tensor.shape[-1] == 3:
            body |= {"at": base + floats[0], "bytes": 12 * tensor.shape[-2], "encoding": "float32"}

    def _add(self, record: Record | None) -> None:
        if record is not None:
            self.records.append(record)


def _media(value: Value, event: Event, data: bytes, base: int) -> MediaRecord | None:
    read = media.image if value.kind == IMAGE else media.audio
    return read(value.tag, float(event.step), event.time, data, value.start, value.end, base)


def _is_media(data: bytes, tensor: Tensor) -> bool:
    """Whether strings that are for no known plugin are pictures or sounds."""
    strings = tensor.strings
    return any(media.sort_of(data, strings[at][0]) is not None for at in (0, 2) if at < len(strings))


def large_value(data: bytes, at: int, end: int, event: Event, base: int) -> MediaRecord | None:
    """A picture or a sound whose end is not there yet; None for anything else, or when more has to be there to tell.

    Raises:
        WireError: It is no value.
    """
    value = read_value(data, at, end)
    if value.kind in (IMAGE, AUDIO):
        return _media(value, event, data, base)
    if value.kind != TENSOR:
        return None
    strings: list[tuple[int, int]] = []
    shape = [0]
    for number, kind, start, stop in fields_so_far(data, value.start, value.end):
        if number == 1 and kind == VARINT and start != STRING:
            return None
        if number == 2 and kind == BYTES and stop <= len(data):
            shape = read_tensor(data, value.start, stop).shape
        if number == 8 and kind == BYTES:
            strings.append((start, stop))
    if not strings or strings[-1][0] + 16 > len(data) or media.sort_of(data, strings[-1][0]) is None:
        return None
    return media.of_strings(value.tag, float(event.step), event.time, data, strings, base, shape)[0]
