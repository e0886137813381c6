"""The audit log: who did what, chained so that no entry can be changed or taken out unseen."""
