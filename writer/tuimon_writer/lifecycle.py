"""How a run ends: noticed at exit, at a signal and at an unhandled exception, and written to every unfinished log."""

from __future__ import annotations

import atexit
import builtins
import os
import signal
import sys
import threading
from time import monotonic, time

from tuimon_writer.encode import EndPayload
from tuimon_writer.flusher import flusher
from tuimon_writer.messages import warn_once

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType
    from typing import Any, NoReturn

    from tuimon_writer.log_file import LogFile

AT_EXIT = 10.0
"""Seconds that a process waits at most for its logs at its exit."""

AT_SIGNAL = 3.0
"""Seconds that it waits at most for them when it is told to terminate."""

_LEAST_WAIT = 0.1
_ERROR_LINES = 20
_ERROR_LENGTH = 4_000
_SIGNALS = ("SIGTERM", "SIGHUP")


class _Ending:
    """What is known so far of how this process ends."""

    def __init__(self) -> None:
        self.installed = False
        self.end: EndPayload | None = None
        self.since = 0.0
        self.signals: list[int] = []
        self.masks: dict[int, set[int]] = {}

    def note(self, end: EndPayload) -> None:
        self.end = end
        self.since = time()


_ending = _Ending()
before_end: list[Callable[[], None]] = []
"""What is called before the logs are ended, such as to stop those that log by themselves."""


def install() -> None:
    """Set the hooks, once a process: at exit, after fork, uncaught exceptions, ``sys.exit`` and termination signals.

    Hooks that were there are called after ours. A signal is only handled when nobody else does, and only from the
    main thread.
    """
    if _ending.installed:
        return
    _ending.installed = True
    atexit.register(_at_exit)
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork)
    flusher.before_thread = _join_multiprocessing
    _hook_exceptions()
    _hook_sys_exit()
    _hook_builtin_exit()
    if threading.current_thread() is threading.main_thread():
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, _on_signal)
                _ending.signals.append(number)


def describe_exception(kind: type[BaseException] | None, error: BaseException | None) -> EndPayload:
    """The end of a run that an exception brought about, with the last lines of its traceback."""
    if kind is None:
        return EndPayload("finished")
    if issubclass(kind, KeyboardInterrupt):
        return EndPayload("interrupted", signal="SIGINT")
    if issubclass(kind, SystemExit):
        return _describe_exit(getattr(error, "code", None))
    if issubclass(kind, GeneratorExit) or error is None:
        return EndPayload("finished")
    import traceback

    lines = "".join(traceback.format_exception(kind, error, error.__traceback__)).splitlines()
    return EndPayload("failed", error="\n".join(lines[-_ERROR_LINES:])[-_ERROR_LENGTH:])


def is_leaving(log: LogFile) -> bool:
    """Whether the process is on its way out, as far as is known, and nothing has come for a log since."""
    return _ending.end is not None and log.last_time <= _ending.since


def _describe_exit(code: object) -> EndPayload:
    if code is None or code == 0:
        return EndPayload("finished", exit=0)
    if isinstance(code, int):
        return EndPayload("failed", exit=code & 0xFF)
    return EndPayload("failed", exit=1, error=str(code)[-_ERROR_LENGTH:])


def _hook_exceptions() -> None:
    previous = sys.excepthook

    def excepthook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not _is_interactive():
            end = describe_exception(kind, error)
            end.details["exit"] = 130 if end.status == "interrupted" else 1
            _ending.note(end)
            flusher.flush(AT_SIGNAL)
        previous(kind, error, trace)

    sys.excepthook = excepthook


def _hook_sys_exit() -> None:
    previous = sys.exit

    def exit(status: object = None) -> NoReturn:  # noqa: A001 - it stands in for sys.exit
        if threading.current_thread() is threading.main_thread():
            _ending.note(_describe_exit(status))
        previous(status)  # type: ignore[arg-type]

    exit.__doc__ = previous.__doc__
    sys.exit = exit
    script = vars(sys.modules["__main__"])
    for name in [name for name, value in script.items() if value is previous]:  # from sys import exit
        script[name] = exit


def _hook_builtin_exit() -> None:
    """As for ``sys.exit``: ``exit`` and ``quit`` are objects of the module site, of one class."""
    kind: Any = type(getattr(builtins, "exit", None))
    if kind.__module__ != "_sitebuiltins":  # python -S
        return
    previous = kind.__call__

    def call(self: object, code: object = None) -> NoReturn:
        if threading.current_thread() is threading.main_thread():
            _ending.note(_describe_exit(code))
        previous(self, code)
        raise SystemExit(code)

    kind.__call__ = call


def _is_interactive() -> bool:
    return hasattr(sys, "ps1") or bool(sys.flags.interactive)


def _at_exit() -> None:
    end = _ending.end
    last = getattr(sys, "last_value", None)
    if end is None and last is not None and not _is_interactive() and "IPython" not in sys.modules:
        end = describe_exception(type(last), last)  # somebody put another excepthook in the place of ours
        end.details["exit"] = 130 if end.status == "interrupted" else 1
        _ending.note(end)
    _end_all(AT_EXIT)
    flusher.stop()


def _end_all(timeout: float) -> None:
    """Write what is left and an end to every log that this process has begun and not ended."""
    for call in before_end:
        call()
    limit = monotonic() + timeout
    flusher.flush(timeout)
    now, end = time(), _ending.end
    for log in list(flusher.logs):
        # values after a sys.exit that somebody caught show that the run went on
        how = end if end is not None and is_leaving(log) else EndPayload("finished")
        flusher.put(log, None, now, how)
    flusher.flush(max(_LEAST_WAIT, limit - monotonic()))
    lost = flusher.unwritten
    if lost:
        warn_once(("lost",), f"{lost} values could not be written before the process ended, and are lost")


def _on_signal(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 - as signal.signal wants it
    _ending.note(EndPayload("killed", signal=signal.Signals(number).name))
    _end_all(AT_SIGNAL)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


def _before_fork() -> None:
    flusher.before_fork()
    # Python loses signals that reach a child before its hooks have run: they are held back until then
    if _ending.signals:
        _ending.masks[threading.get_ident()] = signal.pthread_sigmask(signal.SIG_BLOCK, _ending.signals)


def _unblock_signals() -> None:
    mask = _ending.masks.pop(threading.get_ident(), None)
    if mask is not None:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _after_fork_in_parent() -> None:
    _unblock_signals()
    flusher.after_fork_in_parent()


def _after_fork() -> None:
    _ending.end = None
    flusher.after_fork()
    _unblock_signals()
    _ending.masks.clear()


def _join_multiprocessing() -> None:
    """Have a child of multiprocessing, which leaves by os._exit, end its logs as well."""
    process, util = sys.modules.get("multiprocessing.process"), sys.modules.get("multiprocessing.util")
    if process is not None and util is not None and process.parent_process() is not None:
        util.Finalize(None, _at_child_exit, exitpriority=0)


def _at_child_exit() -> None:
    kind, error, _ = sys.exc_info()  # up to Python 3.12 multiprocessing calls this while it unwinds
    if error is not None:
        _ending.note(describe_exception(kind, error))
    elif _ending.end is None:
        _ending.note(_describe_exit(_child_exit_code()))
    _end_all(AT_EXIT)


def _child_exit_code() -> int | None:
    """The status with which multiprocessing is about to leave; from Python 3.13 on nothing else tells of an error."""
    frame = sys._getframe()
    while frame is not None and frame.f_code.co_name != "_bootstrap":  # below it the status is not set yet
        if str(frame.f_globals.get("__name__")).startswith("multiprocessing."):
            code = frame.f_locals.get("code")
            if isinstance(code, int):
                return code
        frame = frame.f_back  # type: ignore[assignment]
    return None
