"""Event files: frames, events, and whole cycles of scalars at once."""
