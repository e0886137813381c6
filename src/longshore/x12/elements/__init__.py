"""Check the elements of a segment against its use: exactly (``check``) or fast (``patterns``)."""
