"""The comparison: what is compared (`model`), which columns there are, and a module for each way to show it."""
