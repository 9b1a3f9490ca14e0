"""Settings in a file of their own beside the logs of a run: YAML or JSON under one of the names that trainers use."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from tuimon.formats._document import DocumentParser
from tuimon.formats._json import BadDocument, document
from tuimon.formats._values import settings
from tuimon.formats._wandb import files as wandb_files
from tuimon.formats.base import Format, Parser
from tuimon.records import Config, Record, Setting, Skipped

_NAMES = frozenset(
    {"config", "configs", "hparams", "hyperparameters", "hyperparams", "args", "opt", "hyp", "params", "train_config"}
    | {"training_args", "train_args", "training_config", "settings", "cfg", "options", "exp_config", "flags"}
)
_YAML = (".yaml", ".yml")
_YAML_START = (
    rb"""(?:\s*(?:\#[^\n]*)?\n|---[^\n]*\n|%[^\n]*\n|!![^\n]*\n)*\s*(?:\{|["']?[\w][\w.\-/ <>]*["']?\s*:(?:\s|$))"""
)
_MOST = 5_000
_LONGEST = 10_000


class ConfigFile(Format):
    """The format of such files."""

    name = "settings"
    rank = 85
    whole = True
    companion = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`; the name decides, and the file has to begin with an object."""
        stem, dot, suffix = path.rpartition("/")[2].lower().rpartition(".")
        if stem not in _NAMES or b"\0" in head:
            return False
        if dot + suffix in _YAML:
            return re.match(_YAML_START, head.removeprefix(b"\xef\xbb\xbf")) is not None
        return suffix == "json" and head.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{")

    def home(self, folder: str, file_name: str) -> str:  # noqa: ARG002
        """See `tuimon.formats.base.Kind.home`; W&B keeps settings in a directory ``files``, Hydra in ``.hydra``."""
        above, _, last = folder.rpartition("/")
        return above if last == ".hydra" else wandb_files.home(folder)

    def parser(self, path: str) -> Parser:
        """See `tuimon.formats.base.Format.parser`."""
        return _Settings(path.lower().endswith(_YAML))


class _Settings(DocumentParser):
    """Parses the settings.

    Args:
        yaml: Whether they are YAML, not JSON.
    """

    def __init__(self, yaml: bool) -> None:
        self._yaml = yaml

    def document(self, data: bytes) -> Sequence[Record] | None:
        """See `tuimon.formats._document.DocumentParser.document`."""
        from tuimon.formats._yaml import MAX_YAML, load_yaml

        if len(data) > MAX_YAML:
            return [Skipped("settings too large", 0, f"more than {MAX_YAML >> 20} MB")]
        try:
            value = load_yaml(data) if self._yaml else document(data)
        except (BadDocument, msgspec.DecodeError, RecursionError):
            return [Skipped("bad settings", 0, "")]
        if value is None and not self._yaml:
            return None
        found = settings(_plain(value)) if isinstance(value, dict) else {}
        return [Config(_bounded(found))] if found else []


def _plain(values: dict[str, object]) -> dict[str, object]:
    """The settings themselves, where W&B puts each into an object beside its description."""
    wrapped = [value for value in values.values() if isinstance(value, dict) and value.keys() in _WRAPPINGS]
    if not ("wandb_version" in values or (wrapped and len(wrapped) == len(values))):
        return values
    return {
        key: value["value"] if isinstance(value, dict) and "value" in value else value
        for key, value in values.items()
        if key not in ("wandb_version", "_wandb")
    }


_WRAPPINGS = ({"desc", "value"}, {"value"})


def _bounded(values: dict[str, Setting]) -> dict[str, Setting]:
    """As many as a person could read; texts of any length are cut."""
    kept = [*values.items()][:_MOST]
    return {key: value[:_LONGEST] if isinstance(value, str) else value for key, value in kept}


FORMAT = ConfigFile()
