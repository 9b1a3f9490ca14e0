"""Lines that trainings print, as the programs themselves print them."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tuimon.formats._console.parser import ConsoleParser

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
