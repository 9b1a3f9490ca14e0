"""The settings and the final numbers of a run, with the attribute and item access of ``wandb.config``."""

from __future__ import annotations

from collections.abc import Mapping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, ItemsView, Iterator, KeysView, ValuesView
    from typing import Any


class Named:
    """Values by name, read and set as items or as attributes; what is set is reported.

    Args:
        values: What it begins with; not reported.
        report: Called with each mapping of new values, if given.
    """

    def __init__(self, values: Mapping[str, Any], report: Callable[[Mapping[str, Any]], None] | None = None) -> None:
        object.__setattr__(self, "_values", dict(values))
        object.__setattr__(self, "_report", report)

    _values: dict[str, Any]
    _report: Callable[[Mapping[str, Any]], None] | None

    def update(self, values: Any = None, allow_val_change: object = None, **more: Any) -> None:  # noqa: ARG002
        """Set several values.

        Args:
            values: A mapping, or an object whose attributes are meant, such as parsed arguments.
            allow_val_change: Accepted and not used: values may always change.
            more: Further values by name.
        """
        new = named(values) if values is not None else {}
        new.update(more)
        if new:
            self._values.update(new)
            if self._report is not None:
                self._report(new)

    def setdefaults(self, values: Any) -> None:
        """Set those values that are not set yet."""
        self.update({key: value for key, value in named(values).items() if key not in self._values})

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a name, or a default."""
        return self._values.get(key, default)

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._values.keys()

    def values(self) -> ValuesView[Any]:
        """The values."""
        return self._values.values()

    def items(self) -> ItemsView[str, Any]:
        """Names and values."""
        return self._values.items()

    def as_dict(self) -> dict[str, Any]:
        """A copy as a dict."""
        return dict(self._values)

    def __getitem__(self, key: str) -> Any:
        return self._values[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.update({key: value})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name not in self._values:
            raise AttributeError(name)
        return self._values[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self.update({name: value})

    def __contains__(self, key: object) -> bool:
        return key in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


class Config(Named):
    """The settings of a run."""


class Summary(Named):
    """The final numbers of a run: the last value of each tag, and what was set by hand (which is logged).

    Attributes:
        rows: Rows that were logged and are still to be taken in: whoever logs only appends to it.
    """

    rows: list[Mapping[str, Any]]
    _merged: dict[str, Any]

    @property
    def _values(self) -> dict[str, Any]:
        self.take_in()
        return self._merged

    @_values.setter
    def _values(self, values: dict[str, Any]) -> None:
        object.__setattr__(self, "rows", [])
        object.__setattr__(self, "_merged", values)

    def take_in(self) -> None:
        """Take in the rows."""
        count = len(self.rows)
        for row in self.rows[:count]:
            self._merged.update(row)
        del self.rows[:count]


class Current:
    """Stands for the `Named` of the run that is current when it is used, so that it can be imported by name.

    Args:
        target: Gives that one.
    """

    def __init__(self, target: Callable[[], Named]) -> None:
        object.__setattr__(self, "_target", target)

    _target: Callable[[], Named]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._target(), name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._target(), name, value)

    def __getitem__(self, key: str) -> Any:
        return self._target()[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self._target()[key] = value

    def __contains__(self, key: object) -> bool:
        return key in self._target()

    def __iter__(self) -> Iterator[str]:
        return iter(self._target())

    def __len__(self) -> int:
        return len(self._target())

    def __repr__(self) -> str:
        return repr(self._target())


def named(values: Any) -> dict[str, Any]:
    """The named values of a mapping, or of an object with attributes.

    Raises:
        TypeError: It has none.
    """
    if isinstance(values, (Mapping, Named, Current)):
        return {str(key): values[key] for key in values}
    return {name: value for name, value in vars(values).items() if not name.startswith("_")}
