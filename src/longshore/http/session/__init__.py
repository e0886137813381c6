"""/api/*: what the pages of the service call; a logged-in session is needed, a key never works."""
