"""A document of metrics an epoch."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from tuimon.formats.allennlp import FORMAT
from tuimon.formats.registry import detect

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]


def test_the_row_of_an_epoch_stands_at_the_epoch_it_names_or_at_that_of_the_file_name(read: Read) -> None:
    text = json.dumps({"epoch": 3, "training_loss": 0.5, "training_duration": "0:00:04.6"}, indent=2).encode()
    assert detect("model/metrics_epoch_3.json", text) is FORMAT
    assert read(FORMAT.parser("metrics_epoch_3.json"), text).steps("training_loss") == [3]
    text = json.dumps({"validation_loss": 0.25}).encode()
    assert read(FORMAT.parser("model/metrics_epoch_12.json"), text).steps("validation_loss") == [12]
    assert detect("model/metrics.json", text) is None
