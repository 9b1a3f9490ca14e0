"""``import tuimon_writer as wandb`` runs scripts that track with wandb."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tuimon_writer as wandb
from tuimon_writer import tracking


@pytest.fixture(autouse=True)
def _clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield
    wandb.finish()
    tracking._runs.clear()
    tracking._early._values.clear()


def test_article_script(train: Any, logs: Any, tmp_path: Path) -> None:
    """A script that tracks with wandb, and with a SummaryWriter beside it, runs with only its import lines changed."""
    source = """
import tuimon_writer as wandb
from tuimon_writer import SummaryWriter
config = {"lr": 0.001, "batch_size": 64, "architecture": "ResNet18"}
wandb.init(project="my-project")
wandb.config.update(config)
writer = SummaryWriter("runs/exp1")
for epoch in range(5):
    train_loss = 1.0 / (epoch + 1)
    wandb.log({"loss": train_loss})
    writer.add_scalar("Loss/train", train_loss, epoch)
assert wandb.config.lr == wandb.config["lr"] == 0.001
wandb.finish()
writer.close()
"""
    status, _, errors = train(source).finish()
    assert (status, errors) == (0, "")
    (run,) = (tmp_path / "runs" / "my-project").iterdir()
    lines = logs.read(run)
    assert logs.points(lines, "loss") == [(step, 1.0 / (step + 1)) for step in range(5)]
    assert {"config": {"lr": 0.001, "batch_size": 64, "architecture": "ResNet18"}} in lines
    assert logs.end(lines)["status"] == "finished"
    assert logs.points(logs.read(tmp_path / "runs" / "exp1"), "Loss/train")[4] == (4, 0.2)


def test_steps(logs: Any, tmp_path: Path) -> None:
    """Steps count themselves, wait for a commit, follow a given step, and go back without losing anything."""
    wandb.init(name="run")
    wandb.log({"x": 0.0})
    wandb.log({"x": 1.0}, commit=False)
    wandb.log({"y": 1.0})
    wandb.log({"x": 10.0}, step=10)
    wandb.log({"y": 10.0})
    wandb.log({"x": 3.0}, step=3)
    wandb.log({"x": 11.0})
    wandb.finish()
    rows = [(line["step"], line["scalars"]) for line in logs.read(tmp_path / "runs" / "run") if "scalars" in line]
    assert rows == [
        (0, {"x": 0.0}),
        (1, {"x": 1.0, "y": 1.0}),
        (10, {"x": 10.0, "y": 10.0}),
        (3, {"x": 3.0}),
        (11, {"x": 11.0}),
    ]


def test_values(logs: Any, tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """Nested values flatten with dots; strings, histograms and tensors find their place; objects are warned of."""
    with wandb.init(name="run") as run:
        run.log({"n": {"x": {"y": math.nan}}, "count": np.int64(3), "none": None, "text": "hello", "number": "0.5"})
        run.log({"h": wandb.Histogram([1.0, 2.0, 3.0], num_bins=2), "w": np.arange(100.0)})
        run.log({"counted": wandb.Histogram(np_histogram=([1, 2], [0.0, 1.0, 2.0]))})
        run.log({"image": wandb.Image(np.zeros((2, 2)), caption="c"), "list": [1, 2]})
        run.log(3)  # type: ignore[arg-type]
    lines = logs.read(tmp_path / "runs" / "run")
    histograms = {line["histogram"]["tag"]: line["histogram"] for line in lines if "histogram" in line}
    assert {"n.x.y": "NaN", "count": 3, "none": None, "number": "0.5"}.keys() == lines[2]["scalars"].keys()
    assert lines[1]["text"] == {"tag": "text", "text": "hello"}
    assert histograms["h"]["counts"] == [1, 2]
    assert sum(histograms["w"]["counts"]) == 100
    assert (histograms["counted"]["edges"], histograms["counted"]["counts"]) == ([0.0, 1.0, 2.0], [1, 2])
    assert [line["media"]["caption"] for line in lines if "media" in line] == ["c"]
    assert len(recwarn) == 2


def test_init_keywords(logs: Any, tmp_path: Path) -> None:
    """All keywords are accepted, and what describes the run is in its header."""
    run = wandb.init(
        entity="team", project="p", dir=tmp_path / "logs", id="abc", name="a name", notes="n", tags=["t"], group="g",
        config=argparse.Namespace(lr=0.1, secret="x"), config_exclude_keys=["secret"], allow_val_change=True,
        job_type="train", mode="offline", force=False, reinit=True, resume="allow", save_code=True, tensorboard=False,
        sync_tensorboard=True, monitor_gym=False, settings=None, anonymous=None, total_steps=100,
    )  # fmt: skip
    assert (run.id, run.name, run.project, wandb.run) == ("abc", "a name", "p", run)
    wandb.finish()
    assert wandb.run is None
    header = logs.read(tmp_path / "logs" / "p" / "abc")[0]
    expected = {"name": "a name", "id": "abc", "project": "p", "entity": "team", "group": "g", "tags": ["t"]}
    assert expected.items() <= header["run"].items()
    assert header["run"]["total_steps"] == 100
    assert "resumed" not in header["run"]
    assert header["config"] == {"lr": 0.1}


def test_resuming(logs: Any, tmp_path: Path) -> None:
    """The same id with resume goes on in the directory and says so; from a step on where one is given."""
    wandb.init(id="abc").log({"x": 1.0})
    wandb.init(id="abc", resume="allow")
    wandb.init(resume_from="abc?_step=200").log({"x": 2.0})
    wandb.finish()
    lines = logs.read(tmp_path / "runs" / "abc")
    assert [line["run"].get("resumed", False) for line in lines if "run" in line] == [False, True, True]
    assert {"restart": {"step": 200}} in lines
    assert logs.points(lines, "x") == [(0, 1.0), (200, 2.0)]


def test_same_name_twice(tmp_path: Path) -> None:
    """Two runs of one name are two runs."""
    wandb.init(name="run")
    assert Path(wandb.init(name="run").dir).name == "run-2"


def test_disabled(tmp_path: Path) -> None:
    """A disabled run works and leaves nothing."""
    run = wandb.init(mode="disabled", config={"lr": 1})
    wandb.log({"x": 1.0})
    assert run.config.lr == 1
    wandb.finish()
    assert not list(tmp_path.iterdir())


def test_config(logs: Any, tmp_path: Path) -> None:
    """Settings are read and set as items and attributes, before and after init, and may change."""
    from tuimon_writer import config

    wandb.config.early = 1
    run = wandb.init(name="run", config={"lr": 0.1, "nested": {"a": 1}})
    assert config.early == run.config["early"] == 1
    config.lr = 0.2
    config["optimizer"] = "adam"
    config.update({"lr": 0.3}, allow_val_change=True)
    config.setdefaults({"lr": 9, "new": 1})
    assert (config.get("lr"), config.get("x", 7), "new" in config) == (0.3, 7, True)
    assert dict(config.items()) == config.as_dict() == dict(config)
    with pytest.raises(AttributeError):
        _ = config.missing
    wandb.finish()
    lines = logs.read(tmp_path / "runs" / "run")
    assert lines[0]["config"] == {"early": 1, "lr": 0.1, "nested": {"a": 1}}
    assert [line["config"] for line in lines[1:] if "config" in line] == [
        {"lr": 0.2}, {"optimizer": "adam"}, {"lr": 0.3}, {"new": 1},
    ]  # fmt: skip


def test_summary(logs: Any, tmp_path: Path) -> None:
    """The summary holds the last values; what is set in it is logged under its own tags."""
    run = wandb.init(name="run")
    run.log({"loss": 0.5})
    run.summary["best"] = 0.25
    wandb.summary.update({"acc": 0.75})
    assert (run.summary["loss"], wandb.summary.best) == (0.5, 0.25)
    wandb.finish()
    lines = logs.read(tmp_path / "runs" / "run")
    assert logs.points(lines, "summary/best") + logs.points(lines, "summary/acc") == [(1, 0.25), (1, 0.75)]


def test_failed_runs(logs: Any, tmp_path: Path) -> None:
    """A run that an exception leaves, or that finishes with an exit code, has failed."""
    with pytest.raises(ValueError, match="bad"), wandb.init(name="a"):
        raise ValueError("bad")
    wandb.init(name="b")
    wandb.finish(exit_code=3)
    assert logs.end(logs.read(tmp_path / "runs" / "a"))["error"].endswith("ValueError: bad")
    assert logs.end(logs.read(tmp_path / "runs" / "b")).items() >= {"status": "failed", "exit": 3}.items()


def test_log_without_init_and_after_finish(logs: Any, tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """Values that are logged before init or after finish are kept."""
    wandb.log({"x": 1.0})
    assert wandb.run is not None
    directory = Path(wandb.run.dir)
    wandb.finish()
    wandb.log({"x": 2.0})
    tracking._runs[-1].close()
    assert logs.points(logs.read(directory), "x") == [(0, 1.0), (1, 2.0)]
    assert len(recwarn) == 1


def test_file_after_finish_says_the_settings_of_then(logs: Any) -> None:
    """A file that is begun after finish has the settings as they were changed, not those of init."""
    run: Any = wandb.init(name="run", config={"lr": 0.01, "epochs": 5})
    wandb.config.update({"lr": 0.02}, allow_val_change=True)
    wandb.config.batch = 64
    wandb.finish()
    with pytest.warns(UserWarning, match="after finish"):
        wandb.log({"x": 2.0})
    tracking._runs[-1].close()
    configs = [line["config"] for line in logs.read(Path(run.dir)) if line.get("tuimon")]
    assert configs[-1] == {"lr": 0.02, "epochs": 5, "batch": 64}


def test_names_that_nothing_stands_behind(recwarn: pytest.WarningsRecorder) -> None:
    """Names that are not here warn once when they are called, and do nothing, however they are used."""
    module: Any = wandb
    run: Any = wandb.init(name="run", settings=module.Settings(start_method="fork"))
    assert module.Api is module.Api
    for _ in range(2):
        assert list(module.Api().runs("x")) == []
        assert not module.sweep({"a": 1})
        with run.some_block("x") as block:
            block.anything.at.all(1)
    assert [str(warning.message).split()[1] for warning in recwarn][:5] == [
        "wandb.Api", "wandb.Api().runs", "wandb.sweep", "run.some_block", "run.some_block().anything.at.all",
    ]  # fmt: skip
    with pytest.raises(AttributeError):
        _ = module._private
    with pytest.raises(AttributeError):
        _ = run._private
    run.log({"x": module.Graph(), "list": [module.Graph()], "plot": module.plot.custom_chart(), "loss": 0.5})
    assert module.login() is True
    assert module.errors.CommError is module.CommError
    assert issubclass(module.CommError, module.Error)


def test_booleans_and_other_numbers_in_a_row(logs: Any, tmp_path: Path) -> None:
    """Rows that look plain are still written as JSON: booleans as 0 and 1, tags that are no strings as such."""
    run = wandb.init(name="run")
    run.log({"a": 0.5, "flag": True, 3: 1})  # type: ignore[dict-item]
    run.log({"a": 1, "b": 2}, step=7)
    run.log({"a": 1.5}, step=np.int64(8))
    run.log({"a": 1, "flag": False}, step=8)
    run.log({}, step=8)
    row = {"a": 2.5}
    run.log(row, step=9)
    row["a"] = 0.0
    wandb.finish()
    rows = [(line["step"], line["scalars"]) for line in logs.read(tmp_path / "runs" / "run") if "scalars" in line]
    assert rows == [
        (0, {"a": 0.5, "flag": 1, "3": 1}), (7, {"a": 1, "b": 2}), (8, {"a": 1.5}), (8, {"a": 1, "flag": 0}),
        (9, {"a": 2.5}),
    ]  # fmt: skip


def test_modes_in_settings(tmp_path: Path) -> None:
    """A mode in the settings counts when none is given."""
    assert wandb.init(settings=wandb.Settings(mode="disabled")).disabled
    assert wandb.init(settings={"mode": "disabled"}).disabled
    assert not wandb.init(mode="offline", settings={"mode": "disabled"}).disabled


@pytest.mark.parametrize(("installed", "version"), [(True, "1.2.3"), (False, "0")])
def test_version(monkeypatch: pytest.MonkeyPatch, installed: bool, version: str) -> None:
    """Scripts that print or compare the version get tuimon's own, also from a checkout that is not installed."""

    def look_up(name: str) -> str:
        if not installed:
            raise metadata.PackageNotFoundError(name)
        return {"tuimon": version}[name]

    monkeypatch.setattr(metadata, "version", look_up)
    assert wandb.__version__ == version
