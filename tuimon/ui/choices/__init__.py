"""What a person has chosen in a panel and wants to find again: one file a panel, without Textual and numpy."""
