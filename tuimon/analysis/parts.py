"""The layers of a model, or the nodes of a graph, as a tree of parts with sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

_MOST = 100_000


@dataclass(slots=True)
class Part:
    """A module, a layer or a scope.

    Attributes:
        path: Its whole name; empty for the model itself.
        label: The last piece of its name.
        depth: Number of parts above it.
        kind: Its type; empty where only its content is known.
        facts: What else the log says of it, by column.
        own: Parameters that it holds itself.
        trained: How many of these are trained.
        total, total_trained: The same with all that is in it.
        nodes: Parts in it that the log names, itself included.
        children: The parts in it, in the order of the log.
    """

    path: str
    label: str
    depth: int
    kind: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)
    own: int = 0
    trained: int = 0
    total: int = 0
    total_trained: int = 0
    nodes: int = 0
    children: list[Part] = field(default_factory=list)

    def walk(self) -> Iterable[Part]:
        """This part and all in it, in the order of the log."""
        waiting = [self]
        while waiting:
            part = waiting.pop()
            yield part
            waiting += reversed(part.children)


def read_parts(body: Mapping[str, object]) -> tuple[Part, bool]:
    """The tree of a "table" record of kind "layers" or "graph".

    Names are split at dots, or at slashes where any has one. A name that is missing between two levels gets a part
    without a type.

    Returns:
        The whole model, and whether the log says how many parameters there are.
    """
    columns, rows = body.get("columns"), body.get("rows")
    names = [str(name) for name in columns] if isinstance(columns, Sequence) and not isinstance(columns, str) else []
    found = rows if isinstance(rows, Sequence) and not isinstance(rows, str) else []
    tables = [
        dict(zip(names, row, strict=False))
        for row in found[:_MOST]
        if isinstance(row, Sequence) and not isinstance(row, str) and row
    ]
    key = names[0] if names else ""
    split = "/" if any("/" in str(row.get(key, "")) for row in tables) else "."
    root = Part("", str(body.get("title") or "model"), 0)
    known = {"": root}
    for row in tables:
        part = _part(known, str(row.pop(key, "") or ""), split)
        part.kind = str(row.pop("type", "") or "")
        part.own, part.trained = _whole(row.pop("parameters", 0)), _whole(row.pop("trainable", 0))
        part.facts = row
        part.nodes = 1
    _sum_up(root)
    return root, "parameters" in names


def _part(known: dict[str, Part], path: str, split: str) -> Part:
    """The part of that name, made with all that are missing above it."""
    missing: list[str] = []
    above = path
    while above not in known:
        missing.append(above)
        above = above.rpartition(split)[0]
    parent = known[above]
    for name in reversed(missing):
        part = Part(name, name.rpartition(split)[2] or name, parent.depth + 1)
        parent.children.append(part)
        known[name] = parent = part
    return parent


def _sum_up(root: Part) -> None:
    for part in reversed(list(root.walk())):  # what is in a part comes before it
        part.total = part.own + sum(child.total for child in part.children)
        part.total_trained = part.trained + sum(child.total_trained for child in part.children)
        part.nodes += sum(child.nodes for child in part.children)


def visible(root: Part, folded: Callable[[Part], bool], *, largest_first: bool = False) -> list[Part]:
    """The parts to list: all but those in folded ones.

    Args:
        root: The whole model.
        folded: Whether what is in a part is hidden.
        largest_first: Sort the parts within each part by all their parameters, then by number of nodes.
    """
    out: list[Part] = []
    waiting = [root]
    while waiting:
        part = waiting.pop()
        out.append(part)
        if part.children and not folded(part):
            inside = part.children
            if largest_first:
                inside = sorted(inside, key=lambda child: (-child.total, -child.nodes))
            waiting += reversed(inside)
    return out


def kinds(root: Part) -> list[tuple[str, int]]:
    """How many parts there are of each type, the most frequent first."""
    found = Counter(part.kind for part in root.walk() if part.kind)
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))


def _whole(value: object) -> int:
    return int(value) if isinstance(value, (int, float)) and value == value and abs(value) < 1e18 else 0
