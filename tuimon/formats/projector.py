"""Where TensorBoard's writers put vectors: ``projector_config.pbtxt`` beside the event files of a run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tuimon.formats._document import DocumentParser
from tuimon.formats.base import Format, Parser
from tuimon.records import MediaRecord, Record

_NAME = "projector_config.pbtxt"
_BLOCK = re.compile(r"embeddings\s*:?\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
_FIELD = re.compile(r"""\b(tensor_name|tensor_path|metadata_path)\s*:\s*(["'])(.*?)(?<!\\)\2""")
_STEP = re.compile(r"(.*):(\d+)", re.DOTALL)
_MOST = 1_000
_LONGEST = 1 << 20


class Projector(Format):
    """The format of such files."""

    name = "projector"
    rank = 86
    whole = True
    companion = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        return path.rpartition("/")[2] == _NAME and b"embeddings" in head

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return _Config()


class _Config(DocumentParser):
    """Parses the file."""

    def document(self, data: bytes) -> Sequence[Record] | None:
        """See `tuimon.formats._document.DocumentParser.document`."""
        return [record for block in _blocks(data) for record in _records(block)]


def _blocks(data: bytes) -> Iterator[dict[str, str]]:
    for at, block in enumerate(_BLOCK.finditer(data[:_LONGEST].decode("utf-8", "replace"))):
        if at == _MOST:
            return
        yield {key: re.sub(r"\\(.)", r"\1", value) for key, _, value in _FIELD.findall(block[1])}


def _records(block: dict[str, str]) -> Iterator[Record]:
    """The vectors and what they stand for; the step is written behind the name."""
    path, labels = block.get("tensor_path", ""), block.get("metadata_path", "")
    if not path:
        return
    name = block.get("tensor_name", "") or path
    found = _STEP.fullmatch(name)
    tag, step = (found[1] or name, float(found[2])) if found and len(found[2]) < 16 else (name, None)
    about = {"tag": tag, "encoding": "tsv"}
    yield MediaRecord("media", tag, step, None, {**about, "kind": "embedding", "path": path})
    if labels:
        yield MediaRecord("media", tag, step, None, {**about, "kind": "labels", "path": labels})


FORMAT = Projector()
