"""Transactions: one record for each set sent or received, its states, and all actions on it."""
