"""The state that the Trainer of Hugging Face Transformers saves with each checkpoint: `trainer_state.json`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tuimon.formats._json import JsonDocument, as_dict, as_list, row_records
from tuimon.formats._values import settings
from tuimon.formats.base import Format, Parser
from tuimon.records import Config, End, Record, RunInfo

_SETTINGS = (
    "max_steps",
    "num_train_epochs",
    "train_batch_size",
    "logging_steps",
    "eval_steps",
    "save_steps",
    "trial_name",
    "trial_params",
)
_RESULTS = ("best_metric", "best_global_step", "best_model_checkpoint", "total_flos", "num_input_tokens_seen")
_CHECKPOINT = r"(?:^|/)checkpoint-[0-9]+$"


class TrainerState(Format):
    """The format: all rows that were logged so far stand in ``log_history``."""

    name = "Trainer state"
    rank = 35
    whole = True
    cumulative = True

    def sniff(self, path: str, head: bytes) -> bool:  # noqa: ARG002
        """See `tuimon.formats.base.Kind.sniff`."""
        text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
        return text.startswith(b"{") and b'"log_history"' in text and b'"global_step"' in text and b"}\n{" not in text

    def home(self, folder: str, file_name: str) -> str:  # noqa: ARG002
        """See `tuimon.formats.base.Kind.home`: checkpoints lie in directories of the run."""
        return re.sub(_CHECKPOINT, "", folder)

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return _State()


class _State(JsonDocument):
    def records(self, value: object) -> Sequence[Record]:
        state = as_dict(value)
        rows = [row for row in as_list(state.get("log_history")) if isinstance(row, dict)]
        given = settings({key: state[key] for key in _SETTINGS if state.get(key) is not None})
        results = {key: state[key] for key in _RESULTS if state.get(key) is not None}
        found = [RunInfo(results), Config(given), *row_records(rows)]
        if any("train_runtime" in row for row in rows):  # the last row of a training, and the only one with it
            found.append(End("finished"))
        return found


FORMAT = TrainerState()
