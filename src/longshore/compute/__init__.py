"""Where document work runs: in process, later in a process pool."""
