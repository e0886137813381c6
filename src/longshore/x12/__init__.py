"""X12 text to segments and findings: pure, standard library only."""
