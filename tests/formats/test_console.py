"""What trainings print, as the programs themselves print it."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tuimon.formats._console.parser as console
from tuimon.formats._console.parser import ConsoleParser
from tuimon.formats.console import FORMAT
from tuimon.formats.registry import HEAD_SIZE, detect
from tuimon.records import Skipped

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

NAN = math.nan

LINES: list[tuple[str, float, dict[str, float]]] = [
    ("[0/25][50/100] Loss_D: 0.5 Loss_G: 1.5 D(x): 0.75", 50, {"epoch": 0, "Loss_D": 0.5, "Loss_G": 1.5, "D(x)": 0.75}),
    ("01/02/2024 10:00:01 [INFO|DP=0|TP=0|node1]: iteration: 7 / 1000 | lm_loss: 9.5", 7, {"lm_loss": 9.5}),
    ("step 10/100 completed (loss: 1.25)", 10, {"loss": 1.25}),
    ("Generation 3: best fitness 1.5, PSNR 2.5 dB", 3, {"best fitness": 1.5, "PSNR": 2.5}),
    ("(epoch: 1, iters: 300, time: 0.5) D_A: 0.75 G_A: 2", 300, {"epoch": 1, "time": 0.5, "D_A": 0.75, "G_A": 2}),
    (
        "[INFO] 3DBall. Step: 12000. Mean Reward: 1.25. Std of Reward: 0.75. Training.",
        12000,
        {"Mean Reward": 1.25, "Std of Reward": 0.75},
    ),
    ("| epoch   2 |   200/ 2983 batches | lr 20.00 | loss  7.50", 200, {"epoch": 2, "lr": 20, "loss": 7.5}),
    ("[10 | 5.50] loss=3.5 avg=3.6", 10, {"loss": 3.5, "avg": 3.6}),
    (
        "[2024-01-01 10:00:00] Ep. 1 : Up. 100 : Cost 9.5 * 1,000 : gNorm 1.25",
        100,
        {"epoch": 1, "Cost": 9.5, "gNorm": 1.25},
    ),
    (
        "[2024-01-01 10:00:00] [valid] Ep. 1 : Up. 100 : cross-entropy : 7.5 : new best",
        100,
        {"epoch": 1, "valid/cross-entropy": 7.5},
    ),
    (
        "[node1] 2024-03-01 12:01:33 (trainer:761) INFO: 2epoch:train:51-100batch: loss_ctc=90.5, acc=0.25, clip=1.0",
        100,
        {"epoch": 2, "loss_ctc": 90.5, "acc": 0.25, "clip": 1},
    ),
    (
        "(trainer:338) INFO: 2epoch results: [train] loss=45.5, total_count=250, [valid] loss=46.5, cer=0.5",
        2,
        {"loss": 45.5, "total_count": 250, "valid/loss": 46.5, "valid/cer": 0.5},
    ),
    (
        "Epoch 3 | train: loss 0.5 acc 0.75 | val: loss 0.25 acc 1",
        3,
        {"loss": 0.5, "acc": 0.75, "val/loss": 0.25, "val/acc": 1},
    ),
    ("completed step: 5, seconds: 1.5, MFU: 9.5, loss: 7", 5, {"seconds": 1.5, "MFU": 9.5, "loss": 7}),
    ("[2024-01-01 10:00:00] [   INFO] - global step 10, epoch: 1, batch: 5, loss: .5", 10, {"epoch": 1, "loss": 0.5}),
    ("epoch=0/micro_step=20/global_step=10, CurrSamplesPerSec=30.5", 10, {"epoch": 0, "CurrSamplesPerSec": 30.5}),
    ("1/10 * Epoch 1 (valid): accuracy: 0.5 | loss: 0.25", 1, {"valid/accuracy": 0.5, "valid/loss": 0.25}),
    ("[2024-01-05 10:01:00,123 INFO] Step 50/10000; acc: 7.1; ppl: 9.5; 110/9 tok/s;", 50, {"acc": 7.1, "ppl": 9.5}),
    ("7:\tlearn: 0.5\ttest: 0.75\tbest: 0.625 (5)", 7, {"learn": 0.5, "test": 0.75, "best": 0.625}),
    ("[Loop] Episode Return = 2.25 | Episodes = 3 | Steps = 600", 600, {"episode": 3, "Episode Return": 2.25}),
    ("{'eval/episode_reward': 3.5, 'steps': 1000}", 1000, {"eval/episode_reward": 3.5, "steps": 1000}),
    ("step 120 | loss: 0.53 | lr 1e-4", 120, {"loss": 0.53, "lr": 1e-4}),
    ("step=120 loss=0.5", 120, {"loss": 0.5}),
    ("2024-01-05 10:01:00,123 INFO step=120 loss=0.5", 120, {"loss": 0.5}),
    ("iter 100: loss 2.3012, time 12.31ms, mfu 5.21%", 100, {"loss": 2.3012, "time": 12.31, "mfu": 5.21}),
    ("step 250: train loss 1.9321, val loss 2.0123", 250, {"train loss": 1.9321, "val loss": 2.0123}),
    (
        "step:125/3175 val_loss:4.53764 train_time:47.044s step_avg:376.35ms",
        125,
        {"val_loss": 4.53764, "train_time": 47.044, "step_avg": 376.35},
    ),
    ("s:9534 trl:3.294388", 9534, {"trl": 3.294388}),
    ("10 | loss 6.9012 | lr 1.0e-4 | 1234.5ms | mfu 5.12%", 10, {"loss": 6.9012, "lr": 1e-4, "mfu": 5.12}),
    (
        "step    1/19560 | loss 11.009 (+nan z)| norm 15.4 (+nan z)| lr 8.6e-07 | 12 ms | 45% bf16 MFU | 1234 tok/s",
        1,
        {"loss": 11.009, "norm": 15.4, "lr": 8.6e-07},
    ),
    (
        "Epoch: [3][20/100]\tTime  0.100 ( 0.200)\tLoss 1.2345e+00 (1.3e+00)\tAcc@1  10.00 ( 12.00)",
        20,
        {"epoch": 3, "Time": 0.1, "Loss": 1.2345, "Acc@1": 10},
    ),
    ("Epoch [1/10], Step [100/600], Loss: 0.2123", 100, {"epoch": 1, "Loss": 0.2123}),
    ("Train Epoch: 1 [640/60000 (1%)]\tLoss: 2.300012", 640, {"epoch": 1, "Loss": 2.300012}),
    ("[1,  2000] loss: 2.173", 2000, {"epoch": 1, "loss": 2.173}),
    (
        "2021/08/12 17:30:00 - mmdet - INFO - Epoch [1][50/7330]\tlr: 1.978e-03, eta: 1 day, 4:32:10, time: 0.5, "
        "loss: 1.5",
        50,
        {"epoch": 1, "lr": 1.978e-03, "time": 0.5, "loss": 1.5},
    ),
    (
        "2023/06/05 20:10:13 - mmengine - INFO - Epoch(train)   [1][1/6]  lr: 4e-08  loss: 0.42",
        1,
        {"epoch": 1, "lr": 4e-8, "loss": 0.42},
    ),
    (
        " iteration      100/  500000 | consumed samples:        12800 | elapsed time per iteration (ms): 512.3 | "
        "learning rate: 1.500E-04 | lm loss: 6.2E+00 | number of skipped iterations:   0 |",
        100,
        {
            "consumed samples": 12800,
            "elapsed time per iteration (ms)": 512.3,
            "learning rate": 1.5e-4,
            "lm loss": 6.2,
            "number of skipped iterations": 0,
        },
    ),
    (
        "[2023-01-01 12:00:00,000] [INFO] [logging.py:96:log_dist] [Rank 0] step=10, skipped=0, lr=[9.6e-06, 9.6e-06], "
        "mom=[(0.9, 0.95), (0.9, 0.95)]",
        10,
        {"skipped": 0, "lr": 9.6e-06},
    ),
    (
        "2020-05-01 12:00:00 | INFO | valid | epoch 001 | valid on 'valid' subset | loss 7.1 | ppl 137 | "
        "num_updates 500",
        500,
        {"epoch": 1, "valid/loss": 7.1, "valid/ppl": 137},
    ),
    (
        "[2021-04-01 12:00:00 swin_tiny] (main.py 217): INFO Train: [0/300][10/1251]\teta 1:00:00 lr 0.000001\t"
        "time 1.2300 (1.2300)\tloss 6.9078 (6.9078)\tmem 7000MB",
        10,
        {"epoch": 0, "lr": 1e-6, "time": 1.23, "loss": 6.9078, "mem": 7000},
    ),
    (
        "Train: 0 [  50/1251 (  4%)]  Loss: 6.95 (6.95)  Time: 3.2s, 39.9/s (3.2s)",
        50,
        {"epoch": 0, "Loss": 6.95, "Time": 3.2},
    ),
    (
        "[08/12 17:28:35 d2.utils.events]: eta: 1:00:00  iter: 19  total_loss: 5.4  lr: 2e-05",
        19,
        {"total_loss": 5.4, "lr": 2e-5},
    ),
    (
        "[titan] 2024-11-01 12:00:00,123 - root - INFO - step: 10  loss:  7.1234  memory: 40.1GiB(50%)  tps: 1,234",
        10,
        {"loss": 7.1234, "memory": 40.1, "tps": 1234},
    ),
    ("[10]\ttrain-rmse:0.5123\teval-rmse:0.61", 10, {"train-rmse": 0.5123, "eval-rmse": 0.61}),
    ("Iteration 1, loss = 0.51234", 1, {"loss": 0.51234}),
    ("INFO:tensorflow:loss = 0.5, step = 100 (12.3 sec)", 100, {"loss": 0.5}),
    ("I1201 12:00:00.000000 140 basic_session_run_hooks.py:260] loss = 2.3, step = 300", 300, {"loss": 2.3}),
    ("{'loss': 0.5123, 'learning_rate': 5e-05, 'epoch': 0.25}", 0.25, {"loss": 0.5123, "learning_rate": 5e-5}),
    ("{'loss': '0.5123', 'learning_rate': '5e-05', 'epoch': '0.25'}", 0.25, {"loss": 0.5123, "learning_rate": 5e-5}),
    ("step 7: {'loss': tensor(0.5), 'acc': nan}", 7, {"loss": 0.5, "acc": NAN}),
    ("Episode 10\tAverage Score: 12.30", 10, {"Average Score": 12.3}),
    ("Epoch 3/10 - loss: 0.4 - accuracy: 0.8 - val_loss: 0.5", 3, {"loss": 0.4, "accuracy": 0.8, "val_loss": 0.5}),
    ("2019-10-12 00:35:18,729 epoch 1 - iter 12/123 - loss 54.40238190", 12, {"epoch": 1, "loss": 54.4023819}),
    ("Epoch 1 | Train Loss: 0.5 | Val Acc: 78.5% | Time: 12.3s", 1, {"Train Loss": 0.5, "Val Acc": 78.5, "Time": 12.3}),
    ("[1,0]<stdout>:step 5 loss 0.25", 5, {"loss": 0.25}),
    ("12: step 5 loss 0.25", 5, {"loss": 0.25}),
    ("(RayTrainWorker pid=123, ip=10.0.0.1) step 10 loss 0.5", 10, {"loss": 0.5}),
    ("[default0]: iteration 10/ 100 | lm loss: 5.5 |", 10, {"lm loss": 5.5}),
    ("\x1b[32mepoch 3\x1b[0m loss \x1b[1m0.5\x1b[0m", 3, {"loss": 0.5}),
    ("step 8 | loss nan | grad -inf", 8, {"loss": NAN, "grad": -math.inf}),
    ("Average loss at step 100: 3.5", 100, {"Average loss": 3.5}),
    ("[Epoch 3/10] [Batch 10/100] [D loss: 0.5] [G loss: 0.25]", 10, {"epoch": 3, "D loss": 0.5, "G loss": 0.25}),
    ("global_step=1,000, episodic_return=12.0", 1000, {"episodic_return": 12}),
    ("step 3 tokens 1.5M loss 0.5", 3, {"tokens": 1.5e6, "loss": 0.5}),
    ("[100/1000] loss: 0.5", 100, {"loss": 0.5}),
    (
        "Epoch(val) [3][6/6]  coco/AP: 0.25  PCK: 0.5  img/s: 7",
        3,
        {"epoch": 3, "coco/AP": 0.25, "val/PCK": 0.5, "val/img/s": 7},
    ),
    ("loss: 2.303567  [   64/60000]", 64, {"loss": 2.303567}),
    (
        "accuracy: 0.5123, loss: 0.25 ||:  45%|####5     | 45/100 [00:10<00:12,  4.40it/s]",
        45,
        {"accuracy": 0.5123, "loss": 0.25},
    ),
    (
        "Epoch[0] Batch [50]\tSpeed: 600.5 samples/sec 10000.5 tokens/sec 1.2 updates/sec\tperplexity=234.5",
        50,
        {"epoch": 0, "Speed": 600.5, "perplexity": 234.5},
    ),
    ("Updates 10, num timesteps 1000, FPS 100", 1000, {"FPS": 100}),
    ("2021-07-20 12:00:00 | INFO     | yolox.core.trainer:250 - iter: 10/7393, loss: 15.1", 10, {"loss": 15.1}),
]  # fmt: skip

NO_VALUES = [
    "for epoch in range(10): loss = 0.5",
    "    for step in range(1000):",
    '        print(f"step {step}: loss {loss:.4f}")',
    "step = 0",
    "loss = criterion(step=3, weight=0.5)",
    "parser.add_argument('--epoch', type=int, default=10)",
    "Namespace(batch_size=32, epoch=10, lr=0.1, loss=0.5)",
    "TrainConfig(step=10, loss=0.5)",
    "epochs: 10, lr: 0.1, batch size: 32",
    "{'lr': 0.1, 'epochs': 10, 'batch_size': 3}",
    "Saving model at step 1000 with loss 0.5 to the usual place on the disk",
    "Epoch 00012: val_loss improved from 0.5 to 0.4, saving model to model.h5",
    "Downloading data: 100%|███| 8/8 [00:00<00:00, 2409.83it/s]",
    "Fetching 8 files:  50%|███   | 4/8 [00:00<00:00, 2409.83it/s]",
    '  File "train.py", line 120, in step',
    "ValueError: step 3 of 5",
    "| 0   N/A  N/A      1234      C   python3       1234MiB |",
    "Collecting torch==2.0.1 (from -r requirements.txt (line 3))",
    "epoch 5 took 32.5 s",
    "learning rate: 0.1",
    "2024-01-01 12:00:00 INFO server.py:12 GET /step/12 200 0.5",
    "epoch",
    "",
]


def points(found: Content) -> dict[str, tuple[float, float]]:
    """Step and value of the last point of each tag."""
    return {tag: (rows[-1][0], rows[-1][2]) for tag, rows in found.points.items()}


@pytest.mark.parametrize(("line", "step", "values"), LINES)
def test_a_line_gives_its_step_and_its_named_numbers(
    read: Read, line: str, step: float, values: dict[str, float]
) -> None:
    found = points(read(ConsoleParser(), f"{line}\n".encode()))
    assert {tag: value for tag, (_, value) in found.items()} == pytest.approx(values, nan_ok=True)
    assert {at for at, _ in found.values()} == {step}


@pytest.mark.parametrize("line", NO_VALUES)
def test_code_settings_prose_and_bars_without_values_give_nothing(read: Read, line: str) -> None:
    assert read(ConsoleParser(), f"step 1 loss 0.5\n{line}\nstep 2 loss 0.4\n".encode()).points.keys() == {"loss"}


def test_lines_of_the_same_shape_are_read_like_the_first(read: Read) -> None:
    """Numbers of any form stand where the first ones stood, and names with numbers in them stay apart."""
    lines = [
        "step 1 loss_q0 0.5 loss_q1 1",
        "step 2,000 loss_q0 -1e-05 loss_q1 1,234.5",
        "step 3000 loss_q1 7 loss_q0 8",
    ]
    found = read(ConsoleParser(), "\n".join([*lines, ""]).encode())
    assert found.steps("loss_q0") == [1, 2000, 3000]
    assert found.values("loss_q0") == [0.5, -1e-05, 8]
    assert found.values("loss_q1") == [1, 1234.5, 7]


def test_random_lines_one_by_one_and_all_at_once_are_the_same(read: Read) -> None:
    random_ = random.Random(1)
    known = [
        line
        for line, _, _ in LINES
        if "poch" not in line and "Ep." not in line and "Train" not in line and "[1," not in line
    ]
    lines = []
    for _ in range(400):
        line = random_.choice(known)
        lines.append(line.replace("0.5", f"{random_.uniform(-2, 2):.3g}").replace("1", str(random_.randrange(10))))
    at_once = read(ConsoleParser(), "\n".join([*lines, ""]).encode())
    one_by_one: dict[str, list[float]] = {}
    for line in lines:
        for tag, (_, value) in points(read(ConsoleParser(), f"{line}\n".encode())).items():
            one_by_one.setdefault(tag, []).append(value)
    for tag, values in one_by_one.items():
        if not any(unit in tag for unit in ("time", "Time", "avg", "mem")):  # units go on from line to line
            assert at_once.values(tag) == pytest.approx(values, nan_ok=True), tag


def test_counts_within_an_epoch_are_added_up(read: Read) -> None:
    """Also where only the first epoch says how long one is, and for lines at the end of an epoch."""
    lines = [f"epoch {epoch} - iter {count}/50 - loss {epoch}.{count}" for epoch in (1, 2, 3) for count in (0, 20, 40)]
    lines.insert(3, "EPOCH 1 done: acc 0.5")
    lines.append("EPOCH 3 done: acc 0.7")
    found = read(ConsoleParser(), "\n".join([*lines, ""]).encode())
    assert found.steps("loss") == [0, 20, 40, 50, 70, 90, 100, 120, 140]
    assert found.steps("acc") == [40, 150]
    lines = [f"Epoch {epoch}, step {count}: loss 0.5" for epoch in (0, 1) for count in (10, 20)]
    assert read(ConsoleParser(), "\n".join([*lines, ""]).encode()).steps("loss") == [10, 20, 30, 40]
    lines = [f"epoch {epoch} | global_step {step} | loss 0.5" for epoch, step in ((1, 10), (2, 20), (3, 30))]
    assert read(ConsoleParser(), "\n".join([*lines, ""]).encode()).steps("loss") == [10, 20, 30]
    lines = [f"[step={step}/900,epoch={epoch}] loss 0.5" for epoch, step in ((0, 10), (1, 20), (2, 30))]
    assert read(ConsoleParser(), "\n".join([*lines, ""]).encode()).steps("loss") == [10, 20, 30]


def test_validation_stands_at_the_last_step_under_its_own_names(read: Read) -> None:
    text = (
        "Epoch: [0][0/10]\tLoss 1.5 (1.3)\nEpoch: [0][9/10]\tLoss 1.25 (1.3)\n"
        "Test: [0/5]\tLoss 1.5 (1.3)\n * Acc@1 55.2 Acc@5 71.3\n"
        "Epoch: [1][0/10]\tLoss 1.0 (1.3)\nTest set: Average loss: 0.0523, Accuracy: 9827/10000 (98%)\n"
    )
    found = read(ConsoleParser(), text.encode())
    assert found.steps("Loss") == [0, 9, 10]
    assert [(step, value) for step, _, value in found.points["test/Loss"]] == [(9, 1.5)]
    assert [(step, value) for step, _, value in found.points["Acc@5"]] == [(9, 71.3)]
    assert found.values("test/Accuracy") == [98.27]


def test_what_stands_below_a_step_belongs_to_it(read: Read) -> None:
    text = (
        "2025-12-27 22:12:56.500\thost-03:0\tolmo.train:990\tINFO\t[step=10/10000,epoch=0]\n"
        "    train/CrossEntropyLoss=9.064\n    System/Peak GPU Memory (MB)=38,869\n"
        "2025-12-27 22:13:56.500\thost-03:0\tolmo.train:990\tINFO\tSaving a checkpoint\n"
        "    train/CrossEntropyLoss=1.0\n"
    )
    found = read(ConsoleParser(), text.encode())
    moment = datetime.fromisoformat("2025-12-27 22:12:56.500").timestamp()
    assert found.points == {
        "train/CrossEntropyLoss": [(10, moment, 9.064)],
        "System/Peak GPU Memory (MB)": [(10, moment, 38869)],
    }


def test_what_stands_below_a_heading_with_an_iteration_belongs_to_it(read: Read) -> None:
    text = "".join(
        f"{'#' * 20}\n      \033[1m Learning iteration {n}/1500 \033[0m      \n\n"
        f"   Computation: 42000 steps/s (collection: 1.9s)\n   Mean reward: {n}.50\n"
        f"{'-' * 20}\n   Total timesteps: {n * 100}\n   ETA: 35.5s\n\n"
        for n in range(3)
    )
    found = read(ConsoleParser(), text.encode())
    assert {tag: [row[::2] for row in rows] for tag, rows in found.points.items()} == {
        "Mean reward": [(0, 0.5), (1, 1.5), (2, 2.5)],
        "Total timesteps": [(0, 0), (1, 100), (2, 200)],
    }


TABLES = """
-----------------------------------
| rollout/           |            |
|    ep_rew_mean     | -1.5e+02   |
| time/              |            |
|    total_timesteps | 2048       |
-----------------------------------
saving
-----------------------------------
| rollout/           |            |
|    ep_rew_mean     | 26         |
| time/              |            |
|    total_timesteps | 4096       |
-----------------------------------
| loss | 0.5 |
| step | 3   |
-----------------------------------
"""


def test_tables_of_names_and_values_are_rows(read: Read) -> None:
    found = read(ConsoleParser(), TABLES.encode())
    assert [(step, value) for step, _, value in found.points["rollout/ep_rew_mean"]] == [(2048, -150), (4096, 26)]
    assert [(step, value) for step, _, value in found.points["loss"]] == [(3, 0.5)]


def test_parts_of_the_data_below_the_heading_of_an_epoch_stand_at_it(read: Read) -> None:
    text = "".join(
        f"Epoch: 0{e} | Time: 0m 1{e}s\n\tTrain Loss: 0.{e} | Train PPL: 1{e}.5\n\t Val. Loss: 1.{e} |  Val. PPL: 2\n"
        for e in (1, 2, 3)
    )
    found = read(ConsoleParser(), text.encode())
    assert {tag: [row[::2] for row in rows] for tag, rows in found.points.items()} == {
        "Train Loss": [(1, 0.1), (2, 0.2), (3, 0.3)],
        "Train PPL": [(1, 11.5), (2, 12.5), (3, 13.5)],
        "Val. Loss": [(1, 1.1), (2, 1.2), (3, 1.3)],
        "Val. PPL": [(1, 2), (2, 2), (3, 2)],
    }


def test_values_without_a_counter_below_the_heading_of_an_epoch_are_its_own(read: Read) -> None:
    text = "Loss: 9.5, Accuracy: 0.1\n" + "".join(
        f"Epoch {e}/3\nLoss: 0.{e}, Accuracy: 0.5\nlr: 0.1\n" for e in (1, 2, 3)
    )
    found = read(ConsoleParser(), text.encode())
    assert {tag: [row[::2] for row in rows] for tag, rows in found.points.items()} == {
        "Loss": [(1, 0.1), (2, 0.2), (3, 0.3)],
        "Accuracy": [(1, 0.5), (2, 0.5), (3, 0.5)],
    }


COLUMNS: dict[str, tuple[str, dict[str, list[float]], list[float]]] = {
    "spacy": (
        "✔ Initialized pipeline\n\nE    #       LOSS TOK2VEC  LOSS NER  ENTS_F  SCORE \n"
        "---  ------  ------------  --------  ------  ------\n"
        "  0       0          0.00     48.50    0.00    0.00\n  1     200         76.55   2404.50   61.26    0.61\n"
        "a warning in between\n  2     400        130.20   1240.11   66.90    0.67\n",
        {
            "epoch": [0, 1, 2],
            "LOSS TOK2VEC": [0, 76.55, 130.2],
            "LOSS NER": [48.5, 2404.5, 1240.11],
            "ENTS_F": [0, 61.26, 66.9],
            "SCORE": [0, 0.61, 0.67],
        },
        [0, 200, 400],
    ),
    "skorch": (
        "Using cuda\n  epoch    train_loss    valid_acc    cp     dur\n-------  ------------  -----------  --  ------\n"
        "      1        \033[36m0.6905\033[0m       0.5125     +  0.0131\n"
        "      2        0.5905       0.6125        0.0231\n      3        0.4905          nan     +  0.0331\n",
        {"train_loss": [0.6905, 0.5905, 0.4905], "valid_acc": [0.5125, 0.6125, NAN], "dur": [0.0131, 0.0231, 0.0331]},
        [1, 2, 3],
    ),
    "scikit-learn": (
        "      Iter       Train Loss   Remaining Time \n         1           1.1900           13.25s \n"
        "         2           1.1800            1.20m \n        10           0.9100            0.00s \n",
        {"Train Loss": [1.19, 1.18, 0.91]},
        [1, 2, 10],
    ),
    "pipes": (
        "|   iter    |  target   |     x     |\n-------------------------------------\n"
        "| 1         | -7.135    | 2.834     |\n| 2         | -5.5      | 1.5       |\n"
        "=====================================\n| one       | -1        | 1.5       |\n",
        {"target": [-7.135, -5.5], "x": [2.834, 1.5]},
        [1, 2],
    ),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_rows_below_a_heading_are_read_by_its_names(read: Read, name: str) -> None:
    text, values, steps = COLUMNS[name]
    found = read(ConsoleParser(), text.encode())
    assert {tag: [row[2] for row in rows] for tag, rows in found.points.items()} == {
        tag: pytest.approx(column, nan_ok=True) for tag, column in values.items()
    }
    assert all([row[0] for row in rows] == steps for rows in found.points.values())


def test_rows_that_are_read_again_have_the_names_of_their_heading() -> None:
    parser = ConsoleParser()
    head = b"epoch  loss  acc\n1  0.5  0.25\n"
    first = parser.parse(head, at_end=False)
    rows = b"2  0.25  0.5\n"
    assert first.consumed == len(head)
    expected = parser.parse(rows, at_end=False)
    assert parser.clone(len(head)).parse(rows, at_end=False).records == expected.records != []


KERAS = (
    "Epoch 1/2\n"
    "   1/32 [..............................] - ETA: 2:11 - loss: 3.5\b\b\b\b\b\b\r"
    " 16/32 [=======>......................] - ETA: 12s - loss: 3.0\r"
    "32/32 [==============================] - 31s 20ms/step - loss: 1.5 - val_loss: 1.25\n"
    "Epoch 2/2\n"
    "\x1b[1m 1/32\x1b[0m \x1b[37m━━━━━━━━\x1b[0m \x1b[1m18s\x1b[0m 604ms/step - loss: 2.3\r"
    "\x1b[1m32/32\x1b[0m \x1b[32m━━━━━━━━\x1b[0m \x1b[1m1s\x1b[0m 2ms/step - loss: 1.0 - val_loss: 0.75\n"
)


def test_a_bar_of_keras_counts_when_its_epoch_is_over(read: Read) -> None:
    found = read(ConsoleParser(), KERAS.encode())
    assert [(step, value) for step, _, value in found.points["loss"]] == [(1, 1.5), (2, 1.0)]
    assert [(step, value) for step, _, value in found.points["val_loss"]] == [(1, 1.25), (2, 0.75)]


TQDM = "".join(
    f"Epoch 0:  {count}%|{'█' * count:10}| {count}/10 [00:10<00:12,  4.4it/s, v_num=0, loss={loss}]\r"
    for count, loss in ((1, 5.5), (2, 5.5), (2, 4.5), (3, 4.5), (3, 3.5))
)


def test_of_the_states_of_a_bar_at_one_count_the_last_one_counts(read: Read) -> None:
    """The newest one waits for what comes after it."""
    found = read(ConsoleParser(), TQDM.encode())
    assert [(step, value) for step, _, value in found.points["loss"]] == [(1, 5.5), (2, 4.5)]
    found = read(ConsoleParser(), TQDM.encode() + b"\n")
    assert [(step, value) for step, _, value in found.points["loss"]] == [(1, 5.5), (2, 4.5), (3, 3.5)]
    assert found.points.keys() == {"loss", "epoch"}


def test_units_that_change_do_not_bend_the_curve(read: Read) -> None:
    text = b"step 1 time 900ms mem 900MB\nstep 2 time 1.5s mem 1.5GB\nstep 3 time 2min mem 2000MB\n"
    found = read(ConsoleParser(), text)
    assert found.values("time") == pytest.approx([900, 1500, 120_000])
    assert found.values("mem") == pytest.approx([900, 1500, 2000])


SAMPLE = (
    "import torch\nlr = 0.1\n"
    + "".join(
        f"2024-01-0{e} 12:00:0{i},500 epoch {e} - iter {i}/4 - loss {e}.{i}\n" for e in (1, 2, 3) for i in (0, 2, 3)
    )
    + "DEV : loss 0.5 - score 0.75\r\n[step=10/20]\n    train/x=1,234\n\tother: 5\n"
    + TABLES
    + KERAS
    + TQDM
    + "\nval loss 1e-3\n{'loss': 0.25, 'epoch': 7.5}\nträge äöü step 9 loss 3\nstep 10 loss 4"
).encode()


def same(one: Content, other: Content) -> bool:
    return repr(sorted(one.points.items())) == repr(sorted(other.points.items())) and one.left == other.left


def test_growth_at_every_byte_gives_the_same(read: Read) -> None:
    whole = read(ConsoleParser(), SAMPLE)
    assert len(whole.points) > 8
    assert whole.left == b"step 10 loss 4"
    assert same(read(ConsoleParser(), SAMPLE, range(1, len(SAMPLE))), whole)
    random_ = random.Random(2)
    for _ in range(60):
        cuts = random_.sample(range(1, len(SAMPLE)), 3)
        assert same(read(ConsoleParser(), SAMPLE, cuts), whole), cuts


def test_a_range_that_is_read_again_gives_the_same(read: Read) -> None:
    """Wherever the pieces were cut: what earlier lines said of epochs and steps is still known."""
    for size in (7, 40, 300):
        parser, start, kept, pieces = ConsoleParser(), 0, b"", []
        for low in range(0, len(SAMPLE), size):
            kept += SAMPLE[low : low + size]
            parsed = parser.parse(kept, False)
            if parsed.consumed:
                pieces.append((start, kept[: parsed.consumed], parsed.records))
                start += parsed.consumed
                kept = kept[parsed.consumed :]
        for offset, data, records in pieces:
            again = parser.clone(offset).parse(data, True)
            assert repr(again.records) == repr(records), (size, data)
            assert again.consumed == len(data)


def test_an_endless_line_is_passed_over_in_bounded_memory(read: Read) -> None:
    parser = ConsoleParser()
    endless = b"step 1 loss 0.5 " * 20_000
    kept = b""
    for _ in range(8):
        parsed = parser.parse(kept + endless, False)
        kept = (kept + endless)[parsed.consumed :]
        assert len(kept) <= console.MAX_KEPT
    found = read(parser, kept + b"\nstep 2 loss 0.25\n")
    assert found.values("loss") == [0.25]


def test_names_that_never_end_are_counted(read: Read) -> None:
    text = "".join(f"step {number} loss_{'abcdefghij'[number % 10]}{number} 1\n" for number in range(3000))
    found = read(ConsoleParser(), text.encode())
    assert len(found.points) == console.MAX_TAGS
    (skipped,) = found.others
    assert isinstance(skipped, Skipped)
    assert skipped.count == 1000


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=300), st.integers(0, 400), st.sampled_from(SAMPLE.splitlines(keepends=True)))
def test_no_bytes_break_it(noise: bytes, at: int, line: bytes) -> None:
    text = SAMPLE[:at] + noise + line + b"\n"
    parser = ConsoleParser()
    parsed = parser.parse(text, True)
    assert 0 <= parsed.consumed <= len(text)
    parser.clone(0).parse(text[: parsed.consumed], True)
    FORMAT.sniff("train.log", text)


def test_long_odd_lines_take_no_longer_than_their_length() -> None:
    """No line makes the search for names and numbers go back and forth."""
    started = time.process_time()
    for odd in ("a" * 16_000, "a b " * 4_000, "step 1 " + "x:" * 8_000, "1 " * 8_000, "step 1 " + "(" * 16_000,
                "step 1 " + "a(b)" * 4_000, "step 1" + " " * 16_000 + "x", "step 1 loss" + "=" * 16_000,
                "step 1 {'" + "a" * 16_000, "[" * 16_000 + "1", "%|" * 8_000 + " step 1", "step " + "1," * 8_000,
                ):  # fmt: skip
        ConsoleParser().parse(odd.encode()[:16_000] + b"\n", True)
    assert time.process_time() - started < 20


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


def test_what_stands_where_a_number_was_before_may_be_none(read: Read) -> None:
    """The end of a sentence belongs to no number, and a version is none; lines about it are read as ever."""
    text = "step 1 loss: 0.5 acc: 1\nstep 2 loss: 0.25. acc: 1\nstep 3 loss: 1.2.3 acc: 1\nstep 4 loss: 2 acc: 1\n"
    found = read(ConsoleParser(), text.encode())
    assert [(step, value) for step, _, value in found.points["loss"]] == [(1, 0.5), (2, 0.25), (4, 2)]
    assert found.steps("acc") == [1, 2, 3, 4]
    found = read(ConsoleParser(), b"step 1 loss: 1.2.3 acc: 1\nstep 2 loss: 2 acc: 1\n")  # the odd one comes first
    assert (found.steps("loss"), found.steps("acc")) == ([2], [1, 2])
    read(ConsoleParser(), b"| loss | 0.5 |\n| loss | 1.2.3 |\n" * 2)
    text = "[step=1/9]\n  a=1234,567\n  b=0.5\n[step=2/9]\n  a=1,234\n  b=0.5\n"
    assert read(ConsoleParser(), text.encode()).points["a"][-1][::2] == (2, 1234)


def test_a_line_of_blanks_is_read_at_once(read: Read) -> None:
    """However far a number stands from its name; looking for it must not take minutes."""
    assert read(ConsoleParser(), b"step" + b" " * 15_000 + b"7 loss: 0.5\n").points["loss"][0][::2] == (7, 0.5)
    assert read(ConsoleParser(), (b"step" + b" \t" * 7_000 + b"x\n") * 3).points == {}


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
