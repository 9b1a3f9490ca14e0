"""Steps of logs that count iterations from one again in every epoch (mmcv's `.log.json`)."""

from __future__ import annotations


class EpochSteps:
    """Turns an epoch and an iteration within it into one step.

    The length of an epoch is the last iteration that was logged in the first epoch of the file. A log whose iterations
    go on counting in the next epoch is left as it is.
    """

    def __init__(self) -> None:
        self._first: float | None = None
        self._longest = 0.0
        self._length: float | None = None

    def clone(self) -> EpochSteps:
        """The same epochs, for another range of the file."""
        other = EpochSteps()
        other._first, other._longest, other._length = self._first, self._longest, self._length
        return other

    def step(self, mode: str, epoch: float, iteration: float) -> float:
        """The step of a row.

        Args:
            mode: "train"; anything else is a validation at the end of its epoch, whose iterations are its own.
            epoch: The epoch, in any numbering.
            iteration: The iteration within the epoch.
        """
        if self._first is None:
            self._first = epoch
        epochs = epoch - self._first
        if mode != "train":
            return (epochs + 1) * self._length if self._length else self._longest
        if self._length is None and epochs:
            self._length = self._longest if iteration <= self._longest else 0.0
        if not self._length:
            self._longest = max(self._longest, iteration)
        return iteration + epochs * (self._length or 0.0)
