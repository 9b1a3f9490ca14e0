"""The callback of Hugging Face's Trainer, in real trainings of a tiny model with random weights."""

from __future__ import annotations

import gc
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from tuimon_writer.integrations.huggingface import TuimonCallback  # noqa: E402 - needs transformers

SIZES = {"vocab_size": 16, "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}


SCRIPT = f"""
import torch
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments
from tuimon_writer.integrations.huggingface import TuimonCallback

data = [{{"input_ids": row, "labels": row.sum() % 2}} for row in torch.randint(0, 16, (16, 6))]
args = TrainingArguments("out", use_cpu=True, max_steps=2, logging_steps=1, save_strategy="no", report_to="none")
model = BertForSequenceClassification(BertConfig(**{SIZES}))
Trainer(model=model, args=args, train_dataset=data, callbacks=[TuimonCallback("run")]).train()
"""


class Sentences(torch.utils.data.Dataset):  # type: ignore[misc]
    """Sixteen sentences of two kinds."""

    def __init__(self, fails: bool = False) -> None:
        generator = torch.Generator().manual_seed(0)
        self.words = torch.randint(0, 16, (16, 6), generator=generator)
        self.fails = fails

    def __len__(self) -> int:
        return len(self.words)

    def __getitem__(self, at: int) -> dict[str, Any]:
        if self.fails:
            raise RuntimeError("no such sentence")
        return {"input_ids": self.words[at], "labels": self.words[at].sum() % 2}


def accuracy(prediction: Any) -> dict[str, float]:
    return {"accuracy": float((prediction.predictions.argmax(-1) == prediction.label_ids).mean())}


def trainer(directory: Path, callback: Any, data: Any = None, **more: Any) -> Any:
    torch.manual_seed(0)
    model = transformers.BertForSequenceClassification(transformers.BertConfig(**SIZES))
    options = {"max_steps": 6, "logging_steps": 2, "save_strategy": "no", "learning_rate": 0.01, **more}
    args = transformers.TrainingArguments(
        str(directory / "out"), use_cpu=True, disable_tqdm=True, report_to=[], per_device_train_batch_size=4, **options
    )
    return transformers.Trainer(
        model=model,
        args=args,
        train_dataset=data or Sentences(),
        eval_dataset=Sentences(),
        compute_metrics=accuracy,
        callbacks=[callback],
    )


def tag(name: str) -> str:
    return name.replace("eval_", "eval/") if name.startswith("eval_") else f"train/{name}"


def test_history(tmp_path: Path, logs: Any) -> None:
    """The log holds all of ``state.log_history`` at its steps, under the names of the Trainer's other callbacks."""
    training = trainer(
        tmp_path, TuimonCallback(tmp_path / "run", config={"fold": 3}), eval_strategy="steps", eval_steps=3
    )
    training.train()
    lines = logs.read(tmp_path / "run")
    history = training.state.log_history
    for name in {name for row in history for name in row} - {"step"}:
        assert logs.points(lines, tag(name)) == [(row["step"], row[name]) for row in history if name in row]
    assert [step for step, _ in logs.points(lines, "train/loss")] == [2, 4, 6]
    assert [step for step, _ in logs.points(lines, "eval/accuracy")] == [3, 6]
    assert logs.end(lines)["status"] == "finished"


def test_what_the_run_is(tmp_path: Path, logs: Any) -> None:
    """The arguments and the model's configuration are settings; the number of steps is known from the start."""
    trainer(tmp_path, TuimonCallback(tmp_path / "run", config={"fold": 3})).train()
    header, settings = logs.read(tmp_path / "run")[:2]
    assert header["run"]["total_steps"] == 6
    assert {"learning_rate": 0.01, "max_steps": 6, "fold": 3}.items() <= settings["config"].items()
    assert {"model_type": "bert", **SIZES}.items() <= settings["config"]["model"].items()


def test_last_evaluation(tmp_path: Path, logs: Any) -> None:
    """What is evaluated and predicted after the training belongs to the run."""
    callback = TuimonCallback(tmp_path / "run")
    training = trainer(tmp_path, callback)
    training.train()
    found = training.evaluate()
    test = training.predict(Sentences()).metrics
    training.log(test)
    callback.close()
    lines = logs.read(tmp_path / "run")
    assert logs.points(lines, "eval/loss") == [(6, found["eval_loss"])]
    assert logs.points(lines, "test/accuracy") == [(6, test["test_accuracy"])]
    assert [line["end"]["status"] for line in lines if "end" in line] == ["finished", "finished"]


def test_resume(tmp_path: Path, logs: Any) -> None:
    """A training that goes on from a checkpoint supersedes what came after that checkpoint."""
    saved = {"save_strategy": "steps", "save_steps": 2, "logging_steps": 1}
    trainer(tmp_path, TuimonCallback(tmp_path / "run"), max_steps=3, **saved).train()
    again = trainer(tmp_path, TuimonCallback(tmp_path / "run"), **saved)
    again.train(resume_from_checkpoint=str(tmp_path / "out" / "checkpoint-2"))
    lines = logs.read(tmp_path / "run")
    assert [step for step, _ in logs.points(lines, "train/loss")] == [1, 2, 3, 3, 4, 5, 6]
    assert [line["restart"] for line in lines if "restart" in line] == [{"step": 3}]
    assert [line["run"].get("resumed", False) for line in lines if "tuimon" in line] == [False, True]


def test_failure(tmp_path: Path, logs: Any) -> None:
    """The error of a training in a ``with`` block is in the log."""
    with pytest.raises(RuntimeError), TuimonCallback(tmp_path / "run") as callback:
        trainer(tmp_path, callback, Sentences(fails=True)).train()
    end = logs.end(logs.read(tmp_path / "run"))
    assert end["status"] == "failed"
    assert end["error"].endswith("RuntimeError: no such sentence")


def test_failure_that_is_caught(tmp_path: Path, logs: Any) -> None:
    """A training that ended without a word failed, even where nobody says why."""
    with pytest.raises(RuntimeError):
        trainer(tmp_path, TuimonCallback(tmp_path / "run"), Sentences(fails=True)).train()
    gc.collect()
    logs.until(lambda: [line for line in logs.read(tmp_path / "run") if "end" in line])
    assert logs.end(logs.read(tmp_path / "run"))["status"] == "failed"


def test_a_smaller_batch_after_memory_ran_out(tmp_path: Path, logs: Any) -> None:
    """With ``auto_find_batch_size`` the training begins again: what was logged before is superseded."""
    callback = TuimonCallback(tmp_path / "run")
    training = trainer(tmp_path, callback, logging_steps=1, max_steps=3, auto_find_batch_size=True)
    step, calls = training.training_step, []

    def runs_out(*args: Any, **kwargs: Any) -> Any:
        calls.append(0)
        if len(calls) == 3:
            raise RuntimeError("CUDA out of memory. Tried to allocate more than there is")
        return step(*args, **kwargs)

    training.training_step = runs_out
    training.train()
    lines = logs.read(tmp_path / "run")
    assert [at for at, _ in logs.points(lines, "train/loss")] == [1, 2, 1, 2, 3]
    assert [line["restart"] for line in lines if "restart" in line] == [{"step": 0}]
    assert logs.end(lines)["status"] == "finished"


def test_other_processes_write_nothing(tmp_path: Path) -> None:
    """Only process 0 of a distributed training has a log."""
    callback, state = TuimonCallback(tmp_path / "run"), transformers.TrainerState(is_world_process_zero=False)
    args = transformers.TrainingArguments(str(tmp_path / "out"), report_to=[])
    callback.on_train_begin(args, state, None)
    callback.on_log(args, state, None, logs={"loss": 1.0})
    callback.on_train_end(args, state, None)
    assert not (tmp_path / "run").exists()


def test_search(tmp_path: Path, logs: Any) -> None:
    """Each trial of a hyper-parameter search has a directory of its own, also after one that was cut short."""
    callback, args = TuimonCallback(tmp_path / "run"), SimpleNamespace(to_dict=dict)
    for number in range(3):
        state = transformers.TrainerState(global_step=0, is_hyper_param_search=True, trial_name=f"run-{number}")
        callback.on_train_begin(args, state, None)
        callback.on_log(args, state, None, logs={"loss": float(number)})
        if number != 1:
            callback.on_train_end(args, state, None)
    gc.collect()
    found = [logs.read(tmp_path / "run" / f"run-{number}") for number in range(3)]
    assert [logs.points(lines, "train/loss") for lines in found] == [[(0, 0.0)], [(0, 1.0)], [(0, 2.0)]]
    assert [logs.end(lines)["status"] for lines in found] == ["finished", "failed", "finished"]


def test_two_processes(tmp_path: Path, logs: Any, run_script: Any) -> None:
    """Of two real processes the main one has the log of the training, whatever the other one does."""
    result = run_script(SCRIPT, processes=2)
    assert result.returncode == 0, result.stderr
    assert len([*(tmp_path / "run").iterdir()]) == 1
    lines = logs.read(tmp_path / "run")
    assert [step for step, _ in logs.points(lines, "train/loss")] == [1, 2]
    assert lines[0]["run"]["world_size"] == 2
    assert logs.end(lines)["status"] == "finished"


def test_values_of_any_kind(tmp_path: Path, logs: Any) -> None:
    """Scalars of numpy and torch, nested metrics, None and texts are taken; the rest does not disturb."""
    from tuimon_writer import messages

    callback, state = TuimonCallback(tmp_path / "run"), transformers.TrainerState(global_step=5)
    values = {"loss": torch.tensor(0.5, requires_grad=True), "eval_f1": torch.tensor(0.25).numpy(), "none": None}
    others = {"parts": {"a": 1, "b": {"c": 2}}, "note": "slow", "norms": [1.0, 2.0], "odd": object()}
    args = SimpleNamespace(to_dict=dict)
    callback.on_log(args, state, None, logs={**values, **others})
    callback.close()
    lines = logs.read(tmp_path / "run")
    (row,) = [line["scalars"] for line in lines if "scalars" in line]
    assert row == {"train/loss": 0.5, "eval/f1": 0.25, "train/none": None, "train/parts/a": 1, "train/parts/b/c": 2}
    assert [line["text"]["text"] for line in lines if "text" in line] == ["slow"]
    assert [line["histogram"]["mean"] for line in lines if "histogram" in line] == [1.5]
    assert len(messages._said) == 1  # the object
    messages._said.clear()
