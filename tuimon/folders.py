"""The directories in which programs keep the logs of one run. Pure rules.

- A directory named as the one for the logs of the run above (``tensorboard``, ``vis_data``) says nothing itself.
- A single run of W&B beside event files is W&B's log of the same run.
- TensorBoard's writers put some things of a run into directories below it, each with an event file of its own: the
  settings and results of ``add_hparams`` under a time stamp, and each line of ``add_scalars`` under its name. They
  belong to the run above; a line of ``add_scalars`` becomes the tag ``group/line``.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tuimon.formats.base import Kind
from tuimon.heads import Glimpse
from tuimon.walk import Candidate

Place: TypeAlias = tuple[int, str]
"""A run or a directory: the index of its root, and its path below that, joined with "/"; "" for the root itself."""

EMPTY_EVENTS = 100
"""Bytes of an event file that holds no event but the one that names its version."""

FOR_LOGS = frozenset(
    {"tensorboard", "tensorboard_logs", "tensorboard_log", "tensorboardx", "tblogs", "tb_logs", "tb_log", "tb"}
    | {"tf_logs", "tflogs", "tf_log", "vis_data", "vdl_logs", "vdl_log", "visualdl"}
    | {"tb-logs", "tensorboard-logs", "tensorboard_events", "tfevents", "summaries", "summary", "event_logs"}
)
"""Names of directories for the logs of the run above."""

_TIME_STAMP = r"1\d{9}\.\d+"
_WANDB_RUN = r"(?:(.*)/)?wandb/[^/]*run-[^/]*"


@dataclass(frozen=True, slots=True)
class Log:
    """A log file.

    Attributes:
        file: Where it is, and what it was like when it was listed.
        kind: Its format.
        home: Directory of its run as its format sees it.
        name: The last part of its path.
        events: Whether it is an event file of TensorBoard.
    """

    file: Candidate
    kind: Kind
    home: str
    name: str
    events: bool

    @classmethod
    def of(cls, file: Candidate, kind: Kind, home: str) -> Log:
        """A log file by what is known of it."""
        name = os.path.basename(file.path)
        return cls(file, kind, home, name, "tfevents" in name)


@dataclass(frozen=True, slots=True)
class Part:
    """What a log file is of its run.

    Attributes:
        place: The run.
        family: Files of a run that have the same word here go on from each other; those of different words tell of
            the same training side by side.
        suffix: What is added to its tags after a slash.
    """

    place: Place
    family: str
    suffix: str = ""


def run_folders(logs: Iterable[Log]) -> dict[Place, Place]:
    """The directories whose logs are of the run of a directory above, with that."""
    homes = {(log.file.root, log.home) for log in logs if not log.kind.companion}
    with_events = {(log.file.root, log.home) for log in logs if log.events}
    found: dict[Place, Place] = {}
    wandb: dict[Place, list[Place]] = defaultdict(list)
    for root, home in homes:
        run = re.fullmatch(_WANDB_RUN, home) if "wandb/" in home else None
        parent, _, last = home.rpartition("/")
        if home and last.lower() in FOR_LOGS:
            found[root, home] = (root, parent)
        elif run and (root, run[1] or "") in with_events:
            wandb[root, run[1] or ""].append((root, home))
    found.update((runs[0], above) for above, runs in wandb.items() if len(runs) == 1)
    return found


class InnerEvents:
    """Finds the event files in directories that TensorBoard's writers made for something of a run above.

    Args:
        look: Gives what the beginning of a log tells.
        unsettled: Takes files whose beginning does not tell yet.
    """

    def __init__(self, look: Callable[[Log], Glimpse], unsettled: Callable[[str], None]) -> None:
        self._look = look
        self._unsettled = unsettled

    def find(self, folders: Mapping[Place, Sequence[Log]]) -> Iterator[tuple[str, Part]]:
        """What these files are of the runs above, by path.

        Args:
            folders: Log files by the directory of their run.
        """
        events = {place: logs for place, found in folders.items() if (logs := [log for log in found if log.events])}
        stamped: dict[Place, list[list[Log]]] = defaultdict(list)
        for (root, folder), found in events.items():
            above = [up for up in _above(folder) if (root, up) in events]
            if (
                above
                and folder.rpartition("/")[0] == above[0]
                and re.fullmatch(_TIME_STAMP, folder[len(above[0]) :].strip("/"))
            ):
                stamped[root, above[0]].append(found)
            elif above:
                for log in found:
                    line = self._line(log, folder, above)
                    if line is not None:
                        yield log.file.path, Part((root, line[0]), log.kind.name, line[1])
        for place, several in stamped.items():
            trained = any(log.file.size > EMPTY_EVENTS for log in events[place])
            for log in (log for found in several for log in found):
                seen = self._look(log)
                if seen.settings and (trained or len(several) == 1):
                    yield log.file.path, Part(place, f"{log.kind.name} hparams")
                elif seen.empty:
                    self._unsettled(log.file.path)

    def _line(self, log: Log, folder: str, above: Sequence[str]) -> tuple[str, str] | None:
        """The run and the name of the line of ``add_scalars`` that an event file holds, by its only tag.

        The line "val" of the group "data/loss" is in ``data_loss_val`` or, from tensorboardX, in ``data/loss/val``.
        """
        seen = self._look(log)
        if seen.empty:
            self._unsettled(log.file.path)
        if len(seen.first) != 1:
            return None
        (tag,) = seen.first
        for up in above:
            below = folder[len(up) :].removeprefix("/")
            for group in (f"{tag}/", f"{tag.replace('/', '_')}_"):
                if below.startswith(group) and len(below) > len(group):
                    return up, below[len(group) :]
        return None


def _above(folder: str) -> Iterator[str]:
    """The directories above one, the nearest first, ending with "" for the root."""
    while folder:
        folder = folder.rpartition("/")[0]
        yield folder
