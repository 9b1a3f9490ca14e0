"""One module per log format, found by name: a new format is one new file here."""
