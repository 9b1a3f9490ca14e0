"""What MLflow's file store says of a run beside its metrics: ``meta.yaml``, and a file for each parameter and tag."""

from __future__ import annotations

from collections.abc import Sequence

from tuimon.formats import _mlflow
from tuimon.formats._document import DocumentParser
from tuimon.formats.base import Format, Parser
from tuimon.records import Record, RunInfo, Skipped

_META = "meta.yaml"


class MlflowRun(Format):
    """The format of these files."""

    name = "MLflow run"
    rank = 31
    companion = True
    whole = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`.

        A parameter is any text, so its directory has to be that of a run, or MLflow's by its name.
        """
        if path.rpartition("/")[2] == _META:
            return b"lifecycle_stage:" in head and any(
                key in head for key in (b"run_id:", b"run_uuid:", b"artifact_location:")
            )
        for area in ("params", "tags"):
            found = _mlflow.place(path, area)
            if found is not None:
                folders = found[0].split("/")
                known = _mlflow.is_run_id(folders[-1]) or "mlruns" in folders[-3:-2] or found[1].startswith("mlflow.")
                return known and b"\0" not in head
        return False

    def home(self, folder: str, file_name: str) -> str:
        """See `tuimon.formats.base.Kind.home`."""
        if file_name == _META:
            return folder
        found = [_mlflow.place(f"{folder}/{file_name}", area) for area in ("params", "tags")]
        return next((home for home, _ in filter(None, found)), "")

    def parser(self, path: str) -> Parser:
        """See `tuimon.formats.base.Format.parser`."""
        if path.rpartition("/")[2] == _META:
            return MetaParser()
        for area in ("params", "tags"):
            found = _mlflow.place(path, area)
            if found is not None:
                return ValueParser(area, found[1])
        return ValueParser("params", path.rpartition("/")[2])


class MetaParser(DocumentParser):
    """Takes what MLflow says of a run, or of the experiment that it is in."""

    def document(self, data: bytes) -> Sequence[Record] | None:
        """See `tuimon.formats._document.DocumentParser.document`."""
        from tuimon.formats._yaml import load_yaml

        about = load_yaml(data)
        if not isinstance(about, dict):
            return [Skipped("bad document", 0, "meta.yaml")]
        if "run_id" in about or "run_uuid" in about:
            return _mlflow.run(about)
        return [RunInfo({"project": about["name"]})] if isinstance(about.get("name"), str) else []


class ValueParser(DocumentParser):
    """Takes one parameter or tag.

    Args:
        area: "params" or "tags".
        name: Its name.
    """

    def __init__(self, area: str, name: str) -> None:
        self._area = area
        self._name = name

    def document(self, data: bytes) -> Sequence[Record] | None:
        """See `tuimon.formats._document.DocumentParser.document`."""
        text = data.decode("utf-8", "replace")
        return _mlflow.param(self._name, text) if self._area == "params" else _mlflow.tag(self._name, text)


FORMAT = MlflowRun()
