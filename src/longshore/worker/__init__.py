"""The background work of a process: what is due is claimed and done, again and again."""
