"""Settings: the only reader of LONGSHORE_* variables and longshore.toml."""
