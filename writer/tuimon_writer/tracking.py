"""Calls of ``wandb``: ``import tuimon_writer as wandb``. Nothing leaves the machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import count
from math import prod
from time import strftime, time

from tuimon_writer.encode import EndPayload
from tuimon_writer.histogram import from_bins
from tuimon_writer.messages import warn_once
from tuimon_writer.metadata import host_name
from tuimon_writer.settings import Config, Named, Summary, named
from tuimon_writer.unrecorded import WANDB_CALLS, Unrecorded
from tuimon_writer.values import flat, plain
from tuimon_writer.writer import BaseWriter, harmless

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Any

_DEPTH = 16
_LONGEST = 200  # bytes of a file's name; file systems take 255
_NO_PATH = {ord("/"): "-", ord("\\"): "-", 0: "-"}


class Histogram:
    """A histogram to be logged, as ``wandb.Histogram``.

    Args:
        sequence: Values to be counted.
        np_histogram: Counts and edges that ``numpy.histogram`` gave, instead of values.
        num_bins: Number of bins for the values.
    """

    def __init__(self, sequence: Any = None, np_histogram: Any = None, num_bins: int = 64) -> None:
        self.counted = None
        self.values: Any = None
        self.bins = num_bins
        if np_histogram is not None:
            self.counted = from_bins(np_histogram[1], np_histogram[0])
        else:
            self.values = flat(sequence if sequence is not None else [])


class Run(BaseWriter):
    """A run, as ``wandb.init`` gives it. Its keywords are described at `init`.

    Attributes:
        name: Name of the run.
        id: What identifies it: given to `init`, or the name of its directory.
        dir: Directory of the log.
        config: Settings; see `tuimon_writer.settings.Config`.
        summary: Final numbers; see `tuimon_writer.settings.Summary`.
        step: The step that the next `log` without one gets.
    """

    _unrecorded = WANDB_CALLS

    def __init__(
        self,
        directory: str,
        *,
        name: str,
        id: str,  # noqa: A002 - wandb's word
        about: Mapping[str, object],
        config: Mapping[str, Any],
        resumed: bool,
        enabled: bool,
    ) -> None:
        run = {"id": id, "resumed": resumed, **about}
        settings = {key: plain(value) for key, value in config.items()}
        super().__init__(directory, name=name, run=run, config=settings, enabled=enabled)
        self.name = name
        self.id = id
        self.dir = directory
        self.project = about.get("project")
        self.entity = about.get("entity")
        self.group = about.get("group")
        self.job_type = about.get("job_type")
        self.tags = about.get("tags")
        self.notes = about.get("notes")
        self.resumed = resumed
        self.disabled = not enabled
        self.offline = True
        self.url: str | None = None
        self.start_time = time()
        self.starting_step = self.step = 0
        self.finished = False
        self.config = Config(config, self._put_config)
        self.summary = Summary({}, self._put_summary)

    @harmless
    def log(
        self,
        data: Mapping[str, Any],
        step: Any = None,
        commit: bool | None = None,
        sync: object = None,  # noqa: ARG002 - older scripts pass it
    ) -> None:
        """Log numbers, histograms and texts of one step.

        Args:
            data: Values by tag. Nested mappings become tags joined with dots.
            step: Their step, in any order; None for the run's own count, which grows with each call that commits.
            commit: Whether the step is complete. When None it is, unless a step was given. The values are written at
                once either way; those of one step belong together.
            sync: Accepted and not used.
        """
        given = self._step(step) if step is not None else None
        if given is not None:
            self.step = max(self.step, int(given))
        at = self.step if given is None else given
        if not isinstance(data, Mapping):
            raise TypeError("wandb.log takes a dict")
        numbers: dict[str, Any] = {}
        now = time()
        for tag, value in _flatten(data):
            if not self._put_other(tag, value, at, now):
                numbers[tag] = value
                self.summary.note(tag, value)
        self._put_scalars(numbers, at, now)
        if commit or (commit is None and given is None):
            self.step += 1

    def _put_other(self, tag: str, value: Any, step: Any, when: float) -> bool:
        """Log a value that is not a number; False when it may be one."""
        if isinstance(value, Unrecorded):
            return True  # there was a warning when it was made
        if isinstance(value, Histogram):
            if value.counted is not None:
                self._put_counted(tag, value.counted, step, when)
            else:
                self._put_histogram(tag, value.values, step, when, value.bins)
            return True
        if isinstance(value, str):
            try:
                float(value)
            except ValueError:
                self._put_text(tag, value, step, when)
                return True
            return False
        shape = getattr(value, "shape", None)
        if shape is not None and _size(shape) != 1:
            self._put_histogram(tag, value, step, when, "tensorflow")
            return True
        return False

    def resume_at(self, step: Any) -> None:
        """Say that the training goes on from a step: what came from there on before is superseded."""
        found = self._step(step)
        if found is not None:
            self._put_restart(found)
            self.step = self.starting_step = int(found)

    def _put_summary(self, values: Mapping[str, Any]) -> None:
        self._put_scalars(values, self.step, time(), "summary/")

    def finish(self, exit_code: int | None = None, quiet: object = None) -> None:  # noqa: ARG002 - wandb's keyword
        """Write everything and the end of the run.

        Args:
            exit_code: Other than 0 or None marks the run as failed.
            quiet: Accepted and not used.
        """
        self.finished = True
        self._end(EndPayload("failed" if exit_code else "finished", exit=exit_code))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.finished = True
        super().__exit__(kind, error, trace)


_runs: list[Run] = []  # the newest run, if there was one
_early = Config({})  # settings from before the first run


def init(
    entity: str | None = None,
    project: str | None = None,
    dir: str | os.PathLike[str] | None = None,  # noqa: A002 - wandb's word
    id: str | None = None,  # noqa: A002
    name: str | None = None,
    notes: str | None = None,
    tags: Any = None,
    config: Any = None,
    config_exclude_keys: Any = None,
    config_include_keys: Any = None,
    allow_val_change: object = None,  # noqa: ARG001 - settings may always change
    group: str | None = None,
    job_type: str | None = None,
    mode: str | None = None,
    force: object = None,  # noqa: ARG001 - there is nobody to log in to
    reinit: object = None,  # noqa: ARG001 - a new run always ends the one before
    resume: object = None,
    resume_from: str | None = None,
    fork_from: str | None = None,
    total_steps: float | None = None,
    **_others: object,
) -> Run:
    """Begin a run; the one before it ends.

    Its directory is ``<dir>/<project>/<id or name>``. A directory that another run has got already is only shared when
    that run is meant: with an ``id`` or with ``resume``. Otherwise a number is added to the name.

    Args:
        entity: Kept with the run.
        project: Second part of the directory, if given.
        dir: First part of the directory; by default the environment's TUIMON_DIR, else ``runs``.
        id: Identifies the run across restarts.
        name: Name of the run; made from time and host when there is none.
        notes: Kept with the run.
        tags: Kept with the run.
        config: Settings: a mapping, or an object whose attributes are meant.
        config_exclude_keys: Names of settings to leave out.
        config_include_keys: The only settings to take.
        allow_val_change: Accepted and not used.
        group: Kept with the run.
        job_type: Kept with the run.
        mode: "disabled" records nothing; all others write to the directory and nowhere else.
        force: Accepted and not used.
        reinit: Accepted and not used.
        resume: Whether this goes on with an earlier run of the same name or id.
        resume_from: ``<id>?_step=<step>``: goes on with that run from that step.
        fork_from: Kept with the run.
        total_steps: How many steps the training will take, for the time it has left.
        _others: Further keywords of wandb are accepted and not used.

    Returns:
        The run. It never fails: what cannot be used is warned of.
    """
    finish()
    start: str | None = None
    if resume_from:
        id, _, start = str(resume_from).partition("?_step=")  # noqa: A001
    again = bool(resume_from) or (bool(resume) and resume != "never")
    label = str(name or id or f"{strftime('%b%d_%H-%M-%S')}_{host_name()}")
    enabled = (mode or os.environ.get("WANDB_MODE")) != "disabled"
    root = os.path.join(_path(dir or os.environ.get("TUIMON_DIR") or "runs"), _file_name(str(project or "")))
    directory, existed = _directory(root, _file_name(str(id or label)), again or bool(id), enabled)
    about = {
        "entity": entity,
        "project": project,
        "group": group,
        "job_type": job_type,
        "notes": notes,
        "tags": [tags] if isinstance(tags, str) else plain(tags) or None,
        "fork_from": fork_from,
        "total_steps": total_steps,
    }
    run = Run(
        directory,
        name=label,
        id=str(id or os.path.basename(directory)),
        about=about,
        config=_initial_config(config, config_exclude_keys, config_include_keys),
        resumed=again and existed,
        enabled=enabled,
    )
    if start:
        run.resume_at(start)
    _runs[:] = [run]
    return run


def log(data: Mapping[str, Any], step: Any = None, commit: bool | None = None, sync: object = None) -> None:
    """Log values of one step to the current run; see `Run.log`. Without a run, one begins."""
    run = _runs[-1] if _runs else init()
    if run.finished:
        warn_once(("finished", run.dir), "values that are logged after finish go to the run that was finished")
    run.log(data, step, commit, sync)


def finish(exit_code: int | None = None, quiet: object = None) -> None:
    """End the current run; see `Run.finish`."""
    run = current()
    if run is not None:
        run.finish(exit_code, quiet)


def current() -> Run | None:
    """The run that `init` began and nobody has finished."""
    return _runs[-1] if _runs and not _runs[-1].finished else None


def current_config() -> Named:
    """The settings of the newest run; before the first run, those that it will begin with."""
    return _runs[-1].config if _runs else _early


def current_summary() -> Named:
    """The final numbers of the newest run."""
    return _runs[-1].summary if _runs else Summary({})


def _initial_config(config: Any, without: Any, only: Any) -> dict[str, Any]:
    found = _early.as_dict()
    try:
        found.update(named(config) if config is not None else {})
    except Exception as error:
        warn_once(("config", "init"), f"the config has no named settings, it was not recorded: {error}")
    return {key: value for key, value in found.items() if key not in (without or ()) and (not only or key in only)}


def _directory(root: str, name: str, shared: bool, enabled: bool) -> tuple[str, bool]:
    """A directory for the run, and whether it was there before."""
    path = os.path.join(root, name)
    if not enabled:
        return path, False
    for number in count(2):
        try:
            os.makedirs(path)
        except FileExistsError:
            if shared:
                return path, True
            path = os.path.join(root, f"{name}-{number}")
        except OSError:  # the log itself will say so, and try again later
            return path, False
        else:
            return path, False
    raise AssertionError("count has no end")


def _path(directory: Any) -> str:
    try:
        return os.fsdecode(directory)
    except TypeError:
        return str(directory)


def _file_name(name: str) -> str:
    """A name of one file for the name of a run or project, within what file systems take."""
    if name in (".", ".."):
        return "-"
    name = name.strip().translate(_NO_PATH)
    data = name.encode("utf-8", "backslashreplace")
    if len(data) > _LONGEST:
        import zlib

        data = data[:_LONGEST] + b"-%08x" % zlib.crc32(data)  # names that differ in their ends stay apart
    return data.decode("utf-8", "ignore")


def _flatten(data: Mapping[Any, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, Mapping) and depth < _DEPTH:
            yield from _flatten(value, f"{prefix}{key}.", depth + 1)
        else:
            yield f"{prefix}{key}", value


def _size(shape: Any) -> int:
    return prod(int(length) for length in shape)
