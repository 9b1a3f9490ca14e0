"""Reading VisualDL's record files: what they say, and which files they are."""

from __future__ import annotations

import math
import random
import struct
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tuimon.formats._visualdl.parser import VisualDLParser
from tuimon.formats._visualdl.vectors import read_vectors
from tuimon.formats.registry import detect
from tuimon.formats.visualdl import FORMAT
from tuimon.records import Config, HistogramRecord, MediaRecord, RunInfo, Skipped, TextRecord

from .visualdl_bytes import META, NOW, doubles, field, scalar, value, varint


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
    at = embedding.body["at"]
    columns, labels, found = read_vectors(data[at : at + embedding.body["bytes"]])
    assert (columns, labels, found.tolist()) == (["animal"], [["cat"], ["dog"]], [[1, 2, 3], [1, 2, 3]])
    rows = [["cat"], ["dog"]]
    assert table.body == {"tag": "emb", "kind": "table", "columns": ["animal"], "rows": rows, "total": 2}


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
