"""The browser application as the server sees it: its shell, its files, nothing of its content."""
