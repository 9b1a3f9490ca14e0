"""Tells people of findings where they are: a command, the desktop, a webhook; each once, and not too many at a time."""
