"""Tensors of PyTorch, where it is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tuimon_writer import SummaryWriter

torch = pytest.importorskip("torch")


@pytest.mark.parametrize("kind", ["bfloat16", "float16", "float32", "float64", "int8", "int64", "bool"])
def test_types(tmp_path: Path, logs: Any, kind: str) -> None:
    """Tensors of every real type are logged as scalars and histograms (case H16)."""
    tensor = torch.tensor([0, 1, 1, 0]).to(getattr(torch, kind))
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("x", tensor[1], 1)
        writer.add_histogram("h", tensor, 1)
    lines = logs.read(tmp_path)
    (found,) = [line["histogram"] for line in lines if "histogram" in line]
    assert logs.points(lines, "x") == [(1, 1)]
    assert (sum(found["counts"]), found["mean"]) == (4, 0.5)


def test_gradients(tmp_path: Path, logs: Any) -> None:
    """Parameters that require gradients are taken, and their values are those of the moment of the call."""
    parameter = torch.nn.Parameter(torch.ones(3, 4))
    with SummaryWriter(tmp_path) as writer:
        writer.add_histogram("weight", parameter, 1)
        with torch.no_grad():
            parameter += 1
        writer.add_scalar("loss", (parameter**2).sum(), torch.tensor(5))
    lines = logs.read(tmp_path)
    (found,) = [line["histogram"] for line in lines if "histogram" in line]
    assert found["mean"] == 1.0
    assert logs.points(lines, "loss") == [(5, 48.0)]


def test_complex(tmp_path: Path, logs: Any, recwarn: pytest.WarningsRecorder) -> None:
    """Complex tensors are warned of (case H16)."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("x", torch.tensor(1j), 1)
        writer.add_histogram("h", torch.ones(3, dtype=torch.complex64), 1)
    assert len(recwarn) == 2


class Net(torch.nn.Module):
    """A small model with a shared weight and a layer that is not trained."""

    def __init__(self) -> None:
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU())
        self.head = torch.nn.Linear(3, 2)
        self.frozen = torch.nn.Conv2d(1, 2, 3)
        self.frozen.requires_grad_(False)
        self.again = self.head

    def forward(self, values: Any) -> Any:
        return self.head(self.body(values))


def test_layers(tmp_path: Path, logs: Any) -> None:
    """A model's graph is a table of its layers; shared parameters count once."""
    with SummaryWriter(tmp_path) as writer:
        writer.add_graph(Net(), torch.zeros(5, 4))
    (table,) = [line["table"] for line in logs.read(tmp_path) if "table" in line]
    rows = {row[0]: row[1:] for row in table["rows"]}
    assert rows["body.0"] == ["Linear", 15, 15, "3x4 3", "in_features=4, out_features=3, bias=True"]
    assert rows["frozen"][:3] == ["Conv2d", 20, 0]
    assert rows[""][:2] == ["Net", 0]
    assert sum(row[1] for row in rows.values()) == 15 + 8 + 20
    assert (table["kind"], table["title"], table["inputs"]) == ("layers", "Net", [[5, 4]])


def test_watch(tmp_path: Path, logs: Any) -> None:
    """Weights and gradients of a real model are logged every so many passes."""
    import tuimon_writer as wandb

    model = Net()
    run = wandb.init(dir=tmp_path, name="run")
    wandb.watch(model, log="all", log_freq=2)
    for _ in range(5):
        model(torch.ones(3, 4)).sum().backward()
        wandb.log({"loss": 0.5})
    wandb.finish()
    model(torch.ones(3, 4)).sum().backward()
    found = [(line["step"], line["histogram"]["tag"]) for line in logs.read(Path(run.dir)) if "histogram" in line]
    assert {step for step, _ in found} == {1, 3}
    assert sorted(tag for step, tag in found if step == 1) == [
        "gradients/body.0.bias", "gradients/body.0.weight", "gradients/head.bias", "gradients/head.weight",
        "parameters/body.0.bias", "parameters/body.0.weight", "parameters/frozen.bias", "parameters/frozen.weight",
        "parameters/head.bias", "parameters/head.weight",
    ]  # fmt: skip


def test_media(tmp_path: Path, logs: Any) -> None:
    """Pictures, sounds and curves of tensors are recorded, of half precision and with gradients too."""
    from tuimon_writer import Image

    with SummaryWriter(tmp_path) as writer:
        writer.add_image("grid", torch.rand(8, 6, 7, requires_grad=True), 1)
        writer.add_image("half", torch.rand(3, 6, 7).to(torch.bfloat16), 1)
        writer.add_images("list", [torch.rand(3, 6, 7), torch.rand(3, 6, 7)], 1)
        writer.add_audio("sound", torch.rand(1, 100), 1)
        writer.add_pr_curve("pr", torch.tensor([0, 1, 1]), torch.tensor([0.1, 0.8, 0.9]), 1)
        writer.add_embedding(torch.rand(3, 2), ["a", "b", "c"])
        Image(torch.rand(3, 6, 7), caption="c").put(writer, "image", 1, 1.0, {})
    lines = logs.read(tmp_path)
    sizes = {
        it["tag"]: (it["width"], it["height"]) for it in (line.get("media", {}) for line in lines) if "width" in it
    }
    assert sizes == {"grid": (23, 20), "half": (7, 6), "list": (14, 6), "image": (7, 6)}
    assert [line["curve"]["lines"][0]["area"] for line in lines if "curve" in line] == [1.0]
