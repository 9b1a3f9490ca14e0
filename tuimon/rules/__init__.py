"""What goes wrong in trainings, ONE FILE A RULE: pure functions over arrays. No I/O, no clock."""
