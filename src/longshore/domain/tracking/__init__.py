"""What became of each document that was sent or received, and what people do about it."""
