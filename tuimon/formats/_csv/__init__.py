"""Delimited tables: how their dialects are told and read."""
