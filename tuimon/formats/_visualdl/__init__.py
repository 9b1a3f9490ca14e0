"""VisualDL's record files: frames, records and their values."""
