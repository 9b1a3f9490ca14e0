"""W&B's `.wandb` files that W&B wrote."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from tuimon.records import (
    Config,
    End,
    MediaRecord,
    Skipped,
)


def test_real_files_hold_what_the_client_reads_in_them(real_logs: Path, rows: Any) -> None:
    """Each tag of files of many versions has its points, first and last step, and the same range of values."""
    truths = real_logs.parent / "truth"
    checked = 0
    for truth in sorted(truths.rglob("*.wandb.json")):
        found = rows((real_logs / str(truth.relative_to(truths)).removesuffix(".json")).read_bytes())
        for tag, facts in json.loads(truth.read_text())["keys"].items():
            if tag in ("_step", "_timestamp", "_runtime") or set(facts["types"]) - {"number", "null"}:
                continue
            steps, _, values = zip(*found[tag], strict=True)
            finite = [value for value in values if math.isfinite(value)]
            assert len(values) == facts["types"]["number"], (truth, tag)
            assert facts["first_step"] is None or (steps[0], steps[-1]) == (facts["first_step"], facts["last_step"])
            assert (min(finite), max(finite)) == (facts["min"], facts["max"]), (truth, tag)
            assert (sum(map(math.isnan, values)), sum(map(math.isinf, values))) == (facts["nan"], facts["inf"])
            checked += 1
    assert checked > 50


def test_random_rows_of_the_real_client(w: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: Any) -> None:
    """What W&B itself wrote offline comes back value by value, with its settings, files and end."""
    monkeypatch.setenv("WANDB_SILENT", "true")
    monkeypatch.setenv("WANDB_DIR", str(tmp_path))
    wandb: Any = pytest.importorskip("wandb")
    numpy: Any = pytest.importorskip("numpy")
    random_ = random.Random(4)
    run = wandb.init(
        mode="offline", project="proj", name="a name", config={"lr": 0.1, "m": {"d": [1, 2]}}, dir=tmp_path
    )
    expected: dict[str, list[tuple[float, float]]] = {}
    step = 0
    for _ in range(3000):
        step += random_.randrange(1, 3)
        values: dict[str, Any] = {f"tag/{at}": random_.gauss(0, 1e3) for at in range(random_.randrange(1, 9))}
        values |= {"edge": random_.choice([math.nan, math.inf, -math.inf, 0, 5e-324, 1.7e308, 2**53])}
        if random_.random() < 0.3:
            values["nested"] = {"a": random_.random(), "b": {"c": random_.randrange(9)}}
        expected_row = {key: value for key, value in values.items() if key != "nested"}
        if "nested" in values:
            expected_row |= {"nested/a": values["nested"]["a"], "nested/b/c": values["nested"]["b"]["c"]}
        if random_.random() < 0.05:
            values["image"] = wandb.Image(numpy.zeros((4, 4), dtype="uint8"))
        if random_.random() < 0.05:
            values["hist"] = wandb.Histogram(numpy.arange(20.0))
        if random_.random() < 0.05:
            values |= {"word": "some word", "flag": True}
        run.log(values, step=step)
        for tag, value in expected_row.items():
            expected.setdefault(tag, []).append((float(step), float(value)))
    run.summary["best"] = 7
    run.alert("High", "too high")
    run.finish()
    (path,) = tmp_path.glob("wandb/offline-run-*/run-*.wandb")
    data = path.read_bytes()
    found = {tag: [(at, value) for at, _, value in points_] for tag, points_ in rows(data).items()}
    assert {tag: str(found.get(tag)) for tag in expected} == {tag: str(points_) for tag, points_ in expected.items()}
    assert {tag for tag in found if not tag.startswith("system/")} == {*expected, "summary/best"}
    records = w.parse(data)
    assert Config({"lr": 0.1, "m/d": "[1, 2]"}) in records
    assert [end.status for end in w.others(records, End)] == ["finished"]
    pictures = [record for record in w.others(records, MediaRecord) if record.tag == "image"]
    assert pictures
    assert all((path.parent / str(record.body["path"])).is_file() for record in pictures)
    assert not w.others(records, Skipped)
