"""Words everybody uses: errors, environment, clock, ids. Nothing of ours lies below."""
