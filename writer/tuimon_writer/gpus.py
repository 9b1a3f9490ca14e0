"""What the GPUs of this machine are at, through NVIDIA's library (the package nvidia-ml-py, module pynvml)."""

from __future__ import annotations

import os

from tuimon_writer.meters import MIB

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tuimon_writer.values import Json


class Gpus:
    """All GPUs of this machine, also those that others use.

    Args:
        pynvml: The module.

    Attributes:
        used: Numbers of those that this process uses, as far as is known from the last reading.
    """

    def __init__(self, pynvml: Any) -> None:
        self._nvml = pynvml
        self.used: set[int] = set()
        self._handles: list[Any] = []
        self._names: list[str] = []
        self._visible: set[int] = set()
        self._opened = False

    def read(self, pids: set[int]) -> dict[str, float]:
        """Read them.

        Args:
            pids: This process and its children.

        Returns:
            Per cent in use, memory, power and temperature by tags such as "gpu0/percent"; and, of those that this
            process uses, the memory that it takes. What a GPU does not tell is left out; nothing where there is none.
        """
        if not self._opened:
            self._opened = True
            self._open()
        found: dict[str, float] = {}
        for number, handle in enumerate(self._handles):
            found.update((f"gpu{number}/{key}", value) for key, value in self._read(number, handle, pids).items())
        return found

    def describe(self) -> list[Json]:
        """Number and name of each, and whether this process uses it."""
        return [{"index": number, "name": name, "used": number in self.used} for number, name in enumerate(self._names)]

    def _open(self) -> None:
        nvml = self._nvml
        try:
            nvml.nvmlInit()
            self._handles = [nvml.nvmlDeviceGetHandleByIndex(number) for number in range(nvml.nvmlDeviceGetCount())]
        except nvml.NVMLError:  # the package is there, a GPU or its driver is not
            return
        for handle in self._handles:
            name = self._ask(nvml.nvmlDeviceGetName, handle)
            self._names.append(name.decode() if isinstance(name, bytes) else str(name or ""))
        self._visible = self._named()

    def _named(self) -> set[int]:
        """Those that CUDA_VISIBLE_DEVICES names, by number or by the start of their ids. CUDA stops at a wrong name."""
        ids = [self._ask(self._nvml.nvmlDeviceGetUUID, handle) for handle in self._handles]
        texts = [one.decode() if isinstance(one, bytes) else str(one) for one in ids]
        found: set[int] = set()
        for name in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(","):
            name = name.strip()
            if name.isdecimal() and int(name) < len(texts):
                found.add(int(name))
            elif name.startswith("GPU-") and any(text.startswith(name) for text in texts):
                found.update(number for number, text in enumerate(texts) if text.startswith(name))
            else:
                break
        return found

    def _read(self, number: int, handle: Any, pids: set[int]) -> dict[str, float]:
        nvml = self._nvml
        found: dict[str, float] = {}
        use = self._ask(nvml.nvmlDeviceGetUtilizationRates, handle)
        if use is not None:
            found["percent"] = float(use.gpu)
        memory = self._ask(nvml.nvmlDeviceGetMemoryInfo, handle)
        if memory is not None:
            found["memory_mib"] = memory.used / MIB
            found["memory_percent"] = 100 * memory.used / memory.total
        milliwatts = self._ask(nvml.nvmlDeviceGetPowerUsage, handle)
        if milliwatts is not None:
            found["watts"] = milliwatts / 1000
        celsius = self._ask(nvml.nvmlDeviceGetTemperature, handle, nvml.NVML_TEMPERATURE_GPU)
        if celsius is not None:
            found["celsius"] = float(celsius)
        ours = [one for one in self._ask(nvml.nvmlDeviceGetComputeRunningProcesses, handle) or () if one.pid in pids]
        if ours and all(one.usedGpuMemory is not None for one in ours):
            found["process_memory_mib"] = sum(one.usedGpuMemory for one in ours) / MIB
        if ours or number in self._visible:
            self.used.add(number)
        return found

    def _ask(self, question: Callable[..., Any], *about: Any) -> Any:
        """The answer; None where this GPU has none."""
        try:
            return question(*about)
        except self._nvml.NVMLError:
            return None
