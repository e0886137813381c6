"""Acknowledgements: received for what was sent, made for what was received, and overdue ones."""
