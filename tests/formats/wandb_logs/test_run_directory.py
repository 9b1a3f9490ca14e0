"""A run as W&B lays it out: one run with all that stands in its directory, whatever points to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tuimon.ingest import Ingest


def lay_out(w: Any, folder: Path) -> None:
    """A run that finished, with the files that the client writes beside its record."""
    files = folder / "files"
    files.mkdir(parents=True)
    rows = [w.history({"loss": 1 / (step + 1)}, step, w.START + step) for step in range(10)]
    log = w.File().add(w.RUN, w.message(5, w.item("lr", 0.1)), *rows, w.message(18))
    (folder / "run-abc.wandb").write_bytes(log.data)
    (files / "wandb-summary.json").write_text(json.dumps({"loss": 0.1, "_step": 9, "_timestamp": w.START + 9}))
    (files / "wandb-metadata.json").write_text(json.dumps({"program": "train.py", "host": "node7"}))
    (files / "config.yaml").write_text("wandb_version: 1\nlr:\n  desc: null\n  value: 0.1\nseed:\n  value: 4\n")
    (files / "requirements.txt").write_text("numpy==1.26\ntorch==2.1\n")
    (folder / "logs").mkdir()
    line = '{"time":"2025-11-30T14:44:07.9Z","level":"INFO","msg":"stream: starting","count":3}\n'
    (folder / "logs" / "debug-internal.log").write_text(20 * line)
    (folder / "logs" / "debug.log").write_text(
        20 * "2025-11-30 14:44:07,190 INFO    MainThread:7 [setup.py:_flush():76] step 3\n"
    )


def test_one_run_with_each_point_once(w: Any, tmp_path: Path) -> None:
    """The summary adds no second last point, the settings are those of log and file, and nothing else is read."""
    run = tmp_path / "wandb" / "offline-run-20231114_221320-abc"
    lay_out(w, run)
    (tmp_path / "wandb" / "latest-run").symlink_to(run.name)
    (tmp_path / "wandb" / "debug.log").symlink_to(f"{run.name}/logs/debug.log")
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    assert [*ingest.store.runs] == ["wandb/a name"]
    (loaded,) = ingest.store.runs.values()
    assert [*loaded.series] == ["loss"]
    assert len(loaded.series["loss"].curve().x) == 10
    assert loaded.config == {"lr": 0.1, "seed": 4}
    assert loaded.info["command"] == ["train.py"]
    assert loaded.info["name"] == "a name"
    assert loaded.end is not None
    assert loaded.end.status == "finished"
    assert not loaded.notices


def test_a_run_that_grows_is_followed(w: Any, tmp_path: Path) -> None:
    """What is appended is read from where the last record ended, half of one included."""
    run = tmp_path / "run-20231114_221320-abc"
    run.mkdir()
    path = run / "run-abc.wandb"
    log = w.File().add(w.RUN)
    ingest = Ingest([str(tmp_path)])
    done = 0
    for step in range(40):
        log.add(w.history({"loss": float(step)}, step, w.START + step))
        half = log.ends[-1] - 20 if step % 3 else log.ends[-1]
        with path.open("ab") as file:
            file.write(log.data[done:half])
        done = half
        ingest.load()
        (loaded,) = ingest.store.runs.values()
        count = step + 1 if half == log.ends[-1] else step
        assert (loaded.series["loss"].count if "loss" in loaded.series else 0) == count


def test_runs_are_called_by_the_names_they_were_given(w: Any, tmp_path: Path) -> None:
    """As W&B shows them; the id tells runs of one name apart, and a run without a name keeps its directory's."""
    for run, name in (("a1", "sunny"), ("b2", "warm"), ("c3", "warm"), ("d4", "")):
        start = w.message(17, w.message(1, run.encode()), w.message(8, name.encode()), w.stamp(17, w.START))
        folder = tmp_path / "wandb" / f"offline-run-20260101_00000{run[1]}-{run}"
        folder.mkdir(parents=True)
        log = w.File().add(start, *(w.history({"loss": 0.5}, step, w.START + step) for step in range(3)))
        (folder / f"run-{run}.wandb").write_bytes(log.data)
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    expected = {"wandb/sunny", "wandb/warm-b2", "wandb/warm-c3", "wandb/offline-run-20260101_000004-d4"}
    assert set(ingest.store.runs) == expected
    with (tmp_path / "wandb" / "offline-run-20260101_000001-a1" / "run-a1.wandb").open("ab") as file:
        file.write(b"\0" * 10)
    ingest.load()
    assert set(ingest.store.runs) == expected
