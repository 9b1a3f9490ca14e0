"""Histograms of the weights and gradients of a model while it trains, for ``wandb.watch``."""

from __future__ import annotations

from time import time

from tuimon_writer.messages import warn_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from tuimon_writer.tracked_run import Run


class Watch:
    """Watches a model of PyTorch by its hooks.

    Every so many forward passes in training, the weights are logged as ``parameters/<name>``, and the gradients of the
    backward pass that follows as ``gradients/<name>``, at the step that the run is at.

    Args:
        run: Where to log.
        model: The model.
        parameters: Whether to log weights.
        gradients: Whether to log gradients.
        every: Forward passes between two logs.
        prefix: Begins the tags, where several models are watched.

    Attributes:
        model: The model.
    """

    def __init__(self, run: Run, model: Any, *, parameters: bool, gradients: bool, every: int, prefix: str) -> None:
        self.model = model
        self._run = run
        self._parameters = parameters
        self._every = max(1, int(every))
        self._prefix = prefix
        self._passes = 0
        self._waiting: set[str] = set()  # the parameters whose gradients are due
        self._handles = [model.register_forward_hook(self._on_forward)]
        if gradients:
            self._handles += [
                parameter.register_hook(self._gradient_hook(name))
                for name, parameter in model.named_parameters()
                if parameter.requires_grad
            ]
        self._gradients = gradients

    def stop(self) -> None:
        """Take the hooks off the model."""
        for handle in self._handles:
            handle.remove()
        self._handles.clear()

    def _on_forward(self, model: Any, *_passed: Any) -> None:
        if not model.training:
            return
        self._passes += 1
        if self._passes % self._every:
            return
        if self._gradients:
            self._waiting.update(name for name, _ in self._named())
        if self._parameters:
            for name, parameter in self._named():
                self._log(f"parameters/{name}", parameter)

    def _named(self) -> Iterator[tuple[str, Any]]:
        yield from self.model.named_parameters()

    def _gradient_hook(self, name: str) -> Any:
        def hook(gradient: Any) -> None:
            if name in self._waiting:
                self._waiting.discard(name)
                self._log(f"gradients/{name}", gradient)

        return hook

    def _log(self, tag: str, tensor: Any) -> None:
        self._run._put_histogram(self._prefix + tag, tensor, self._run.step, time(), "tensorflow")


def watch(run: Run, models: Any, log: str | None, log_freq: int, idx: int | None, first: int) -> list[Watch]:
    """Watch models.

    Args:
        run: Where to log.
        models: A model of PyTorch, or several.
        log: "gradients", "parameters", "all" or None for neither.
        log_freq: Forward passes between two logs.
        idx: Number of the first of them, None for the next one.
        first: How many are watched already.

    Returns:
        Their watches. What is no such model is warned of.
    """
    found: list[Watch] = []
    start = first if idx is None else int(idx)
    for number, model in enumerate(models if isinstance(models, (list, tuple)) else [models], start):
        if not hasattr(model, "register_forward_hook") or not hasattr(model, "named_parameters"):
            warn_once(
                ("watch", type(model)), f"watch: {type(model).__name__} is no model of PyTorch, it is not watched"
            )
            continue
        prefix = f"graph_{number}/" if number else ""
        parameters, gradients = log in ("parameters", "all"), log in ("gradients", "all")
        found.append(Watch(run, model, parameters=parameters, gradients=gradients, every=log_freq, prefix=prefix))
    return found
