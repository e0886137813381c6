"""What is received about documents we sent, joined with all that it changes."""
