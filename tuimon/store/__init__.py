"""Runs and their series in memory: columns, pyramids, attempts. No I/O and no Textual."""
