"""Parse X12, JSON, XML and CSV documents into one ordered flat map of fields, without I/O."""
