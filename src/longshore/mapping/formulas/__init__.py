"""Formulas of mapping rules: read, checked, and computed for each row of a document."""
