"""From what training code has in hand (Python, numpy, torch, jax, paddle… values) to plain numbers.

No library is imported here. Numpy is used when the program has imported it already; tensors are recognised by their
methods.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from math import isfinite
from os import PathLike, fspath

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Number: TypeAlias = "float | int | None"
    Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

EXACT = 1 << 63
"""Whole numbers from here on, and below its negative, are kept as floats."""

_TEXT = 2_000
_DEPTH = 16


def number(value: Any) -> Number:
    """The number that a value stands for.

    Args:
        value: Anything that holds one number: a Python number, a number in a string, a numpy or tensor value of one
            element on any device and of any type, None.

    Returns:
        A float or an int, exactly the value; None for None.

    Raises:
        TypeError, ValueError, OverflowError: It is not one real number; libraries may raise others of their own.
    """
    kind = value.__class__
    if kind is float or value is None:
        return value  # type: ignore[no-any-return]
    if kind is not int and not isinstance(value, str):
        if _is_masked(value):  # its item() would be whatever lies under the mask
            if bool(value.mask):
                return None
            value = value.data
        if hasattr(value, "item"):
            value = value.item()
        elif hasattr(value, "numpy"):
            value = value.numpy().item()
        if value is None:
            return None
    if isinstance(value, complex):
        raise TypeError("it is complex")
    if isinstance(value, int):
        return int(value) if -EXACT <= value < EXACT else float(value)
    return float(value)


def step_number(step: Any) -> Number:
    """The step that a value stands for; None when there is none.

    Raises:
        TypeError, ValueError: It is not a finite number.
    """
    found = number(step)
    if found is not None and not isfinite(found):
        raise ValueError("it is not finite")
    return found


def flat(values: Any) -> Any:
    """All numbers in a tensor, array or nested sequence, in one dimension.

    Args:
        values: Tensor, array, number, or (nested) iterable of numbers.

    Returns:
        A one-dimensional numpy array of a real type when numpy is loaded, which may share memory with ``values``; else
        a list of numbers.

    Raises:
        TypeError, ValueError: There are values in it that are not real numbers.
    """
    numpy = sys.modules.get("numpy")
    if hasattr(values, "detach"):
        values = from_tensor(values, numpy)
    elif hasattr(values, "numpy") and callable(values.numpy):
        values = values.numpy()
    elif _is_masked(values):
        values = values.compressed()
    if numpy is None:
        return list(_numbers(values, 0))
    array = numpy.asarray(list(values) if _is_stream(values) else values)
    if array.dtype.kind == "c":
        raise TypeError("they are complex")
    if array.dtype.kind in "biuf":
        return array.reshape(-1)
    return array.astype(numpy.float64).reshape(-1)


def from_tensor(tensor: Any, numpy: Any) -> Any:
    """A tensor of PyTorch's kind as a numpy array, or as a flat list where ``numpy`` is None; memory may be shared.

    Raises:
        TypeError: Its values are complex.
    """
    tensor = tensor.detach()
    if getattr(tensor, "is_sparse", False):
        tensor = tensor.to_dense()
    if hasattr(tensor, "cpu"):
        tensor = tensor.cpu()
    if hasattr(tensor, "is_complex") and tensor.is_complex():
        raise TypeError("they are complex")
    if numpy is None:
        return tensor.reshape(-1).tolist()
    try:
        return tensor.numpy()
    except (TypeError, RuntimeError):  # numpy has no bfloat16
        return tensor.float().numpy()


def _is_masked(value: Any) -> bool:
    """Whether it is a masked array of numpy, or its constant for one masked value."""
    return type(value).__module__.startswith("numpy.ma")


def _is_stream(values: Any) -> bool:
    return isinstance(values, Iterable) and not hasattr(values, "__len__") and not hasattr(values, "__array__")


def _numbers(values: Any, depth: int) -> Iterable[float]:
    if isinstance(values, Iterable) and not isinstance(values, str) and depth < _DEPTH:
        for value in values:
            yield from _numbers(value, depth + 1)
    else:
        found = number(values)
        yield float("nan") if found is None else found


def plain(value: Any, depth: int = 0, above: tuple[int, ...] = ()) -> Json:
    """A setting as JSON can hold it. It never fails, whatever the methods of a setting do.

    Args:
        value: Anything. Mappings, sequences, namespaces and dataclasses are kept as such, numbers and tensors of one
            element become numbers, paths become strings, and everything else becomes its ``repr``.
        depth: How deep in the settings it lies; beyond a limit only the ``repr`` is kept.
        above: The identities of what it lies in; of what lies in itself only the ``repr`` is kept.

    Returns:
        None, a bool, number, string, list or dict; non-finite numbers as "NaN", "Infinity" and "-Infinity".
    """
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return float(value) if isfinite(value) else non_finite(value)
    try:
        if isinstance(value, int):
            return int(value) if -EXACT <= value < EXACT else shown(value)
        if depth < _DEPTH and id(value) not in above:
            found = _plain_parts(value, depth + 1, (*above, id(value)))
            if found is not None:
                return found
        if isinstance(value, PathLike):
            return str(fspath(value))
        if hasattr(value, "item"):
            return plain(number(value), _DEPTH)
    except Exception:  # it holds several numbers or none, or its methods fail: shown as Python shows it
        return shown(value)
    return shown(value)


def _plain_parts(value: Any, depth: int, above: tuple[int, ...]) -> Json:
    """What has parts as JSON can hold it; None for what has none."""
    if isinstance(value, Mapping):
        return {str(key): plain(item, depth, above) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item, depth, above) for item in value]
    if isinstance(value, (set, frozenset)):
        return [plain(item, depth, above) for item in sorted(value, key=repr)]
    fields = getattr(value, "__dataclass_fields__", None)
    if fields is not None and not isinstance(value, type):
        return {name: plain(getattr(value, name, None), depth, above) for name in fields}
    if value.__class__.__name__ == "Namespace":
        return {name: plain(item, depth, above) for name, item in vars(value).items()}
    return None


def shown(value: Any) -> str:
    """The ``repr`` of a value, cut to a bearable length; its type when it has none."""
    try:
        return repr(value)[:_TEXT]
    except Exception as error:
        return f"<{type(value).__name__} without a repr: {type(error).__name__}>"


def settings(value: Any) -> dict[str, Json]:
    """The settings in a mapping, namespace or dataclass, as JSON can hold them.

    Raises:
        TypeError: It has no named settings.
    """
    found = plain(value)
    if isinstance(found, dict):
        return found
    if hasattr(value, "__dict__"):
        return {name: plain(item, 1, (id(value),)) for name, item in vars(value).items() if not name.startswith("_")}
    raise TypeError("it has no named settings")


def non_finite(value: float) -> str:
    """The name of NaN or an infinity in the log."""
    if value != value:
        return "NaN"
    return "Infinity" if value > 0 else "-Infinity"
