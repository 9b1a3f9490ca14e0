"""Which files hold what a run printed."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tuimon.formats import console as console_format
from tuimon.formats._looks import names_text_log

if TYPE_CHECKING:
    from tuimon.store import Run

SUFFIX = ".console"
"""Of the file that the writer keeps beside its log."""
MOST_ENTRIES = 4_000
"""Entries of a directory that are looked at."""
ABOVE = 3
"""Directories above that of a log in which the output of its job is looked for."""
_OUTPUT = re.compile(
    r"(?:^|[-_.])(?:std)?(?:out|err)(?:put)?(?:$|[-_.])|console|nohup|slurm|^cout|\.(?:out|err|log)(?:\.\d+)?$|\.[oe]\d+",
    re.IGNORECASE,
)
_ERRORS = re.compile(r"(?:^|[-_.])(?:std)?err(?:$|[-_.\d])|\.e\d+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Output:
    """Something that a run printed.

    Attributes:
        path: The file; empty for texts in the log itself.
        name: What to call it.
        errors: Whether it is standard error, by its name.
    """

    path: str
    name: str
    errors: bool = False


def outputs(run: Run, owned: Callable[[str], str | None], texts_tag: str) -> list[Output]:
    """What there is of the output of a run, the most telling first. Hold the store's lock.

    Looked for are the files that the writer keeps beside its logs, logs that are themselves output, the ``output.log``
    of W&B, files beside the logs that are called as output is, and those of the run's Slurm job there and above.

    Args:
        run: The run.
        owned: The run that a file was read for, by its path; None if it was read for none.
        texts_tag: The tag of texts that are output.
    """
    known = {source.path: source for source in run.sources}
    stems = {os.path.splitext(path)[0]: (source.rank, -at) for at, (path, source) in enumerate(known.items())}
    ours = [path for path, source in known.items() if source.origin.rank == console_format.FORMAT.rank]
    kept: list[str] = []
    beside: list[str] = []
    folders = dict.fromkeys(folder for path in known for folder in _folders(path))
    for folder in folders:
        listed = _files(folder)
        shared = any(owned(path) not in (None, run.name) for path in listed.values())
        for name, path in listed.items():
            if owned(path) is not None or (shared and os.path.splitext(path)[0] not in stems):
                continue
            if name.endswith(SUFFIX):
                kept.append(path)
            elif _OUTPUT.search(name) and names_text_log(path):
                beside.append(path)
    kept.sort(key=lambda path: stems.get(os.path.splitext(path)[0], (math.inf, 0)))
    ranks = {path: stems[stem][0] for path in kept if (stem := os.path.splitext(path)[0]) in stems}
    found = [Output(path, _name(path, ranks.get(path, 0)), is_errors(path))
             for path in dict.fromkeys((*kept, *ours, *beside, *_of_job(run.info, folders)))]  # fmt: skip
    if texts_tag in run.texts:
        found.append(Output("", "in the log"))
    return _named_apart(found)


def has_output(run: Run, owned: Callable[[str], str | None], texts_tag: str) -> bool:
    """Whether anything that a run printed is there and not empty; arguments as for `outputs`."""
    return any(not output.path or _size(output.path) for output in outputs(run, owned, texts_tag))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def is_errors(path: str) -> bool:
    """Whether a file is called as what a program writes to standard error is."""
    return _ERRORS.search(os.path.basename(path)) is not None


def _name(path: str, rank: int) -> str:
    return f"rank {rank} · {os.path.basename(path)}" if rank else os.path.basename(path)


def _folders(path: str) -> tuple[str, ...]:
    """The directory of a log; W&B keeps the output in one beside or below."""
    folder = os.path.dirname(path)
    if os.path.basename(folder) == "files":
        return folder, os.path.dirname(folder)
    return folder, os.path.join(folder, "files")


def _files(folder: str) -> dict[str, str]:
    """The files in a directory by their names, in the order of these."""
    found: dict[str, str] = {}
    try:
        with os.scandir(folder or ".") as entries:
            for number, entry in enumerate(entries):
                if number >= MOST_ENTRIES:
                    break
                if entry.is_file():
                    found[entry.name] = os.path.join(folder, entry.name)
    except OSError:
        return {}
    return dict(sorted(found.items()))


def _of_job(info: Mapping[str, object], folders: Iterable[str]) -> list[str]:
    """The files that Slurm wrote for the run's job."""
    job = info.get("job")
    if not isinstance(job, (str, int)) or not str(job).strip():
        return []
    number = re.compile(rf"(?<![0-9]){re.escape(str(job))}(?![0-9]).*\.(?:out|err|log)$")
    seen: dict[str, None] = {}
    for folder in folders:
        for _ in range(ABOVE + 1):
            seen[folder] = None
            above = os.path.dirname(os.path.abspath(folder))
            if above == folder:
                break
            folder = above
    return [path for folder in seen for name, path in _files(folder).items() if number.search(name)]


def _named_apart(found: list[Output]) -> list[Output]:
    """The same, with the directory in front of names that occur twice."""
    names = [output.name for output in found]
    return [
        Output(output.path, os.path.join(os.path.basename(os.path.dirname(output.path)), output.name), output.errors)
        if names.count(output.name) > 1
        else output
        for output in found
    ]
