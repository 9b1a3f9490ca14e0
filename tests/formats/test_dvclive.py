"""Reading the directories of DVCLive: metrics, their latest values, and parameters."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.discover import Discover
from tuimon.formats.config_yaml import FORMAT as PARAMS
from tuimon.formats.dvclive import FORMAT, MAX_LINE
from tuimon.formats.dvclive_summary import FORMAT as SUMMARY
from tuimon.formats.registry import detect
from tuimon.records import Config, Skipped, TextRecord

LOSS = "dvclive/plots/metrics/train/loss.tsv"
SUMMARY_TEXT = b'{\n    "train": {\n        "loss": 0.5\n    },\n    "acc": "nan",\n    "note": "x", "step": 2\n}\n'


def test_columns_of_every_version(read: Any) -> None:
    """Steps, values and times in milliseconds; the tag is the path below the directory of metrics."""
    content = read(FORMAT.parser(LOSS), b"step\tloss\n0\t0.5\n1\tnan\n2\t-inf\n3\t4\n")
    assert content.steps("train/loss") == [0, 1, 2, 3]
    assert content.values("train/loss")[0] == 0.5
    assert math.isnan(content.values("train/loss")[1])
    assert content.values("train/loss")[2:] == [-math.inf, 4.0]
    assert all(math.isnan(time) for time in content.times("train/loss"))
    content = read(FORMAT.parser("dvclive/loss.tsv"), b"timestamp\tstep\tloss\r\n1614129197192\t1\t2.5\r\n")
    assert content.points == {"loss": [(1.0, 1614129197.192, 2.5)]}


def test_texts_and_damage(read: Any) -> None:
    """A text is a text, and a damaged line costs itself; a header in the middle begins the columns anew."""
    data = (
        b'step\tloss\n0\tstarted\n1\t"a\tb"\nrubbish\ninf\t1\n2\t1.5\n\ntimestamp\tstep\tloss\n1614129197192\t3\t2.5\n'
    )
    content = read(FORMAT.parser(LOSS), data)
    assert content.steps("train/loss") == [2, 3]
    texts = [it for it in content.others if isinstance(it, TextRecord)]
    assert texts == [TextRecord("train/loss", 0, None, "started"), TextRecord("train/loss", 1, None, "a\tb")]
    assert [(it.kind, it.where, it.count) for it in content.others if isinstance(it, Skipped)] == [
        ("bad line", data.index(b"rubbish"), 2)
    ]
    assert read(FORMAT.parser(LOSS), b"step\tloss\n" + b"1" * (MAX_LINE + 1)).left == b""


def test_places_of_metrics() -> None:
    """The run is the directory that DVCLive was given, in every layout, and the name is what stands below it."""
    for path, home, tag in (
        (LOSS, "dvclive", "train/loss"),
        ("a/results/plots/metrics/loss.tsv", "a/results", "loss"),
        ("plots/metrics/train/loss.tsv", "", "train/loss"),
        ("a/dvclive/scalars/train/loss.tsv", "a/dvclive", "train/loss"),
        ("a/dvclive/loss.tsv", "a/dvclive", "loss"),
    ):
        folder, _, name = path.rpartition("/")
        assert FORMAT.home(folder, name) == home
        assert FORMAT.parser(path)._tag == tag


def test_latest_values() -> None:
    """Each value stands at the step among them; half a document waits."""
    (rows,) = SUMMARY.parser("dvclive/metrics.json").parse(SUMMARY_TEXT, True).records
    assert rows.tags == ("train/loss", "acc")
    assert memoryview(rows.steps).cast("d").tolist() == [2.0]
    assert memoryview(rows.values).cast("d")[0] == 0.5
    assert SUMMARY.parser("dvclive/metrics.json").parse(SUMMARY_TEXT[:40], True).consumed == 0
    assert SUMMARY.home("a", "dvclive.json") == "a/dvclive"
    assert SUMMARY.home("", "dvclive.json") == "dvclive"
    assert SUMMARY.home("a/dvclive", "metrics.json") == "a/dvclive"


def test_growth_at_every_byte(read: Any) -> None:
    """A metric that arrives in two parts, cut anywhere, is read as one; half a line waits."""
    data = (
        b"timestamp\tstep\tloss\n" + b"".join(b"16141291971%02d\t%d\t%r\n" % (n, n, n / 7) for n in range(12)) + b"16"
    )
    whole = read(FORMAT.parser(LOSS), data)
    assert len(whole.points["train/loss"]) == 12
    for cut in range(len(data)):
        assert read(FORMAT.parser(LOSS), data, [cut]).points == whole.points


def test_clone_reads_a_range_again() -> None:
    """Any consumed range gives the same records once more."""
    data = b"step\tloss\n" + b"".join(b"%d\t%d.5\n" % (n, n) for n in range(100))
    parser = FORMAT.parser(LOSS)
    first = parser.parse(data[:300], False)
    second = parser.parse(data[first.consumed :], True)
    assert parser.clone(first.consumed).parse(data[first.consumed :], True).records == second.records
    assert parser.clone(0).parse(data[: first.consumed], True).records == first.records


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 100))
def test_any_bytes_are_read_to_the_end(noise: bytes, at: int) -> None:
    """Noise never raises."""
    data = b"step\tloss\n0\t0.5\n1\t0.25\n2\t1e-3\n"
    data = data[:at] + noise + data[at:] + b"\n"
    assert FORMAT.parser(LOSS).parse(data, True).consumed == len(data)
    SUMMARY.parser("x").parse(noise + SUMMARY_TEXT, True)


def test_sniff_takes_what_is_dvclives_only() -> None:
    """Place and columns have to be DVCLive's."""
    assert detect(LOSS, b"step\tloss\n") is FORMAT
    assert detect("a/dvclive/loss.tsv", b"timestamp\tstep\tloss\n1614129197192\t1\t2.5\n") is FORMAT
    assert detect("a/dvclive/metrics.json", SUMMARY_TEXT[:30]) is SUMMARY
    assert detect("a/results/metrics.json", SUMMARY_TEXT) is SUMMARY
    assert detect("a/dvclive/params.yaml", b"lr: 1\n") is PARAMS  # as any file of settings
    for path, head in (
        (LOSS, b"step\taccuracy\n0\t1\n"),
        (LOSS, b"id\tloss\n0\t1\n"),
        ("data/loss.tsv", b"step\tloss\n0\t1\n"),
        ("dvclive/plots/metrics/loss.csv", b"step\tloss\n0\t1\n"),
        ("eval/metrics.json", b'{"accuracy": 0.5}'),
        ("web/metrics.json", b'[{"step": 1}]'),
        ("dvclive/report.html", b"<html>"),
        ("dvclive/plots/custom/p.json", b'[{"x": 1}]'),
    ):
        assert not any(kind.sniff(path, head) for kind in (FORMAT, SUMMARY)), path


def test_directories_stay_apart(tmp_path: Path) -> None:
    """Each directory of DVCLive is one run, with its latest values and parameters."""
    for name in ("a/dvclive", "b/dvclive"):
        for path, text in (
            ("plots/metrics/train/loss.tsv", b"step\tloss\n0\t1\n"),
            ("plots/metrics/acc.tsv", b"step\tacc\n0\t1\n"),
            ("metrics.json", SUMMARY_TEXT),
            ("params.yaml", b"lr: 0.1\n"),
        ):
            file = tmp_path / name / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text)
    discover = Discover([str(tmp_path)])
    discover.find()
    assert sorted(found.run for found in discover.files) == ["a/dvclive"] * 4 + ["b/dvclive"] * 4


@pytest.mark.filterwarnings("ignore")
def test_agrees_with_dvclive(tmp_path: Path, read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """What DVCLive writes and what it takes back when it resumes is read as it was logged."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DVC_NO_ANALYTICS", "1")
    dvclive = pytest.importorskip("dvclive")
    random_ = random.Random(2)
    names = ["loss", "train/loss", "eval/deep/er/acc", "a b", "système (%)"]
    wanted: dict[str, list[tuple[float, float]]] = {name: [] for name in names}
    for resume in (False, True):
        with dvclive.Live("out/dvclive", save_dvc_exp=False, report=None, dvcyaml=False, resume=resume) as live:
            live.log_params({"lr": 1e-3, "net": {"depth": 3}})
            for _ in range(150):
                for name in names:
                    value = random_.choice([random_.gauss(0, 1), math.nan, math.inf, 7, 1e-300])
                    live.log_metric(name, value, timestamp=name == "loss")
                    wanted[name].append((float(live.step), float(value)))
                live.log_metric("hidden", live.step, plot=False)
                live.next_step()
    found: dict[str, list[tuple[float, float]]] = {}
    for path in Path("out").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            kind = detect(path.as_posix(), data)
            content = read(kind.parser(path.as_posix()), data)
            assert not [it for it in content.others if isinstance(it, Skipped)]
            if kind is FORMAT:
                found.update((tag, [(step, value) for step, _, value in rows]) for tag, rows in content.points.items())
            elif kind is SUMMARY:
                assert content.points.keys() == {*names, "hidden"}
                assert content.steps("hidden") == content.values("hidden")
            else:
                assert content.others == [Config({"lr": 0.001, "net/depth": 3})]
    assert repr(sorted(found.items())) == repr(sorted(wanted.items()))
