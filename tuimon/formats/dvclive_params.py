"""The parameters of DVCLive: ``dvclive/params.yaml``."""

from __future__ import annotations

from collections.abc import Sequence

from tuimon.formats._document import DocumentParser
from tuimon.formats._dvclive import is_named
from tuimon.formats._values import settings
from tuimon.formats._yaml import load_yaml
from tuimon.formats.base import Format, Parser
from tuimon.records import Config, Record, Skipped


class DvcliveParams(Format):
    """The format of parameters."""

    name = "DVCLive parameters"
    rank = 80
    companion = True
    whole = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        folder, _, name = path.rpartition("/")
        return name == "params.yaml" and is_named(folder) and b"\0" not in head

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return ParamsParser()


class ParamsParser(DocumentParser):
    """Takes the parameters."""

    def document(self, data: bytes) -> Sequence[Record] | None:
        """See `tuimon.formats._document.DocumentParser.document`."""
        found = load_yaml(data)
        return [Config(settings(found))] if isinstance(found, dict) else [Skipped("bad document", 0, "params.yaml")]


FORMAT = DvcliveParams()
