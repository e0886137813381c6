"""Lists as a whole, for files: what a filter fits, page by page."""
