"""What a run printed: which files hold it, and their lines as a terminal would show them. No UI."""
