"""The part of a run that has to do with files of others: checkpoints, artifacts. Where they are is recorded."""

from __future__ import annotations

import os
from time import time

from tuimon_writer.recorder import MediaWriter
from tuimon_writer.values import plain
from tuimon_writer.writer import harmless, otherwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from tuimon_writer.data_files import Artifact
    from tuimon_writer.values import Json

_FILES = 1_000  # of a directory in an artifact, or of a pattern to save


def _nothing() -> Artifact:
    from tuimon_writer.data_files import Artifact

    return Artifact("")


class RunFiles(MediaWriter):
    """What a run says of files.

    Attributes:
        id: What identifies the run.
        step: The step that it is at.
    """

    id: str
    step: int

    @otherwise(list[str])
    def save(
        self,
        glob_str: Any = None,
        base_path: Any = None,  # noqa: ARG002 - nothing is copied
        policy: str = "live",  # noqa: ARG002
        glob: bool = True,
    ) -> list[str]:
        """Record where files are. They are not copied.

        Args:
            glob_str: A path, or a pattern of paths.
            base_path: Accepted and not used.
            policy: Accepted and not used.
            glob: Whether it may be a pattern.

        Returns:
            Their paths.
        """
        if glob_str is None:
            return []
        import glob as patterns

        given = os.fsdecode(glob_str) if isinstance(glob_str, (bytes, os.PathLike)) else str(glob_str)
        paths = sorted(patterns.glob(given))[:_FILES] if glob and patterns.has_magic(given) else [given]
        for path in paths:
            self._put_file(path)
        return paths

    @harmless
    def _put_file(self, path: str) -> None:
        self._put_reference(os.path.basename(path), "file", path, self.step, time())

    @otherwise(_nothing)
    def log_artifact(
        self,
        artifact_or_path: Any,
        name: str | None = None,
        type: str | None = None,  # noqa: A002 - wandb's word
        aliases: Any = None,
        tags: Any = None,  # noqa: ARG002 - part of the API
    ) -> Artifact:
        """Record where the files of an artifact are. They are not copied.

        Args:
            artifact_or_path: An `tuimon_writer.data_types.Artifact`, or the path of a file or directory.
            name: Its name, where a path is given.
            type: What it is, where a path is given.
            aliases: Names of this version.
            tags: Accepted and not used.
        """
        from tuimon_writer.data_files import Artifact

        artifact = artifact_or_path
        if not isinstance(artifact, Artifact):
            path = str(artifact_or_path)
            artifact = Artifact(name or f"run-{self.id}-{os.path.basename(path)}", type or "unspecified")
            artifact.add_file(path)
        artifact.aliases = [str(alias) for alias in ([aliases] if isinstance(aliases, str) else aliases or ["latest"])]
        self._put_artifact(artifact)
        return artifact

    @harmless
    def _put_artifact(self, artifact: Artifact) -> None:
        facts: dict[str, Json] = {"type": artifact.type, "aliases": [*artifact.aliases]}
        if artifact.metadata:
            facts["metadata"] = plain(artifact.metadata)
        for path in artifact.paths:
            for file in _files_in(path):
                self._put_reference(artifact.name, "artifact", file, self.step, time(), **facts)

    @harmless
    def log_model(self, path: Any, name: str | None = None, aliases: Any = None) -> None:
        """Record where a model is; see `log_artifact`."""
        self.log_artifact(path, name, "model", aliases)

    @otherwise(_nothing)
    def use_artifact(
        self,
        artifact_or_name: Any,
        type: str | None = None,  # noqa: A002 - wandb's word
        aliases: Any = None,  # noqa: ARG002 - part of the API
        use_as: str | None = None,  # noqa: ARG002
    ) -> Artifact:
        """An artifact of that name. Nothing is fetched: its files are those that were added to it here."""
        from tuimon_writer.data_files import Artifact

        found = artifact_or_name
        return found if isinstance(found, Artifact) else Artifact(str(found), type or "")


def _files_in(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    found = (os.path.join(folder, name) for folder, _, names in os.walk(path) for name in sorted(names))
    return [file for _, file in zip(range(_FILES), found, strict=False)]
