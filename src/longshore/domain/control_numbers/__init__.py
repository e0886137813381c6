"""Control numbers: which numbers a range gives, and how many are left of it."""
