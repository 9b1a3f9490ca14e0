"""Finding formats."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tuimon.formats import registry
from tuimon.formats.base import Format, Kind, Parser
from tuimon.formats.jsonl import FORMAT as JSON_LINES
from tuimon.formats.tuimon_jsonl import FORMAT as NATIVE


class Plugin(Format):
    name = "plugin"
    rank = 5

    def sniff(self, file_name: str, head: bytes) -> bool:
        return head.startswith(b"PLUGIN")

    def parser(self, file_name: str) -> Parser:
        raise NotImplementedError


class EntryPoint:
    def __init__(self, name: str, offered: object) -> None:
        self.name = self.value = name
        self._offered = offered

    def load(self) -> object:
        if isinstance(self._offered, Exception):
            raise self._offered
        return self._offered


def test_formats_are_tried_from_the_strictest_on() -> None:
    known = registry.formats()
    assert [one.rank for one in known] == sorted(one.rank for one in known)
    assert known.index(NATIVE) < known.index(JSON_LINES)
    assert all(isinstance(one, Kind) for one in known)


def test_a_file_is_given_to_the_format_that_knows_it() -> None:
    assert registry.detect("a.jsonl", b'{"tuimon": 1, "run": {}}\n') is NATIVE
    assert registry.detect("a.jsonl", b'{"step": 1, "loss": 0.5}\n') is JSON_LINES
    assert registry.detect("a.bin", b"\x00\x01\x02") is None
    assert registry.detect("a.jsonl", b"") is None


def test_another_package_offers_a_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plugins are asked for only on demand; one that is broken is named, and the others work."""
    plugin = Plugin()
    offered = [EntryPoint("good", plugin), EntryPoint("broken", ImportError("no numpy")), EntryPoint("odd", 3)]
    monkeypatch.setattr(metadata, "entry_points", lambda group: offered if group == "tuimon.formats" else [])
    monkeypatch.setattr(registry, "_plugins", [])
    assert registry.detect("x", b"PLUGIN data") is None
    errors = registry.load_plugins()
    assert registry.detect("x", b"PLUGIN data") is plugin
    assert registry.load_plugins() == errors
    assert [error.split(" (")[0] for error in errors] == ["format plugin broken", "format plugin odd"]
    assert registry.formats().count(plugin) == 1


HEAVY = {"numpy", "sqlite3", "yaml", "importlib.metadata", "textual"}
SMALL = {"_document", "_dvclive", "_json", "_mlflow", "_wandb", "_wandb.files", "_wandb.values"}
"""Private modules that tell files apart, and cost little. What parses one format is imported when it is wanted."""


def modules_after(code: str) -> set[str]:
    """The modules that are loaded after some code has run in an interpreter of its own."""
    script = f"{code}\nimport sys, json\nprint(json.dumps([*sys.modules]))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path.cwd())
    return set(json.loads(run.stdout))


@pytest.fixture(scope="module")
def json_lines() -> set[str]:
    """The modules that are loaded for reading JSON lines."""
    return modules_after("import tuimon.formats.registry, tuimon.formats.jsonl, tuimon.formats.tuimon_jsonl, json")


def test_knowing_all_formats_needs_what_json_lines_need(json_lines: set[str]) -> None:
    """The formats of files that are not there delay no chart: their libraries and parsers are imported on first use."""
    loaded = modules_after("from tuimon.formats.registry import formats\nassert formats()") - json_lines
    own = {name.removeprefix("tuimon.formats.") for name in loaded if name.startswith("tuimon.formats.")}
    assert {name for name in loaded if not name.startswith("tuimon.formats.")} == set()
    assert {name for name in own if name.startswith("_")} <= SMALL
    assert not HEAVY & json_lines


def test_telling_json_and_binary_files_needs_nothing_heavy() -> None:
    """A file is shown to all formats up to its own, and none of those loads a library for it."""
    files = [
        ("a.jsonl", b'{"tuimon": 1, "run": {}}\n'),
        ("b.jsonl", b'{"step": 1, "loss": 0.5}\n{"step": 2, "loss": 0.25}\n'),
        ("trainer_state.json", b'{"global_step": 1, "log_history": [{"loss": 1, "step": 1}]}'),
        ("data.json", b'{"images": [1, 2, 3]}'),
        ("weights.dat", bytes(range(256))),
    ]
    loaded = modules_after(f"from tuimon.formats.registry import detect\nfor file in {files!r}:\n    detect(*file)")
    assert not HEAVY & loaded


@pytest.mark.parametrize(
    ("name", "text", "format_name"),
    [
        ("iris.csv", "sepal,petal,kind\n1.5,2,a\n2.5,3,b\n", "CSV"),
        ("chat.jsonl", '{"user": "hello", "assistant": "hi"}\n', "JSON lines"),
        ("notes.md", "iter 1: loss 2.5\niter 2: loss 2.4\niter 3: loss 2.3\niter 4: loss 2.2\n", "console output"),
        ("README.md", "# A title\n\nSome words, and more of them.\n", None),
        ("main.py", "import os\n\nfor step in range(3):\n    print(step, os)\n", None),
    ],
)
def test_a_file_that_is_named_opens_if_there_are_numbers(name: str, text: str, format_name: str | None) -> None:
    """In a directory none of these is a log; who names one wants to see it, as far as that can be."""
    assert registry.detect(name, text.encode()) is None
    found = registry.detect(name, text.encode(), named=True)
    assert (found.name if found else None) == format_name
