"""The layers of a model as a table. The model is only walked, never run or traced."""

from __future__ import annotations

from math import prod

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tuimon_writer.values import Json

COLUMNS = ("layer", "type", "parameters", "trainable", "shapes", "settings")
_LENGTH = 200
_LEVELS = 4


def layer_table(model: Any, inputs: Any = None) -> dict[str, Json]:
    """The layers of a model.

    Args:
        model: A model of PyTorch, Paddle or Keras, or anything else, of which only the name is kept.
        inputs: What the model is fed with; its shapes are noted.

    Returns:
        A table with a row for each layer, "" being the whole model: its type, how many parameters it holds itself
        and how many of these are trained (shared ones count where they come first), their shapes, and its settings.
    """
    rows: list[Json] = []
    seen: set[int] = set()
    for name, layer in _walk(model):
        total = trained = 0
        shapes: list[str] = []
        for parameter in _parameters(layer):
            shape = [int(length) for length in getattr(parameter, "shape", ())]
            shapes.append("x".join(map(str, shape)) or "1")
            if id(parameter) not in seen:
                seen.add(id(parameter))
                total += prod(shape)
                trained += prod(shape) if _trains(parameter) else 0
        rows.append([name, type(layer).__name__, total, trained, " ".join(shapes), _settings(layer)])
    body: dict[str, Json] = {"kind": "layers", "title": type(model).__name__, "columns": [*COLUMNS], "rows": rows}
    shapes_in = _shapes(inputs, 0)
    if shapes_in:
        body["inputs"] = shapes_in
    return body


def _walk(model: Any) -> list[tuple[str, Any]]:
    for walk in ("named_modules", "named_sublayers"):
        if callable(getattr(model, walk, None)):
            found = [(str(name), layer) for name, layer in getattr(model, walk)()]
            return found if found and found[0][0] == "" else [("", model), *found]
    layers = getattr(model, "layers", None)
    if isinstance(layers, (list, tuple)):
        return [("", model), *((str(getattr(layer, "name", at)), layer) for at, layer in enumerate(layers))]
    return [("", model)]


def _parameters(layer: Any) -> list[Any]:
    """The parameters that a layer holds itself, without those of the layers in it."""
    own = getattr(layer, "_parameters", None)
    if isinstance(own, dict):
        return [parameter for parameter in own.values() if parameter is not None]
    weights = getattr(layer, "weights", None)
    return [*weights] if isinstance(weights, (list, tuple)) and not getattr(layer, "layers", None) else []


def _trains(parameter: Any) -> bool:
    if hasattr(parameter, "stop_gradient"):
        return not parameter.stop_gradient
    return bool(getattr(parameter, "requires_grad", getattr(parameter, "trainable", True)))


def _settings(layer: Any) -> str:
    describe = getattr(layer, "extra_repr", None)
    try:
        return str(describe())[:_LENGTH] if callable(describe) else ""
    except Exception:  # a layer of the user's whose description fails is a layer all the same
        return ""


def _shapes(inputs: Any, level: int) -> list[Json]:
    shape = getattr(inputs, "shape", None)
    if shape is not None:
        try:
            return [[int(length) if length is not None else None for length in shape]]
        except (TypeError, ValueError):
            return []
    if level >= _LEVELS or not isinstance(inputs, (list, tuple, dict)):
        return []
    values = inputs.values() if isinstance(inputs, dict) else inputs
    return [found for value in values for found in _shapes(value, level + 1)]
