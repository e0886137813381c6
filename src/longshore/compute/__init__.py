"""Where document work runs: in this process while it is short, else in a pool of processes."""
