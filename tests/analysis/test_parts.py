"""Layers as a tree: sums of what is in a module, modules that no row names, what is folded away."""

from __future__ import annotations

from tuimon.analysis.parts import kinds, read_parts, visible

COLUMNS = ["layer", "type", "parameters", "trainable", "shapes", "settings"]
ROWS = [
    ["", "Net", 0, 0, "", ""],
    ["body", "Sequential", 0, 0, "", ""],
    ["body.0", "Conv2d", 100, 100, "4x5x5", ""],
    ["body.1", "ReLU", 0, 0, "", ""],
    ["body.2.inner", "Linear", 300, 0, "30x10", ""],
    ["head", "Linear", 50, 50, "5x10", ""],
]


def test_parameters_add_up():
    """A module has what its layers have, and the model all of it; frozen ones are counted and not trained."""
    root, counted = read_parts({"columns": COLUMNS, "rows": ROWS, "title": "Net"})
    assert counted
    assert (root.total, root.total_trained, root.nodes) == (450, 150, 6)
    body = root.children[0]
    assert (body.label, body.total, body.total_trained, body.own) == ("body", 400, 100, 0)
    assert [part.path for part in root.walk()] == ["", "body", "body.0", "body.1", "body.2", "body.2.inner", "head"]
    assert kinds(root) == [("Linear", 2), ("Conv2d", 1), ("Net", 1), ("ReLU", 1), ("Sequential", 1)]


def test_a_module_that_no_row_names_is_there():
    """Its layers are in it, and it has no type."""
    root, _ = read_parts({"columns": COLUMNS, "rows": ROWS})
    missing = root.children[0].children[2]
    assert (missing.path, missing.kind, missing.depth, missing.total) == ("body.2", "", 2, 300)


def test_folding_and_sorting():
    """What is in a folded module is not listed; the largest first keeps the tree."""
    root, _ = read_parts({"columns": COLUMNS, "rows": ROWS})
    assert [part.path for part in visible(root, lambda part: part.path == "body")] == ["", "body", "head"]
    largest = visible(root, lambda _: False, largest_first=True)
    assert [part.path for part in largest] == ["", "body", "body.2", "body.2.inner", "body.0", "body.1", "head"]


def test_graphs_have_scopes():
    """Names of nodes are split at slashes, and dots in them are no levels."""
    rows = [["net/fc.1/w", "Const", 0], ["net/fc.1/add", "Add", 1], ["net/fc.2/w", "Const", 2]]
    root, counted = read_parts({"columns": ["node", "type", "inputs"], "rows": rows})
    assert not counted
    assert [part.path for part in root.walk()] == [
        "",
        "net",
        "net/fc.1",
        "net/fc.1/w",
        "net/fc.1/add",
        "net/fc.2",
        "net/fc.2/w",
    ]
    assert root.nodes == 3


def test_damaged_tables():
    """Rows that are none, words for numbers, nothing at all."""
    root, counted = read_parts({"columns": COLUMNS, "rows": [None, "x", ["a", "L", "many", None], []]})
    assert counted
    assert (root.total, root.nodes) == (0, 1)
    assert read_parts({})[0].children == []
