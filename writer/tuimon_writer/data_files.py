"""What scripts hand to ``wandb`` that is a file, or becomes one as it is: `Html`, `Plotly`, `Artifact`."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tuimon_writer.arrays import snapshot
from tuimon_writer.loggable import Loggable, content_of, read_file
from tuimon_writer.recorder import drawn

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tuimon_writer.recorder import MediaWriter
    from tuimon_writer.values import Json


class Html(Loggable):
    """A page of HTML, as ``wandb.Html``.

    Args:
        data: The page, the path of a file, or a file.
        inject: Accepted and not used.
        data_is_not_path: Whether ``data`` is the page also where a file of that name exists.
    """

    suffix = ".html"
    kind = "html"

    def __init__(self, data: Any, inject: bool = True, data_is_not_path: bool = False) -> None:  # noqa: ARG002
        text = str(data)
        if hasattr(data, "read"):
            self.data = content_of(data)
        elif not data_is_not_path and len(text) < 1_000 and "<" not in text and os.path.isfile(text):
            self.data = read_file(data)
        else:
            self.data = text.encode("utf-8", "replace")

    def put(self, log: MediaWriter, tag: str, step: Any, when: float, facts: Mapping[str, Json]) -> None:
        """See `Loggable.put`."""
        log._put_bytes(tag, self.kind, self.suffix, self.data, step, when, self._said(facts))


class Plotly(Html):
    """A chart of plotly, kept as its JSON; or a figure of matplotlib, kept as a picture. As ``wandb.Plotly``."""

    suffix = ".json"
    kind = "plotly"

    def __init__(self, val: Any) -> None:
        self.data = drawn(val) if hasattr(val, "savefig") else str(val.to_json()).encode()
        if hasattr(val, "savefig"):
            self.suffix, self.kind = ".png", "image"


class Molecule(Loggable):
    """A molecule in a file, as ``wandb.Molecule``.

    Args:
        data_or_path: The path of a file, or a file.
        caption: What it is.
        file_type: Kind of the file, where it has no name.
    """

    kind = "molecule"

    def __init__(self, data_or_path: Any, caption: str | None = None, file_type: str = "", **_others: object) -> None:
        self.caption = caption
        if hasattr(data_or_path, "read"):
            self.data, self.suffix = content_of(data_or_path), f".{file_type or 'pdb'}"
        else:
            self.data, self.suffix = read_file(data_or_path), os.path.splitext(os.fspath(data_or_path))[1].lower()

    def put(self, log: MediaWriter, tag: str, step: Any, when: float, facts: Mapping[str, Json]) -> None:
        """See `Loggable.put`."""
        log._put_bytes(tag, self.kind, self.suffix, self.data, step, when, self._said(facts))


class Object3D(Molecule):
    """A cloud of points, or a file of such, as ``wandb.Object3D``.

    Args:
        data_or_path: Array (points, 3), also with a class or with red, green and blue behind; a mapping with such
            "points"; the path of a file; or a file.
        caption: What it is.
        file_type: Kind of the file, where it has no name.
    """

    kind = "mesh"

    def __init__(self, data_or_path: Any, caption: str | None = None, file_type: str = "", **_others: object) -> None:
        points = data_or_path.get("points") if isinstance(data_or_path, dict) else data_or_path
        self.points: Any = None
        if isinstance(points, (str, os.PathLike)) or hasattr(points, "read"):
            super().__init__(points, caption, file_type or "obj")
            return
        self.caption = caption
        self.points = snapshot(points)

    def put(self, log: MediaWriter, tag: str, step: Any, when: float, facts: Mapping[str, Json]) -> None:
        """See `Loggable.put`."""
        if self.points is None:
            super().put(log, tag, step, when, facts)
            return
        coloured = hasattr(self.points, "dtype") and len(self.points.shape) == 2 and self.points.shape[1] >= 6
        log._put_mesh(tag, self.points, self.points[:, 3:6] if coloured else None, None, step, when)


class Artifact:
    """Files that belong together, as ``wandb.Artifact``. Where they are is recorded; they are not copied.

    Args:
        name: Its name.
        type: What it is, such as "model" or "dataset".
        description: More of it.
        metadata: Settings of its own.

    Attributes:
        paths: Its files and directories so far.
        aliases: Names of this version.
    """

    def __init__(
        self,
        name: str,
        type: str = "",  # noqa: A002 - wandb's word
        description: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        *_more: object,
        **_others: object,
    ) -> None:
        self.name = name
        self.type = type
        self.description = description
        self.metadata: dict[str, Any] = dict(metadata) if isinstance(metadata, Mapping) else {}
        self.aliases: list[str] = []
        self.version = "v0"
        self.paths: list[str] = []

    def add_file(self, local_path: str | os.PathLike[str], *_more: object, **_others: object) -> None:
        """Add a file."""
        self.paths.append(os.fspath(local_path))

    add_dir = add_file

    def add_reference(self, uri: Any, *_more: object, **_others: object) -> None:
        """Add something that lies elsewhere."""
        self.paths.append(str(uri).removeprefix("file://"))

    def add(self, obj: Any, name: str, *_more: object, **_others: object) -> None:
        """Accepted and not recorded: objects such as tables are recorded when they are logged."""

    def new_file(self, name: str, mode: str = "w", encoding: str | None = None) -> Any:
        """A new file to write to, in a directory of its own."""
        import tempfile

        path = os.path.join(tempfile.mkdtemp(prefix="artifact-"), os.path.basename(name))
        self.paths.append(path)
        return open(path, mode, encoding=encoding)

    def wait(self, timeout: float | None = None) -> Artifact:  # noqa: ARG002 - there is nothing to wait for
        """The artifact itself."""
        return self

    def download(self, root: str | None = None, *_more: object, **_others: object) -> str:
        """Where its files are: nothing is fetched."""
        if root is not None:
            return root
        return os.path.dirname(os.path.abspath(self.paths[0])) if self.paths else os.curdir
