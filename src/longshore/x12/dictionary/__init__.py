"""The dictionary: sets, segments and elements of the X12 standard, read from text files."""
