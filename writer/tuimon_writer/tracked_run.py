"""A run as ``wandb.init`` gives it."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from time import time

from tuimon_writer.encode import EndPayload
from tuimon_writer.flusher import flusher
from tuimon_writer.messages import warn_once
from tuimon_writer.recorder import drawn
from tuimon_writer.run_files import RunFiles
from tuimon_writer.settings import Config, Summary
from tuimon_writer.unrecorded import Unrecorded
from tuimon_writer.values import plain
from tuimon_writer.waiting import HEAVY_BOUND, ROW_WEIGHT
from tuimon_writer.writer import harmless, otherwise

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from types import TracebackType
    from typing import Any

    from tuimon_writer.loggable import Loggable
    from tuimon_writer.values import Json
    from tuimon_writer.watching import Watch

_DEPTH = 16
_SUMS = (float, int)  # what the sum of plain numbers is, and of nothing else
_ROWS = 4_096  # that wait for the summary


class Metric:
    """What `Run.define_metric` says of tags.

    Attributes:
        name: The tag, or a pattern such as ``val/*``.
        step_metric: The tag of what to draw it over, if not the step.
        summary: What to show of it at the end: "min", "max", "mean", "last", "best"…
    """

    def __init__(self, **facts: Any) -> None:
        self.name = facts.get("name")
        self.step_metric = facts.get("step_metric")
        self.summary = facts.get("summary")
        self.hidden = facts.get("hidden")
        self.step_sync = facts.get("step_sync")
        self.goal = facts.get("goal")


class Run(RunFiles):
    """A run, as ``wandb.init`` gives it. Its keywords are described at `init`.

    Attributes:
        name: Name of the run.
        id: What identifies it: given to `init`, or the name of its directory.
        dir: Directory of the log.
        config: Settings; see `tuimon_writer.settings.Config`.
        summary: Final numbers; see `tuimon_writer.settings.Summary`.
        step: The step that the next `log` without one gets.
    """

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
        **more: Any,
    ) -> None:
        run = {"id": id, "resumed": resumed, **about}
        settings = {key: plain(value) for key, value in config.items()}
        super().__init__(directory, name=name, run=run, config=settings, enabled=enabled, **more)
        self.name = name
        self.id = id
        self.dir = self.sync_dir = directory
        self.project = about.get("project")
        self.entity = about.get("entity")
        self.group = about.get("group")
        self.job_type = about.get("job_type")
        self.tags = about.get("tags")
        self.notes = about.get("notes")
        self.resumed = resumed
        self.disabled = not enabled
        self.offline = True
        self.url = self.project_url = self.sweep_id = self.sweep_url = None
        self.path = "/".join(str(part) for part in (self.entity, self.project, id) if part)
        self.start_time = time()
        self.starting_step = self.step = 0
        self.finished = False
        self.config = Config(config, self._put_config)
        self.config_static = self.config
        self.summary = Summary({}, self._put_summary)
        self.when_finished: Callable[[], None] | None = None
        self._rows = self.summary.rows
        self.settings = Unrecorded("run.settings")
        self._watches: list[Watch] = []
        self._alerts: dict[str, float] = {}

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
        try:  # the hot path: nothing but numbers
            simple = commit is None and sum(data.values()).__class__ in _SUMS and data.__class__ is dict
        except Exception:  # there are other things among them
            simple = False
        if not simple or not self._quick or (step is not None and step.__class__ is not int):
            self._log_any(data, step, commit)
            return
        row = data.copy()  # type: ignore[attr-defined]
        if step is None:
            step = self.step
            self.step = step + 1
        elif step > self.step:
            self.step = step
        rows = self._rows
        rows.append(row)
        _extend((self._log, step, time(), "", row))
        _waiting.heavy += ROW_WEIGHT * len(row)
        if len(_queue) > flusher.threshold or _waiting.heavy > HEAVY_BOUND:
            flusher.nudge()
        if len(rows) >= _ROWS:
            self.summary.take_in()

    @harmless
    def _log_any(self, data: Mapping[str, Any], step: Any, commit: bool | None) -> None:
        given = self._step(step) if step is not None else None
        if given is not None:
            self.step = max(self.step, int(given))
        at = self.step if given is None else given
        if not isinstance(data, Mapping):
            raise TypeError("wandb.log takes a dict")
        now = time()
        numbers = {tag: value for tag, value in _flatten(data) if not self._put_other(tag, value, at, now)}
        self._rows.append(numbers)
        self._put_scalars(numbers, at, now)
        if commit or (commit is None and given is None):
            self.step += 1

    def _put_other(self, tag: str, value: Any, step: Any, when: float) -> bool:
        """Log a value that is not a number; False when it may be one. Whatever fails, the others of its row go on."""
        try:
            return self._put_thing(tag, value, step, when)
        except Exception as error:
            warn_once(("thing", self.dir, tag), f"{tag!r}: not logged: {error!r}")
            return True

    def _put_thing(self, tag: str, value: Any, step: Any, when: float) -> bool:
        if isinstance(value, (float, int)):
            return False
        if isinstance(value, Unrecorded):
            return True  # there was a warning when it was made
        things = _things(value)
        if things:
            for number, thing in enumerate(things):
                if thing.broken:
                    continue
                facts: dict[str, Json] = {} if len(things) == 1 else {"index": number, "count": len(things)}
                thing.put(self, tag, step, when, facts)
            return True
        if hasattr(value, "savefig") or hasattr(value, "gcf"):
            self._put_png(tag, drawn(value.gcf() if hasattr(value, "gcf") else value), step, when, {})
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

    @harmless
    def _put_summary(self, values: Mapping[str, Any]) -> None:
        now = time()
        found = [(f"summary/{tag}", value) for tag, value in _flatten(values)]
        numbers = {tag: value for tag, value in found if not self._put_other(tag, value, self.step, now)}
        self._put_scalars(numbers, self.step, now)

    @otherwise(Metric)
    def define_metric(
        self,
        name: str,
        step_metric: Any = None,
        step_sync: bool | None = None,
        hidden: bool | None = None,
        summary: str | None = None,
        overwrite: bool | None = None,  # noqa: ARG002 - the newest one holds
        goal: str | None = None,
        **_others: object,
    ) -> Metric:
        """Say how tags are to be shown.

        Args:
            name: The tag, or a pattern such as ``val/*``.
            step_metric: The tag of what to draw them over, if not the step.
            step_sync: Accepted and kept.
            hidden: Whether not to show them.
            summary: What to show of them at the end: "min", "max", "mean", "last", "best"…
            overwrite: Accepted and not used.
            goal: "minimize" or "maximize".
        """
        over = getattr(step_metric, "name", step_metric)
        metric = Metric(name=name, step_metric=over, step_sync=step_sync, hidden=hidden, summary=summary, goal=goal)
        facts: dict[str, Json] = {key: plain(value) for key, value in vars(metric).items() if value is not None}
        self._put_record("metric", lambda: facts, None, time())
        return metric

    @harmless
    def watch(
        self,
        models: Any,
        criterion: Any = None,  # noqa: ARG002 - part of the API
        log: str | None = "gradients",
        log_freq: int = 1000,
        idx: int | None = None,
        log_graph: bool = False,
    ) -> None:
        """Log histograms of a model's weights and gradients while it trains; see `tuimon_writer.watching`.

        Args:
            models: A model of PyTorch, or several.
            criterion: Accepted and not used.
            log: "gradients", "parameters", "all" or None.
            log_freq: Forward passes between two logs.
            idx: Number of the first model, None for the next one.
            log_graph: Whether to log the layers too.
        """
        from tuimon_writer.watching import watch

        found = watch(self, models, log, log_freq, idx, len(self._watches))
        self._watches += found
        if log_graph:
            for one in found:
                self._put_graph("model", one.model, None)

    @harmless
    def unwatch(self, models: Any = None) -> None:
        """Stop watching a model, or several; None for all."""
        meant = models if models is None or isinstance(models, (list, tuple)) else [models]
        for one in [*self._watches]:
            if meant is None or any(one.model is model for model in meant):
                one.stop()
                self._watches.remove(one)

    @harmless
    def alert(self, title: str, text: str, level: Any = None, wait_duration: Any = None) -> None:
        """Log a message for the person who watches.

        Args:
            title: What it is about.
            text: The message.
            level: "INFO", "WARN" or "ERROR".
            wait_duration: Seconds (or a timedelta) within which the same title is not said again.
        """
        now = time()
        wait = getattr(wait_duration, "total_seconds", lambda: wait_duration or 0)()
        last = self._alerts.get(title)
        if last is None or now - last >= wait:
            self._alerts[title] = now
            self._put_alert(title, text, str(getattr(level, "value", level) or "INFO").lower(), self.step, now)

    def mark_preempting(self) -> None:
        """Nothing to do: nobody queues the run again."""

    def display(self, height: int = 420, hidden: bool = False) -> bool:  # noqa: ARG002 - part of the API
        """Nothing to show in a notebook; gives False."""
        return False

    def project_name(self) -> Any:
        """The project."""
        return self.project

    def get_url(self) -> None:
        """There is none."""

    def finish(self, exit_code: int | None = None, quiet: object = None) -> None:  # noqa: ARG002 - wandb's keyword
        """Write everything and the end of the run.

        Args:
            exit_code: Other than 0 or None marks the run as failed.
            quiet: Accepted and not used.
        """
        self._leave()
        self._end(EndPayload("failed" if exit_code else "finished", exit=exit_code))

    def _leave(self) -> None:
        self.finished = True
        self.unwatch()
        if self.when_finished is not None:
            self.when_finished()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()
        super().__exit__(kind, error, trace)

    def __getattr__(self, name: str) -> Unrecorded:
        if name.startswith("_"):
            raise AttributeError(name)
        return Unrecorded(f"run.{name}")


def _things(value: Any) -> Sequence[Loggable]:
    """What is to be logged in its own way: one, or a list of such."""
    first = value[0] if value.__class__ in (list, tuple) and value else value
    if isinstance(first, Unrecorded):
        return ()
    if hasattr(first, "to_plotly_json"):
        from tuimon_writer.data_types import Plotly

        return [Plotly(one) for one in (value if first is not value else [value])]
    if hasattr(first, "itertuples"):
        from tuimon_writer.data_types import Table

        return [Table(dataframe=one) for one in (value if first is not value else [value])]
    if not hasattr(first, "put") or not hasattr(first, "_said"):
        return ()
    return value if first is not value else [value]


def _flatten(data: Mapping[Any, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        if isinstance(value, Mapping) and depth < _DEPTH:
            yield from _flatten(value, f"{prefix}{key}.", depth + 1)
        else:
            yield f"{prefix}{key}", value


def _size(shape: Any) -> int:
    return prod(int(length) for length in shape)


_waiting = flusher.waiting
_queue = flusher.queue
_extend = _queue.extend
