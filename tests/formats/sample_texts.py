"""A small log of each format that is text, or nearly so."""

from __future__ import annotations

import json

ID = "0123456789abcdef" * 2
STAMP = "2024-01-05T10:01:00.123"
ROWS = [{"step": step, "loss": 1 / (step + 1), "acc": step / 10} for step in range(6)]
HISTOGRAM = {"tag": "w", "edges": [0, 1, 2], "counts": [3, 4], "min": 0.5, "mean": 1.0}


def lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


TEXTS: dict[str, bytes] = {
    "run/tuimon-1.jsonl": lines(
        {"tuimon": 1, "run": {"name": "a", "started": 1.7e9}, "config": {"lr": 0.1}},
        *({"step": step, "time": 1.7e9, "scalars": {"loss": 0.5, "acc": step}} for step in range(4)),
        {"step": 1, "time": 1.7e9, "histogram": HISTOGRAM},
        {"step": 2, "time": 1.7e9, "text": {"tag": "note", "text": "hello"}},
        {"step": 2, "time": 1.7e9, "table": {"tag": "t", "columns": ["a"], "rows": [[1]]}},
        {"end": {"status": "finished", "time": 1.7e9}},
    ),
    f"mlruns/0/{ID}/metrics/loss": b"".join(b"%d %f %d\n" % (1700000000000 + i, i / 3, i) for i in range(5)),
    f"mlruns/0/{ID}/params/lr": b"0.001",
    "dvclive/plots/metrics/train/loss.tsv": b"timestamp\tstep\tloss\n1700000000000\t0\t0.5\n1700000001000\t1\t0.25\n",
    "dvclive/metrics.json": lines({"train": {"loss": 0.5}, "step": 3}),
    "out/trainer_state.json": lines({"global_step": 5, "log_history": ROWS}),
    "1/metrics.json": lines({"loss": {"steps": [0, 1], "timestamps": [STAMP] * 2, "values": [0.5, 0.25]}}),
    "1/run.json": lines({"experiment": {"name": "x"}, "command": "main", "status": "COMPLETED", "start_time": STAMP}),
    "r/run_logs/timers.json": lines(
        {
            "name": "root",
            "gauges": {"Loss.mean": {"value": 1.0, "min": 0.5, "max": 2.0, "count": 3}},
            "metadata": {"start_time_seconds": "1700000000"},
        }
    ),
    "a/metrics_epoch_1.json": lines({"epoch": 1, "training_loss": 0.5, "validation_loss": 0.25}),
    "k/history.json": lines({"loss": [0.5, 0.25, 0.125], "val_loss": [1, 2, 3]}),
    "w/wandb-summary.json": lines({"loss": 0.5, "_step": 5, "_runtime": 3}),
    "w/wandb-metadata.json": lines({"host": "h", "program": "train.py", "startedAt": STAMP, "args": ["--lr=1"]}),
    "w/wandb-history.jsonl": lines(*({"_step": step, "_runtime": step, "loss": 0.5} for step in range(4))),
    "w/config.yaml": b"lr: 0.1\nnet:\n  sizes: [1, 2]\n  name: 'a'\n  more: {x: 1, y: \"z\"}\nlist:\n- 1\n- b\n",
    "a/projector_config.pbtxt": b'embeddings {\ntensor_name: "v:00002"\ntensor_path: "2/tensors.tsv"\n}\n',
    "a/metrics.jsonl": lines(*ROWS),
    "a/objects.json": b"\n".join(json.dumps(row, indent=1).encode() for row in ROWS),
    "a/0.monitor.csv": b'#{"t_start": 1700000000.0, "env_id": "x"}\nr,l,t\n1.5,10,0.5\n2.5,20,1.5\n',
    "exp/results.txt": b"".join(b"%10s%10s" % (b"%d/2" % i, b"4.5G") + b"%10.4g" % 0.25 * 13 + b"\n" for i in range(3)),
    "a/log.csv": b"step,loss,name\n" + b"".join(b'%d,%f,"x ""y"""\n' % (i, 1 / (i + 1)) for i in range(8)),
    "a/prefixed.log": b"".join(
        b"%s | INFO | train_inner | " % STAMP.encode()
        + lines({"epoch": 1, "update": i, "loss": "2.5", "num_updates": i})
        for i in range(8)
    ),
    "a/train.log": b"".join(b"Epoch [1/10], Step [%d/600], Loss: %f lr 1e-4\n" % (i, 1 / i) for i in range(1, 8)),
}
