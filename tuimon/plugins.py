"""What other packages register under an entry point."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def load_plugins(group: str, kind: type[T], word: str) -> tuple[list[T], list[str]]:
    """Load what is registered in a group. Takes tens of milliseconds.

    Args:
        group: The entry point group.
        kind: What the values must be.
        word: What such a thing is called in messages.

    Returns:
        What was loaded, and a message for each plugin that could not be loaded.
    """
    from importlib.metadata import entry_points

    found: list[T] = []
    errors: list[str] = []
    for entry in entry_points(group=group):
        try:
            offered = entry.load()
        except Exception as error:
            errors.append(f"{word} plugin {entry.name} ({entry.value}): {error}")
            continue
        if isinstance(offered, kind):
            found.append(offered)
        else:
            errors.append(f"{word} plugin {entry.name} ({entry.value}): not a {word}")
    return found, errors
