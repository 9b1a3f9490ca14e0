"""What the GPUs of this machine are at, through NVIDIA's library (the package nvidia-ml-py, module pynvml)."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

Values = dict[tuple[str, str], float]


class Gpus:
    """All GPUs of this machine, also those that others use.

    Args:
        nvml: The module; None where it is not installed: then there are none.

    Attributes:
        names: Name of each by its number.
    """

    def __init__(self, nvml: Any = None) -> None:
        self._nvml = nvml
        self._handles: list[Any] = []
        self._ids: list[str] = []
        self.names: dict[int, str] = {}
        self._opened = nvml is None

    @classmethod
    def found(cls) -> Gpus:
        """Those of this machine."""
        try:
            return cls(import_module("pynvml"))
        except Exception:  # it is not there, or too old to be imported without a complaint
            return cls()

    def read(self, pids: set[int], visible: str | None) -> tuple[Values, Values, set[int]]:
        """Read them.

        Args:
            pids: The processes of the run.
            visible: CUDA_VISIBLE_DEVICES of the run.

        Returns:
            Values and totals by device and quantity, and the numbers of the GPUs that the run uses: it computes on
            them, or is told to use them.
        """
        if not self._opened:
            self._opened = True
            self._open()
        values: Values = {}
        totals: Values = {}
        used = self._told(visible)
        for number, handle in enumerate(self._handles):
            if self._read(f"gpu{number}", handle, pids, values, totals):
                used.add(number)
        return values, totals, used

    def _open(self) -> None:
        nvml = self._nvml
        try:
            nvml.nvmlInit()
            self._handles = [nvml.nvmlDeviceGetHandleByIndex(number) for number in range(nvml.nvmlDeviceGetCount())]
        except nvml.NVMLError:  # the package is there, a GPU or its driver is not
            return
        for number, handle in enumerate(self._handles):
            self.names[number] = _text(self._ask(nvml.nvmlDeviceGetName, handle))
            self._ids.append(_text(self._ask(nvml.nvmlDeviceGetUUID, handle)))

    def _told(self, visible: str | None) -> set[int]:
        """Those that CUDA_VISIBLE_DEVICES names, by number or by the start of their ids. CUDA stops at a wrong name."""
        found: set[int] = set()
        for name in (visible or "").split(","):
            name = name.strip()
            if name.isdecimal() and int(name) < len(self._ids):
                found.add(int(name))
            elif name.startswith("GPU-") and any(one.startswith(name) for one in self._ids):
                found.update(number for number, one in enumerate(self._ids) if one.startswith(name))
            else:
                break
        return found

    def _read(self, device: str, handle: Any, pids: set[int], values: Values, totals: Values) -> bool:
        """Read one, and say whether the run computes on it."""
        nvml = self._nvml
        use = self._ask(nvml.nvmlDeviceGetUtilizationRates, handle)
        if use is not None:
            values[device, "use"] = float(use.gpu)
        memory = self._ask(nvml.nvmlDeviceGetMemoryInfo, handle)
        if memory is not None:
            values[device, "memory"], totals[device, "memory"] = float(memory.used), float(memory.total)
        milliwatts = self._ask(nvml.nvmlDeviceGetPowerUsage, handle)
        if milliwatts is not None:
            values[device, "power"] = milliwatts / 1000
        limit = self._ask(nvml.nvmlDeviceGetEnforcedPowerLimit, handle)
        if limit is not None:
            totals[device, "power"] = limit / 1000
        celsius = self._ask(nvml.nvmlDeviceGetTemperature, handle, nvml.NVML_TEMPERATURE_GPU)
        if celsius is not None:
            values[device, "temperature"] = float(celsius)
        ours = [one for one in self._ask(nvml.nvmlDeviceGetComputeRunningProcesses, handle) or () if one.pid in pids]
        if ours and all(one.usedGpuMemory is not None for one in ours):
            values[device, "by this run"] = float(sum(one.usedGpuMemory for one in ours))
        return bool(ours)

    def _ask(self, question: Callable[..., Any], *about: Any) -> Any:
        """The answer; None where this GPU has none."""
        try:
            return question(*about)
        except self._nvml.NVMLError:
            return None


def _text(value: object) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value or "")
