"""Calls of ``wandb``: ``import tuimon_writer as wandb``. Nothing leaves the machine."""

from __future__ import annotations

import os
import sys
from functools import wraps
from itertools import count
from time import strftime

from tuimon_writer.log_file import HEARTBEAT
from tuimon_writer.messages import warn_once
from tuimon_writer.metadata import host_name, is_silenced
from tuimon_writer.settings import Config, Named, Summary, named
from tuimon_writer.tracked_run import Run
from tuimon_writer.values import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

_LONGEST = 200  # bytes of a file's name; file systems take 255
_CAPTURES = ("wrap", "wrap_raw", "wrap_emu", "redirect")  # wandb's words for keeping the console
_NO_PATH = {ord("/"): "-", ord("\\"): "-", 0: "-"}


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
    save_code: object = None,  # noqa: ARG001 - the commit is recorded
    tensorboard: object = None,  # noqa: ARG001 - a SummaryWriter has a log of its own
    sync_tensorboard: object = None,  # noqa: ARG001
    monitor_gym: object = None,  # noqa: ARG001 - log videos by hand
    settings: Any = None,
    anonymous: object = None,  # noqa: ARG001 - there is nobody to log in to
    *,
    total_steps: float | None = None,
    media_bytes: float | str | None = None,
    media_files: float | None = None,
    packages: object = None,
    main_rank_only: bool | None = None,
    system: float | bool = False,
    heartbeat: float | None = HEARTBEAT,
    console: bool | None = None,
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
        save_code: Accepted and not used.
        tensorboard: Accepted and not used.
        sync_tensorboard: Accepted and not used.
        monitor_gym: Accepted and not used.
        settings: A `Settings` or a mapping; its ``mode`` and ``console`` are heeded.
        anonymous: Accepted and not used.
        total_steps: How many steps the training will take, for the time it has left.
        media_bytes: Bytes that pictures and other files beside the log may take in all, also as "500M".
        media_files: How many of them there may be.
        packages: Names of packages whose versions are recorded; True for all that are imported already.
        main_rank_only: Whether ranks of a distributed training other than 0 take everything and write nothing.
        system: Log system metrics under ``system/…``: True for every ten seconds, or how many seconds to leave between.
        heartbeat: Seconds of silence after which the log says that the process is alive; None for never.
        console: Keep what Python writes to standard output and error in a file beside the log; None for what
            ``settings`` say.
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
    if mode is None:
        mode = _setting(settings, "mode")
    enabled = (mode or os.environ.get("WANDB_MODE")) != "disabled" and not is_silenced(main_rank_only)
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
        media_bytes=media_bytes,
        media_files=media_files,
        packages=packages,
        system=system,
        heartbeat=heartbeat,
        console=str(_setting(settings, "console")) in _CAPTURES if console is None else console,
    )
    if start:
        run.resume_at(start)
    _runs[:] = [run]
    _set_log(run.log)
    run.when_finished = _reset_log
    return run


def _set_log(function: Callable[..., None]) -> None:
    """Have ``wandb.log`` be the method of the current run itself, which saves a call each time."""
    vars(sys.modules["tuimon_writer"])["log"] = function


def _reset_log() -> None:
    _set_log(log)


def log(data: Mapping[str, Any], step: Any = None, commit: bool | None = None, sync: object = None) -> None:
    """Log values of one step to the current run; see `Run.log`. Without a run, one begins."""
    run = _runs[-1] if _runs else init()
    if run.finished:
        warn_once(("finished", run.dir), "values that are logged after finish go to the run that was finished")
    run.log(data, step, commit, sync)


def of_run(name: str) -> Callable[..., Any]:
    """A method of the current run as a function of the module. Without a run, one begins."""
    method = getattr(Run, name)

    @wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(current() or init(), name)(*args, **kwargs)

    return call


def login(*_args: object, **_others: object) -> bool:
    """Nothing to do: nothing leaves the machine."""
    return True


def setup(*_args: object, **_others: object) -> None:
    """Nothing to do."""


def teardown(exit_code: int | None = None) -> None:
    """End the current run."""
    finish(exit_code)


class Settings:
    """Settings of wandb; `init` takes heed of ``mode`` and ``console`` only."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> None:
        if name.startswith("__"):
            raise AttributeError(name)


class AlertLevel:
    """How bad it is, for `Run.alert`."""

    INFO = "INFO"
    WARN = "WARN"
    ERROR = "ERROR"


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


def _setting(settings: Any, name: str) -> Any:
    return settings.get(name) if isinstance(settings, dict) else getattr(settings, name, None)


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
