"""Reading MLflow's file store: metrics, and what it says of a run beside them."""

from __future__ import annotations

import math
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.formats.base import Format
from tuimon.formats.mlflow import FORMAT, MAX_LINE
from tuimon.formats.mlflow_run import FORMAT as RUN
from tuimon.formats.registry import detect
from tuimon.records import Config, End, Record, RunInfo, Skipped

RUN_ID = "0123456789abcdef0123456789abcdef"
METRIC = f"mlruns/1/{RUN_ID}/metrics/loss"
META = f"""artifact_uri: file:///a/mlruns/1/{RUN_ID}/artifacts
end_time: 1656487685363
experiment_id: '1'
lifecycle_stage: active
run_id: {RUN_ID}
run_name: brave-fox-1
run_uuid: {RUN_ID}
start_time: 1656487677104
status: 3
tags: []
user_id: me
""".encode()


def said(path: str, data: bytes, kind: Format = RUN) -> list[Record]:
    parsed = kind.parser(path).parse(data, True)
    assert parsed.consumed == len(data)
    return list(parsed.records)


def test_lines_of_every_version_of_mlflow(read: Any) -> None:
    """Two to six columns are read alike; without a step there is none. NaN and infinities are values."""
    data = (
        b"1656487680532 0.5 0\n1656487680533 nan 10\n1656487680534 -inf -3\n1656487680535 1e-05\n"
        b"1656487680536 2.0 4 train abc\n1656487680537 3.0 5 my data abc\n1530000000 7.0\n"
    )
    content = read(FORMAT.parser(METRIC), data)
    assert content.values("loss")[0] == 0.5
    assert math.isnan(content.values("loss")[1])
    assert content.values("loss")[2:] == [-math.inf, 1e-5, 2.0, 3.0, 7.0]
    assert content.steps("loss")[:3] == [0.0, 10.0, -3.0]
    assert [math.isnan(step) for step in content.steps("loss")] == [False] * 3 + [True, False, False, True]
    assert content.times("loss")[0] == 1656487680.532
    assert content.times("loss")[-1] == 1530000000.0
    assert not content.others


def test_names_with_directories() -> None:
    """A metric of a group is in a directory below; its run is above ``metrics``, however deep the name goes."""
    for name in ("loss", "val/acc", "eval/metrics/f1"):
        path = f"mlruns/1/{RUN_ID}/metrics/{name}"
        assert FORMAT.parser(path)._tag == name
        folder, _, file_name = path.rpartition("/")
        assert FORMAT.home(folder, file_name) == f"mlruns/1/{RUN_ID}"
    assert FORMAT.home("metrics/val", "acc") == ""
    assert RUN.home(f"1/{RUN_ID}/params/net", "depth") == f"1/{RUN_ID}"
    assert RUN.home(f"1/{RUN_ID}", "meta.yaml") == f"1/{RUN_ID}"


def test_bad_lines_are_counted(read: Any) -> None:
    """A line that is none of MLflow's costs itself."""
    data = b"1656487680532 0.5 0\n1656487680533 abc 1\n\n1656487680534 1.5 2\nrubbish\n1656487680535 1.5 3\r\n"
    content = read(FORMAT.parser(METRIC), data)
    assert content.steps("loss") == [0, 2, 3]
    assert [(it.kind, it.count, it.where) for it in content.others] == [("bad line", 2, data.index(b"1656487680533"))]


def test_growth_at_every_byte(read: Any) -> None:
    """A metric that arrives in two parts, cut anywhere, is read as one; half a line waits."""
    data = b"".join(b"16564876805%02d %r %d\n" % (n, n / 7, n) for n in range(12)) + b"1656487680600 0.5"
    whole = read(FORMAT.parser(METRIC), data)
    assert len(whole.points["loss"]) == 12
    assert whole.left == b"1656487680600 0.5"
    for cut in range(len(data)):
        assert read(FORMAT.parser(METRIC), data, [cut]).points == whole.points


def test_clone_reads_a_range_again() -> None:
    """Any consumed range gives the same records once more."""
    data = b"".join(b"1656487680532 %d.5 %d\n" % (n, n) for n in range(100))
    parser = FORMAT.parser(METRIC)
    first = parser.parse(data[:1000], False)
    second = parser.parse(data[first.consumed :], True)
    again = parser.clone(first.consumed).parse(data[first.consumed :], True)
    assert again.records == second.records


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200), st.integers(0, 300))
def test_any_bytes_are_read_to_the_end(noise: bytes, at: int) -> None:
    """Noise never raises, and the lines around it are read."""
    data = b"".join(b"1656487680532 %d.5 %d\n" % (n, n) for n in range(12))
    data = data[:at] + noise + data[at:] + b"\n1656487680532 1.5 99\n"
    parsed = FORMAT.parser(METRIC).parse(data, True)
    assert parsed.consumed == len(data)
    for path in (f"mlruns/1/{RUN_ID}/meta.yaml", f"mlruns/1/{RUN_ID}/params/x", f"mlruns/1/{RUN_ID}/tags/x"):
        said(path, noise + META)


def test_a_line_without_end_is_given_up(read: Any) -> None:
    """Bytes without a line feed do not gather in memory."""
    content = read(FORMAT.parser(METRIC), b"1656487680532 0.5 0\n" + b"1" * (MAX_LINE + 1))
    assert content.left == b""
    assert content.others == [Skipped("line too long", 20, "")]


def test_meta_tells_name_start_and_end() -> None:
    """What MLflow knows of a run is the run's info, and its status is how it ended; a running one has no end."""
    path = f"mlruns/1/{RUN_ID}/meta.yaml"
    info = {"name": "brave-fox-1", "id": RUN_ID, "user": "me", "started": 1656487677.104}
    assert said(path, META) == [RunInfo(info), End("finished", 1656487685.363)]
    for status, ended in ((b"4", "failed"), (b"5", "killed"), (b"FAILED", "failed")):
        assert said(path, META.replace(b"status: 3", b"status: " + status))[1] == End(ended, 1656487685.363)
    running = META.replace(b"status: 3", b"status: 1").replace(b"1656487685363", b"null")
    assert said(path, running) == [RunInfo(info)]
    experiment = b"artifact_location: file:///x\nexperiment_id: '1'\nlifecycle_stage: active\nname: Crops\n"
    assert said("mlruns/1/meta.yaml", experiment) == [RunInfo({"project": "Crops"})]


def test_parameters_are_settings_of_their_kind() -> None:
    """MLflow keeps texts; numbers, truth values and nothing are taken back from them."""
    for text, value in (
        (b"0.001", 0.001), (b"1e-05", 1e-5), (b"64", 64), (b"True", True), (b"None", None), (b"adam", "adam"),
        (b"5%", "5%"), (b"[1, 2]", "[1, 2]"),
    ):  # fmt: skip
        assert said(f"mlruns/1/{RUN_ID}/params/net/x", text) == [Config({"net/x": value})]


def test_tags_of_mlflow_and_of_people() -> None:
    """MLflow's own tags name and describe the run, or say nothing; others are settings."""
    for name, text, records in (
        ("mlflow.runName", b"first", [RunInfo({"name": "first"})]),
        ("mlflow.source.name", b"train.py", [RunInfo({"command": ["train.py"]})]),
        ("mlflow.source.git.commit", b"abc", [RunInfo({"git": {"commit": "abc"}})]),
        ("mlflow.log-model.history", b"[{}]", []),
        ("team", b"vision", [Config({"tags/team": "vision"})]),
    ):
        assert said(f"mlruns/1/{RUN_ID}/tags/{name}", text) == records


def test_sniff_takes_the_file_store_only() -> None:
    """Place and content have to be MLflow's."""
    line = b"1656487680532 0.5 0\n"
    assert detect(METRIC, line) is FORMAT
    assert detect(f"x/{RUN_ID}/metrics/val/acc", b"0 0.5 0\n") is FORMAT
    assert detect("mlruns/0/my-run/metrics/loss", line) is FORMAT
    for path in (f"1/{RUN_ID}/params/lr", f"1/{RUN_ID}/tags/mlflow.user", "mlruns/0/my-run/params/lr"):
        assert detect(path, b"0.1") is RUN
    assert detect(f"1/{RUN_ID}/meta.yaml", META) is RUN
    for path, head in (
        ("metrics/loss", b"10 0.5 0\n"),
        ("data/metrics/table", b"1656487680532 0.5 some 3\n1656487680532 0.5 0\n0.3\n"),
        (f"1/{RUN_ID}/metrics/loss", b"step\tloss\n0\t1.0\n"),
        ("loss", line),
        (f"mlruns/1/models/m-{RUN_ID}/metrics/loss", line[:-1] + RUN_ID.encode() + b"\n"),
        ("/proc/sys/params/x", b"1\n"),
        ("repo/tags/v1", b"0123\n"),
        (f"mlruns/1/{RUN_ID}/artifacts/params/x", b"1"),
        ("conda/meta.yaml", b"package:\n  name: x\n  version: 1\n"),
    ):
        assert not FORMAT.sniff(path, head), path
        assert not RUN.sniff(path, head), path


def test_real_logs_are_read_whole(real_logs: Path) -> None:
    """Each file of the store is recognised, and no line of a metric is lost."""
    for path in sorted((real_logs / "mlflow-mlruns").rglob("*")):
        if path.is_file():
            data = path.read_bytes()
            kind = detect(str(path), data)
            assert kind is (FORMAT if "metrics" in path.parts else RUN), path
            assert not [record for record in said(str(path), data, kind) if isinstance(record, Skipped)]


@pytest.mark.filterwarnings("ignore")
def test_agrees_with_mlflow(tmp_path: Path, read: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of random metrics that MLflow wrote are read as MLflow reads them, and so are settings and ends."""
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    mlflow = pytest.importorskip("mlflow")
    from mlflow.entities import Metric, Param, RunTag

    random_ = random.Random(3)
    client = mlflow.MlflowClient(tracking_uri=f"file://{tmp_path}/mlruns")
    experiment = client.create_experiment("tests")
    names = ["loss", "val/acc", "a b", "eval/metrics/f1", "x.y-z"]
    for end in ("FINISHED", "FAILED", "KILLED", None):
        run = client.create_run(experiment, run_name=f"run {end}")
        home = tmp_path / "mlruns" / experiment / run.info.run_id
        metrics = [
            Metric(
                random_.choice(names),
                random_.choice([random_.gauss(0, 1), math.nan, math.inf, -math.inf, 1e300, 5e-324, 3.0]),
                random_.randrange(1_600_000_000_000, 1_800_000_000_000),
                random_.randrange(-10, 1 << 40),
            )
            for _ in range(900)
        ]
        params = {"lr": "0.001", "net/depth": "3", "name": "über net"}
        client.log_batch(
            run.info.run_id, metrics, [Param(*item) for item in params.items()], [RunTag("team", "vision")]
        )
        if end:
            client.set_terminated(run.info.run_id, end)
        found: list[Record] = []
        points: dict[str, list[tuple[float, float, float]]] = {}
        for folder, _, files in os.walk(home):
            for name in files:
                path = f"{folder}/{name}"
                data = Path(path).read_bytes()
                kind = detect(path, data)
                assert kind is (FORMAT if f"{home}/metrics" in folder else RUN)
                content = read(kind.parser(path), data)
                points.update(content.points)
                found += content.others
        assert points.keys() == {metric.key for metric in metrics}
        for key, rows in points.items():
            history = client.get_metric_history(run.info.run_id, key)
            assert repr(rows) == repr([(float(it.step), it.timestamp / 1e3, it.value) for it in history])
        config = {key: value for it in found if isinstance(it, Config) for key, value in it.values.items()}
        assert config == {"lr": 0.001, "net/depth": 3, "name": "über net", "tags/team": "vision"}
        info = {key: value for it in found if isinstance(it, RunInfo) for key, value in it.info.items()}
        assert (info["name"], info["started"]) == (f"run {end}", run.info.start_time / 1e3)
        ends = [it.status for it in found if isinstance(it, End)]
        assert ends == ([end.lower()] if end else [])
        assert not [it for it in found if isinstance(it, Skipped)]
