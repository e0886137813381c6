"""Many documents to Parquet: what the sources hold, how the work is divided, and who does it.

Needs the extra ``longshore[bulk]``. Source: docs/howto/files-to-parquet.md.
"""
