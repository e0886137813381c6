"""Interchanges and receipts, sent and received: rows, encrypted content, and lists."""
