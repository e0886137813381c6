"""The X12 core: from text to segments and findings, without I/O, with the standard library only."""
