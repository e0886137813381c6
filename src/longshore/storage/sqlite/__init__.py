"""SQLite through apsw: one writer thread with group commit, separate readers."""
