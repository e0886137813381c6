"""Transactions: one record for each transaction set sent or received, and its states."""
