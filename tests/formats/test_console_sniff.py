"""Which texts are taken for the output of a training."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon.formats.console import FORMAT
from tuimon.formats.registry import HEAD_SIZE, detect

from .console_texts import KERAS

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

LOGS = {
    "train.log": "loading\nstep 10 | loss 0.5\nstep 20 | loss 0.4\nstep 30 | loss 0.3\n",
    "nohup.out": KERAS + "Epoch 3/3\n32/32 [=====] - 31s 20ms/step - loss: 0.5 - val_loss: 1.25\n",
    "slurm-1234.out": "".join(f"Epoch [{e}/5], Step [{s}/20], Loss: 0.5\n" for e in (1, 2) for s in (10, 20)),
    "job.o12345": "".join(f"epoch {e}: acc 0.5\n" for e in range(4)),
    "stdout": "".join(f"{{'loss': 0.5, 'epoch': {e}.5}}\n" for e in range(4)),
    "output.txt": "".join(f"s:{s} trl:0.5\n" for s in range(12)),
}

NO_LOGS = {
    "train.py": "step 10 | loss 0.5\nstep 20 | loss 0.4\nstep 30 | loss 0.3\n",
    "README.txt": "step 10 | loss 0.5\nstep 20 | loss 0.4\nstep 30 | loss 0.3\n",
    "requirements.txt": "torch==2.0.1\nnumpy>=1.2\nstep==1.0\n" * 5,
    "pip.log": "Collecting torch==2.0.1\n  Downloading torch-2.0.1.whl (12.5 MB)\nStep 1 of 3\n" * 5,
    "build.log": "".join(f"Step {n}/12 : RUN pip install package=={n}.0\n ---> 3f2a{n}\n" for n in range(12)),
    "server.log": "".join(f"2024-01-01 12:00:0{n} INFO GET /step/{n} 200 0.{n}\n" for n in range(10)),
    "smi.log": "| GPU  Name  | Bus-Id |\n| N/A   34C    P0    61W / 400W |   1234MiB / 40960MiB |      5% |\n" * 9,
    "data.txt": "".join(f"{n} {n * 2.5} {n * 3}\n" for n in range(50)),
    "notes.txt": "Epoch 1 was better.\nWe tried lr 0.1 and step 30.\nThe loss was 0.5.\n" * 3,
    "script.txt": "import torch\nepoch = 10\nlr = 0.1\nfor step in range(9):\n    loss = 0.5\n    print(step)\n" * 9,
    "sizes.txt": "name  size  epoch\n" + "".join(f"{n}  {n * 2}\n" for n in range(30)),
    "config.txt": "epoch: 10\nlr: 0.1\nbatch: 32\nstep: 5\nloss: 0.5\n",
    "trace.err": 'Traceback (most recent call last):\n  File "train.py", line 12, in step\nValueError: at step 3\n' * 9,
    "empty.log": "\n\n\n",
}  # fmt: skip


@pytest.mark.parametrize("name", LOGS)
def test_the_output_of_a_training_is_recognised(name: str) -> None:
    assert detect(f"runs/{name}", LOGS[name].encode()) is FORMAT


@pytest.mark.parametrize("name", NO_LOGS)
def test_other_texts_are_no_logs(name: str) -> None:
    assert detect(name, NO_LOGS[name].encode()) is None


def test_a_log_that_begins_with_its_own_source_is_known_by_what_the_source_prints(read: Read) -> None:
    source = (
        "import os\nimport torch\nfrom torch import nn\n"
        + "class Block(nn.Module):\n    def step(self, lr=0.1):\n        self.loss = 0.5 # step 1 loss 2\n" * 900
        + '        print0(f"step:{step}/{args.num_iterations} val_loss:{val_loss:.4f}")\n'
    )
    text = (source + "====\n" + "".join(f"step:{n}/50 val_loss:{n}.5\n" for n in range(50))).encode()
    assert detect("logs/4f2a.txt", text[:HEAD_SIZE]) is FORMAT
    found = read(FORMAT.parser("x"), text)
    assert found.points.keys() == {"val_loss"}
    assert found.steps("val_loss") == list(range(50))


def test_the_output_that_wandb_keeps_belongs_to_its_run() -> None:
    assert FORMAT.home("wandb/run-1-abc/files", "output.log") == "wandb/run-1-abc"
    assert FORMAT.home("files", "train.log") == "files"


def test_real_logs_give_the_curves_that_are_in_them(real_logs: Path, read: Read) -> None:
    """Counted with grep: lines of batches, of epochs and of development data; blocks of names; steps."""
    for path, tag, count, last in (
        ("console-text/2/gum5.out", "samples/sec", 957, 115.25),
        ("console-text/2/gum5.out", "dev/score", 87, 0.7453),
        ("olmo/1/checkpoints/OLMo-150M-tied-emb-1000/train.log", "train/CrossEntropyLoss", 37, 4.83),
        ("mmengine/1/20230605_200941/20230605_200941.log", "loss_kpt", 789, 0.081515),
        ("sb-progress/1/logs/log.txt", "grad_norm", 2065, 8.84),
    ):
        data = (real_logs / path).read_bytes()
        assert detect(path, data[:HEAD_SIZE]) is FORMAT
        values = read(FORMAT.parser(path), data, range(0, len(data), 1 << 18)).values(tag)
        assert (len(values), values[-1]) == (count, last), path
