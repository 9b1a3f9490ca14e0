"""What the media panel shows: the kinds of media there are, where they are found, and the reading of their files."""
