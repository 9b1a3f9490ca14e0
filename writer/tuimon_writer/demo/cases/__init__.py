"""What can go wrong in a training, ONE FILE A CASE: a small real training that shows it, and the same one put right."""
