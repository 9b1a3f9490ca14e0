"""W&B's `.wandb` files: frames, records, history and console output."""
