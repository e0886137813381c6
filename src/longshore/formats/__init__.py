"""X12, JSON, XML and CSV documents to one ordered flat map of fields: pure."""
