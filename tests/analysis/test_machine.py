"""What tags of the machine measure, whichever program named them."""

from __future__ import annotations

import pytest

from tuimon.analysis.machine import GB, GIB, MB, MIB, Gauge, Meter, cores, gauges, is_machine, meter_of


@pytest.mark.parametrize(
    ("tag", "meter"),
    [
        ("system/gpu1/percent", Meter("gpu1", "use", "%")),  # tuimon_writer
        ("system/gpu0/memory_mib", Meter("gpu0", "memory", "B", MIB)),
        ("system/gpu0/process_memory_mib", Meter("gpu0", "by this run", "B", MIB)),
        ("system/cpu_percent", Meter("machine", "CPU", "%")),
        ("system/process/memory_mib", Meter("run", "memory", "B", MIB)),
        ("system/disk/read_mib_s", Meter("disk", "read", "B/s", MIB)),
        ("system/gpu.0.gpu", Meter("gpu0", "use", "%")),  # W&B
        ("system/gpu/0/gpu", Meter("gpu0", "use", "%")),
        ("system/gpu.11.memoryAllocatedBytes", Meter("gpu11", "memory", "B")),
        ("system/gpu.0.memory", Meter("gpu0", "memory traffic", "%")),
        ("system/gpu.0.temp", Meter("gpu0", "temperature", "°C")),
        ("system/gpu.0.gpu/l:trainer", Meter("gpu0", "use", "%", node="trainer")),
        ("system/cpu.12.cpu_percent", Meter("machine", "core 12", "%")),
        ("system/proc.memory.rssMB", Meter("run", "memory", "B", MB)),
        ("system/network.recv", Meter("network", "received", "B/s", grows=True)),
        ("system/disk./.usagePercent", Meter("disk", "used", "%")),
        ("system/disk./data.usageGB", Meter("disk", "used data", "B", GB)),
        ("system/disk.in", Meter("disk", "read", "B/s", MB, grows=True)),
        ("system/gpu_0_utilization_percentage", Meter("gpu0", "use", "%")),  # MLflow
        ("system/gpu_2_memory_usage_megabytes", Meter("gpu2", "memory", "B", MB)),
        ("system/system_memory_usage_megabytes", Meter("machine", "memory", "B", MB)),
        ("system/cpu_utilization_percentage", Meter("machine", "CPU", "%")),
        ("system/network_transmit_megabytes", Meter("network", "sent", "B/s", MB, grows=True)),
        ("system/gpu/3/allocated_memory", Meter("gpu3", "memory", "B", GIB)),  # trackio
        ("system/gpu/3/memory_usage", Meter("gpu3", "memory", "%", 100.0)),
        ("system/network/recv_mb_per_sec", Meter("network", "received", "B/s", MIB)),
        ("ray/tune/perf/ram_util_percent", Meter("machine", "memory", "%")),  # Ray
        ("perf/gpu_util_percent0", Meter("gpu0", "use", "%", 100.0)),
        ("DeviceStatsMonitor.on_train_batch_end/cpu_percent", Meter("machine", "CPU", "%")),  # Lightning
        ("System/Peak GPU Memory (MB)", Meter("other", "Peak GPU Memory (MB)", "B", MB)),  # OLMo
        ("system/weird thing", Meter("other", "weird thing", "")),
    ],
)
def test_a_tag_says_what_it_measures(tag: str, meter: Meter) -> None:
    """Device, quantity, unit, and how to come to it."""
    assert meter_of(tag) == meter
    assert is_machine(tag)


@pytest.mark.parametrize("tag", ["train/loss", "systematic/error", "perf/samples_per_second", "gpu_hours"])
def test_tags_of_the_training_are_none_of_the_machine(tag: str) -> None:
    """However alike they sound."""
    assert meter_of(tag) is None
    assert not is_machine(tag)


def test_amount_share_and_total_make_one_gauge() -> None:
    """Used memory, its percentage, and the limit of power."""
    found = gauges(
        ["system/gpu0/memory_percent", "system/gpu0/memory_mib", "system/gpu0/percent", "system/gpu.0.powerWatts",
         "system/gpu.0.enforcedPowerLimitWatts"]
    )  # fmt: skip
    assert found == [
        Gauge("gpu0", "", "use", "%", "system/gpu0/percent"),
        Gauge("gpu0", "", "memory", "B", "system/gpu0/memory_mib", "system/gpu0/memory_percent"),
        Gauge("gpu0", "", "power", "W", "system/gpu.0.powerWatts", "", "system/gpu.0.enforcedPowerLimitWatts"),
    ]


def test_devices_are_in_the_order_in_which_they_are_wanted() -> None:
    """GPUs by number, the run, the machine, disk, network; W&B's second copy of a GPU is left out."""
    tags = ["system/network.sent", "system/cpu", "system/gpu.10.gpu", "system/gpu.2.gpu", "system/gpu.process.2.gpu",
            "system/disk.in", "system/proc.memory.rssMB", "system/cpu.0.cpu_percent", "loss"]  # fmt: skip
    assert [gauge.device for gauge in gauges(tags)] == ["gpu2", "gpu10", "run", "machine", "disk", "network"]
    assert cores(["system/cpu.10.cpu_percent", "system/cpu.9.cpu_percent", "system/cpu"]) == [
        "system/cpu.9.cpu_percent",
        "system/cpu.10.cpu_percent",
    ]
