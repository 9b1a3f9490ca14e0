"""Widgets that more than one panel uses."""
