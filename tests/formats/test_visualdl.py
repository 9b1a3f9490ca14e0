"""Reading VisualDL's record files: what they say, how they grow, and what damage costs."""

from __future__ import annotations

import math
import random
import struct
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.formats._visualdl.frames import MAX_RECORD
from tuimon.formats._visualdl.parser import VisualDLParser
from tuimon.formats.registry import detect
from tuimon.formats.visualdl import FORMAT
from tuimon.records import Config, HistogramRecord, MediaRecord, Record, RunInfo, Skipped, TextRecord

NOW = 1_700_000_000_000  # milliseconds


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    octets = []
    while value > 0x7F:
        octets.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*octets, value])


def field(number: int, content: bytes | int | float, wire: int = -1) -> bytes:
    """A field of a message: bytes with their length, an integer as a varint, a float as 4 or (wire 1) 8 bytes."""
    if isinstance(content, bytes):
        return varint(number << 3 | 2) + varint(len(content)) + content
    if isinstance(content, float):
        return varint(number << 3 | (1 if wire == 1 else 5)) + struct.pack("<d" if wire == 1 else "<f", content)
    return varint(number << 3) + varint(content)


def frame(message: bytes) -> bytes:
    return struct.pack("<Q", len(message)) + message


def value(tag: str, step: int, content: bytes, time: int = NOW) -> bytes:
    """A record of one value, in the order in which VisualDL writes its fields: zeros are left out."""
    inner = (field(1, step) if step else b"") + field(2, tag.encode())
    return frame(field(1, inner + (field(3, time) if time else b"") + content))


def scalar(tag: str, step: int, number: float, time: int = NOW) -> bytes:
    return value(tag, step, field(4, float(number)), time)


META = value("meta_data_tag", 0, field(10, b""))


def doubles(number: int, values: list[float]) -> bytes:
    return field(number, struct.pack(f"<{len(values)}d", *values))


def random_log(random_: random.Random, count: int) -> bytes:
    """A log of records of every kind, with tags and sizes of every sort."""
    tags = ["loss", "train/acc", "été", "x" * 140, "a"]
    parts = [META]
    for step in range(count):
        tag = random_.choice(tags)
        time = NOW + step * 10
        pick = random_.randrange(12)
        if pick == 0:
            parts.append(value(tag, step, field(12, field(1, ("text " * random_.randrange(60)).encode())), time))
        elif pick == 1:
            blob = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 3, 4) + random_.randbytes(300) + bytes(200)
            parts.append(value(tag, step, field(5, field(4, blob)), time))
        elif pick == 2:
            parts.append(value(tag, step, field(8, doubles(1, [1.0, 2.0]) + doubles(2, [0.0, 0.5, 1.0])), time))
        elif pick == 3:
            parts.append(value(tag, step, field(14, field(1, b"sub") + field(2, random_.random())), time))
        elif pick == 4:
            parts.append(scalar(tag, -step, random_.choice([math.nan, math.inf, 0.0, -0.0]), time))
        else:
            parts.append(scalar(tag, random_.randrange(1 << 40), random_.gauss(0, 10), time))
    return b"".join(parts)


def lost(records: list[Record], kind: str) -> int:
    return sum(record.count for record in records if isinstance(record, Skipped) and record.kind == kind)


def kept(records: list[Record]) -> list[Record]:
    return [record for record in records if not isinstance(record, Skipped)]


def same(found: Any, wanted: Any) -> None:
    """Two contents hold the same points (NaN being equal to NaN), other records and losses."""
    assert repr(sorted(found.points.items())) == repr(sorted(wanted.points.items()))
    assert sorted(map(repr, kept(found.others))) == sorted(map(repr, kept(wanted.others)))
    for kind in ("lost bytes", "damaged record", "unusable record"):
        assert lost(found.others, kind) == lost(wanted.others, kind)


def test_scalars_have_the_step_time_and_value_of_the_log(read: Any) -> None:
    """Numbers are 32-bit floats, times milliseconds; step 0 and tags of any length and script are taken (case E2)."""
    data = META + scalar("loss", 0, 0.1) + scalar("loss", 7, math.nan, NOW + 1500) + scalar("été/" + "x" * 200, -3, 2.0)
    content = read(VisualDLParser(), data)
    loss = content.points["loss"]
    assert loss[0] == (0.0, 1.7e9, struct.unpack("<f", struct.pack("<f", 0.1))[0])
    assert loss[1][:2] == (7.0, 1.7e9 + 1.5)
    assert math.isnan(loss[1][2])
    assert content.points["été/" + "x" * 200] == [(-3.0, 1.7e9, 2.0)]
    assert content.others == [RunInfo({"started": 1.7e9})]


def test_order_holds_between_plain_and_odd_records_of_a_tag(read: Any) -> None:
    """Records that are taken one by one stand among those that are taken together."""
    steps = [5, -1, 6, -2, -3, 7]
    content = read(VisualDLParser(), b"".join(scalar("x", step, step) for step in steps))
    assert content.steps("x") == steps


def test_scalars_of_a_group_are_tags_below_it(read: Any) -> None:
    """`add_scalars` gives a tag a name, also where its value is 0 and so left out of the file."""
    data = b"".join(
        value("losses", 3, field(14, field(1, name) + (field(2, number) if number else b"")))
        for name, number in ((b"train", 0.5), (b"val", 0.0), (b"train", 0.25))
    )
    content = read(VisualDLParser(), data)
    assert content.values("losses/train") == [0.5, 0.25]
    assert content.points["losses/val"] == [(3.0, 1.7e9, 0.0)]


def test_times_in_seconds_and_none(read: Any) -> None:
    """A caller who gave seconds is understood, and a time of 0 is none."""
    content = read(VisualDLParser(), scalar("x", 1, 1.0, 1_700_000_000) + scalar("x", 2, 1.0, 0))
    assert content.times("x")[0] == 1.7e9
    assert math.isnan(content.times("x")[1])


def test_display_name_and_settings(read: Any) -> None:
    """The display name is the run's; hyper-parameters are settings, and the metrics they are judged by are told."""
    infos = [
        field(1, field(1, 32) + field(4, b"batch")),
        field(1, field(2, 0.001, wire=1) + field(4, b"lr")),
        field(1, field(3, b"adam") + field(4, b"opt")),
        field(2, field(2, 0.0, wire=1) + field(4, b"val/acc")),
    ]
    data = value("meta_data_tag", 0, field(10, field(1, "été".encode()))) + value(
        "hparam", 1, field(13, b"".join(infos))
    )
    assert read(VisualDLParser(), data).others == [
        RunInfo({"name": "été", "started": 1.7e9}),
        Config({"batch": 32, "lr": 0.001, "opt": "adam"}),
        MediaRecord("metric", "metric", None, None, {"name": "val/acc"}),
    ]


def test_texts_and_histograms(read: Any) -> None:
    """A text is as logged; a histogram has its edges and counts, and one that is none is counted."""
    data = value("note", 2, field(12, field(1, b"hello")))
    data += value("w", 3, field(8, doubles(1, [1.0, 2.0]) + doubles(2, [-1.0, 0.0, 1.0])))
    data += value("w", 4, field(8, doubles(1, [1.0, 2.0]) + doubles(2, [-1.0, 0.0])))
    others = read(VisualDLParser(), data).others
    assert others[0] == TextRecord("note", 2, 1.7e9, "hello")
    assert others[1] == HistogramRecord("w", 3, 1.7e9, [-1.0, 0.0, 1.0], [1.0, 2.0])
    assert isinstance(others[2], Skipped)
    assert others[2].kind == "unusable record"


def test_curves_have_their_area_and_true_rates(read: Any) -> None:
    """Both kinds of curve; the true positive rate of a ROC curve is made from the counts, as VisualDL's is wrong."""
    counts = b"".join(
        field(number, b"".join(map(varint, counts)))
        for number, counts in enumerate(([4, 2, 0], [4, 1, 0], [0, 3, 4], [0, 2, 4]), 1)
    )
    pr = counts + doubles(5, [0.5, 2 / 3, 0.0]) + doubles(6, [1.0, 0.5, 0.0])
    roc = counts + doubles(5, [9.0, 9.0, 9.0]) + doubles(6, [1.0, 0.25, 0.0])
    first, second = read(VisualDLParser(), value("pr", 1, field(9, pr)) + value("roc", 1, field(11, roc))).others
    assert (first.kind, first.body["kind"], first.body["x_name"]) == ("curve", "pr", "recall")
    line = first.body["lines"][0]
    assert line["x"] == [1.0, 0.5, 0.0]
    assert line["fn"] == [0, 2, 4]
    assert line["area"] == pytest.approx(0.5 * 0.5 + 0.5 * 2 / 3)
    line = second.body["lines"][0]
    assert line["y"] == [1.0, 0.5, 0.0]
    assert line["area"] == pytest.approx(0.75 * 0.75 + 0.25 * 0.25)


def test_pictures_sounds_and_vectors_are_found_where_they_are(read: Any) -> None:
    """Media are told by their place in the log and their size; the labels of vectors are a table."""
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 64, 48) + bytes(50)
    sound = b"RIFF" + bytes(60)
    audio = field(1, 8000.0) + field(2, 1) + field(3, 4000) + field(4, sound) + field(5, b"audio/wav")
    vectors = b"".join(field(1, field(1, label) + field(2, struct.pack("<3f", 1, 2, 3))) for label in (b"cat", b"dog"))
    data = META + value("img", 1, field(5, field(4, picture))) + value("snd", 2, field(6, audio))
    data += value("emb", 0, field(7, vectors + field(2, b"animal")))
    _, image, heard, embedding, table = read(VisualDLParser(), data).others
    assert image.body == {
        "tag": "img", "kind": "image", "at": data.index(picture), "bytes": len(picture), "width": 64, "height": 48,
        "encoding": "png",
    }  # fmt: skip
    assert (heard.body["at"], heard.body["bytes"]) == (data.index(sound), len(sound))
    assert (heard.body["rate"], heard.body["channels"], heard.body["seconds"]) == (8000.0, 1, 0.5)
    assert (embedding.body["count"], embedding.body["dimensions"]) == (2, 3)
    rows = [["cat"], ["dog"]]
    assert table.body == {"tag": "emb", "kind": "table", "columns": ["animal"], "rows": rows, "total": 2}


def test_large_records_are_passed_over_without_being_kept(read: Any) -> None:
    """A picture of several megabytes is told by its beginning, once its end is there; nothing of it is held back."""
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480) + bytes(3 * MAX_RECORD)
    text = ("long " * MAX_RECORD).encode()
    data = META + value("img", 1, field(5, field(4, picture))) + scalar("x", 1, 1.0)
    data += value("text", 2, field(12, field(1, text))) + scalar("x", 2, 2.0)
    parser, content = VisualDLParser(), []
    step, kept_bytes, rest = 1 << 17, 0, b""
    for at in range(0, len(data), step):
        rest += data[at : at + step]
        parsed = parser.parse(rest, at + step >= len(data))
        content += parsed.records
        rest = rest[parsed.consumed :]
        kept_bytes = max(kept_bytes, len(rest))
    assert kept_bytes < step
    at_once = VisualDLParser().parse(data, True)
    assert sorted(map(repr, kept(list(at_once.records)))) != []
    pictures = [record for record in content if isinstance(record, MediaRecord)]
    assert [(it.body["at"], it.body["bytes"], it.body["width"]) for it in pictures] == [
        (data.index(picture), len(picture), 640)
    ]
    texts = [record for record in content if isinstance(record, TextRecord)]
    assert len(texts) == 1
    assert texts[0].text.endswith("more bytes")
    same(read(VisualDLParser(), data, range(step, len(data), step)), read(VisualDLParser(), data))


def test_a_huge_length_waits_as_a_partial_tail(read: Any) -> None:
    """A last record that claims gigabytes takes no memory, and is no loss as long as it may be one (case C16)."""
    head = META + scalar("x", 1, 1.0)
    for claim in (1 << 33, 1 << 62, (1 << 64) - 1):
        content = read(VisualDLParser(), head + struct.pack("<Q", claim))
        assert content.values("x") == [1.0]
        assert len(content.left) == 8
        assert not lost(content.others, "lost bytes")
    whole = value("img", 1, field(5, field(4, bytes(1 << 20))))
    content = read(VisualDLParser(), head + whole[:100])
    assert content.left == whole[:100]


def test_a_wrong_length_of_a_picture_is_seen_through_at_once(read: Any) -> None:
    """A length of gigabytes before a picture of a megabyte is damage as soon as the picture begins."""
    picture = value("img", 1, field(5, field(4, bytes(MAX_RECORD))))
    data = META + struct.pack("<Q", 1 << 40) + picture[8:] + scalar("x", 1, 1.0)
    content = read(VisualDLParser(), data, range(100_000, len(data), 100_000))
    assert content.values("x") == [1.0]
    assert lost(content.others, "lost bytes") == len(picture)


def test_growth_at_every_byte_gives_the_same(read: Any) -> None:
    """A log that arrives in two parts, cut anywhere, is read as one that was there at once."""
    data = random_log(random.Random(1), 9)
    whole = read(VisualDLParser(), data)
    assert not whole.left
    for cut in range(1, len(data)):
        same(read(VisualDLParser(), data, [cut]), whole)


def test_a_log_that_arrives_byte_by_byte(read: Any) -> None:
    """Also in the smallest of pieces."""
    data = random_log(random.Random(2), 12)
    same(read(VisualDLParser(), data, range(1, len(data))), read(VisualDLParser(), data))


def test_damage_costs_what_it_hits(read: Any) -> None:
    """Behind a broken length, an overwritten stretch or zeros, reading goes on at the next record; the loss is told."""
    steps = [scalar("x", step, float(step)) for step in range(1, 9)]
    for broken in (
        struct.pack("<Q", 1 << 40) + steps[3][8:],
        struct.pack("<Q", 5) + steps[3][8:],
        bytes(len(steps[3])),
        b"\xff" * len(steps[3]),
        bytes(5000),
    ):
        data = META + b"".join((*steps[:3], broken, *steps[4:]))
        content = read(VisualDLParser(), data)
        assert content.steps("x") == [1, 2, 3, 5, 6, 7, 8]
        assert lost(content.others, "lost bytes") == len(broken)
        for cut in range(0, len(data), 7):
            same(read(VisualDLParser(), data, [cut]), content)


def test_damage_inside_a_record_costs_that_record(read: Any) -> None:
    """Where the length still holds, only the one record is lost."""
    one = scalar("x", 2, 2.0)
    data = scalar("x", 1, 1.0) + one[:10] + b"\x07" + one[11:] + scalar("x", 3, 3.0)
    content = read(VisualDLParser(), data)
    assert content.steps("x") == [1, 3]
    assert lost(content.others, "damaged record") == 1


def test_every_flipped_bit_leaves_nearly_all(read: Any) -> None:
    """One wrong bit anywhere costs at most the record that it is in and never the rest."""
    data = META + b"".join(scalar(f"t{step % 3}", step, step + 0.5) for step in range(1, 13))
    total = 12
    for bit in range(8 * len(data)):
        spoiled = bytearray(data)
        spoiled[bit // 8] ^= 1 << bit % 8
        content = read(VisualDLParser(), bytes(spoiled))
        points = sum(map(len, content.points.values()))
        # a broken length of the last record only looks like a record that is not whole yet
        assert points >= total - 1


@settings(max_examples=120, deadline=None)
@given(st.binary(max_size=400), st.integers(0, 2000), st.integers(0, 300), st.lists(st.integers(0, 2500), max_size=3))
def test_any_bytes_are_read_to_the_end(noise: bytes, at: int, cut_out: int, cuts: list[int]) -> None:
    """Noise in a log never raises; what is whole before and after it is read, in pieces as at once."""
    data = random_log(random.Random(5), 30)
    data = data[:at] + noise + data[at + cut_out :] + scalar("last", 1, 1.0) * 2
    from_pieces, parser, rest, edge = [], VisualDLParser(), b"", 0
    for cut in [*sorted(min(cut, len(data)) for cut in cuts), len(data)]:
        rest += data[edge:cut]
        edge = cut
        parsed = parser.parse(rest, cut == len(data))
        assert 0 <= parsed.consumed <= len(rest)
        rest = rest[parsed.consumed :]
        from_pieces += parsed.records
    at_once = VisualDLParser().parse(data, True).records
    assert lost(from_pieces, "lost bytes") == lost(list(at_once), "lost bytes")


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_noise_alone_never_raises(noise: bytes) -> None:
    """A file of nothing but noise is consumed or waits."""
    assert VisualDLParser().parse(noise, True).consumed <= len(noise)


def any_message(random_: random.Random, depth: int) -> bytes:
    """A message of any fields of any wire types."""
    parts = []
    for _ in range(random_.randrange(6)):
        number, wire = random_.randrange(1, 16), random_.choice((0, 1, 2, 2, 2, 5))
        parts.append(varint(number << 3 | wire))
        if wire == 0:
            parts.append(varint(random_.choice((0, 5, 1 << 63, random_.randrange(1 << 64)))))
        elif wire == 2:
            inner = any_message(random_, depth - 1) if depth else random_.randbytes(random_.choice((0, 1, 8, 24)))
            parts.append(varint(len(inner)) + inner)
        else:
            parts.append(random_.randbytes(8 if wire == 1 else 4))
    return b"".join(parts)


def test_messages_of_any_shape_never_raise() -> None:
    """Whole records are consumed, whatever their contents are made of."""
    random_ = random.Random(8)
    for _ in range(300):
        data = b"".join(
            value("x", 3, field(random_.randrange(4, 15), any_message(random_, 3)), random_.choice((0, NOW, 1 << 63)))
            for _ in range(20)
        )
        assert VisualDLParser().parse(data, True).consumed == len(data)


def test_clone_reads_any_piece_again() -> None:
    """Every piece that was consumed gives the same records once more, also one inside a large record or damage."""
    picture = field(5, field(4, bytes(2 * MAX_RECORD)))
    data = random_log(random.Random(3), 60) + value("img", 1, picture) + scalar("x", 1, 1.0) + bytes(300_000)
    data += random_log(random.Random(4), 60)
    parser, offset, rest, edge, pieces = VisualDLParser(), 0, b"", 0, []
    for cut in (1000, 5000, *range(70_000, len(data), 70_000), len(data)):
        rest += data[edge:cut]
        edge = cut
        parsed = parser.parse(rest, cut == len(data))
        pieces.append((offset, parsed.consumed, list(parsed.records)))
        offset += parsed.consumed
        rest = rest[parsed.consumed :]
    assert offset == len(data)
    for offset, length, records in random.Random(6).sample(pieces, len(pieces)):
        if records:
            again = parser.clone(offset).parse(data[offset : offset + length], True)
            assert repr(kept(list(again.records))) == repr(kept(records))


def test_sniff_takes_logs_by_name_or_first_record_only() -> None:
    """VisualDL's logs, also renamed or damaged at the front, and nothing else that looks similar."""
    log = META + scalar("x", 1, 1.0)
    assert detect("a/vdlrecords.1700000000.log", log) is FORMAT
    assert detect("a/vdlrecords.1700000000.log", log[:20]) is FORMAT
    assert detect("a/renamed.bin", log) is FORMAT
    assert FORMAT.sniff("a/vdlrecords.run1.log", b"\0" * 50 + log)
    assert FORMAT.sniff("vdlrecords.1.log", scalar("x", 1, 1.0))
    for path, head in (
        ("vdlrecords.1.log", b"2024-01-01 INFO started\n" * 9),
        ("vdlrecords.py", b"import visualdl\n\nmeta_data_tag = 1\n"),
        ("events.out.tfevents.1", struct.pack("<Q", 24) + b"\xa3\x7fK\x22\t\0\0\xc0" * 4),
        ("data.bin", scalar("x", 1, 1.0)),
        ("vdlrecords.1.log", b"\0" * 4096),
        ("vdlgraph.1.log", b'{"nodes": []}'),
        ("x", b"\n"),
    ):
        assert not FORMAT.sniff(path, head), path


def test_real_logs_are_recognised(real_logs: Path) -> None:
    """Each real record file is read without a loss."""
    for path in sorted((real_logs / "visualdl").rglob("vdlrecords*")):
        data = path.read_bytes()
        assert detect(str(path), data[: 1 << 16]) is FORMAT
        parsed = FORMAT.parser(str(path)).parse(data, True)
        assert parsed.consumed == len(data)
        assert not [record for record in parsed.records if isinstance(record, Skipped)]


@pytest.mark.filterwarnings("ignore")
def test_agrees_with_visualdl(tmp_path: Path, read: Any) -> None:
    """Thousands of random records that VisualDL wrote are read as its own reader reads them."""
    visualdl = pytest.importorskip("visualdl")
    from visualdl.component import base_component as component

    random_ = random.Random(11)
    tags = ["loss", "train/loss", "a b", "été", "x" * 150, *(f"layer{n}/w" for n in range(20))]
    with visualdl.LogWriter(str(tmp_path), display_name="my run") as writer:
        put = writer._get_file_writer().add_record
        for number in range(4000):
            tag, step, time = random_.choice(tags), random_.randrange(-5, 1 << 34), NOW + number * 37
            pick = random_.random()
            if pick < 0.7:
                put(component.scalar(tag, random_.choice([random_.gauss(0, 1e5), math.nan, math.inf, 0.0]), step, time))
            elif pick < 0.8:
                writer.add_scalars(f"group/{tag}", {"a": random_.random(), "b": 0.0}, step, walltime=time)
            elif pick < 0.85:
                writer.add_text(f"text/{tag}", "t" * random_.randrange(300), step, walltime=time)
            elif pick < 0.9:
                writer.add_histogram(f"hist/{tag}", [random_.random() for _ in range(9)], step, time, buckets=5)
            elif pick < 0.95:
                writer.add_embeddings(f"emb/{tag}", mat=[[1.0, 2.0], [3.0, 4.0]], metadata=["p", "q"], walltime=time)
            else:
                raw = [[random_.randrange(300) for _ in range(7)] for _ in range(4)]
                rates = [[random_.random() for _ in range(7)] for _ in range(2)]
                put(component.pr_curve_raw(f"pr/{tag}", *raw, *rates, step, time))
        writer.add_hparams({"lr": 0.1, "n": 3, "opt": "sgd"}, ["loss"], walltime=NOW)
        path = Path(writer.file_name)
    reader = visualdl.LogReader(file_path=str(path))
    data = path.read_bytes()
    content = read(FORMAT.parser(str(path)), data, sorted(random_.sample(range(len(data)), 5)))
    assert not content.left
    assert not [record for record in content.others if isinstance(record, Skipped)]

    wanted: dict[str, list[tuple[float, float, float]]] = defaultdict(list)
    named = reader.get_tags()
    for tag in named["scalar"]:
        wanted[tag] = [(it.id, it.timestamp / 1000, it.value) for it in reader.get_data("scalar", tag)]
    for tag in named["scalars"]:
        for it in reader.get_data("scalars", tag):
            wanted[f"{tag}/{it.tag_value.tag}"].append((it.id, it.timestamp / 1000, it.tag_value.value))
    assert content.points.keys() == wanted.keys()
    for tag, points in wanted.items():
        assert repr(content.points[tag]) == repr([tuple(map(float, point)) for point in points])

    def of(kind: type, prefix: str) -> list[Any]:
        return [it for it in content.others if isinstance(it, kind) and getattr(it, "tag", "").startswith(prefix)]

    expected = [
        (tag, it.id, it.text.encoded_text_string) for tag in named["text"] for it in reader.get_data("text", tag)
    ]
    assert sorted((it.tag, it.step, it.text) for it in of(TextRecord, "text/")) == sorted(expected)
    expected = [
        (tag, it.id, list(it.histogram.hist), list(it.histogram.bin_edges))
        for tag in named["histogram"]
        for it in reader.get_data("histogram", tag)
    ]
    found = sorted((it.tag, it.step, it.counts, it.edges) for it in of(HistogramRecord, "hist/"))
    assert found == sorted(expected)
    expected = [
        (tag, it.id, list(it.pr_curve.recall), list(it.pr_curve.precision), list(it.pr_curve.TP))
        for tag in named["pr_curve"]
        for it in reader.get_data("pr_curve", tag)
    ]
    lines = [(it.tag, it.step, it.body["lines"][0]) for it in of(MediaRecord, "pr/")]
    assert sorted((tag, step, line["x"], line["y"], line["tp"]) for tag, step, line in lines) == sorted(expected)
    embeddings = [it for it in of(MediaRecord, "emb/") if it.kind == "media"]
    assert len(embeddings) == sum(len(reader.get_data("embeddings", tag)) for tag in named["embeddings"])
    assert all((it.body["count"], it.body["dimensions"]) == (2, 2) for it in embeddings)
    assert Config({"lr": 0.1, "n": 3, "opt": "sgd"}) in content.others
    assert content.others[0].info["name"] == "my run"
