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


def test_importing_the_formats_scans_no_entry_points_and_needs_no_numpy() -> None:
    code = (
        "import sys, json; from tuimon.formats.registry import detect; detect('a', b'{\"step\": 1, \"x\": 1}');"
        "print(json.dumps([name for name in ('numpy', 'importlib.metadata', 'textual') if name in sys.modules]))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert json.loads(run.stdout) == []
