"""The subcommands that print and end: one module each."""
