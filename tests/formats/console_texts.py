"""Output of trainings that several tests read."""

from __future__ import annotations

TABLES = """
-----------------------------------
| rollout/           |            |
|    ep_rew_mean     | -1.5e+02   |
| time/              |            |
|    total_timesteps | 2048       |
-----------------------------------
saving
-----------------------------------
| rollout/           |            |
|    ep_rew_mean     | 26         |
| time/              |            |
|    total_timesteps | 4096       |
-----------------------------------
| loss | 0.5 |
| step | 3   |
-----------------------------------
"""

KERAS = (
    "Epoch 1/2\n"
    "   1/32 [..............................] - ETA: 2:11 - loss: 3.5\b\b\b\b\b\b\r"
    " 16/32 [=======>......................] - ETA: 12s - loss: 3.0\r"
    "32/32 [==============================] - 31s 20ms/step - loss: 1.5 - val_loss: 1.25\n"
    "Epoch 2/2\n"
    "\x1b[1m 1/32\x1b[0m \x1b[37m━━━━━━━━\x1b[0m \x1b[1m18s\x1b[0m 604ms/step - loss: 2.3\r"
    "\x1b[1m32/32\x1b[0m \x1b[32m━━━━━━━━\x1b[0m \x1b[1m1s\x1b[0m 2ms/step - loss: 1.0 - val_loss: 0.75\n"
)

TQDM = "".join(
    f"Epoch 0:  {count}%|{'█' * count:10}| {count}/10 [00:10<00:12,  4.4it/s, v_num=0, loss={loss}]\r"
    for count, loss in ((1, 5.5), (2, 5.5), (2, 4.5), (3, 4.5), (3, 3.5))
)
