"""Names of ``wandb`` that nothing stands behind here: they can be used, say so once, and do nothing."""

from __future__ import annotations

from tuimon_writer.messages import warn_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Unrecorded:
    """Stands for such a name. It can be called, asked for further names, looped over and entered, without effect.

    Args:
        name: The name.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Unrecorded:
        if name.startswith("_"):
            raise AttributeError(name)
        return Unrecorded(f"{self._name}.{name}")

    def __call__(self, *args: object, **kwargs: object) -> Unrecorded:  # noqa: ARG002, D102 - whatever it is given
        say(self._name)
        return Unrecorded(f"{self._name}()")

    def __iter__(self) -> Iterator[Unrecorded]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __enter__(self) -> Unrecorded:
        return self

    def __exit__(self, *exception: object) -> None:
        return None

    def __repr__(self) -> str:
        return f"<{self._name}, not recorded>"


def say(name: str) -> None:
    """Warn, once for a name, that calls of it are not recorded."""
    warn_once(("unrecorded", name), f"{name} is accepted, but not recorded")
