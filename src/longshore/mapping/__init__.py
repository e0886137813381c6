"""Apply mapping rules to documents, without I/O."""
