"""Acknowledgements received for what was sent, and sent for what was received."""
