"""What the X12 standard says about sets, segments and elements, read from text files."""
