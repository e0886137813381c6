"""The elements of one segment, judged against its use: exactly (check), and at speed (patterns)."""
