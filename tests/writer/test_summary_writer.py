"""`SummaryWriter` takes the calls of torch's and tensorboardX's writers and logs what they mean."""

from __future__ import annotations

import json
import math
import re
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tuimon_writer import SummaryWriter


def test_article_script(train: Any, logs: Any, tmp_path: Path) -> None:
    """A PyTorch training script runs with only its import line changed, and without PyTorch."""
    source = """
import numpy as np
from tuimon_writer import SummaryWriter
class Parameter:
    requires_grad = True
    def __init__(self, values): self.values = values
    def detach(self): return Parameter(self.values)
    def cpu(self): return self
    def numpy(self): return self.values
class Model:
    def named_parameters(self):
        yield "layer1.0.conv1.weight", Parameter(np.random.default_rng(1).normal(size=(4, 3, 3, 3)))
        yield "fc.bias", Parameter(np.zeros(5, dtype=np.float32))
model = Model()
train_loss = np.float32(0.25)
writer = SummaryWriter("logs")
for epoch in range(100):
    writer.add_scalar("Loss/train", train_loss, epoch)
    for name, param in model.named_parameters():
        writer.add_histogram(f"Weights/{name}", param, epoch)
writer.add_hparams({"lr": 0.001, "batch_size": 64, "architecture": "ResNet18"}, {})
"""
    status, _, errors = train(source).finish()
    lines = logs.read(tmp_path / "logs")
    histograms = [line for line in lines if "histogram" in line]
    assert (status, errors) == (0, "")
    assert logs.points(lines, "Loss/train") == [(epoch, 0.25) for epoch in range(100)]
    assert [line["histogram"]["tag"] for line in histograms[:2]] == ["Weights/layer1.0.conv1.weight", "Weights/fc.bias"]
    assert [line["step"] for line in histograms[::2]] == list(range(100))
    assert {"config": {"lr": 0.001, "batch_size": 64, "architecture": "ResNet18"}} in lines
    assert len(list((tmp_path / "logs").iterdir())) == 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.1234567890123, 0.1234567890123),
        (16777217, 16777217),
        (16777217.0, 16777217.0),
        (1e39, 1e39),
        (-0.0, -0.0),
        (5e-324, 5e-324),
        (True, 1),
        (None, None),
        ("0.5", 0.5),
        ("nan", "NaN"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (np.float32(0.1), float(np.float32(0.1))),
        (np.float64("nan"), "NaN"),
        (np.float16(0.5), 0.5),
        (np.int64(2**53), 2**53),
        (np.bool_(True), 1),
        (np.array([[3.5]]), 3.5),
        (np.array(7, dtype=object), 7),
        (Decimal("0.25"), 0.25),
        (10**300, 1e300),
    ],
)
def test_values(tmp_path: Path, logs: Any, value: object, expected: object) -> None:
    """Whatever stands for one number is logged exactly; non-finite numbers by name (cases A6, A10, E12, H17)."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("x", value, 1)
    ((_, found),) = logs.points(logs.read(tmp_path), "x")
    assert found == expected
    assert math.copysign(1, found or 0) == math.copysign(1, expected or 0) if isinstance(found, float) else True


@pytest.mark.parametrize(
    "value", ["high", np.zeros(2), [1.0], {}, object(), 1j, np.complex64(1), np.datetime64("2026-01-01"), 10**400]
)
def test_values_that_are_no_number(tmp_path: Path, logs: Any, value: object, recwarn: pytest.WarningsRecorder) -> None:
    """What is not one real number costs one warning a tag, and neither an exception nor the values beside it."""
    with SummaryWriter(tmp_path) as writer:
        for step in range(3):
            writer.add_scalar("bad", value, step)
            writer.add_scalar("good", 1.0, step)
    lines = logs.read(tmp_path)
    assert logs.points(lines, "bad") == []
    assert logs.points(lines, "good") == [(0, 1.0), (1, 1.0), (2, 1.0)]
    assert ["'bad'" in str(warning.message) for warning in recwarn] == [True]


def test_steps(tmp_path: Path, logs: Any) -> None:
    """Steps of any order and kind are kept; None is no step rather than step 0 (cases B8, B19)."""
    steps = [0, 9999, 3, 1.7, None, None, -1, np.int64(5), np.array(6), 2**53]
    with SummaryWriter(tmp_path) as writer:
        for step in steps:
            writer.add_scalar("x", 1.0, step)
    assert [step for step, _ in logs.points(logs.read(tmp_path), "x")] == [0, 9999, 3, 1.7, None, None, -1, 5, 6, 2**53]


@pytest.mark.parametrize("step", [math.nan, "last", [1, 2]])
def test_steps_that_are_no_number(tmp_path: Path, logs: Any, step: object, recwarn: pytest.WarningsRecorder) -> None:
    """A step that is no number costs one warning; the value is logged without a step."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("x", 1.0, step)
        writer.add_scalar("x", 2.0, step)
    assert logs.points(logs.read(tmp_path), "x") == [(None, 1.0), (None, 2.0)]
    assert len(recwarn) == 1


TAGS = [
    "Episode / Total timesteps (mean)",
    "训练/损失 %",
    "a:b",
    "🙂",
    "/lead",
    "a\nb\x1b[31m\x7f",
    '"\\',
    "%s",
    "",
    "\ud800x",
]


def test_tags_are_kept(tmp_path: Path, logs: Any) -> None:
    """Tags are stored as they are, whatever is in them (case H15)."""
    with SummaryWriter(tmp_path) as writer:
        for tag in TAGS:
            writer.add_scalar(tag, 1.0, 1)
            writer.add_text(tag, tag, 1)
            writer.add_histogram(tag, [1.0, 2.0], 1)
    lines = logs.read(tmp_path)
    assert [tag for line in lines for tag in line.get("scalars", ())] == TAGS
    assert [line["text"] for line in lines if "text" in line] == [{"tag": tag, "text": tag} for tag in TAGS]
    assert [line["histogram"]["tag"] for line in lines if "histogram" in line] == TAGS


def test_values_of_a_step_share_a_line(tmp_path: Path, logs: Any) -> None:
    """What is logged for one step in a row is one line; a tag that comes again begins another one."""
    with SummaryWriter(tmp_path) as writer:
        for step in range(2):
            writer.add_scalar("loss", 1.0, step)
            writer.add_scalar("lr", 0.1, step)
            writer.add_scalars("acc", {"train": 0.5, "val": math.nan}, step)
            writer.add_scalar("loss", 2.0, step)
    rows = [(line["step"], line["scalars"]) for line in logs.read(tmp_path) if "scalars" in line]
    first = {"loss": 1.0, "lr": 0.1, "acc/train": 0.5, "acc/val": "NaN"}
    assert rows == [(0, first), (0, {"loss": 2.0}), (1, first), (1, {"loss": 2.0})]


def test_add_scalars_makes_one_file(tmp_path: Path, logs: Any) -> None:
    """Hundreds of sub-tags go into one file (case H13)."""
    with SummaryWriter(tmp_path) as writer:
        for step in range(20):
            writer.add_scalars("many", {f"tag{number}": number for number in range(500)}, step)
    assert len(list(tmp_path.iterdir())) == 1
    assert logs.points(logs.read(tmp_path), "many/tag499") == [(step, 499) for step in range(20)]


def test_walltime(tmp_path: Path, logs: Any) -> None:
    """A wall time that is given is kept, and values far apart in time do not share a line."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("a", 1.0, 0, 1000.125)
        writer.add_scalar("b", 1.0, 0, 1060.0)
    rows = [(line["time"], line["scalars"]) for line in logs.read(tmp_path) if "scalars" in line]
    assert rows == [(1000.125, {"a": 1.0}), (1060.0, {"b": 1.0})]


def test_positional_orders(tmp_path: Path, logs: Any) -> None:
    """The positional orders of both libraries are understood, also where they differ."""
    with SummaryWriter(str(tmp_path), "", None, 10, 120, "") as writer:
        writer.add_scalar("x", 1.5, 1, 1000.0, True, True)
        writer.add_scalar("y", 1.5, 1, 1000.0, "display", "description")
        writer.add_hparams({"lr": 1}, {"torch": 1.0}, {"lr": [1, 2]}, "run", 4)
        writer.add_hparams({"lr": 2}, {"x": 2.0}, "name", 5)
        writer.add_hparams({"lr": 4}, {"x": 3.0}, None, None, 7)
        writer.add_hparams({"lr": 3}, {"keyword": 3.0}, run_name="run", global_step=6)
    lines = logs.read(tmp_path)
    assert (logs.points(lines, "torch"), logs.points(lines, "keyword")) == ([(4, 1.0)], [(6, 3.0)])
    assert logs.points(lines, "x") == [(1, 1.5), (5, 2.0), (7, 3.0)]
    assert [line["config"] for line in lines[1:] if "config" in line] == [
        {"lr": 1}, {"lr": 2}, {"lr": 4}, {"lr": 3},
    ]  # fmt: skip


def test_hyper_parameters_of_any_type(tmp_path: Path, logs: Any) -> None:
    """Settings of any type are recorded, in the run itself (cases F7, F10)."""
    settings = {
        "flag": True,
        "none": None,
        "nan": math.nan,
        "tensor": np.float32(0.5),
        "nested": {"depth": [1, (2, 3)]},
        "path": Path("data"),
        "type": dict,
    }
    with SummaryWriter(tmp_path) as writer:
        writer.add_hparams(settings, {"sss": 5})
    lines = logs.read(tmp_path)
    (config,) = [line["config"] for line in lines[1:] if "config" in line]
    assert config == {
        "flag": True,
        "none": None,
        "nan": "NaN",
        "tensor": 0.5,
        "nested": {"depth": [1, [2, 3]]},
        "path": "data",
        "type": "<class 'dict'>",
    }
    assert logs.points(lines, "sss") == [(None, 5)]


def test_header(tmp_path: Path, logs: Any) -> None:
    """The first line says what made the log."""
    with SummaryWriter(tmp_path / "run", total_steps=500, resumed=True):
        pass
    header = logs.read(tmp_path / "run")[0]
    run = header["run"]
    assert header["config"] == {}
    assert (run["name"], run["total_steps"], run["resumed"]) == ("run", 500, True)
    assert run["command"] == sys.orig_argv
    assert {"host", "pid", "python", "started"} <= run.keys()


def test_rank(train: Any, logs: Any, tmp_path: Path) -> None:
    """The rank of a distributed training is in the header."""
    source = "import os\nos.environ['RANK'] = '3'\nfrom tuimon_writer import SummaryWriter\nSummaryWriter('logs')"
    train(source).finish()
    assert logs.read(tmp_path / "logs")[0]["run"]["rank"] == 3


def test_purge_step(tmp_path: Path, logs: Any) -> None:
    """A purge step says from where on earlier values are superseded (cases B2, B20)."""
    with SummaryWriter(tmp_path, purge_step=250) as writer:
        writer.add_scalar("x", 1.0, 250)
    lines = logs.read(tmp_path)
    assert lines[0]["run"]["resumed"] is True
    assert lines[1] == {"restart": {"step": 250}}


def test_default_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a directory the log goes where TensorBoard's writers put it."""
    monkeypatch.chdir(tmp_path)
    with SummaryWriter(comment="-lr1") as writer:
        assert re.fullmatch(r"runs/\w{3}\d\d_\d\d-\d\d-\d\d_.+-lr1", writer.get_logdir())
        assert writer.log_dir == writer.logdir == writer.get_logdir()
    assert list(Path(writer.log_dir).iterdir())


def test_write_to_disk_false(tmp_path: Path) -> None:
    """A writer that is switched off takes everything and leaves nothing."""
    with SummaryWriter(tmp_path / "logs", write_to_disk=False) as writer:
        writer.add_scalar("x", 1.0, 1)
        writer.add_histogram("h", [1.0], 1)
        writer.flush()
    assert not (tmp_path / "logs").exists()


def test_close_twice_and_write_after_close(tmp_path: Path, logs: Any) -> None:
    """Closing again does nothing; writing after it begins a new file."""
    writer = SummaryWriter(tmp_path)
    writer.add_scalar("x", 1.0, 1)
    writer.close()
    writer.close()
    assert len(list(tmp_path.iterdir())) == 1
    writer.add_scalar("x", 2.0, 2)
    writer.close()
    assert len(list(tmp_path.iterdir())) == 2
    lines = logs.read(tmp_path)
    assert logs.points(lines, "x") == [(1, 1.0), (2, 2.0)]
    assert [line["end"]["status"] for line in lines if "end" in line] == ["finished", "finished"]


def test_flush(tmp_path: Path, logs: Any) -> None:
    """After flush everything is in the file."""
    writer = SummaryWriter(tmp_path)
    for step in range(5000):
        writer.add_scalar("x", 1.0, step)
    writer.flush()
    assert len(logs.points(logs.read(tmp_path), "x")) == 5000
    writer.close()


def test_raw_histogram(tmp_path: Path, logs: Any) -> None:
    """A histogram that was counted elsewhere keeps its bins, without TensorBoard's bins to the largest floats."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_histogram_raw("h", 0.5, 3.0, 4, 7.0, 15.0, [-1e308, 1.0, 2.0, 1.7e308], [0, 1, 1, 2], 1)
    (found,) = [line["histogram"] for line in logs.read(tmp_path) if "histogram" in line]
    assert found["edges"] == [0.5, 1.0, 2.0, 3.0]
    assert found["counts"] == [1, 1, 2]
    assert (found["min"], found["max"], found["mean"], found["std"]) == (0.5, 3.0, 1.75, math.sqrt(15 / 4 - 1.75**2))


def test_names_that_no_library_has(tmp_path: Path) -> None:
    """A method that neither library has is an error of the script, as it is there."""
    with SummaryWriter(tmp_path) as writer, pytest.raises(AttributeError):
        _ = writer.add_nonsense  # type: ignore[attr-defined]


def test_default_step_and_time(tmp_path: Path, logs: Any) -> None:
    """In a block with metadata, calls without a step or a time have the block's."""
    with SummaryWriter(tmp_path) as writer:
        with writer.use_metadata(global_step=3, walltime=50.0) as same:
            same.add_scalar("x", 1.0)
            writer.add_scalar("x", 2.0, 4, 60.0)
            writer.add_text("t", "hello")
        writer.add_scalar("x", 3.0)
    lines = logs.read(tmp_path)
    assert [(line["step"], line["time"]) for line in lines if "text" in line or "scalars" in line][:3] == [
        (3, 50.0), (4, 60.0), (3, 50.0),
    ]  # fmt: skip
    assert logs.points(lines, "x") == [(3, 1.0), (4, 2.0), (None, 3.0)]


def test_export_of_scalars(tmp_path: Path) -> None:
    """All scalars of the writer can be had as one JSON file."""
    with SummaryWriter(tmp_path / "log") as writer:
        writer.add_scalars("main", {"a": 1.5, "b": math.inf}, 3, 50.0)
        writer.add_scalar("x", 2.0, None, 60.0)
        writer.export_scalars_to_json(tmp_path / "scalars.json")
    found = json.loads((tmp_path / "scalars.json").read_text())
    name = str(tmp_path / "log")
    assert found == {
        f"{name}/main/a": [[50.0, 3, 1.5]], f"{name}/main/b": [[50.0, 3, math.inf]], f"{name}/x": [[60.0, None, 2.0]],
    }  # fmt: skip


def test_attributes_that_scripts_use(tmp_path: Path, recwarn: pytest.WarningsRecorder) -> None:
    """The attributes of torch's and tensorboardX's writers are there."""
    with SummaryWriter(tmp_path) as writer:
        assert writer.file_writer.get_logdir() == str(tmp_path)
        assert list(writer.all_writers) == [str(tmp_path)]
        assert len(writer.default_bins) == 1551
        writer.file_writer.add_summary(object())
        writer.file_writer.add_event(object(), 3)
        writer.reopen()
    assert len(recwarn) == 2


def test_wrong_arguments_do_not_raise(tmp_path: Path, logs: Any, recwarn: pytest.WarningsRecorder) -> None:
    """Arguments of a wrong kind are warned of; nothing escapes into the training."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalars("main", None, 1)  # type: ignore[arg-type]
        writer.add_hparams(3, {})
        writer.add_histogram("h", object(), 1)
        writer.add_histogram("c", np.ones(3, dtype=complex), 1)
        writer.add_histogram_raw("raw", 0, 1, 1, 1, 1, [1], [1, 2, 3], 1)
        writer.add_scalar("x", 1.0, 1, walltime="noon")  # type: ignore[arg-type]
        writer.add_scalar(3, 1.0, 1)  # type: ignore[arg-type]
    lines = logs.read(tmp_path)
    assert len(recwarn) == 6
    assert logs.points(lines, "x") == logs.points(lines, "3") == [(1, 1.0)]


def test_masked_values(logs: Any, tmp_path: Path) -> None:
    """A masked value is a null, never the number under the mask; histograms count what is not masked."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("all", np.ma.array([5.0, 6.0], mask=True).mean(), 0)
        writer.add_scalar("one", np.ma.array([7.0], mask=[True]), 0)
        writer.add_scalar("seen", np.ma.array([7.0], mask=[False]), 0)
        writer.add_histogram("h", np.ma.array([1.0, 2.0, 99.0], mask=[False, False, True]), 0)
    lines = logs.read(tmp_path)
    assert [logs.points(lines, tag) for tag in ("all", "one", "seen")] == [[(0, None)], [(0, None)], [(0, 7.0)]]
    (histogram,) = [line["histogram"] for line in lines if "histogram" in line]
    assert (sum(histogram["counts"]), histogram["max"]) == (2, 2.0)


def test_directory_as_bytes(logs: Any, tmp_path: Path) -> None:
    """A directory may be named in bytes."""
    with SummaryWriter(bytes(tmp_path / "b")) as writer:
        writer.add_scalar("a", 1.0, 0)
    assert logs.points(logs.read(tmp_path / "b"), "a") == [(0, 1.0)]
