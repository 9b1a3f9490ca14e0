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
