"""A directory of logs of many programs: each training is one run, whatever it was written with."""

from __future__ import annotations

import json
import math
import struct
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tuimon.store import Run

    from .conftest import Logs

tensorboardX = pytest.importorskip("tensorboardX")

START = 1_700_000_000.0
STEPS = range(0, 100, 10)


def loss(step: float) -> float:
    return 4.0 / (1 + step)


def events(logs: Logs, place: str, tags: Sequence[str], steps: Sequence[int] = STEPS) -> None:
    """An event file that holds the loss under each of these tags."""
    with tensorboardX.SummaryWriter(str(logs.root / place)) as writer:
        for step in steps:
            for tag in tags:
                writer.add_scalar(tag, loss(step), step, walltime=START + step)


def json_lines(rows: Sequence[Mapping[str, object]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def csv(rows: Sequence[Mapping[str, object]]) -> str:
    return "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]) + "\n"


def told_twice(logs: Logs, run: str) -> dict[str, int]:
    """How many tags of which files are shown from another one."""
    return {Path(mirror.path).name: mirror.hidden for mirror in logs.run(run).mirrors}


def count(logs: Logs, run: str, name: str) -> dict[str, int]:
    """The tags that say such a name, each with its number of points."""
    return {tag: series.count for tag, series in logs.run(run).series.items() if name in tag.lower()}


def test_a_trial_of_ray_is_one_run(native: Logs) -> None:
    """Results as JSON, CSV and events, and the settings: three times the same."""
    rows: list[dict[str, object]] = [
        {
            "episode_reward_mean": loss(i),
            "time_total_s": 1.5 * i,
            "training_iteration": i,
            "timestamp": int(START + i),
            "config/lr": 0.5,
        }
        for i in range(1, 11)
    ]
    native.put("PPO/trial_0/result.json", json_lines(rows))
    native.put("PPO/trial_0/progress.csv", csv(rows))
    native.put("PPO/trial_0/params.json", json.dumps({"lr": 0.5, "model": {"layers": 2}}))
    events(native, "PPO/trial_0", ["ray/tune/episode_reward_mean"], range(1, 11))
    assert list(native.load().runs) == ["PPO/trial_0"]
    assert list(count(native, "PPO/trial_0", "reward_mean").values()) == [10]
    assert set(told_twice(native, "PPO/trial_0")) == {
        "progress.csv",
        next((native.root / "PPO/trial_0").glob("ev*")).name,
    }
    assert native.run("PPO/trial_0").attempts == 1


def test_a_run_of_stable_baselines_is_one(native: Logs) -> None:
    """``progress.csv``, ``progress.json`` and events of one logger."""
    rows: list[dict[str, object]] = [
        {"rollout/ep_rew_mean": loss(step), "time/total_timesteps": step, "train/loss": loss(step)} for step in STEPS
    ]
    native.put("sb3/progress.csv", csv(rows))
    native.put("sb3/progress.json", json_lines(rows))
    events(native, "sb3", ["rollout/ep_rew_mean", "train/loss"])
    assert list(native.load().runs) == ["sb3"]
    assert count(native, "sb3", "rew_mean") == {"rollout/ep_rew_mean": 10}
    assert native.run("sb3").attempts == 1
    assert set(told_twice(native, "sb3")) == {"progress.csv", "progress.json"}


def test_a_run_of_yolo_is_one(native: Logs) -> None:
    """``results.csv`` is padded with blanks, its tags are those of the events."""
    names = ["train/box_loss", "metrics/mAP50(B)"]
    lines = [",".join(["                  epoch", *(f"{name:>24}" for name in names)])]
    lines += [",".join([f"{epoch:>23}", *(f"{loss(epoch):>24.5g}" for _ in names)]) for epoch in range(10)]
    native.put("runs/detect/train/results.csv", "\n".join(lines) + "\n")
    events(native, "runs/detect/train", ["train/box_loss", "metrics/mAP50_B"], range(10))
    native.put("runs/detect/train/args.yaml", "lr0: 0.01\nepochs: 10\n")
    run = native.run("runs/detect/train")
    assert [series.count for series in run.series.values() if series.tag != "epoch"] == [10, 10]
    assert set(told_twice(native, "runs/detect/train")) == {"results.csv"}
    assert run.config["lr0"] == 0.01


def test_a_run_of_openmmlab_is_one(native: Logs) -> None:
    """A log for people, the same as JSON lines, and events in a directory for logs."""
    rows = [{"mode": "train", "epoch": 1, "iter": step, "lr": 0.02, "loss": round(loss(step), 5)} for step in STEPS]
    printed = [
        f"2021-08-12 19:06:{step // 2:02} - mmdet - INFO - Epoch [1][{step}/100]\tlr: 2.000e-02, eta: 0:01:00, "
        f"time: 0.5, loss: {loss(step):.4f}"
        for step in STEPS
    ]
    native.put("work/20210812_190636.log.json", json_lines([{"env_info": "x", "seed": 1}, *rows]))
    native.put("work/20210812_190636.log", "\n".join(printed) + "\n")
    events(native, "work/tf_logs", ["train/loss", "learning_rate"])
    assert list(native.load().runs) == ["work"]
    assert list(count(native, "work", "loss").values()) == [10]
    assert native.run("work").attempts == 1


def test_a_run_of_the_trainer_is_one(native: Logs) -> None:
    """Checkpoints keep what the events below ``runs`` tell, up to where they were saved."""
    history = [{"step": step, "epoch": step / 50, "loss": loss(step), "learning_rate": 1e-3} for step in STEPS]
    for last in (50, 90):
        state = {"global_step": last, "log_history": [row for row in history if float(row["step"]) <= last]}
        native.put(f"results/checkpoint-{last}/trainer_state.json", json.dumps(state, indent=2))
    events(native, "results/runs/Nov14_22-13-20_host", ["train/loss", "train/learning_rate"])
    assert list(native.load().runs) == ["results/runs/Nov14_22-13-20_host"]
    assert count(native, "results/runs/Nov14_22-13-20_host", "loss") == {"train/loss": 10}
    assert len(native.run("results/runs/Nov14_22-13-20_host").sources) == 2


def test_all_that_is_known_of_a_run_is_in_the_comparison(native: Logs) -> None:
    """Settings from a file of their own, from events and from the writer's header stand in one table."""
    for name, rate in (("a", 0.1), ("b", 0.2)):
        events(native, f"lightning/{name}", ["loss"])
        native.put(f"lightning/{name}/hparams.yaml", f"lr: {rate}\nmodel: resnet\n")
    with tensorboardX.SummaryWriter(str(native.root / "torch")) as writer:
        writer.add_scalar("loss", 0.5, 1)
        writer.add_hparams({"lr": 0.3}, {"hparam/acc": 0.75})
    header = {"tuimon": 1, "run": {"started": START}, "config": {"lr": 0.4}}
    native.put("own/log.jsonl", json_lines([header, {"step": 1, "time": START, "scalars": {"loss": 0.5}}]))
    table = native.tuimon("compare")
    for text in ("lr", "0.1", "0.2", "0.3", "0.4"):
        assert text in table


def test_seconds_and_milliseconds_are_one_time_axis(native: Logs) -> None:
    """VisualDL writes times in milliseconds; a run of the same date is at the same place (case E2)."""

    def field(number: int, content: bytes) -> bytes:
        return bytes([number << 3 | 2, len(content)]) + content

    def varint(value: int) -> bytes:
        return bytes([value & 0x7F | 0x80]) + varint(value >> 7) if value > 0x7F else bytes([value])

    def record(tag: str, step: int, value: bytes) -> bytes:
        inner = b"\x08" + varint(step) + field(2, tag.encode()) + b"\x18" + varint(int(1000 * (START + step))) + value
        message = field(1, inner)
        return struct.pack("<Q", len(message)) + message

    log = record("meta_data_tag", 0, field(10, b""))
    log += b"".join(record("loss", step, b"\x25" + struct.pack("<f", loss(step))) for step in STEPS)
    native.put("vdl/vdlrecords.1700000000.log", log)
    events(native, "tfe", ["loss"])
    ours, theirs = (native.series("loss", run).curve("time") for run in ("vdl", "tfe"))
    assert ours.x.tolist() == theirs.x.tolist() == [START + step for step in STEPS]
    assert all(map(math.isclose, ours.low.tolist(), theirs.low.tolist()))


def test_real_logs_of_several_formats(native: Logs, real_logs: Path) -> None:
    """No run of real programs is told twice, none is empty, and those that are in two formats are one."""

    def runs(kind: str) -> dict[str, Run]:
        native.root = real_logs / kind
        return native.load().runs

    ray = runs("ray-tune")
    (trial,) = [run for run in ray.values() if run.mirrors]
    assert (len(trial.sources), len(trial.mirrors), trial.attempts) == (3, 2, 1)
    assert not any("ray_tmp" in run for run in ray)
    (newest,) = runs("hf-trainer/2")["results"].sources
    assert newest.path.endswith("checkpoint-71792/trainer_state.json")
    pytorch = runs("tfevents-pytorch/1")
    assert {run: len(found.sources) for run, found in pytorch.items()} == {"logs": 97}
    assert set(pytorch["logs"].series) >= {"data/data_group/x", "data/data_group/y"}
    experiments = Counter(run.rpartition("/")[0] for run in runs("mlflow-mlruns/1"))
    assert sorted(experiments.values()) == [2, 3]
    assert not {"mlruns/0", "mlruns/1"} & experiments.keys()
    assert set(runs("catboost")) == {f"1/catboost_info{part}" for part in ("/learn", "/test", "")}
    assert not any(run.endswith("/files") for run in runs("wandb-offline/2"))
