"""Runs what takes long in a thread of its own, tells each second how long it has been at it, and keeps the answers."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable

from tuimon.text import clean
from tuimon.ui.media.base import Loaded, UnshowableError

KEPT = 16
"""Answers that are kept."""
TICK = 1.0
"""Seconds between two signs of life."""


class Worker:
    """Gives what functions come to.

    Args:
        ready: Called in a thread when something is done, and each second while it is not.
    """

    def __init__(self, ready: Callable[[], object]) -> None:
        self._ready = ready
        self._answers: OrderedDict[Hashable, Loaded] = OrderedDict()
        self._started: dict[Hashable, float] = {}
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    @property
    def busy(self) -> bool:
        """Whether something is being worked on."""
        with self._lock:
            return bool(self._started)

    def get(self, name: Hashable, job: Callable[[], object]) -> Loaded:
        """The answer, or how long it has been worked on; the first call starts the work."""
        with self._lock:
            if name in self._answers:
                self._answers.move_to_end(name)
                return self._answers[name]
            since = self._started.get(name)
            if since is not None:
                return Loaded(problem=f"working… {time.monotonic() - since:.0f} s", waiting=True)
            self._started[name] = time.monotonic()
        threading.Thread(target=self._run, args=(name, job), name="tuimon-work", daemon=True).start()
        return Loaded(problem="working…", waiting=True)

    def stop(self) -> None:
        """Give no more signs; what is being worked on ends with the process at the latest."""
        self._stopped.set()

    def _run(self, name: Hashable, job: Callable[[], object]) -> None:
        done = threading.Event()
        threading.Thread(target=self._tick, args=(done,), name="tuimon-tick", daemon=True).start()
        try:
            answer = Loaded(value=job())
        except UnshowableError as error:
            answer = Loaded(problem=str(error))
        except Exception as error:
            # Whatever odd numbers make a library do, the item says so and the rest goes on.
            answer = Loaded(problem=f"failed: {clean(str(error)) or type(error).__name__}")
        done.set()
        with self._lock:
            self._started.pop(name, None)
            self._answers[name] = answer
            while len(self._answers) > KEPT:
                self._answers.popitem(last=False)
        if not self._stopped.is_set():
            self._ready()

    def _tick(self, done: threading.Event) -> None:
        while not done.wait(TICK) and not self._stopped.is_set():
            self._ready()
