"""The database adapter: named SQL behind the stores of the domain."""
